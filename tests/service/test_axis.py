"""One line of time across restarts."""

from firmware_host.service.axis import Axis


def test_the_axis_goes_on_where_it_stood_and_leaves_out_what_lay_between() -> None:
    now = [5_000]
    axis = Axis(70, lambda: now[0])
    assert axis.now_ns() == 70
    now[0] = 5_030
    assert axis.now_ns() == 100
    assert axis.at(5_010) == 80
    assert axis.monotonic_ns(80) == 5_010


def test_what_was_stamped_before_the_axis_began_is_at_its_beginning() -> None:
    assert Axis(0, lambda: 5_000).at(4_000) == 0
