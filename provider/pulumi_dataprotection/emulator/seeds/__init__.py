"""Seeds: ready-made contents of a new emulator, and documents."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import cast

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator._files import read_file
from pulumi_dataprotection.emulator.seeds.demo import customer_left, demo, one_tenant
from pulumi_dataprotection.emulator.seeds.estate import estate
from pulumi_dataprotection.emulator.seeds.keys import FULL_KEY, READ_ONLY_KEY
from pulumi_dataprotection.emulator.seeds.large import large
from pulumi_dataprotection.emulator.store.document import Document, check_sections

__all__ = ["FULL_KEY", "READ_ONLY_KEY", "Seed", "named_seed", "parse_seed", "seed_document"]

# {"seed": name} or {"document": document}: what the control plane takes, and what a reset goes back to.
Seed = Mapping[str, object]

_LARGE = re.compile(r"large:([1-9]\d{0,6})x(\d{1,7})", re.ASCII)
_ESTATE = re.compile(r"estate:([1-9]\d{0,3})x(\d{1,4})x(\d{1,7})", re.ASCII)
_MADE: Mapping[str, Callable[[datetime], Document]] = {
    "demo": demo,
    "one-tenant": one_tenant,
    "customer-left": customer_left,
    "empty": lambda now: large(0, 0, now),
}
_NAMES = f"{', '.join(_MADE)}, large:TENANTSxRESOURCES or estate:CUSTOMERSxTENANTSxSEATS"


def parse_seed(text: str) -> Seed:
    """Read a seed as the command line names it.

    Args:
        text: a ready-made seed's name, or a file that holds a state document.

    Raises:
        EmulatorError: The file does not exist, or it does not hold a document.
    """
    if _is_name(text):
        return {"seed": text}
    return {"document": check_sections(read_file("seed", text, _NAMES))}


def named_seed(content: object) -> Seed:
    """Read a seed as the control plane gets it.

    Raises:
        EmulatorError: The content is not a seed.
    """
    fields = cast("dict[str, object]", content) if isinstance(content, dict) else {}
    match fields:
        case {"seed": str(name)} if len(fields) == 1 and _is_name(name):
            return {"seed": name}
        case {"document": document} if len(fields) == 1:
            return {"document": check_sections(document)}
        case _:
            raise EmulatorError(f'a seed is {{"seed": NAME}}, with {_NAMES}, or {{"document": DOCUMENT}}')


def seed_document(seed: Seed, now: datetime) -> Document:
    """Return the document of a seed, its times counted back from now."""
    if "document" in seed:
        return check_sections(seed["document"])
    name = str(seed["seed"])
    if size := _LARGE.fullmatch(name):
        return large(int(size[1]), int(size[2]), now)
    if size := _ESTATE.fullmatch(name):
        return estate(int(size[1]), int(size[2]), int(size[3]), now)
    return _MADE[name](now)


def _is_name(text: str) -> bool:
    return text in _MADE or any(size.fullmatch(text) for size in (_LARGE, _ESTATE))
