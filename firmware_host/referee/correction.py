"""When the board is right again: what goes on by itself, and how the clocks go on.

Source: competition rules 4.2, 6.1, 6.3; `docs/rules.md`, "Irregular actions and their remedies".
"""

from typing import Final

from firmware_host.referee import draft, offers, removal, strays, timing
from firmware_host.referee.board_watch import forget_hands, in_the_way
from firmware_host.referee.state import Match

BY_NEXT_ACT: Final = ("correction", "scattered")
"""Why the clocks stand when nobody has to say that they go on once the board is right."""


def right(m: Match) -> bool:
    """Whether the clocks stand, nothing on the board is in their way, and N is named where it must be."""
    return m.phase == "stopped" and not (m.guiding or m.unseen or offers.owed(m) or in_the_way(m))


def complete(m: Match) -> bool:
    """Whether the next act in turn goes on: nothing but the board was to be put right, and it is."""
    return m.why in BY_NEXT_ACT and m.claim is None and right(m)


def without_arbiter(m: Match) -> None:
    """In club play (`forbidden = "automatic"`) the clocks go on as soon as a correction is complete."""
    if m.settings.forbidden == "automatic" and m.why == "correction" and complete(m):
        go_on(m)


def go_on(m: Match) -> None:
    """The clocks go on, with what lies on the board."""
    forget_hands(m)
    strays.keep_true(m)
    draft.from_board(m)
    close_put_right(m)
    m.resume()


def close_put_right(m: Match) -> None:
    """The clocks go on after a correction of offers or removal: if it is right, nobody need press again.

    Else it is the time of the side that has to put it right, and its press judges.
    """
    if m.put_right == "offers" and m.step.do == "offers" and offers.offers_right(m):
        offers.close_offers(m)
    elif (
        m.put_right == "removal"
        and m.removal_open
        and len(removal.offers_left(m)) == 1
        and removal.after_fifth(m)
    ):
        removal.close_removal(m)
    else:
        return
    m.put_right = None
    for entry in m.entries[m.number(fifth) - 1 :] if (fifth := m.fifth) else []:
        entry.pressed = entry.credited = True
    timing.hand_over(m)
