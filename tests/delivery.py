"""What happened at a table comes to the pipeline late and in another order; what its sources say is true."""

from collections.abc import Sequence

from firmware_host.pipeline import Pipeline, Step
from firmware_host.referee.inputs import Input
from firmware_host.sensing.events import BoardEvent


def deliver(
    pipeline: Pipeline, given: Sequence[Input], late_ns: Sequence[int], end_ns: int, *, beats: bool = False
) -> list[Step]:
    """Put each input so long after its instant; rule after each what can be ruled, and all up to `end_ns`.

    Board and keys each say up to when all of theirs has come: up to just before the first that is still on
    its way. Inputs that arrive at the same time come in the order of `given`. `beats`: after each of them
    falls the journal's heartbeat.
    """
    arriving = sorted(zip(given, late_ns, strict=True), key=lambda each: each[0].t_ns + each[1])
    on_the_way = [(end_ns + 1, end_ns + 1)]
    for one, _ in reversed(arriving):
        board, others = on_the_way[-1]
        on_board = isinstance(one, BoardEvent)
        on_the_way.append((min(board, one.t_ns), others) if on_board else (board, min(others, one.t_ns)))
    steps: list[Step] = []
    for one, late in arriving:
        on_the_way.pop()
        board, others = on_the_way[-1]
        pipeline.put(one)
        pipeline.blind(min(board - 1, one.t_ns + late))
        pipeline.keys_seen(min(others - 1, one.t_ns + late))
        steps += pipeline.advance()
        if beats:
            steps.append(pipeline.tick())
    pipeline.blind(end_ns)
    pipeline.keys_seen(end_ns)
    return steps + pipeline.advance()
