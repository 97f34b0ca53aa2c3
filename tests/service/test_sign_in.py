"""The PIN of the arbiter's side: sessions, waits after wrong PINs."""

import pytest

from firmware_host.service.sign_in import (
    FREE_TRIES,
    LONGEST_WAIT_NS,
    SECOND,
    SESSION_NS,
    SESSIONS,
    NotSignedIn,
    SignIn,
)

PIN = "4711"


def test_the_right_pin_gives_a_session_that_ends() -> None:
    signing = SignIn(PIN)
    token = signing.sign_in(PIN, 0)
    assert len(token) >= 43
    assert signing.knows(token, SESSION_NS - 1)
    assert not signing.knows(token, SESSION_NS)
    assert not signing.knows(token, 0)
    assert not signing.knows("", 0)
    other = signing.sign_in(PIN, 0)
    assert other != token
    signing.sign_out(other)
    signing.sign_out("nobody's")
    assert not signing.knows(other, 0)


def test_wrong_pins_make_everybody_wait_longer_and_longer() -> None:
    signing = SignIn(PIN)
    now = 0
    waits = []
    for wrong in ("4712", "", "47111", "٤٧١١", "0", "1", "2", "3", "4", "5"):
        with pytest.raises(NotSignedIn, match="not the arbiter's PIN") as refused:
            signing.sign_in(wrong, now)
        waits.append(refused.value.wait_s)
        if refused.value.wait_s:
            with pytest.raises(NotSignedIn, match="try again in"):
                signing.sign_in(PIN, now + refused.value.wait_s * SECOND - 1)
        now += refused.value.wait_s * SECOND
    assert waits == [0] * FREE_TRIES + [2, 4, 8, 16, 32, 60, 60]
    assert LONGEST_WAIT_NS == 60 * SECOND
    assert signing.knows(signing.sign_in(PIN, now), now)
    with pytest.raises(NotSignedIn) as refused:
        signing.sign_in("0", now)
    assert refused.value.wait_s == 0


def test_one_session_too_many_ends_the_oldest() -> None:
    signing = SignIn(PIN)
    tokens = [signing.sign_in(PIN, 0) for _ in range(SESSIONS + 1)]
    assert [signing.knows(token, 1) for token in tokens] == [False] + [True] * SESSIONS
