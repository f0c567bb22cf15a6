"""At the end of a match the page says in words what it checked of the deal, and calls out a lie."""

import subprocess
import sys
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import OpenPage
from browser.people import beside, deal_and_leave, invite, join, play_to_the_end, rewriting
from kibitz.client import Seat

OTHER = "3" * 64


def findings(page: Page) -> dict[str, str]:
    """What the page says of the deal: each sentence, and what it means."""
    page.locator("[data-deal]").wait_for()
    found: dict[str, str] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('[data-finding]')]"
        ".map(f => [f.dataset.finding, f.dataset.means]))"
    )
    return found


def play_one(base: str, open_page: OpenPage, **more: Any) -> Page:
    """A whole match of the page, with a host who contributes as well."""
    invitation = invite(base, "lantern")
    page = open_page(invitation.path, **more)
    join(page)
    deal_and_leave(base, invitation, page)
    page.wait_for_selector("[data-screen=table] [data-card]")
    play_to_the_end(page)
    return page


def test_the_page_says_what_it_checked_and_how_to_check_the_rest(
    base: str, open_page: OpenPage
) -> None:
    page = play_one(base, open_page)
    assert findings(page) == {
        "deal_secret_fits": "held",
        "deal_mine_used": "held",
        "deal_others_fit": "held",
        "deal_seed_follows": "held",
    }
    expect(page.locator("[data-deal=verified]")).to_contain_text("nobody could choose the seed")
    held = page.locator("[data-finding=deal_others_fit]")
    expect(held).to_be_hidden()  # all is well: who wants to know more opens it
    page.locator(".deal summary").click()
    expect(held).to_be_visible()
    expect(held).to_contain_text("Host")
    command = page.locator("[data-verify]").inner_text().split()
    assert command[:2] == ["kibitz", "verify"]
    done = subprocess.run(
        [sys.executable, "-m", "kibitz.cli", *command[1:]],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "your contribution was used" in done.stdout


def lie(change: Any) -> Any:
    """A server that tells the page another deal at the end."""

    def tell(frame: Any) -> None:
        if frame.get("deal"):
            change(frame["deal"])

    return rewriting(tell)


def mine_dropped(deal: Any) -> None:
    deal["contributions"][-1] = None
    deal["left_out"] = [len(deal["contributions"]) - 1]


def host_chose_later(deal: Any) -> None:
    deal["contributions"][0] = OTHER


def other_secret(deal: Any) -> None:
    deal["secret"] = OTHER


@pytest.mark.parametrize(
    ("change", "called"),
    [
        (mine_dropped, "deal_mine_dropped"),
        (host_chose_later, "deal_others_wrong"),
        (other_secret, "deal_secret_wrong"),
    ],
)
def test_a_deal_that_was_tampered_with_is_called_out(
    base: str, open_page: OpenPage, change: Any, called: str
) -> None:
    page = play_one(base, open_page, before=lie(change))
    assert findings(page)[called] == "broken"
    expect(page.locator("[data-deal=broken]")).to_contain_text("Do not trust it")
    assert page.locator("[data-deal=verified]").count() == 0


def test_a_page_that_kept_nothing_does_not_say_verified(base: str, open_page: OpenPage) -> None:
    page = play_one(base, open_page)
    page.evaluate("() => localStorage.removeItem('kibitz.deals')")
    page.reload()
    page.locator("[data-deal=partly]").wait_for()
    said = findings(page)
    assert said["deal_nothing_kept"] == "unchecked"
    assert "--commitment" not in page.locator("[data-verify]").inner_text()


def test_who_never_reveals_is_left_out_and_named(base: str, open_page: OpenPage) -> None:
    """The host promised from elsewhere, and cannot keep it."""
    invitation = invite(base, "lantern", promise=OTHER)
    page = open_page(invitation.path)
    join(page)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    play_to_the_end(page)
    assert findings(page)["deal_left_out"] == "unchecked"
    assert page.locator("[data-deal=verified]").count() == 0
    expect(page.locator("[data-finding=deal_left_out]")).to_contain_text("Host")


def test_in_a_rematch_the_page_takes_part_before_it_goes_there(
    base: str, open_page: OpenPage
) -> None:
    page = play_one(base, open_page)
    table = page.url.rsplit("/", 1)[1].partition("?")[0]
    tokens = page.evaluate("() => JSON.parse(localStorage.getItem('kibitz.seats'))")

    async def host() -> str:
        async with Seat.again(base, table, tokens[table]["token"]) as mine:
            answer = await mine.ask("rematch")
        async with Seat.watch(f"{base}/t/{answer['table']}") as watching:
            await watching._until(lambda: watching.state["seats"][-1]["promise"] is not None)
            return str(answer["table"])

    following = beside(page, host())
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('kibitz.deals'))")
    assert kept[following]["contribution"]
    page.locator("[data-action-button=rematch]").click()
    page.wait_for_selector("[data-screen=gathering]")
    assert page.url.endswith(f"/t/{following}")
