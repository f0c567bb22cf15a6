"""Variants side by side: the same rows for each, and of two the difference."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.lab.report.figures import Estimate, Figures, Spread
from kibitz.lab.report.gather import Found


@dataclass(frozen=True)
class Row:
    """One number of every variant; the error is half of its 95 % interval, or nan: not known."""

    name: str
    values: list[float]
    errors: list[float]
    unit: str = ""  # % for shares

    def cell(self, i: int) -> str:
        """The number of a variant, with its error."""
        return _written(self.values[i], self.errors[i], self.unit)

    @property
    def difference(self) -> tuple[str, bool]:
        """How much more the second has than the first; whether that is more than noise."""
        more = self.values[1] - self.values[0]
        error = math.hypot(self.errors[0], self.errors[1])
        sign = "+" if more > 0 else ""
        return sign + _written(more, error, self.unit), abs(more) > error


def _written(value: float, error: float, unit: str) -> str:
    if math.isnan(value):
        return "–"
    if unit == "%":
        value, error = 100 * value, 100 * error
    digits = 1 if abs(value) < 100 or unit else 0
    about = f" ±{error:.{digits}f}" if error > 0 else ""
    return f"{value:.{digits}f}{about}{' ' + unit if unit else ''}"


def rows(found: Sequence[Found]) -> list[Row]:
    """What is worth comparing."""
    told = [one.figures for one in found]

    def shares(name: str, estimates: Sequence[Estimate]) -> Row:
        return Row(name, [e.value for e in estimates], [e.error for e in estimates], "%")

    def victories(name: str, estimates: Sequence[Estimate]) -> Row:
        """With other numbers of players another share is fair."""
        fair = [1 / len(one.seats) for one in told]
        if len(set(fair)) == 1:
            return shares(name, estimates)
        above = [e.value - share for e, share in zip(estimates, fair, strict=True)]
        return Row(f"{name}, above a fair share", above, [e.error for e in estimates], "%")

    def means(name: str, spreads: Sequence[Spread]) -> Row:
        return Row(name, [s.mean for s in spreads], [s.error for s in spreads])

    def plain(name: str, values: Sequence[float]) -> Row:
        errors = [_error(value, one) for value, one in zip(values, told, strict=True)]
        return Row(name, list(values), errors, "%")

    table = [
        victories("whoever begins wins", [one.seats[0] for one in told]),
        victories("whoever is last to play wins", [one.seats[-1] for one in told]),
        means("minutes", [one.minutes for one in told]),
        means("turns", [one.turns for one in told]),
        means("rounds", [one.rounds for one in told]),
        means("points of the winner", [one.winner for one in told]),
        means("points ahead of the next", [one.margin for one in told]),
        plain("shared victories", [one.shared for one in told]),
        means("changes of the lead", [one.lead_changes for one in told]),
        shares("the leader half-way wins", [one.leader_wins[0.5] for one in told]),
        Row("choices at a decision", [one.choices.mean for one in told], [math.nan] * len(told)),
        plain("actions without a choice", [one.forced for one in told]),
    ]
    for i, duel in enumerate(found[0].duels):
        if all(len(one.duels) > i for one in found):
            name = f"{duel.strong} at a table of {duel.weak} wins"
            table.append(victories(name, [one.duels[i].share for one in found]))
    table.append(
        Row("explained by the deal", [one.luck for one in found], [math.nan] * len(found), "%")
    )
    return table


def _error(share: float, told: Figures) -> float:
    return 1.96 * math.sqrt(max(0.0, share * (1 - share)) / told.matches)


def in_words(found: Sequence[Found]) -> list[str]:
    """Of two variants: in what they differ by more than noise."""
    one, other = (each.variant.name for each in found)
    told = []
    for row in rows(found):
        more, real = row.difference
        if real:
            told.append(
                f"{row.name}: {row.cell(0)} with {one}, {row.cell(1)} with {other} ({more})"
            )
    return told or [f"No figure of {one} and {other} differs by more than noise."]
