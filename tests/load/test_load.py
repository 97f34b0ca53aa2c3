"""A small crowd and some junk: all of `make load` but its figures, which a busy machine spoils."""

from tests.load.hall import Result, run


def test_a_crowd_and_junk_leave_the_table_as_it_was() -> None:
    result: Result = run(readers=150, slow=10, requests=400, spell_s=2.5, pace_s=0.1, limit_s=240)
    assert result.delivery.count >= 150
    assert result.missed == 0
    assert result.junk.wrong == []
    assert {"200", "400", "404", "405", "413"} <= set(result.junk.answers)
    assert result.errors == ""
    alone_mb, crowd_mb, after_mb = result.resident_mb
    assert crowd_mb < alone_mb + 40
    assert after_mb < alone_mb + 60
    assert min(result.alone.keys.count, result.crowded.keys.count) > 0
