"""Whether a stone has been seen in the turn at hand: all that the table says to a player about his stone.

It says that the sensors have told a stone, the same of every stone; nobody learns by it what the referee
makes of one, nor whether a stone that was pressed for came before its press or after it.
"""

from firmware_host.referee.state import EMPTY, Match


def look(m: Match) -> None:
    """Bring `m.stone_seen` to what lies on the board now; to be called when an input has been ruled."""
    player = None if m.time_of is None else m.player_of(m.time_of)
    if player is not m.turn_of:
        m.turn_of, m.lay_at_turn = player, tuple(m.sensed)
    m.stone_seen = (
        m.phase == "playing"
        and tuple(m.sensed) != m.lay_at_turn
        and any(
            now != EMPTY and before == EMPTY and not pressed_for(m, p)
            for p, (now, before) in enumerate(zip(m.sensed, m.lay_at_turn, strict=True))
        )
    )


def pressed_for(m: Match, p: int) -> bool:
    """Whether the stone on a point is one whose player had pressed already when it came."""
    entry = m.fifth if p in m.offers else m.entry_at(p)
    if entry is not None:
        return entry.pressed
    return m.awaited is not None and any(laid.point == p for laid in m.draft)
