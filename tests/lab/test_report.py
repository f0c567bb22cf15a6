"""The numbers of a report: worked out by hand on a few made-up matches, and held to at large."""

import math
import re
from typing import Any

import numpy as np
import pytest

from kibitz.engine.compiled import from_python
from kibitz.games import find
from kibitz.lab.report.figures import (
    ENOUGH,
    Estimate,
    Spread,
    by_position,
    difference,
    duel,
    figures,
    luck_of_the_deal,
    margin,
    minutes_of,
    spread_of_counts,
    story,
    win_shares,
)
from kibitz.lab.report.gather import RULES, Variant, do, findings, plan
from kibitz.lab.report.page import page
from kibitz.lab.report.rules import Bites, citations, cited_in, count_rules, ids_in, rule_figures
from kibitz.lab.report.table import Row, in_words, rows
from kibitz.lab.report.words import percent, seats, summary
from kibitz.lab.self_play import (
    HELD,
    MATCH,
    ROUND,
    Player,
    Records,
    Setup,
    deal_round,
    places,
    play_deals,
)
from kibitz.texts.rulebook import read_rulebook
from short import PUBLISHED

KNOWN = {"TINY-A1", "TINY-A2", "TINY-B1", "TINY-B2", "TINY-C1"}
TINY = '''
DECK = 1  # TINY-C1

@rule
def act(s):
    """TINY-A1, A2: something."""
    if s.empty:  # TINY-B1: only then
        again = True
        other(
            s,  # TINY-A2
        )
    elif s.full:
        pass
    else:  # TINY-B2
        last = 1
    # TINY-C1: beside nothing
    return again
'''


@from_python
def deal_at(states: Any, deal: int, rotation: int) -> None:
    deal_round(states[1], 0, deal, rotation)


def matches(*rows: dict[str, Any]) -> Any:
    made = np.zeros(len(rows), MATCH)
    for i, row in enumerate(rows):
        for name, value in row.items():
            made[name][i] = value
    return made


def of_rounds(*rows: tuple[int, int, list[int]]) -> Any:
    made = np.zeros(len(rows), ROUND)
    for i, (match, actions, totals) in enumerate(rows):
        made[i] = (match, actions, totals + [0] * (6 - len(totals)))
    return made


def test_victories_are_shared_and_counted_from_whoever_begins() -> None:
    shares = win_shares(np.array([0b001, 0b010, 0b110, 0b001], np.int8), 3)
    assert shares.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0.5, 0.5], [1, 0, 0]]
    first, second, third = by_position(shares, np.array([0, 1, 1, 2]))
    # From the beginner's seat: 1, 1, a half, and 0, for there the winner sits second.
    assert [one.value for one in (first, second, third)] == pytest.approx([2.5 / 4, 1.5 / 4, 0])
    assert first.low < first.value < first.high


def test_a_margin_is_the_way_to_the_best_other_and_nothing_if_shared() -> None:
    standing = np.array([[50, 44, 30], [10, 20, 20], [-5, -9, -7]])
    shares = win_shares(np.array([0b001, 0b110, 0b001]), 3)
    assert margin(standing, shares).tolist() == [6, 0, 2]


def test_minutes_are_handling_thinking_and_dealing() -> None:
    # 30 × 2 s + 40 bits × 1.5 s + 2 × 45 s = 210 s
    assert minutes_of(matches({"actions": 30, "bits": 40.0, "rounds": 2})).tolist() == [3.5]


def test_the_story_of_a_match() -> None:
    """Seat 0 leads, then 1 and 2 share the lead, then 1 leads, and 2 wins at the end."""
    rows_ = of_rounds(
        (0, 20, [5, 3, 1]), (0, 50, [6, 8, 8]), (0, 75, [6, 9, 8]), (0, 100, [6, 9, 20])
    )
    told = story(rows_, matches({"actions": 100, "winners": 0b100})[0], 3, 1)
    assert told.changes == 2  # from 0 to 1, and to 2
    assert told.decided == 1.0
    assert told.leader_won == {0.25: 0.0, 0.5: None, 0.75: 0.0}
    assert told.last_won == 0.0


def test_a_match_is_decided_when_the_winner_leads_for_good() -> None:
    rows_ = of_rounds((0, 25, [9, 3]), (0, 50, [9, 12]), (0, 80, [20, 20]), (0, 100, [21, 30]))
    told = story(rows_, matches({"actions": 100, "winners": 0b10})[0], 2, 1)
    assert told.decided == 0.5  # level at 80, but not behind
    assert told.leader_won == {0.25: 0.0, 0.5: 1.0, 0.75: 1.0}
    assert told.last_won == 0.0


def test_where_few_points_win_the_lowest_leads() -> None:
    rows_ = of_rounds((0, 40, [5, 9]), (0, 100, [30, 60]))
    told = story(rows_, matches({"actions": 100, "winners": 0b01})[0], 2, -1)
    assert (told.changes, told.decided, told.leader_won[0.5], told.last_won) == (0, 0.4, 1.0, 0.0)


def test_a_spread_and_a_spread_of_counts_agree() -> None:
    values = [2, 2, 3, 3, 3, 3, 4, 4, 9, 9]
    spread = Spread.of(np.array(values))
    counted = spread_of_counts(np.bincount(values))
    assert (spread.mean, spread.middle) == (counted.mean, counted.middle) == (4.2, 3)
    assert (counted.low, counted.high) == (2, 9)


def test_what_a_card_is_worth_is_the_difference_of_means() -> None:
    cells = np.zeros(2, HELD)
    cells[0] = (4, 8.0, 24.0)  # mean 2, variance 2
    cells[1] = (9, -9.0, 9.0)  # mean -1, variance 0
    found = difference(cells[0], cells[1], 1)
    assert found.value == 3
    assert found.error == pytest.approx(1.96 * math.sqrt(2 / 3), abs=0.01)
    assert difference(cells[0], cells[1], -1).value == -3


def test_a_duel_is_counted_by_deal_and_says_how_soon_it_shows() -> None:
    made = matches(
        *({"deal": n // 2, "winners": w} for n, w in enumerate([1, 2, 1, 1, 1, 2, 2, 2]))
    )
    records = Records(made, of_rounds(), np.zeros(3, int), np.zeros((1, 1, 2), HELD))
    found = duel("a", "b", 2, records, np.array([0, 1, 0, 1, 0, 1, 0, 1]))
    assert found.share.value == (1 + 0.5 + 1 + 0.5) / 4
    assert found.matches_to_tell == math.ceil((1.96 / 0.25) ** 2 * 0.75 * 0.25)


def test_luck_of_the_deal_from_nothing_to_all() -> None:
    deals = np.repeat(np.arange(50), 4)
    rng = np.random.default_rng(1)
    by_deal = rng.normal(size=(50, 3))[deals]
    assert luck_of_the_deal(deals, by_deal) == pytest.approx(1)
    assert luck_of_the_deal(deals, rng.normal(size=(200, 3))) < 0.15
    half = luck_of_the_deal(deals, by_deal + rng.normal(size=(200, 3)))
    assert half == pytest.approx(0.5, abs=0.12)


def test_records_of_several_jobs_are_those_of_one() -> None:
    setup = Setup("lantern", ("medium",) * 3, seed=4)
    whole = play_deals(setup, 0, 9)
    parts = Records.of([play_deals(setup, 0, 4), play_deals(setup, 4, 5)])
    assert whole.matches.tobytes() == parts.matches.tobytes()
    assert whole.rounds.tobytes() == parts.rounds.tobytes()
    assert whole.choices.tolist() == parts.choices.tolist()
    assert whole.held["seats"].tolist() == parts.held["seats"].tolist()
    assert whole.held["sum"] == pytest.approx(parts.held["sum"])


def test_a_deal_is_dealt_alike_in_every_rotation_and_played_otherwise() -> None:
    player = Player(Setup("kolpa", ("medium",) * 3))
    for rotation in range(3):
        player.play(0, rotation)
    played = player.records().matches
    assert len({tuple(row) for row in played["total"].tolist()}) > 1
    assert len(set(played["first"].tolist())) == 1
    hands = set()
    for rotation in range(3):
        player.states[1] = player.states[0]
        deal_at(player.states, 0, rotation)
        hands.add(player.states[1]["cards"].tobytes())
    assert len(hands) == 1


def test_bots_get_every_seat_and_the_better_one_wins() -> None:
    setup = Setup("kolpa", ("medium", "random"), seed=2)
    found = play_deals(setup, 0, 20)
    assert len(found.matches) == 40
    sitting = found.matches["rotation"]
    won = win_shares(found.matches["winners"], 2)[np.arange(40), sitting]
    assert won.mean() > 0.8


def test_every_round_and_every_seat_is_booked_once_for_each_card_and_place() -> None:
    players, game = 3, find("kolpa")
    found = play_deals(Setup("kolpa", ("medium",) * players), 0, 5)
    rounds = int(found.matches["rounds"].sum())
    assert (found.held["seats"].sum(axis=2) == rounds * players).all()
    assert places(game) == ["dealt/hand", "hand", "display"]
    assert found.choices.sum() == found.matches["actions"].sum()
    joker = game.layout.deck.codes.index("joker")
    assert found.held[places(game).index("display"), joker, 1]["seats"] == 0  # KOLPA-J1
    told = figures(game, players, found)
    jokers = [worth for worth in told.cards if worth.card == "joker" and worth.place == "hand"]
    assert jokers == [] or jokers[0].worth.value < 0  # KOLPA-E2
    assert all(worth.seats >= ENOUGH for worth in told.cards)


# ---- rules


def test_ids_are_read_as_rules_cite_them() -> None:
    assert ids_in("TINY-A1, A2: so; OTHER-A1, TINY-B1", KNOWN) == {"TINY-A1", "TINY-A2", "TINY-B1"}


def test_comments_count_where_they_make_a_difference() -> None:
    lines, calls = cited_in(TINY, KNOWN)
    text = TINY.splitlines()
    assert {text[line - 1].strip(): rules for line, rules in lines.items()} == {
        "again = True": {"TINY-B1"},
        "other(": {"TINY-A2"},
        "last = 1": {"TINY-B2"},
    }
    assert {text[line - 1]: rules for line, rules in calls.items()} == {
        "@rule": {"TINY-A1", "TINY-A2"}
    }


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_rule_of_the_rulebook_is_counted_or_always_holds(name: str) -> None:
    cited = citations(name)
    counted = set().union(*cited.lines.values(), *cited.calls.values())
    ids = {block.id for block in read_rulebook(find(name).folder, "en") if block.kind == "rule"}
    assert counted | cited.always == ids
    assert not counted & cited.always
    assert len(counted) > len(cited.always)


def test_rules_are_counted_as_the_match_was_played() -> None:
    setup, deals = Setup("kolpa", ("medium",) * 3), 3
    bites = count_rules(setup, 0, deals)
    found = {rule.id: rule for rule in rule_figures(find("kolpa"), bites)}
    records = play_deals(setup, 0, deals)
    rounds, actions = int(records.matches["rounds"].sum()), int(records.matches["actions"].sum())
    assert bites.matches == deals
    assert bites.came_up["KOLPA-S1"] == rounds
    assert bites.came_up["KOLPA-T6"] == actions  # `legal` is asked once for each
    assert bites.came_up["KOLPA-E3"] == deals
    assert found["KOLPA-E5"].never
    assert found["KOLPA-C1"].always
    assert 0 < found["KOLPA-T5"].forbids < 1
    assert sum(rule.forbids > 0 for rule in found.values()) > 3


def test_what_is_counted_adds_up() -> None:
    one = Bites(1, 2)
    one.came_up.update(["A", "A"])
    one.matches_with.update(["A"])
    other = Bites(1, 4)
    other.forbade.update(["B"])
    one.add(other)
    assert (one.matches, one.decisions, one.came_up["A"], one.forbade["B"]) == (2, 6, 2, 1)


# ---- words, table, page


def told(seats_: list[Estimate]) -> Any:
    return type("Told", (), {"seats": seats_})()


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([0.5, 0.5], "No seat has a clear advantage"),
        ([0.6, 0.4], "That is clearly better than fair"),
        ([0.41, 0.59], "That is clearly worse than fair"),
        ([0.34, 0.25, 0.41], "The second to play does clearly worse"),
    ],
)
def test_the_odd_seat_is_named(values: list[float], says: str) -> None:
    estimates = [Estimate(v, v - 0.03, v + 0.03) for v in values]
    assert says in seats(told(estimates))


@pytest.mark.parametrize(
    ("share", "text"), [(0.25, "25\xa0%"), (0.031, "3.1\xa0%"), (1, "100\xa0%"), (0, "0\xa0%")]
)
def test_shares_as_people_write_them(share: float, text: str) -> None:
    assert percent(share) == text


def test_a_difference_is_real_if_it_is_more_than_noise() -> None:
    assert Row("minutes", [10.0, 12.0], [0.3, 0.4]).difference == ("+2.0 ±0.5", True)
    assert Row("share", [0.5, 0.48], [0.03, 0.04], "%").difference == ("-2.0 ±5.0 %", False)
    assert Row("luck", [0.5, 0.9], [math.nan] * 2, "%").difference == ("+40.0 %", False)


def report(variants: list[Variant], matches_: int) -> Any:
    jobs = [job for job in plan(variants, matches_) if "hard" not in job.setup.bots]
    return findings(variants, jobs, [(i, do(job)) for i, job in enumerate(jobs)])


def test_a_whole_report_of_a_small_game() -> None:
    variants = [
        Variant(name, Setup("lantern", ("medium",) * 3, (("rounds", n),)))
        for name, n in (("short & sweet", "1"), ("long", "3"))
    ]
    found = report(variants, 60)
    assert [one.figures.rounds.mean for one in found] == [1, 3]
    assert [len(one.duels) for one in found] == [2, 2]
    assert all(one.rules for one in found)
    assert {row.name for row in rows(found)} >= {"minutes", "medium at a table of easy wins"}
    assert "rounds: 1.0 with short & sweet, 3.0 with long (+2.0)" in in_words(found)
    both = page(found, compared=True)
    for text in ("short &amp; sweet", "What is different", "LANTERN-", "<svg", "prefers-color"):
        assert text in both
    assert "<script" not in both
    ids = re.findall(r' id="([^"]+)"', both)
    assert len(ids) == len(set(ids)) > 10
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', both)) <= set(ids)
    assert not [link for link in ("src=", 'href="http', "@import", "url(http") if link in both]
    alone = page(found[:1])
    assert all(sentence[:20] in alone for sentence in summary(found[0]) if "&" not in sentence)


def test_with_other_numbers_of_players_victories_are_compared_with_a_fair_share() -> None:
    variants = [Variant(str(n), Setup("lantern", ("medium",) * n)) for n in (2, 4)]
    found = report(variants, 20)
    first = rows(found)[0]
    assert first.name == "whoever begins wins, above a fair share"
    begins = [one.figures.seats[0].value for one in found]
    assert first.values == [begins[0] - 1 / 2, begins[1] - 1 / 4]


def test_what_is_there_after_a_stop_is_reported() -> None:
    variants = [Variant("lantern", Setup("lantern", ("medium",) * 3))]
    jobs = plan(variants, 20)
    done = [(i, do(job)) for i, job in enumerate(jobs) if job.part == "matches"]
    (found,) = findings(variants, jobs, done)
    assert found.rules == []
    assert found.duels == []
    assert "In words" in page([found])
    assert findings(variants, jobs, []) == []


def test_what_matters_most_is_played_first() -> None:
    jobs = plan([Variant("lantern", Setup("lantern", ("medium",) * 3))], 600)
    assert [job.part for job in jobs[:3]] == ["matches"] * 3
    assert sum(job.matches for job in jobs if job.part == "matches") == 600
    assert sum(job.matches for job in jobs if job.part == RULES) == 40


@pytest.mark.parametrize("name", ["kiza", "zocken"])
def test_games_of_another_kind_have_figures(name: str) -> None:
    """All begin at once, many zones; few points win. To compile each game takes some seconds."""
    game = find(name)
    players = game.identity.seats[0]
    setup = Setup(name, ("medium",) * players)
    found = figures(game, players, play_deals(setup, 0, 12))
    assert found.matches == 12
    assert sum(seat.value for seat in found.seats) == pytest.approx(1)
    assert found.minutes.middle > 0
    assert count_rules(setup, 0, 1).matches == 1
