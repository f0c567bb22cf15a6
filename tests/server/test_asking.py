"""What the players agree upon: a move is taken back, a match is ended before its end."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.cli import main
from kibitz.server import entries, frames, replay
from kibitz.server import protocol as p
from kibitz.server.decide import BotChoice, Sit, decide
from kibitz.server.proof import faults
from kibitz.server.table import Table
from server.guests import AtTable, Data, House, play_on, run, serving
from server.test_decide import NOW, begun, command, fold, new, refused, situation

HERE = situation(NOW, 0, 1, 2)
ALONE = situation(NOW, 0)


def lay(table: Table, seat: int) -> Table:
    """A seat lays its lowest card, which everyone sees."""
    assert table.match is not None
    action = next(a for a in table.match.legal(seat) if a.startswith("lay"))
    return fold(table, decide(table, seat, command(p.Play, actions=[action]), HERE))


def undo(table: Table, seat: int, *, on: bool = True, when: Any = HERE) -> Table:
    return fold(table, decide(table, seat, command(p.Undo, on=on), when))


def asks(table: Table) -> list[str | None]:
    return [seat.asks for seat in table.seats]


def against_a_bot() -> Table:
    """A person at seat 0, a bot at seat 1."""
    table = new("lantern", 2, rounds=2)
    fold(table, decide(table, None, Sit("Ada", 0, None), ALONE))
    fold(table, decide(table, 0, command(p.Start), ALONE))
    return fold(table, entries.Draft(entries.START, None, entries.Started("kibitz deal 2")))


# ---- a move back


def test_a_move_is_taken_back_when_the_other_agrees() -> None:
    table = begun("lantern", 2)
    assert table.match is not None
    before = table.match.state.tobytes()
    lay(table, 0)
    undo(table, 0)
    assert asks(table) == ["undo", None]
    assert len(table.match.done) == 2, "asking alone changes nothing"
    undo(table, 1)
    assert table.match.state.tobytes() == before
    assert len(table.match.done) == len(table.line_seq) == 1
    assert asks(table) == [None, None]
    assert set(table.due_since) == {0}


def test_a_move_that_was_taken_back_can_be_made_otherwise() -> None:
    table = lay(begun("lantern", 2), 0)
    undo(undo(table, 0), 1)
    fold(table, decide(table, 0, command(p.Play, actions=["stop"]), HERE))
    assert table.match is not None
    assert table.match.log[1:] == [(0, "stop")]
    assert table.line_seq[-1] == table.seq


def test_all_who_are_here_must_agree() -> None:
    table = lay(begun("lantern", 3), 0)
    undo(undo(table, 0), 1)
    assert asks(table) == ["undo", "agree", None]
    undo(table, 2)
    assert table.match is not None
    assert len(table.match.done) == 1


@pytest.mark.parametrize("who", [0, 1])
def test_who_says_no_or_thinks_again_ends_the_question(who: int) -> None:
    table = lay(begun("lantern", 3), 0)
    undo(undo(table, 0), 2)
    undo(table, who, on=False)
    assert asks(table) == [None, None, None]
    assert decide(table, who, command(p.Undo, on=False), HERE) is None, "nothing is asked any more"


def test_a_move_of_a_person_withdraws_what_was_asked() -> None:
    table = undo(lay(begun("lantern", 3), 0), 0)
    assert asks(lay(table, 1)) == [None, None, None]


def test_a_bot_agrees_whatever_it_does_meanwhile() -> None:
    table = begun("lantern", 3)
    fold(table, decide(table, 1, command(p.Leave), HERE))
    undo(lay(table, 0), 0)
    fold(table, decide(table, None, BotChoice(1, ["stop"]), HERE))
    assert asks(table)[0] == "undo"
    undo(table, 2)
    assert table.match is not None
    assert len(table.match.done) == 1


def test_alone_against_bots_it_happens_at_once() -> None:
    table = undo(lay(against_a_bot(), 0), 0, when=ALONE)
    assert table.match is not None
    assert len(table.match.done) == 1
    assert [line.note for line in table.notes] == ["undone"]


def test_alone_against_bots_also_after_they_have_moved_and_the_log_says_so() -> None:
    table = lay(against_a_bot(), 0)
    fold(table, decide(table, None, BotChoice(1, ["stop"]), ALONE))
    undo(table, 0, when=ALONE)
    assert table.match is not None
    assert len(table.match.done) == 1
    assert [line.note for line in table.notes] == ["undone_alone"]


def test_after_others_have_acted_it_goes_back_to_before_my_choice() -> None:
    table = lay(lay(begun("lantern", 2), 0), 1)
    undo(undo(table, 0), 1)
    assert table.match is not None
    assert len(table.match.done) == 1
    assert table.match.to_act == {0}
    assert table.notes[0].note == "undone_seen"


def test_what_others_have_seen_needs_all_of_them() -> None:
    """Hands lie open when a round is over: who is not here cannot agree to forget them."""
    table = begun("lantern", 3, rounds=2)
    for seat in (0, 1, 2):
        fold(table, decide(table, seat, command(p.Play, actions=["stop"]), HERE))
    assert table.rests
    gone = situation(NOW, 0, 2)
    assert refused(table, 2, command(p.Undo, on=True), gone) == "revealed"
    undo(undo(undo(table, 2), 0), 1)
    assert not table.rests
    assert table.notes[0].note == "undone_seen"


def test_what_shows_nothing_needs_only_those_who_are_here() -> None:
    table = lay(begun("lantern", 3), 0)
    gone = situation(NOW, 0, 2)
    undo(table, 0, when=gone)
    assert asks(table) == ["undo", None, None]
    undo(table, 2, when=gone)
    assert table.notes[0].note == "undone"


def test_who_has_just_gone_is_waited_for() -> None:
    table = undo(lay(begun("lantern", 2), 0), 0, when=situation(NOW, 0)._replace(gone={1: NOW}))
    assert asks(table) == ["undo", None]


def test_there_must_be_something_to_take_back_and_a_seat() -> None:
    table = begun("lantern", 2)
    assert refused(table, 0, command(p.Undo, on=True), HERE) == "phase"
    assert refused(table, None, command(p.Undo, on=True), HERE) == "not_seated"
    assert refused(new("lantern", 2), 0, command(p.Undo, on=True), HERE) == "phase"


def test_one_thing_is_asked_for_at_a_time() -> None:
    table = undo(lay(begun("lantern", 2), 0), 0)
    assert refused(table, 1, command(p.OfferEnd, on=True), HERE) == "phase"


def test_the_log_says_who_took_back_and_from_where_on_it_does_not_count() -> None:
    table = lay(begun("lantern", 2), 0)
    since = table.line_seq[1]
    undo(undo(table, 0), 1)
    lay(table, 0)
    log = frames.log(table, 1, have=0)
    assert [(line.seat, line.note, line.since) for line in log] == [
        (None, None, 0), (0, "undone", since), (0, None, 0),
    ]  # fmt: skip
    assert [line.seq for line in frames.log(table, 1, have=since)] == [log[1].seq, log[2].seq]


def test_a_table_read_anew_is_the_same() -> None:
    """A table is a fold over its entries, also of those by which something was undone."""
    table, again = begun("lantern", 3), begun("lantern", 3)
    stop, back = command(p.Play, actions=["stop"]), command(p.Undo, on=True)
    no = command(p.Undo, on=False)
    happened = [
        (0, stop), (0, back), (1, back), (2, no), (1, stop), (0, back), (1, back), (2, back),
        (0, stop), (1, stop), (1, back), (0, back), (2, back),
    ]  # fmt: skip
    for seat, asked in happened:
        draft = decide(table, seat, asked, HERE)
        assert draft is not None
        entry = draft.entry(table.seq + 1, NOW, None)
        table.fold(entry, NOW, draft.after)
        again.fold(entry, NOW)
    assert table.tally[entries.UNDONE] == 2
    assert table.match is not None
    assert again.match is not None
    assert [seat for seat, _ in table.match.log] == [None, 0]
    assert again.match.log == table.match.log
    assert again.match.state.tobytes() == table.match.state.tobytes()
    assert (again.line_seq, again.notes, again.due_since) == (
        table.line_seq, table.notes, table.due_since,
    )  # fmt: skip


# ---- an end by agreement


def ended() -> Table:
    table = lay(begun("lantern", 2, rounds=2), 0)
    fold(table, decide(table, 1, command(p.OfferEnd, on=True), HERE))
    assert asks(table) == [None, "end"]
    assert table.phase == "playing"
    return fold(table, decide(table, 0, command(p.OfferEnd, on=True), HERE))


def test_a_match_ends_when_all_agree_and_nobody_has_won() -> None:
    table = ended()
    assert table.match is not None
    assert (table.phase, table.match.winners, table.ended) == ("over", [], True)
    assert table.due_since == {}
    assert asks(table) == [None, None]
    assert table.notes[-1].note == "ended"
    assert refused(table, 1, command(p.Play, actions=["stop"]), HERE) == "phase"
    assert refused(table, 0, command(p.Undo, on=True), HERE) == "phase"


def test_who_is_not_here_is_not_asked_about_the_end() -> None:
    table = begun("lantern", 2)
    draft = decide(table, 0, command(p.OfferEnd, on=True), ALONE)
    assert draft is not None
    assert draft.kind == entries.LAST


def test_an_offer_is_turned_down() -> None:
    table = fold(
        begun("lantern", 2), decide(begun("lantern", 2), 0, command(p.OfferEnd, on=True), HERE)
    )
    fold(table, decide(table, 1, command(p.OfferEnd, on=False), HERE))
    assert asks(table) == [None, None]
    assert table.phase == "playing"


def test_the_deal_of_an_ended_match_can_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = lay(begun("lantern", 2, rounds=2), 0)
    undo(undo(table, 0), 1)
    for seat in (0, 1):
        fold(table, decide(table, seat, command(p.OfferEnd, on=True), HERE))
    saved: Data = json.loads(replay.match_file(table))
    assert (saved["ended"], saved["winners"]) == ("agreement", [])
    assert saved["taken_back"] == [{"seat": 0, "seen": False}]
    saved["deal"]["commitment"] = kept = kibitz.server.deal.promise(saved["deal"]["secret"])
    assert faults(saved, kibitz.load(json.dumps(saved)), commitment=kept) == []
    file = tmp_path / "match.json"
    file.write_text(json.dumps(saved))
    assert main(["verify", str(file), "--commitment", kept]) == 0
    said = capsys.readouterr().out
    assert "ended by agreement" in said
    assert "taken back once" in said
    del saved["ended"]
    assert faults(saved, kibitz.load(json.dumps(saved)), commitment=kept) == [
        "the match is not over"
    ]


# ---- over the network


async def seated_together(house: House) -> list[AtTable]:
    return await house.started("lantern", people=2, options={"rounds": 2})


def test_everyone_is_shown_the_table_as_it_was(file: Path) -> None:
    async def play() -> None:
        async with serving(file) as house:
            ada, bo = await seated_together(house)
            before = ada.now()
            await ada.choose(random.Random(1))
            assert (await ada.ask("undo", on=True))["t"] == "ok"
            asked = await bo.guest.hears(
                lambda f: f["t"] == "seats" and f["seats"][0]["asks"] == "undo"
            )
            assert asked["seats"][1]["asks"] is None
            watcher = await house.at(ada.table)
            assert (await bo.ask("undo", on=True))["t"] == "ok"
            for guest in (ada, bo, watcher):
                now = await guest.guest.hears(
                    lambda f: f["t"] == "table" and f["log"] and f["log"][-1].get("note")
                )
                assert now["log"][-1]["note"] == "undone"
                assert now["view"]["due"] == [0]
            assert ada.now()["legal"] == before["legal"]
            assert ada.now()["view"] == before["view"]
            await play_on([ada, bo], random.Random(2))
            _, saved = await house.get(f"/api/tables/{ada.table}/match")
            kept = saved["deal"]["commitment"]
            assert faults(saved, kibitz.load(json.dumps(saved)), commitment=kept) == []
            _, history = await house.get(f"/api/tables/{ada.table}/history?all=1")
            assert history["moves"][-1]["view"]["over"]

    run(play())


def test_a_bot_moves_again_after_a_move_was_taken_back(file: Path) -> None:
    async def play() -> None:
        async with serving(file) as house:
            (ada,) = await house.started("lantern", people=1, players=2, options={"rounds": 1})
            for _ in range(3):
                since = len(ada.guest.frames)
                await ada.choose(random.Random(1))
                await ada.guest.hears(lambda f: f["t"] == "moved" and f["seat"] == 1, since)
                since = len(ada.guest.frames)
                assert (await ada.ask("undo", on=True))["t"] == "ok"
                await ada.guest.hears(lambda f: f["t"] == "table", since)
                assert ada.now()["view"]["due"] == [0]
            await play_on([ada], random.Random(1))
            assert ada.now()["phase"] == "over"

    run(play())


def test_an_ended_match_is_listed_and_read_and_not_reviewed(file: Path) -> None:
    async def play() -> None:
        async with serving(file) as house:
            ada, bo = await seated_together(house)
            await ada.choose(random.Random(1))
            await ada.ask("offer_end", on=True)
            await bo.ask("offer_end", on=True)
            over = await ada.guest.hears(lambda f: f["t"] == "table" and f["phase"] == "over")
            assert (over["view"]["winners"], over["view"]["over"]) == ([], True)
            assert over["legal"] is None
            assert over["deal"]["seed"]
            token = house.server.tables.rooms[ada.table].token_of(0)
            _, mine = await house.post("/api/mine", {"tokens": [token]})
            assert mine[0]["phase"] == "over"
            status, history = await house.get(f"/api/tables/{ada.table}/history?all=1")
            assert (status, len(history["moves"])) == (200, 1)
            status, said = await house.get(f"/api/tables/{ada.table}/review")
            assert (status, said["error"]) == (409, "no_review")
        async with serving(file) as house:
            again = (await house.at(ada.table, token)).whole
            assert (again["phase"], again["view"]["winners"]) == ("over", [])
            assert again["log"][-1]["note"] == "ended"

    run(play())
