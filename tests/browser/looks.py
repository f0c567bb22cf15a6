"""What must hold on a table at every decision, measured on the boxes of what is drawn."""

from pathlib import Path

from playwright.sync_api import Page

LOOK = Path(__file__).with_name("look.js").read_text("utf-8")
SLACK = 3.0  # pixels


class Onlooker:
    """Looks at a table again and again, and remembers what was wrong."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.first: dict[str, list[float]] = {}
        self.wrong: set[str] = set()
        self.looks = 0

    def look(self) -> None:
        """Compare the table with how it should be, and with how it was."""
        found = self.page.evaluate(LOOK)
        if found and found["wrong"]:  # an answer may be on its way
            self.page.wait_for_timeout(400)
            found = self.page.evaluate(LOOK)
        if found is None:
            return
        self.looks += 1
        self.wrong.update(found["wrong"])
        for thing, place in found["fixed"].items():
            was = self.first.setdefault(thing, place)
            if any(abs(a - b) > SLACK for a, b in zip(was, place, strict=True)):
                self.wrong.add(f"{thing} has jumped from {was} to {place}")
