"""When the board is right again: what goes on by itself, and how the clocks go on.

Source: competition rules 4.2, 6.1, 6.3; `docs/rules.md`, "Irregular actions and their remedies".
"""

from typing import Final

from firmware_host.referee import draft, offers, removal, strays, timing
from firmware_host.referee.board_watch import forget_hands, in_the_way
from firmware_host.referee.state import Match

BY_NEXT_ACT: Final = ("correction", "scattered", "whose")
"""Why the clocks stand when nobody has to say that they go on once the board is right."""


def right(m: Match) -> bool:
    """Whether the clocks stand, nothing on the board is in their way, and N is named where it must be."""
    return m.phase == "stopped" and not (m.guiding or m.unseen or offers.owed(m) or in_the_way(m))


def complete(m: Match) -> bool:
    """Whether the next act in turn goes on: nothing but the board was to be put right, and it is."""
    return m.why in BY_NEXT_ACT and m.claim is None and right(m)


def after_input(m: Match) -> None:
    """What goes on by itself: offers and a removal that are right again, whatever put them right.

    In club play (`forbidden = "automatic"`) the clocks do, as soon as any correction is complete.
    """
    if m.phase == "playing" and m.put_right is not None:
        if is_put_right(m):
            close_put_right(m)
    elif m.why == "correction" and complete(m):
        if m.put_right is not None:
            forget_hands(m)
            draft.from_board(m)
        if m.settings.forbidden == "automatic" or is_put_right(m):
            go_on(m)


def go_on(m: Match) -> None:
    """The clocks go on, with what lies on the board."""
    forget_hands(m)
    strays.keep_true(m)
    draft.from_board(m)
    close_put_right(m)
    m.resume()


def is_put_right(m: Match) -> bool:
    """Whether what was upheld of offers or removal is right now: offers whose number is named, or move 5."""
    if m.put_right == "offers":
        return m.offers_n is not None and m.step.do == "offers" and offers.offers_right(m)
    left = removal.offers_left(m) if m.put_right == "removal" and m.removal_open else ()
    return len(left) == 1 and bool(removal.after_fifth(m))


def close_put_right(m: Match) -> None:
    """Offers or a removal are right after a correction: nobody need press again.

    Else it is the time of the side that has to put them right, and its press judges.
    """
    if m.put_right == "offers" and m.step.do == "offers" and offers.offers_right(m):
        offers.close_offers(m)
    elif is_put_right(m):
        removal.close_removal(m)
    else:
        return
    m.put_right = None
    for entry in m.entries[m.number(fifth) - 1 :] if (fifth := m.fifth) else []:
        entry.pressed = entry.credited = True
    timing.hand_over(m)
