"""A game looked through for its author, in the terminal."""

from rich.console import Console
from rich.text import Text

from kibitz.cli.progress import progress_bar
from kibitz.contract.check import Finding, check, how_many
from kibitz.games import find


def check_game(name: str) -> int:
    """Print a block for each thing that is wrong; 1 if there is one."""
    console = Console(highlight=False)
    found: list[Finding] = []
    with progress_bar() as bar:
        task = bar.add_task(name, total=None)

        def progress(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        for finding in check(name, progress):
            if not any(finding.promise == earlier.promise for earlier in found):
                _print(console, finding)
            found.append(finding)
    if not found:
        console.print(Text(f"{name} keeps all {how_many(find(name))} promises.", style="green"))
        return 0
    broken = len({finding.promise for finding in found})
    console.print(Text(f"{name} breaks {broken} promise{'s' * (broken > 1)}.", style="bold red"))
    return 1


def _print(console: Console, finding: Finding) -> None:
    head = Text("✗ ", style="red")
    head.append(finding.promise, style="bold")
    if finding.subject:
        head.append(f"  ({finding.subject})", style="dim")
    console.print(head, soft_wrap=True)
    for line in finding.text.splitlines():
        console.print(Text(f"  {line}"), soft_wrap=True)
    console.print()
