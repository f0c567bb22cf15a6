"""The deal: promised by all, revealed when the table is closed, and held up by nobody."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.client import Seat
from kibitz.server import deal, entries
from kibitz.server import protocol as p
from kibitz.server.decide import REVEAL_MS, FirstDeal, Sit, decide
from kibitz.server.entries import Draft
from kibitz.server.room import Room
from kibitz.server.table import Table
from server.guests import AtTable, House, play_on, run, serving
from server.memory import Gathering, contribution
from server.test_decide import NOW, command, fold, new, refused, situation

QUICK = {"games_offered": ["lantern"]}


def promise(seat: int) -> str:
    return deal.promise(contribution(seat))


def gathered(players: int = 2, promised: int = 2) -> Table:
    """A table at which all sit, the first of them with a promise."""
    table = new("lantern", players)
    for n in range(players):
        sit = Sit(f"Guest {n}", None, promise(n) if n < promised else None)
        fold(table, decide(table, None, sit, situation()))
    return table


def closed(players: int = 2, promised: int = 2) -> Table:
    table = gathered(players, promised)
    return fold(table, decide(table, 0, command(p.Start), situation()))


def reveal(seat: int) -> Any:
    return command(p.Reveal, contribution=contribution(seat))


# ---- what is decided


def test_promises_are_shown_before_the_deal() -> None:
    shown = [seat.data(here=True, grace=None).promise for seat in gathered(3, 2).seats]
    assert shown == [promise(0), promise(1), None]


def test_a_promise_is_made_once_and_not_changed() -> None:
    table = gathered(2, 1)
    fold(table, decide(table, 1, command(p.Promise, promise=promise(1)), situation()))
    assert table.seats[1].promise == promise(1)
    for seat in (0, 1):
        assert refused(table, seat, command(p.Promise, promise=promise(5))) == "promise"
        again = command(p.Promise, promise=promise(seat))
        assert decide(table, seat, again, situation()) is None
    assert refused(table, None, command(p.Promise, promise=promise(5))) == "not_seated"


def test_nobody_promises_once_the_table_is_closed() -> None:
    assert refused(closed(2, 1), 1, command(p.Promise, promise=promise(1))) == "phase"


def test_who_sits_down_anew_promises_anew() -> None:
    table = gathered(2, 2)
    fold(table, decide(table, 1, command(p.Leave), situation()))
    assert table.seats[1].promise is None
    fold(table, decide(table, None, Sit("Cy", 1, promise(7)), situation()))
    assert table.seats[1].promise == promise(7)


def test_start_closes_the_table_and_deals_nothing() -> None:
    table = closed()
    assert (table.phase, table.match) == ("dealing", None)
    assert refused(table, None, Sit("Cy", None, None)) == "phase"
    assert refused(table, 0, command(p.Start)) == "phase"
    assert refused(table, 0, command(p.Bot, seat=1, level="easy")) == "phase"
    assert refused(table, 0, command(p.Play, actions=["stop"])) == "phase"


def test_empty_seats_are_fixed_when_the_table_is_closed() -> None:
    table = new("lantern", 3)
    fold(table, decide(table, None, Sit("Ada", None, promise(0)), situation()))
    fold(table, decide(table, 0, command(p.Start), situation()))
    assert [seat.kind for seat in table.seats] == ["person", "bot", "bot"]


def test_the_cards_are_dealt_when_all_who_promised_have_revealed() -> None:
    table = closed(3, 2)
    assert decide(table, None, FirstDeal(), situation()) is None
    fold(table, decide(table, 1, reveal(1), situation()))
    assert decide(table, None, FirstDeal(), situation()) is None
    fold(table, decide(table, 0, reveal(0), situation()))
    dealt = decide(table, None, FirstDeal(), situation())
    assert dealt == Draft(entries.START, None, entries.Started(deal.PROMISED, []))
    fold(table, dealt)
    assert table.match is not None
    texts = [contribution(0), contribution(1), None]
    assert table.match.seed == deal.seed(deal.PROMISED, table.id, table.stored.secret, texts)


def test_who_does_not_reveal_is_left_out_by_name_and_not_waited_for_any_longer() -> None:
    table = closed(3, 3)
    fold(table, decide(table, 1, reveal(1), situation()))
    assert decide(table, None, FirstDeal(), situation(NOW + REVEAL_MS - 1)) is None
    dealt = decide(table, None, FirstDeal(), situation(NOW + REVEAL_MS))
    assert dealt == Draft(entries.START, None, entries.Started(deal.PROMISED, [0, 2]))
    fold(table, dealt)
    assert table.match is not None
    texts = [None, contribution(1), None]
    assert table.match.seed == deal.seed(deal.PROMISED, table.id, table.stored.secret, texts)


def test_a_clock_that_goes_back_does_not_hold_up_the_deal() -> None:
    assert decide(closed(), None, FirstDeal(), situation(NOW - 1)) is not None


def test_who_leaves_is_not_waited_for() -> None:
    table = closed()
    fold(table, decide(table, 0, reveal(0), situation()))
    fold(table, decide(table, 1, command(p.Leave), situation()))
    assert table.seats[1].away
    dealt = decide(table, None, FirstDeal(), situation())
    assert dealt == Draft(entries.START, None, entries.Started(deal.PROMISED, [1]))


def test_a_contribution_must_be_the_one_promised_and_come_in_time() -> None:
    assert refused(gathered(), 0, reveal(0)) == "phase"
    table = closed(3, 2)
    assert refused(table, 0, reveal(1)) == "promise"
    assert refused(table, 2, reveal(2)) == "promise"
    assert refused(table, None, reveal(0)) == "not_seated"
    fold(table, decide(table, 0, reveal(0), situation()))
    assert decide(table, 0, reveal(0), situation()) is None, "once is enough"
    assert refused(table, 0, reveal(1)) == "promise"
    fold(table, decide(table, None, FirstDeal(), situation(NOW + REVEAL_MS)))
    assert refused(table, 1, reveal(1)) == "phase"


def test_the_cards_are_dealt_once() -> None:
    table = closed(2, 0)
    fold(table, decide(table, None, FirstDeal(), situation()))
    assert decide(table, None, FirstDeal(), situation()) is None
    assert decide(gathered(), None, FirstDeal(), situation(NOW + 10 * REVEAL_MS)) is None


# ---- the seed

HEX = st.text("0123456789abcdef", min_size=64, max_size=64)


@given(st.lists(HEX | st.none(), min_size=2, max_size=6), HEX, st.data())
def test_every_single_contribution_counts(
    texts: list[str | None], other: str, data: st.DataObject
) -> None:
    seat = data.draw(st.integers(0, len(texts) - 1))
    changed = [other if n == seat else text for n, text in enumerate(texts)]
    before = deal.seed(deal.PROMISED, "table", "secret", texts)
    assert (deal.seed(deal.PROMISED, "table", "secret", changed) == before) == (changed == texts)
    assert deal.seed(deal.PROMISED, "elsewhere", "secret", texts) != before
    assert deal.seed(deal.PROMISED, "table", "another", texts) != before


def test_matches_from_before_promises_are_dealt_as_they_were() -> None:
    """The entries as they were written then."""
    table = new("lantern", 2)
    rows = [
        (entries.SIT, 0, '{"name":"Ada","contribution":null}'),
        (entries.SIT, 1, '{"name":"Bo","contribution":"yours"}'),
        (entries.START, 0, '{"bots":{},"contribution":"mine"}'),
    ]
    for seq, (kind, seat, body) in enumerate(rows, 1):
        table.fold(entries.Entry(seq, NOW, kind, seat, body, None))
    assert table.match is not None
    texts = ["mine", "yours"]
    assert table.match.seed == deal.seed(deal.OPEN, table.id, table.stored.secret, texts)


# ---- over the network


async def seated(house: House, *promised: int | None) -> list[AtTable]:
    """People at all seats, some with a promise."""
    promises = [None if n is None else promise(n) for n in promised]
    made = await house.make("lantern", players=len(promised), promise=promises[0])
    tokens = [made["token"]]
    for n, given_ in enumerate(promises[1:], 1):
        tokens.append((await house.sit(made, f"Guest {n}", promise=given_))["token"])
    return [await house.at(made["table"], token) for token in tokens]


async def dealt(at: AtTable) -> Any:
    """The table once cards lie on it."""
    return await at.hears("table", phase="playing")


def contributions_of(house: House, at: AtTable) -> list[str | None]:
    return [seat.contribution for seat in house.server.tables.rooms[at.table].table.seats]


def test_a_deal_that_all_contribute_to_comes_at_once(file: Path) -> None:
    async def play() -> None:
        async with serving(file, **QUICK) as house:
            players = await seated(house, 0, 1)
            assert (await players[0].ask("start"))["t"] == "ok"
            for n, player in enumerate(players):
                seats = (await player.hears("seats", phase="dealing"))["seats"]
                assert [seat["promise"] for seat in seats] == [promise(0), promise(1)]
                assert (await player.ask("reveal", contribution=contribution(n)))["t"] == "ok"
            for player in players:
                await dealt(player)
            at = {e.kind: e.at for e in await house.server.store.entries(players[0].table)}
            assert at[entries.START] - at[entries.CLOSE] < REVEAL_MS, "nobody was waited for"
            await play_on(players, random.Random(1))
            over = players[0].now()["deal"]
            assert over["contributions"] == [contribution(0), contribution(1)]
            assert (over["left_out"], over["way"]) == ([], deal.PROMISED)
            args = (deal.PROMISED, players[0].table, over["secret"], over["contributions"])
            assert over["seed"] == deal.seed(*args)

    run(play())


@pytest.mark.parametrize("how", ["never", "wrongly", "leaves", "closes", "half a word"])
def test_nobody_holds_up_the_deal(file: Path, how: str) -> None:
    async def play() -> None:
        async with serving(file, **QUICK) as house:
            good, bad = await seated(house, 0, 1)
            await good.ask("start")
            await bad.hears("seats", phase="dealing")
            await good.ask("reveal", contribution=contribution(0))
            if how == "wrongly":
                answer = await bad.ask("reveal", contribution=contribution(5))
                assert answer["error"] == "promise"
            elif how == "half a word":
                assert (await bad.ask("reveal", contribution="ab"))["error"] == "malformed"
            elif how == "leaves":
                assert (await bad.ask("leave"))["t"] == "ok"
            elif how == "closes":
                await bad.guest.leaves()
            whole = await dealt(good)
            assert contributions_of(house, good) == [contribution(0), None]
            if how == "leaves":
                assert whole["seats"][1]["bot"], "a bot plays for who has left"
            if how in ("never", "wrongly"):
                late = await bad.ask("reveal", contribution=contribution(1))
                assert late["error"] == "phase"

    run(play())


def test_revealing_twice_counts_once(file: Path) -> None:
    async def play() -> None:
        async with serving(file, **QUICK) as house:
            one, two = await seated(house, 0, 1)
            await one.ask("start")
            for _ in range(3):
                assert (await one.ask("reveal", contribution=contribution(0)))["t"] == "ok"
            await two.ask("reveal", contribution=contribution(1))
            await dealt(two)
            kinds = [e.kind for e in await house.server.store.entries(one.table)]
            assert kinds.count(entries.REVEAL) == 2
            assert kinds.count(entries.START) == 1

    run(play())


def test_the_deal_goes_on_after_a_restart_in_between(file: Path) -> None:
    async def play() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2, promise=promise(0))
            taken = await house.sit(made, "Bo", promise=promise(1))
            host = await house.at(made["table"], made["token"])
            await host.ask("start")
            await host.ask("reveal", contribution=contribution(0))
        await asyncio.sleep(REVEAL_MS / 1000)
        async with serving(file, **QUICK) as house:
            host = await house.at(made["table"], made["token"])
            other = await house.at(made["table"], taken["token"])
            assert other.whole["phase"] == "dealing", "it waits anew for who could not reveal"
            assert (await other.ask("reveal", contribution=contribution(1)))["t"] == "ok"
            await dealt(host)
            assert contributions_of(house, host) == [contribution(0), contribution(1)]

    run(play())


def test_two_servers_deal_once_and_from_all_contributions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has one of the players, and neither hears of the other's."""
    monkeypatch.setattr("kibitz.server.decide.REVEAL_MS", 300)

    async def play() -> None:
        here = Gathering("lantern", 2)
        store, services = here.store, here.room.services
        there = Room(Table(here.room.table.stored), services)
        ada, bo = here.seats
        await here.room.sit("Ada", 0, promise(0))
        await there.look(1)
        await there.sit("Bo", 1, promise(1))
        await here.room.look(2)
        await here.room.enter(ada, here.room.token_of(0), "e", 0)
        await there.enter(bo, there.token_of(1), "e", 0)
        await here.ask(0, p.Start)
        await there.look(3)
        await asyncio.gather(
            here.room.do(0, reveal(0)),
            there.do(1, reveal(1)),
        )
        async with asyncio.timeout(10):
            while here.room.table.match is None or there.table.match is None:
                await asyncio.sleep(0.05)
                for room in (here.room, there):
                    await room.look(len(store.rows[room.id]))
        kinds = [entry.kind for entry in store.rows[there.id]]
        assert kinds.count(entries.START) == 1
        assert [seat.contribution for seat in there.table.seats] == [
            contribution(0),
            contribution(1),
        ]
        assert here.room.table.match.seed == there.table.match.seed
        there.close()
        here.end()

    run(play())


def test_in_a_rematch_everyone_promises_anew(file: Path) -> None:
    async def play() -> None:
        async with serving(file, **QUICK) as house:
            players = await house.started("lantern", people=2)
            await play_on(players, random.Random(1))
            await players[1].ask("rematch")
            again = []
            for player in players:
                heard = await player.hears("rematch")
                again.append(await house.at(heard["next"], heard["token"]))
            for n, player in enumerate(again):
                assert player.whole["seats"][n]["promise"] is None
                assert (await player.ask("promise", promise=promise(n)))["t"] == "ok"
            host = next(player for player in again if player.whole["host"])
            await host.ask("start")
            for n, player in enumerate(again):
                await player.ask("reveal", contribution=contribution(n))
            await dealt(again[0])
            assert contributions_of(house, again[0]) == [contribution(0), contribution(1)]

    run(play())


def test_programs_take_part_in_the_deal(file: Path) -> None:
    async def play() -> None:
        async with (
            serving(file, **QUICK) as house,
            Seat.make(house.base, "lantern", players=3) as ada,
            Seat.join(ada.join_link, name="Bo") as bo,
        ):
            taken = await house.sit({"table": ada.table, "join": ada.state["join"]}, "Cy")
            async with Seat.again(house.base, ada.table, taken["token"]) as cy:
                await ada._until(lambda: all(s["promise"] for s in ada.state["seats"]))
                await ada.start()
                room = house.server.tables.rooms[ada.table]
                used = [seat.contribution for seat in room.table.seats]
                assert used == [ada.contribution, bo.contribution, cy.contribution]

    run(play())
