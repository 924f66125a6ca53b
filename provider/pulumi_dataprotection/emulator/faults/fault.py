"""One fault: how a document names it, and how it changes an answer."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pulumi_dataprotection.emulator._errors import ServerFault
from pulumi_dataprotection.emulator.answers.answer import Answer, json_answer, refusal
from pulumi_dataprotection.emulator.dialect.dialect import Dialect

_AFTER = "after:"
_FIRST_ERROR = 400
MEDIA_TYPE = re.compile(r"[!-.0-~]+/[ -~]*[!-~]")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one request.

    Attributes:
        document: the item of a rule's `do`, as it was posted.
        name: one of `NAMES`, or "answer" if the whole answer is given.
        argument: the status, the seconds, the number of items, the content type or the answer, as the name has it.
        after: whether the service does the work although the answer is replaced or lost.
    """

    document: str | Mapping[str, Any]
    name: str
    argument: Any = None
    after: bool = False

    @property
    def text(self) -> str:
        """The fault as the log shows it."""
        return self.document if isinstance(self.document, str) else json.dumps(self.document, separators=(",", ":"))

    @property
    def prevents(self) -> bool:
        """Whether the service does not do the work."""
        return self.name in _REPLACING and not self.after

    @property
    def of_listings(self) -> bool:
        """Whether it is about pages, and about nothing else."""
        return self.name in LISTING

    @property
    def of_records(self) -> bool:
        """Whether it is about a record that is read by its id, and about nothing else."""
        return self.name in OF_RECORDS

    def change(self, answer: Answer, dialect: Dialect) -> Answer | None:
        """Change the answer that the service would give.

        Returns:
            The answer to send, which is the same if only its delivery is faulty; None if it has no body to harm.
        """
        # The faults of pages and records are met before an answer exists.
        if self.of_listings or self.of_records or (self.name in _OF_BODIES and not answer.body):
            return None
        match self.name:
            case "status":
                answer = refusal(ServerFault(self.argument), dialect)
            case "disguised":
                content = {"message": f"the service answers {self.argument}", "status": self.argument}
                answer = json_answer(200, content)
            case "success" if answer.status < _FIRST_ERROR:
                answer = replace(answer, status=self.argument)
            case "answer":
                answer = self.argument
            case "type":
                answer = replace(answer, content_type=self.argument)
            case "truncated":
                answer = replace(answer, body=answer.body[: len(answer.body) // 2])
            case _:
                pass
        return answer


@dataclass(frozen=True, slots=True)
class _Argument:
    """The argument that a fault takes: its form, its conversion and its name in messages."""

    form: re.Pattern[str]
    convert: Callable[[str], Any]
    takes: str
    max: float = math.inf

    def read(self, text: str) -> object:
        """Read an argument; raises ValueError if the text does not have its form."""
        if not self.form.fullmatch(text) or (self.max < math.inf and float(text) > self.max):
            raise ValueError(f"takes {self.takes}")
        return self.convert(text)


_NOTHING = _Argument(re.compile(""), lambda _: None, "no argument")
_STATUS = _Argument(re.compile(r"[45]\d\d", re.ASCII), int, "a status from 400 to 599")
_SUCCESS = _Argument(re.compile(r"2\d\d", re.ASCII), int, "a status from 200 to 299")
_COUNT = _Argument(re.compile(r"\d{1,6}", re.ASCII), int, "a number of items")
_SECONDS = _Argument(re.compile(r"\d+(\.\d+)?", re.ASCII), float, "seconds, at most 3600", max=3600)
_TYPE = _Argument(MEDIA_TYPE, str, "a content type, such as text/html")

_OF_BODIES = {"truncated", "cut", "slow"}
_REPLACING = {"status", "disguised", "reset", "answer"}
LISTING = (
    *("repeat_token", "token_cycle", "empty_page", "doubled_item", "shrink"),
    *("short_list", "no_items", "unfiltered", "expired_token"),
)
OF_RECORDS = ("other_record",)
NAMES: Mapping[str, _Argument] = {
    "status": _STATUS,
    "success": _SUCCESS,
    "disguised": _STATUS,
    "reset": _NOTHING,
    "stall": _SECONDS,
    "slow": _SECONDS,
    "truncated": _NOTHING,
    "cut": _NOTHING,
    "type": _TYPE,
    **dict.fromkeys((*LISTING, *OF_RECORDS), _NOTHING),
    "short_list": _COUNT,
    "expired_token": _STATUS,
}


def parse_fault(text: str) -> Fault:
    """Read a fault from its text.

    Raises:
        ValueError: The text is not a fault; the message lists the faults.
    """
    name, _, argument = text.removeprefix(_AFTER).partition(":")
    if name not in NAMES:
        raise ValueError(f"unknown fault {name!r}; the faults are {', '.join(NAMES)}")
    try:
        return Fault(text, name, NAMES[name].read(argument), after=text.startswith(_AFTER))
    except ValueError as error:
        raise ValueError(f'the fault "{name}" {error}, not {argument!r}') from None
