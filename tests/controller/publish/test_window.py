"""What is on its way: in order, at most twenty, never lost, the latest state alone."""

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.publish.window import PATIENCE, SIZE, SUSPICION, Retained, Window


def payload(n: int) -> bytes:
    return b"%d" % n


def filled(upto: int) -> Window:
    window = Window()
    window.offer((n, payload(n)) for n in range(1, upto + 1))
    return window


def test_acknowledgements_in_any_order_move_the_mark_only_over_what_is_complete() -> None:
    window = filled(3)
    for _ in range(3):
        window.take()
    assert not window.ack(2)
    assert window.done == 0
    assert window.ack(1)
    assert window.done == 2
    assert not window.ack(1)  # a repeated acknowledgement changes nothing
    assert window.room == SIZE - 1


def test_after_a_loss_everything_unacknowledged_goes_again_in_order() -> None:
    window = filled(4)
    taken = [window.take() for _ in range(3)]
    window.ack(1)
    window.lost()
    assert [window.take() for _ in range(4)] == [*taken[1:], (4, b"4"), None]


def test_an_event_that_is_there_at_every_loss_is_named_and_found_alone() -> None:
    window = filled(3)
    window.take()
    window.ack(1)
    for loss in range(1, PATIENCE + 1):
        assert window.take() == (2, b"2")
        assert (window.take() is None) == (loss > SUSPICION)
        assert window.lost() == (2 if loss == PATIENCE else None)
    window.replace(2, b"stub")
    assert window.take() == (2, b"stub")
    assert window.take() == (3, b"3")


def test_losses_with_nothing_on_its_way_accuse_nobody() -> None:
    window = filled(2)
    assert [window.lost() for _ in range(PATIENCE * 2)] == [None] * PATIENCE * 2


STEPS = st.lists(st.sampled_from(["offer", "take", "take", "ack", "lost"]), max_size=120)


@settings(max_examples=150, derandomize=True)
@given(STEPS, st.randoms(use_true_random=False))
def test_first_sightings_are_in_order_and_nothing_is_skipped(steps: list[str], chance) -> None:
    window, last, sent, flying = Window(), 0, [], []
    for step in steps:
        if step == "offer" and window.room:
            count = chance.randint(1, window.room)
            window.offer((n, payload(n)) for n in range(last + 1, last + 1 + count))
            last += count
        elif step == "take" and (taken := window.take()) is not None:
            sent.append(taken[0])
            flying.append(taken[0])
        elif step == "ack" and flying:
            window.ack(flying.pop(chance.randrange(len(flying))))
        elif step == "lost":
            window.lost()
            flying.clear()
        assert 0 <= window.room <= SIZE
        assert window.done <= window.last <= last
    first = list(dict.fromkeys(sent))
    assert first == list(range(1, len(first) + 1))
    assert window.done <= len(first)


# ---------------------------------------------------------------- state
def test_only_the_latest_state_is_sent_and_again_when_it_changed_meanwhile() -> None:
    state = Retained()
    state.want("a", b"1")
    state.want("a", b"2")
    assert state.take() == ("a", b"2")
    state.want("a", b"3")
    assert state.take() is None  # one at a time of each topic
    state.ack("a")
    assert state.take() == ("a", b"3")
    state.ack("a")
    state.want("a", b"3")
    assert state.take() is None


def test_after_a_loss_every_topic_is_told_again() -> None:
    state = Retained()
    state.want("a", b"1")
    state.want("b", b"1")
    assert state.take() == ("a", b"1")
    state.ack("a")
    state.forget()
    assert [state.take(), state.take(), state.take()] == [("a", b"1"), ("b", b"1"), None]
    assert state.flying == 2
