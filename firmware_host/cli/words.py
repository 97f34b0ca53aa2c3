"""Rulings and events in words, one line each."""

from typing import Any


def in_words(line: dict[str, Any]) -> str:
    """One line for people; of the end several."""
    if "final" in line:
        return end_in_words(line["final"])
    rest = {k: v for k, v in line.items() if k not in ("t", "event", "ruling")}
    what = line.get("event") or f"  {line['ruling']}"
    told = (k if v is True else f"{k} {value_in_words(v)}" for k, v in rest.items() if v not in (None, False))
    return f"{line['t']:9.3f}  {what:<20} {'  '.join(told)}".rstrip()


def value_in_words(value: object) -> str:
    """A value of a JSON object, without brackets and quotes."""
    match value:
        case dict():
            return ", ".join(f"{k} {value_in_words(v)}" for k, v in value.items() if v is not None)
        case list() | tuple() if any(isinstance(item, dict) for item in value):
            return "; ".join(map(value_in_words, value)) or "none"
        case list() | tuple():
            return " ".join(map(value_in_words, value)) or "none"
        case float():
            return f"{value:g}"
        case None:
            return "-"
    return str(value)


def end_in_words(end: dict[str, Any]) -> str:
    """The game at the end of a trace, a line each; among the moves `-` is a pass or one that nobody knows."""
    result = "not over"
    if end["result"]:
        winner = f"{end['winner']} wins" if end["winner"] else "draw"
        result = f"{winner}, {value_in_words(end['result'])}, {end['reason']}"
    left = [f"{side} {ms / 1000:g} s" for side, ms in (end["remaining_ms"] or {}).items()]
    irregular = [f"{found['code']} {found['point'] or ''}".rstrip() for found in end["irregular"]]
    return "\n".join(
        (
            f"moves: {value_in_words(end['moves'])}",
            f"irregular actions: {', '.join(irregular) or 'none'}",
            f"result: {result}",
            f"time left: {', '.join(left) or 'no limit'}",
        )
    )


def to_json(line: dict[str, Any]) -> str:
    """One line of JSON."""
    import msgspec

    return msgspec.json.encode(line).decode()
