"""Seeds: ready-made contents of a new emulator, and documents."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import cast

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator._files import read_file
from pulumi_dataprotection.emulator.seeds._common import FULL_KEY, READ_ONLY_KEY
from pulumi_dataprotection.emulator.seeds.demo import customer_left, demo, one_tenant
from pulumi_dataprotection.emulator.seeds.estate import estate
from pulumi_dataprotection.emulator.seeds.large import large
from pulumi_dataprotection.emulator.store.document import Document, check_sections

__all__ = ["FULL_KEY", "READ_ONLY_KEY", "Seed", "named_seed", "parse_seed", "seed_document"]

# {"seed": name} or {"document": document}: what the control plane takes, and what a reset goes back to.
Seed = Mapping[str, object]

# The makers by the patterns of the seeds' names, whose groups are the sizes.
_MAKERS: Mapping[str, Callable[..., Document]] = {
    "demo": demo,
    "one-tenant": one_tenant,
    "customer-left": customer_left,
    "empty": partial(large, 0, 0),
    r"large:([1-9]\d{0,6})x(\d{1,7})": large,
    r"estate:([1-9]\d{0,3})x(\d{1,4})x(\d{1,7})": estate,
}
_NAMES = "demo, one-tenant, customer-left, empty, large:TENANTSxRESOURCES or estate:CUSTOMERSxTENANTSxSEATS"


def parse_seed(text: str) -> Seed:
    """Read a seed as the command line names it.

    Args:
        text: a ready-made seed's name, or a file that holds a state document.

    Raises:
        EmulatorError: The file does not exist, or it does not hold a document.
    """
    if _makers_of(text):
        return {"seed": text}
    return {"document": check_sections(read_file("seed", text, _NAMES))}


def named_seed(content: object) -> Seed:
    """Read a seed as the control plane gets it.

    Raises:
        EmulatorError: The content is not a seed.
    """
    fields = cast("dict[str, object]", content) if isinstance(content, dict) else {}
    match fields:
        case {"seed": str(name)} if len(fields) == 1 and _makers_of(name):
            return {"seed": name}
        case {"document": document} if len(fields) == 1:
            return {"document": check_sections(document)}
        case _:
            raise EmulatorError(f'a seed is {{"seed": NAME}}, with {_NAMES}, or {{"document": DOCUMENT}}')


def seed_document(seed: Seed, now: datetime) -> Document:
    """Return the document of a seed, its times counted back from now."""
    if "document" in seed:
        return check_sections(seed["document"])
    (make,) = _makers_of(str(seed["seed"]))
    return make(now)


def _makers_of(name: str) -> list[Callable[[datetime], Document]]:
    """Return the function that makes the document of a seed, if there is such a seed."""
    matches = ((re.fullmatch(pattern, name, re.ASCII), maker) for pattern, maker in _MAKERS.items())
    return [partial(maker, *map(int, match.groups())) for match, maker in matches if match]
