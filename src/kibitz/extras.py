"""What a plain `pip install kibitz` leaves out, and how to get it."""

import re
from importlib.metadata import requires

_REQUIREMENT = re.compile(r"([\w.-]+).*extra == ['\"](\w+)['\"]")
_PACKAGES = {"pyspiel": "open_spiel"}  # modules that are not named as their package


def remedy(missing: ModuleNotFoundError) -> str | None:
    """What to do about a module that is not there; None if it belongs to no extra."""
    module = (missing.name or "").partition(".")[0]
    name = _PACKAGES.get(module, module)
    for requirement in requires("kibitz") or ():
        found = _REQUIREMENT.match(requirement)
        if found and found[1].replace("-", "_") == name:
            return (
                f"this needs {found[1]}, which is not installed: pip install 'kibitz[{found[2]}]'"
            )
    return None


def ask_for(missing: ModuleNotFoundError) -> ModuleNotFoundError:
    """The same error, but it says what to do."""
    what_to_do = remedy(missing)
    return ModuleNotFoundError(what_to_do, name=missing.name) if what_to_do else missing
