"""One fault: how a document names it, and what it makes of an answer."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from pulumi_dataprotection.emulator._errors import ServerFault
from pulumi_dataprotection.emulator.answers.answer import Answer, json_answer, refusal
from pulumi_dataprotection.emulator.dialect.dialect import Dialect

_LONGEST_SECONDS = 3600
_AFTER = "after:"

_DECIMAL = re.compile(r"\d+(\.\d+)?", re.ASCII)
_STATUS = re.compile(r"[45]\d\d", re.ASCII)
_SUCCESS = re.compile(r"2\d\d", re.ASCII)
_WHOLE = re.compile(r"\d{1,6}", re.ASCII)
_FIRST_ERROR = 400
MEDIA_TYPE = re.compile(r"[!-.0-~]+/[ -~]*[!-~]")


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one request.

    Attributes:
        document: the item of a rule's `do`, as it was posted.
        name: one of `NAMES`, or "answer" where the whole answer is given.
        argument: the status, the seconds, the content type or the answer, as the name has it.
        after: whether the service does the work all the same where the answer is replaced or lost.
    """

    document: str | Mapping[str, Any]
    name: str
    argument: int | float | str | Answer | None = None
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

    @property
    def number(self) -> int:
        """How many items are left."""
        return cast("int", self.argument)

    @property
    def seconds(self) -> float:
        """How long the answer takes."""
        return cast("float", self.argument)

    def change(self, answer: Answer, dialect: Dialect) -> Answer | None:
        """Change the answer that the service would give.

        Returns:
            The answer to send, the same one where only its way is faulty; None where there is no body to harm.
        """
        # The faults of pages and records are met before there is an answer.
        if self.of_listings or self.of_records or (self.name in _OF_BODIES and not answer.body):
            return None
        return self._changed(answer, dialect)

    def _changed(self, answer: Answer, dialect: Dialect) -> Answer:
        match self.name, self.argument:
            case "status", int() as status:
                answer = refusal(ServerFault(status), dialect)
            case "disguised", int() as status:
                answer = json_answer(200, {"message": f"the service answers {status}", "status": status})
            case "success", int() as status if answer.status < _FIRST_ERROR:
                answer = replace(answer, status=status)
            case "answer", Answer() as whole:
                answer = whole
            case "type", str() as content_type:
                answer = replace(answer, content_type=content_type)
            case "truncated", _:
                answer = replace(answer, body=answer.body[: len(answer.body) // 2])
            case _:
                pass
        return answer


def _status(text: str) -> int:
    if not _STATUS.fullmatch(text):
        raise ValueError("takes a status from 400 to 599")
    return int(text)


def _success(text: str) -> int:
    if not _SUCCESS.fullmatch(text):
        raise ValueError("takes a status from 200 to 299")
    return int(text)


def _number(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError("takes a number of items")
    return int(text)


def _seconds(text: str) -> float:
    if not _DECIMAL.fullmatch(text) or float(text) > _LONGEST_SECONDS:
        raise ValueError(f"takes seconds, at most {_LONGEST_SECONDS}")
    return float(text)


def _content_type(text: str) -> str:
    if not MEDIA_TYPE.fullmatch(text):
        raise ValueError("takes a content type, such as text/html")
    return text


def _nothing(text: str) -> None:
    if text:
        raise ValueError("takes no argument")


_OF_BODIES = {"truncated", "cut", "slow"}
_REPLACING = {"status", "disguised", "reset", "answer"}
LISTING = (
    *("repeat_token", "token_cycle", "empty_page", "doubled_item", "shrink"),
    *("short_list", "no_items", "unfiltered"),
)
OF_RECORDS = ("other_record",)
NAMES: Mapping[str, Callable[[str], float | str | None]] = {
    "status": _status,
    "success": _success,
    "disguised": _status,
    "reset": _nothing,
    "stall": _seconds,
    "slow": _seconds,
    "truncated": _nothing,
    "cut": _nothing,
    "type": _content_type,
    **dict.fromkeys((*LISTING, *OF_RECORDS), _nothing),
    "short_list": _number,
}


def parse_fault(text: str) -> Fault:
    """Read a fault from its text.

    Raises:
        ValueError: It is none; the message says what there is.
    """
    name, _, argument = text.removeprefix(_AFTER).partition(":")
    if name not in NAMES:
        raise ValueError(f"there is no fault {name!r}; there are {', '.join(NAMES)}")
    try:
        return Fault(text, name, NAMES[name](argument), after=text.startswith(_AFTER))
    except ValueError as error:
        raise ValueError(f'the fault "{name}" {error}, not {argument!r}') from None
