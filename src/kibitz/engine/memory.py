"""What play tells of the hands of others, for bots.

A game's folder may hold a `memory.py` with `remember` and `believe`; where it does not, these stand
in. Both are rules, compiled like the others. What is remembered stands in the state, in fields that
no view shows and no rule reads: nothing but what everyone could have kept in mind.
"""

from kibitz.engine.compiled import State, rule


@rule
def remember(before: State, s: State, me: int, action: int) -> None:
    """Nothing is kept in mind of an action, made in state `before`."""


@rule
def believe(s: State, me: int) -> None:
    """Nothing is concluded from what others did."""
