"""Long work: a progress bar, and what is said when it is stopped."""

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

INTERRUPTED = 130  # the exit code after Ctrl-C


def progress_bar() -> Progress:
    """A bar with the time that is left, for people; a file or a pipe gets none."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip


def stopped(*, something: bool) -> int:
    """Say after Ctrl-C whether there is something to tell; the exit code."""
    so_far = "this is what was played so far" if something else "no match had ended"
    print(f"kibitz: stopped; {so_far}", file=sys.stderr)
    return INTERRUPTED
