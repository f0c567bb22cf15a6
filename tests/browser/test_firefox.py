"""The page in Firefox, from the distribution's package, over WebDriver BiDi."""

import shutil
import subprocess
from pathlib import Path

import pytest

from browser.conftest import DESK, PHONE
from browser.people import deal_and_leave, invite
from effort import tried
from short import PUBLISHED

ROOT = Path(__file__).parent.parent.parent
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


MATCHES = tried([("kolpa", PHONE)], [(game, size) for game in PUBLISHED for size in (PHONE, DESK)])


@pytest.mark.parametrize(("game", "size"), MATCHES)
def test_a_whole_match_in_firefox(base: str, game: str, size: tuple[int, int]) -> None:
    if not FIREFOX:
        pytest.skip("no Firefox: install firefox-esr")
    node = shutil.which("node", path=f"{ROOT / '.venv' / 'bin'}:/usr/local/bin:/usr/bin") or "node"
    invitation = invite(base, game)
    command = [node, "web/tests/firefox.mjs", FIREFOX, base + invitation.path, *map(str, size)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as player:
        assert player.stdout is not None
        first = player.stdout.readline().strip()
        if first == "seated":
            deal_and_leave(base, invitation)
        said, wrong = player.communicate(timeout=150)
    assert first == "seated", wrong
    assert said.strip().endswith("over"), wrong
    assert player.returncode == 0, wrong
