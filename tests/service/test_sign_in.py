"""Sessions, and the waits after wrong PINs: by address, and over all strangers together."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_host.service.pins import Hashed, Pins, Role, save
from firmware_host.service.session_file import SessionFile
from firmware_host.service.sign_in import (
    ADDRESSES,
    FREE_TRIES,
    LONGEST_WAIT_NS,
    SECOND,
    SESSION_NS,
    SESSIONS,
    TRIES,
    TRY_NS,
    NotSignedIn,
    SignIn,
)

PIN = "48217735"
OPERATOR = "11223344"
DESK = "192.0.2.7"


class Known(Pins):
    """PINs that are compared without a hash: what is tested here is what follows from the answer."""

    def role_of(self, pin: str) -> Role | None:
        roles: dict[str, Role] = {PIN: "arbiter", OPERATOR: "operator"}
        return roles.get(pin)


def run(test: Callable[[SignIn], Awaitable[None]]) -> None:
    asyncio.run(test(SignIn(Known({"arbiter": PIN, "operator": OPERATOR}))))  # type: ignore[arg-type]


async def wrong(signing: SignIn, now_ns: int, address: str = DESK, pin: str = "0") -> int:
    """Try a wrong PIN; gives the wait in seconds."""
    with pytest.raises(NotSignedIn) as refused:
        await signing.sign_in(pin, address, now_ns)
    return refused.value.wait_s


def test_the_right_pin_gives_a_session_of_its_role_that_ends() -> None:
    async def test(signing: SignIn) -> None:
        token, role = await signing.sign_in(f" {PIN[:4]} {PIN[4:]}", DESK, 0)
        assert (role, len(token) >= 43) == ("arbiter", True)
        assert signing.role(token, SESSION_NS - 1) == "arbiter"
        assert signing.role(token, SESSION_NS) is None
        assert signing.role(token, 0) is None
        assert signing.role("", 0) is None
        other, role = await signing.sign_in(OPERATOR, DESK, 0)
        assert (other != token, role, signing.role(other, 0)) == (True, "operator", "operator")
        await signing.sign_out(other, 0)
        await signing.sign_out("nobody's", 0)
        assert signing.role(other, 0) is None

    run(test)


def test_wrong_pins_make_an_address_wait_longer_and_longer() -> None:
    async def test(signing: SignIn) -> None:
        now, waits = 0, []
        for pin in ("4712", "", "47111", "٤٧١١", "0", "1", "2", "3", "4", "5"):
            waits.append(await wrong(signing, now, pin=pin))
            if waits[-1]:
                with pytest.raises(NotSignedIn, match="try again in"):
                    await signing.sign_in(PIN, DESK, now + waits[-1] * SECOND - 1)
            now += waits[-1] * SECOND
        assert waits == [0] * FREE_TRIES + [2, 4, 8, 16, 32, 60, 60]
        assert LONGEST_WAIT_NS == 60 * SECOND
        token, _ = await signing.sign_in(PIN, DESK, now)
        assert signing.role(token, now) == "arbiter"
        assert await wrong(signing, now) == 0

    run(test)


def test_another_address_does_not_wait_with_it() -> None:
    async def test(signing: SignIn) -> None:
        while not await wrong(signing, 0):
            pass
        assert (await signing.sign_in(PIN, "192.0.2.8", 0))[1] == "arbiter"

    run(test)


def test_strangers_from_any_number_of_addresses_share_their_tries() -> None:
    async def test(signing: SignIn) -> None:
        token, _ = await signing.sign_in(PIN, DESK, 0)
        for n in range(TRIES):
            assert await wrong(signing, 0, f"198.51.100.{n}") == 0
        assert await wrong(signing, 0, "203.0.113.1", PIN) == TRY_NS // SECOND
        # Who is in stays in; a known address and the board's own machine come in.
        assert signing.role(token, 0) == "arbiter"
        assert (await signing.sign_in(PIN, DESK, 0))[1] == "arbiter"
        assert (await signing.sign_in(PIN, "127.0.0.1", 0, here=True))[1] == "arbiter"
        # And a stranger with the right PIN as soon as there is a try again, which costs nothing then.
        for _ in range(3):
            assert (await signing.sign_in(PIN, "203.0.113.1", TRY_NS))[1] == "arbiter"
        assert await wrong(signing, TRY_NS, "198.51.100.1") == 0
        assert await wrong(signing, TRY_NS, "198.51.100.2") == TRY_NS // SECOND

    run(test)


def test_a_day_of_trying_from_everywhere_is_few_pins() -> None:
    async def test(signing: SignIn) -> None:
        tried = 0
        for second in range(0, 3600, 5):
            for n in range(3):
                try:
                    await signing.sign_in("0", f"{second}-{n}", second * SECOND)
                except NotSignedIn as error:
                    tried += error.wait_s == 0
        assert tried == TRIES + 3600 * SECOND // TRY_NS - 1

    run(test)


def test_tries_at_the_same_time_are_no_way_around_the_wait() -> None:
    async def test(signing: SignIn) -> None:
        tries = [signing.sign_in(str(n), DESK, 0) for n in range(20)]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        said = [str(answer) for answer in answers]
        assert said.count("this is not the PIN") == FREE_TRIES + 1

    run(test)


def test_addresses_are_forgotten_before_they_fill_the_memory() -> None:
    async def test(signing: SignIn) -> None:
        for n in range(ADDRESSES + 50):
            with pytest.raises(NotSignedIn):
                await signing.sign_in("0", str(n), n * TRY_NS)
        assert len(signing._addresses) == ADDRESSES

    run(test)


def test_one_session_too_many_ends_the_oldest_of_its_role() -> None:
    async def test(signing: SignIn) -> None:
        operator, _ = await signing.sign_in(OPERATOR, DESK, 0)
        tokens = [(await signing.sign_in(PIN, DESK, 0))[0] for _ in range(SESSIONS + 1)]
        assert [signing.role(token, 1) for token in tokens] == [None] + ["arbiter"] * SESSIONS
        assert signing.role(operator, 1) == "operator"

    run(test)


def test_a_new_pin_ends_the_sessions_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    save(path, "arbiter", PIN)
    save(path, "operator", OPERATOR)

    async def test() -> None:
        signing = SignIn(Pins(path=path))
        arbiter, _ = await signing.sign_in(PIN, DESK, 0)
        operator, _ = await signing.sign_in(OPERATOR, DESK, 0)
        save(path, "arbiter", "99887766")
        assert (signing.role(arbiter, 0), signing.role(operator, 0)) == (None, "operator")
        path.unlink()
        assert signing.role(operator, 0) is None

    asyncio.run(test())


@pytest.mark.parametrize("configured", [True, False])
def test_sessions_outlive_a_restart_and_not_their_day(tmp_path: Path, configured: bool) -> None:
    file, path = tmp_path / "sessions.json", tmp_path / "pins.json"
    if not configured:
        save(path, "arbiter", PIN)

    def started(now_ns: int, pin: str = PIN) -> SignIn:
        kept = SessionFile(file)
        return SignIn(Pins({"arbiter": pin} if configured else {}, path, kept.salt), kept, now_ns)

    async def test() -> None:
        before = started(5)
        token, _ = await before.sign_in(PIN, DESK, 5)
        gone, _ = await before.sign_in(PIN, DESK, 5)
        await before.sign_out(gone, 5)
        after = started(7 * SECOND)
        assert (after.role(token, 7 * SECOND), after.role(gone, 7 * SECOND)) == ("arbiter", None)
        assert after.role(token, 7 * SECOND + SESSION_NS) is None
        if configured:
            assert started(0, "99887766").role(token, 0) is None
        else:
            save(path, "arbiter", "99887766")
            assert started(0).role(token, 0) is None
        assert token not in file.read_text()
        assert file.stat().st_mode & 0o777 == 0o600

    asyncio.run(test())


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"salt": "zz", "sessions": {}}', '{"salt": "", "sessions": {}}']
)
def test_a_file_of_sessions_that_cannot_be_read_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "sessions.json"
    file.write_text(text)
    kept = SessionFile(file)
    assert (kept.load(0), len(kept.salt)) == ({}, 16)


def test_a_folder_that_cannot_be_written_ends_sessions_with_the_daemon(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept = SessionFile(tmp_path / "file" / "sessions.json")

    async def test() -> None:
        signing = SignIn(Pins({"arbiter": PIN}, None, kept.salt), kept)
        token, _ = await signing.sign_in(PIN, DESK, 0)
        assert signing.role(token, 0) == "arbiter"

    asyncio.run(test())


def test_a_hash_is_compared_whole() -> None:
    hashed = Hashed.of(PIN)
    assert hashed.holds(PIN)
    assert not hashed.holds(PIN[:-1])
    assert not hashed.holds(PIN + "0")
