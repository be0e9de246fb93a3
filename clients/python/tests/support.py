"""A sender that plays answers, and a record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Union

from tmds_client import TrademarkClient
from tmds_client.connections import Request


class PlayedReply:
    def __init__(self, status: int, body: Union[str, Mapping[str, Any]], headers: Mapping[str, str]) -> None:
        self.status = status
        self._headers = dict(headers)
        self._text = body if isinstance(body, str) else json.dumps(body)
        self._pieces: list[bytes] = []

    def begin(self) -> PlayedReply:
        self._pieces = [self._text.encode(), b""]
        return self

    def header(self, name: str) -> str | None:
        return self._headers.get(name)

    def read_piece(self) -> bytes:
        return self._pieces.pop(0)

    def extend(self, deadline: float) -> None:
        pass

    def close(self) -> None:
        pass


Step = Union[PlayedReply, Exception]


def answer(body: Union[str, Mapping[str, Any]], status: int = 200, **headers: str) -> PlayedReply:
    return PlayedReply(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


def refusal(code: str, status: int, **headers: str) -> PlayedReply:
    return answer({"error": {"code": code, "message": f"refused: {code}"}}, status, x_request_id="r1", **headers)


class PlayedSender:
    """Plays the steps in order, and repeats the last one."""

    def __init__(self, *steps: Step) -> None:
        self._steps = list(steps)
        self.requests: list[Request] = []

    def send(self, request: Request, deadline: float) -> PlayedReply:
        self.requests.append(request)
        step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
        if isinstance(step, Exception):
            raise step
        return step.begin()

    @property
    def targets(self) -> list[str]:
        return [request.target for request in self.requests]


def build_client(sender: PlayedSender, sleeps: list[float] | None = None, **options: Any) -> TrademarkClient:
    """Waits are noted instead of waited."""
    client = TrademarkClient("key", "https://host/records", sender=sender, **options)
    noted = sleeps if sleeps is not None else []
    object.__setattr__(client._transport, "sleep", noted.append)
    object.__setattr__(client._transport, "random", lambda: 0.0)
    return client


def build_record(**members: Any) -> dict[str, Any]:
    lists = ("nice_classes", "vienna_codes", "owner_names", "owner_countries", "representative_names")
    numbers = ("international_registration_numbers", "priority_numbers", "designated_countries")
    texts = ("office", "application_number", "registration_number", "mark_name", "tm5_status", "kind_of_mark")
    dates = ("application_date", "registration_date", "publication_date", "expiry_date", "renewal_date")
    more = ("termination_date", "opposition_period_end", "status_date", "external_update_date", "mark_feature")
    empty = dict.fromkeys((*lists, *numbers, *texts, *dates, *more, "record_update_date"))
    stamp = "2026-01-06T03:00:00.000001Z"
    required = {"jurisdiction_code": "US", "uid": "US-1", "status": "Pending", "first_seen_at": stamp}
    return {**empty, **required, "updated_at": stamp, **members}
