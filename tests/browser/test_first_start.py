"""The page of a server that has not compiled its game yet."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser.conftest import OpenPage
from browser.people import deal_and_leave, invite, rewriting
from server.process import ServerProcess

PATIENCE = 90_000  # milliseconds; other tests may keep the machine busy


def test_a_match_chosen_before_its_game_is_ready_begins_by_itself(
    chromium: Browser, tmp_path: Path
) -> None:
    with ServerProcess(tmp_path / "t.db", games="lantern", cache=tmp_path / "cache") as server:
        page = chromium.new_page(locale="de-DE", reduced_motion="reduce")
        page.goto(server.base)
        card = page.locator('[data-game="lantern"]')
        expect(card.locator("[data-preparing]")).to_have_text("wird vorbereitet …")
        card.locator('[data-action-button="play-now"]').click()
        notice = page.locator("[data-preparing]")
        expect(notice).to_contain_text("Das Spiel wird vorbereitet")
        expect(page.locator(".prompt[data-phase=playing]")).to_be_visible(timeout=PATIENCE)
        expect(notice).to_have_count(0, timeout=PATIENCE)
        page.goto(server.base)
        expect(page.locator('[data-game="lantern"] [data-preparing]')).to_have_count(0)
        page.close()


def test_a_table_whose_bot_waits_for_the_game_says_so(base: str, open_page: OpenPage) -> None:
    """A bot seems to think for long; nothing is heard of it."""
    far = {"kolpa": "moves"}
    invitation = invite(base, "kolpa", players=6, options={})

    def before(page: Page) -> None:
        page.route("**/api/ready", lambda route: route.fulfill(json={"games": far}))
        rewriting(lambda frame: frame.clear() if frame["t"] == "moved" else None)(page)

    deal_and_leave(base, invitation)
    page = open_page(f"/t/{invitation.table}", before=before)
    prompt = page.locator(".prompt[data-phase=playing]")
    expect(prompt).to_contain_text("Waiting for")
    expect(prompt.locator("[data-preparing]")).to_contain_text("The game is getting ready")
    far["kolpa"] = "bots"
    expect(prompt.locator("[data-preparing]")).to_have_count(0)
    expect(prompt).to_contain_text("Waiting for")
