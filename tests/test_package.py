"""The package that others get: what is in it, and that it runs from a fresh environment."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from kibitz.server.static import PAGE

ROOT = Path(__file__).parent.parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
GAMES = ("kiza", "kolpa", "ramon", "viva", "zocken")
EXAMPLE = "kibitz/example/lantern"
LANGUAGES = ("de", "en", "es", "fr", "nl")


def build(source: Path, into: Path, *targets: str) -> None:
    """Build as `make dist` does, where there is no Node."""
    words = [word for target in targets for word in ("--target", target)]
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(into), *words]
    env = {**os.environ, "PATH": str(into)}
    done = subprocess.run(command, cwd=source, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with sdist and wheel."""
    if not (PAGE / "index.html").is_file():
        pytest.fail("the page has not been built; run `make web`")
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder, "sdist", "wheel")
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (file,) = dist.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def unpacked(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, unpacked."""
    (file,) = dist.glob("*.tar.gz")
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(file) as archive:
        archive.extractall(folder, filter="data")
    return folder / f"kibitz-{VERSION}"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment into which the wheel was installed.

    What Kibitz depends on comes from here, Kibitz itself does not: a folder that is named in a
    `.pth` file comes after the environment's own, and the `.pth` files in it are not read.
    """
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(programs / "python")]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", str(wheel)], check=True)
    (own,) = folder.rglob("site-packages")
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return programs


def fresh_env(tmp_path: Path) -> dict[str, str]:
    """An environment in which nothing leads back to these sources."""
    env = {key: value for key, value in os.environ.items() if key[:6] not in ("KIBITZ", "PYTHON")}
    return {**env, "KIBITZ_GAMES_OFFERED": "kolpa", "KIBITZ_CACHE": str(tmp_path / "cache")}


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_has_the_page_as_built(wheel: Path) -> None:
    built = {
        f"kibitz/server/page/{file.relative_to(PAGE).as_posix()}"
        for file in PAGE.rglob("*")
        if file.is_file()
    }
    assert "kibitz/server/page/index.html.gz" in built
    assert {name for name in names_in(wheel) if "/page/" in name} == built


@pytest.mark.parametrize("game", GAMES)
def test_the_wheel_has_every_games_texts_and_rulebooks(wheel: Path, game: str) -> None:
    folder = f"kibitz/games/{game}"
    wanted = {f"{folder}/texts/{lang}.toml" for lang in LANGUAGES}
    wanted |= {f"{folder}/rulebook/{lang}.md" for lang in LANGUAGES}
    assert wanted <= names_in(wheel)


def test_the_wheel_has_types_and_a_licence_and_no_tests(wheel: Path) -> None:
    names = names_in(wheel)
    assert "kibitz/py.typed" in names
    assert f"kibitz-{VERSION}.dist-info/licenses/LICENSE" in names
    assert {name.partition("/")[0] for name in names} == {
        "kibitz",
        f"kibitz-{VERSION}.dist-info",
    }
    tests = {name for name in names if "tests" in name.split("/") or "test_" in name}
    assert tests == {f"{EXAMPLE}/tests/test_lantern_rules.py"}  # `kibitz new-game` copies it


def test_the_sdist_has_no_tests_and_nothing_built_but_the_page(unpacked: Path) -> None:
    files = [path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()]
    tests = {file.as_posix() for file in files if "tests" in file.parts}
    assert tests == {f"src/{EXAMPLE}/tests/test_lantern_rules.py"}
    assert {file.parts[0] for file in files if len(file.parts) > 1} == {"src", "docs"}
    assert (unpacked / "src/kibitz/server/page/index.html").is_file()


def test_the_sdist_makes_the_same_wheel_without_node(
    wheel: Path, unpacked: Path, tmp_path: Path
) -> None:
    build(unpacked, tmp_path, "wheel")
    assert contents(tmp_path / wheel.name) == contents(wheel)


def test_an_installed_kibitz_says_its_version(installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [installed / "kibitz", "--version"],
        cwd=tmp_path, env=fresh_env(tmp_path), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"kibitz {VERSION}\n"


def test_an_installed_kibitz_makes_a_new_game(installed: Path, tmp_path: Path) -> None:
    subprocess.run(
        [installed / "kibitz", "new-game", "patience", "--in", "games"],
        cwd=tmp_path, env=fresh_env(tmp_path), capture_output=True, check=True,
    )  # fmt: skip
    assert (tmp_path / "games" / "patience" / "tests" / "test_patience_rules.py").is_file()


def test_an_installed_kibitz_serves_the_page(installed: Path, tmp_path: Path) -> None:
    server = subprocess.Popen(
        [installed / "kibitz", "serve", "--port", "0", "--store", str(tmp_path / "tables.db")],
        cwd=tmp_path, env=fresh_env(tmp_path), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    try:
        ready = next(line for line in server.stdout if "http://" in line)
        address = re.findall(r"http://\S+", ready)[0]
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert answer.status == 200
            assert answer.read() == (PAGE / "index.html").read_bytes()
        with urllib.request.urlopen(f"{address}api/games/kolpa", timeout=20) as answer:
            assert json.load(answer)["name"] == "kolpa"
        with urllib.request.urlopen(f"{address}health", timeout=20) as answer:
            assert json.load(answer)["version"] == VERSION
    finally:
        server.terminate()
        assert server.wait(20) == 0
        server.stdout.close()
