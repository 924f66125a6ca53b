"""Rules: documents that say which requests go wrong, and how."""

import json
import re
from typing import Annotated, Self, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from pulumi_dataprotection.emulator._errors import EmulatorError
from pulumi_dataprotection.emulator.answers.answer import JSON, Answer
from pulumi_dataprotection.emulator.faults.fault import MEDIA_TYPE, Fault, parse_fault
from pulumi_dataprotection.spec import BY_ID

_FORM = ConfigDict(frozen=True, extra="forbid", strict=True)
_TEXT = "text/plain; charset=utf-8"

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_FRAMING = {"content-length", "transfer-encoding"}
_WITHOUT_BODY = {204, 304}


def _known_operation(name: str) -> str:
    if name not in BY_ID:
        raise ValueError(f"unknown operation {name!r}; the operations are {', '.join(BY_ID)}")
    return name


def _unicode(text: str) -> str:
    text.encode()
    return text


def _known_fault(text: str) -> str:
    parse_fault(text)
    return text


def _header(name: str) -> str:
    if not _HEADER_NAME.fullmatch(name) or name.lower() in _FRAMING:
        raise ValueError(f"{name!r} is not a header that an answer can have; for a wrong Content-Length use cut")
    return name


def _header_value(text: str) -> str:
    if not _HEADER_VALUE.fullmatch(text):
        raise ValueError("a header has no line ends, and no characters beyond Latin-1")
    return text


def _media_type(text: str) -> str:
    if not MEDIA_TYPE.fullmatch(text):
        raise ValueError("a content type is one such as text/html")
    return text


class WholeAnswer(BaseModel):
    """An answer in the place of the service's; a body that is a text is sent as it is, any other as JSON."""

    model_config = _FORM

    status: Annotated[int, Field(ge=200, le=599)]
    headers: dict[Annotated[str, AfterValidator(_header)], Annotated[str, AfterValidator(_header_value)]] = Field(
        default_factory=dict[str, str]
    )
    body: JsonValue = ""
    content_type: Annotated[str, AfterValidator(_media_type)] | None = None
    after: bool = False

    @model_validator(mode="after")
    def _can_be_sent(self) -> Self:
        if self.answer().body and self.status in _WITHOUT_BODY:
            raise ValueError(f"an answer with the status {self.status} has no body")
        return self

    def fault(self) -> Fault:
        """Return the fault that sends this answer."""
        return Fault(self.model_dump(exclude_unset=True), "answer", self.answer(), after=self.after)

    def answer(self) -> Answer:
        """Return it as an answer."""
        plain = isinstance(self.body, str)
        body = cast("str", self.body) if plain else json.dumps(self.body, ensure_ascii=False)
        return Answer(self.status, body.encode(), self.content_type or (_TEXT if plain else JSON), self.headers)


def _form(item: object) -> str | None:
    return "text" if isinstance(item, str) else "answer" if isinstance(item, dict) else None


_Item = Annotated[
    Annotated[Annotated[str, AfterValidator(_known_fault)], Tag("text")] | Annotated[WholeAnswer, Tag("answer")],
    Discriminator(
        _form,
        custom_error_type="fault",
        custom_error_message='a fault is a text such as "status:503", or an answer such as {"status": 503}',
    ),
]


class Rule(BaseModel):
    """Faults for certain requests, one after the other.

    Attributes:
        operation: the operation's id; None for any.
        path: a glob for the path as it was sent; None for any.
        key: the name of the calling key; None for any.
        nth: the first of these requests that goes wrong.
        do: what happens to it and to those that follow.
    """

    model_config = _FORM

    operation: Annotated[str, AfterValidator(_known_operation)] | None = None
    path: Annotated[str, AfterValidator(_unicode)] | None = None
    key: Annotated[str, AfterValidator(_unicode)] | None = None
    nth: Annotated[int, Field(ge=1)] = 1
    do: Annotated[list[_Item], Field(min_length=1)]

    def faults(self) -> list[Fault]:
        """Return what `do` holds."""
        return [parse_fault(item) if isinstance(item, str) else item.fault() for item in self.do]


_RULES = TypeAdapter(list[Rule])


def read_rules(content: object) -> list[Rule]:
    """Read what was posted: one rule, or a list of them.

    Raises:
        EmulatorError: It is neither; the text names the field that is wrong.
    """
    rules = cast("list[object]", content) if isinstance(content, list) else [content]
    if not all(isinstance(rule, dict) for rule in rules):
        raise EmulatorError('a rule is an object such as {"do": ["status:503"]}; there may be a list of them')
    try:
        return _RULES.validate_python(rules)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise EmulatorError(f"{_place(first['loc'])}: {first['msg'].removeprefix('Value error, ')}") from None


def _place(location: tuple[int | str, ...]) -> str:
    """Write where something is wrong: "rule 0, do[1].status"."""
    number, *steps = location
    # Behind the number of an item comes which of its two forms it was taken for, behind a key that it is one.
    named = [step for step in steps[:2] + steps[3:] if step != "[key]"]
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in named).removeprefix(".")
    return f"rule {number}, {text}" if text else f"rule {number}"
