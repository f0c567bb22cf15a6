"""What was found out, in sentences."""

import math
from collections.abc import Sequence

from kibitz.engine.game import Game
from kibitz.games import find
from kibitz.lab.report.figures import Duel, Estimate, Figures, Worth
from kibitz.lab.report.gather import Found
from kibitz.lab.self_play import DEALT

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
EXTREMES = 3  # cards that are named at either end
SURE = 1.31  # times a 95 % interval is a 99 % one: of several seats one is soon odd by chance
CLOSE, RUNAWAY = 0.55, 0.75  # how often a leader half-way wins, in a close match and in a runaway


def summary(found: Found) -> list[str]:
    """A few sentences for somebody who knows the game."""
    game, told = find(found.variant.setup.game), found.figures
    return [
        seats(told),
        length(told),
        scores(told),
        tension(told),
        choices(told),
        *skill(found),
        *cards(game, told.cards),
        *rules(found),
    ]


def percent(share: float) -> str:
    """A share as people write it."""
    digits = 1 if 0 < share < 0.0995 or 0.9905 < share < 1 else 0
    return f"{100 * share:.{digits}f}\N{NO-BREAK SPACE}%"


def between(estimate: Estimate) -> str:
    """A share with its interval, as exactly as it is known."""
    digits = 1 if estimate.error < 0.03 else 0
    value, low, high = (
        f"{100 * share:.{digits}f}" for share in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value}\N{NO-BREAK SPACE}% ({low} to {high}\N{NO-BREAK SPACE}%)"


def seats(told: Figures) -> str:
    """Whether it matters who begins."""
    fair = 1 / len(told.seats)
    first = told.seats[0]
    uneven = [
        (i, share)
        for i, share in enumerate(told.seats)
        if abs(share.value - fair) > SURE * share.error
    ]
    begin = f"Whoever begins wins {between(first)}; {percent(fair)} would be fair."
    if not uneven:
        return f"{begin} No seat has a clear advantage or disadvantage."
    i, share = max(uneven, key=lambda one: abs(one[1].value - fair))
    how = "better" if share.value > fair else "worse"
    if i == 0:
        return f"{begin} That is clearly {how} than fair."
    return f"{begin} The {ORDINALS[i]} to play does clearly {how} than that: {between(share)}."


def length(told: Figures) -> str:
    """How long a match is."""
    minutes, turns = told.minutes, told.turns
    return (
        f"A match takes people about {minutes.middle:.0f} minutes (eight in ten take "
        f"{minutes.low:.0f} to {minutes.high:.0f}): {turns.middle:.0f} turns in "
        f"{told.rounds.middle:.0f} round{'s' if told.rounds.middle != 1 else ''}."
    )


def scores(told: Figures) -> str:
    """How matches end."""
    shared = f"{percent(told.shared)} of all matches have" if told.shared else "no match has"
    return (
        f"The winner typically has {told.winner.middle:.0f} points, {told.margin.middle:.0f} ahead "
        f"of the runner-up; {shared} several winners."
    )


def tension(told: Figures) -> str:
    """Whether it is worth playing to the end."""
    half = told.leader_wins[0.5]
    if math.isnan(half.value):
        return "Points are booked too late for anybody to lead half-way."
    kind = "stays open"
    if half.value > RUNAWAY:
        kind = "is often decided early: the leader runs away with it"
    elif half.value > CLOSE:
        kind = "favours the leader, as most do"
    last = ""
    if told.last_wins is not None:
        last = f", the one in last place {percent(told.last_wins.value)}"
    return (
        f"The lead changes {told.lead_changes.mean:.1f} times a match. The player in the lead "
        f"half-way wins {percent(half.value)} of the time{last}: the match {kind}. In half of all "
        f"matches the winner leads for good after {percent(told.decided.middle)} of the match."
    )


def choices(told: Figures) -> str:
    """How much there is to decide."""
    return (
        f"A typical decision offers {told.choices.middle:.0f} actions (one in ten offers "
        f"{told.choices.high:.0f} or more); {percent(told.forced)} of all actions are forced."
    )


def skill(found: Found) -> list[str]:
    """How far skill beats luck."""
    told = [skill_of(duel) for duel in found.duels]
    if not math.isnan(found.luck):
        told.append(
            f"Between equal players, the deal explains {percent(found.luck)} of the differences in "
            "the final scores; the rest comes from later draws and from play."
        )
    return told


def skill_of(duel: Duel) -> str:
    """How one level did against another."""
    known = duel.matches_to_tell
    how_soon = (
        "no clear difference"
        if duel.share.low <= duel.fair
        else f"about {known:.0f} match{'es are' if known != 1 else ' is'} enough to tell them apart"
    )
    return (
        f"On the same deals from every seat, {duel.strong} at a table of {duel.weak} wins "
        f"{between(duel.share)} instead of {percent(duel.fair)}: {how_soon}."
    )


def cards(game: Game, worths: Sequence[Worth]) -> list[str]:
    """The best and the worst cards in each place."""
    told = []
    for place in dict.fromkeys(worth.place for worth in worths):
        here = sorted((w for w in worths if w.place == place), key=lambda w: -w.worth.value)
        if len(here) < 2 * EXTREMES:
            continue
        digits = 1 if here[0].worth.value - here[-1].worth.value > 1 else 2
        best, worst = (
            ", ".join(f"{w.card}\N{NO-BREAK SPACE}{w.worth.value:+.{digits}f}" for w in some)
            for some in (here[:EXTREMES], here[-EXTREMES:])
        )
        told.append(f"{where(game, place)}: best {best}; worst {worst} points a round.")
    return told


def where(game: Game, place: str) -> str:
    """A place, as the table calls it."""
    name = game.texts.say("en", f"zones.{place.removeprefix(DEALT)}")
    if place.startswith(DEALT):
        return f"Dealt into the {name.lower()}"
    return f"In the {name.lower()} when a round ends"


def rules(found: Found) -> list[str]:
    """Which rules make no difference."""
    if not found.rules:
        return []
    never = [rule.id for rule in found.rules if rule.never]
    matches = f"in {found.rules_counted_in} matches"
    if not never:
        return [f"Every rule came up {matches}."]
    return [f"Rules that never came up {matches}: {', '.join(never)}."]
