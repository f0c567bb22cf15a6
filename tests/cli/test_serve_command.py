"""`kibitz serve` and its settings: a mistake gets one clear line."""

import subprocess
import sys
from pathlib import Path

import pytest


def serve(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kibitz.cli", "serve", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--log-level", "loud"], "log_level"),
        (["--port", "99999"], "port"),
        (["--port", "-1"], "port"),
        (["--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid"),
        (["--port", "0", "--bus", "nonsense"], "nonsense"),
        (["--config", "/nowhere/kibitz.toml"], "cannot read /nowhere/kibitz.toml"),
    ],
)
def test_a_wrong_setting_gets_one_line(words: list[str], told: str) -> None:
    done = serve(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [("port = [", "is no TOML file"), ("colour = 'red'", "colour"), ("port = 'many'", "port")],
)
def test_a_wrong_file_gets_one_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "kibitz.toml"
    file.write_text(text)
    done = serve("--config", str(file))
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
