"""
Verifies the messages that the service sends to a webhook: they are signed by the rules of Standard Webhooks. A message
says which watch has new hits and from where to read them; it carries no data of a register.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Union

from .errors import WebhookVerificationError

#: How far the timestamp of a message may be from the clock of the receiver.
TOLERANCE_SECONDS = 300
_PREFIX = "whsec_"


@dataclass(frozen=True)
class WebhookEvent:
    #: The same for every attempt of one delivery: drop what you have already received.
    id: str
    #: `watch.hits`, or `test`. Ignore types that you do not know.
    type: str
    #: When the hits were found.
    timestamp: str
    data: Mapping[str, Any]

    @property
    def watch(self) -> str | None:
        """The id of the watch that has new hits; None for other types."""
        return self.data.get("watch")

    @property
    def reference(self) -> str | None:
        """Your own reference on the watch; None if it has none."""
        return self.data.get("reference")

    @property
    def since(self) -> str | None:
        """Send it with `cursor` to read the new hits: `client.hits_all(event.watch, since=…, cursor=…)`."""
        return self.data.get("since")

    @property
    def cursor(self) -> str | None:
        return self.data.get("cursor")


def verify_webhook(
    secret: Union[str, Iterable[str]],
    headers: Mapping[str, str],
    body: Union[bytes, str],
    *,
    now: float | None = None,
) -> WebhookEvent:
    """
    The event of a message that the service has signed.

    Args:
        secret: `whsec_…` from the portal; several while you rotate it
        headers: of the request, in any letter case
        body: the raw bytes of the request, before any parsing
        now: seconds since the Unix epoch; default: the clock

    Raises:
        WebhookVerificationError: the signature is not by the secret, or the message is more than five minutes off
        ValueError: the secret is not one
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    given = {name.lower(): value for name, value in headers.items()}
    raw = body.encode() if isinstance(body, str) else bytes(body)
    identity, stamp, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not identity or not stamp or not signatures:
        raise WebhookVerificationError("the headers webhook-id, webhook-timestamp and webhook-signature are missing")
    if re.fullmatch(r"[0-9]{1,12}", stamp) is None:
        raise WebhookVerificationError("webhook-timestamp is not a number of seconds")
    if abs((time.time() if now is None else now) - int(stamp)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError(f"the message is more than {TOLERANCE_SECONDS} seconds from the clock")
    signed = f"{identity}.{stamp}.".encode() + raw
    expected = [_sign(each, signed) for each in secrets]
    offered = [each[3:].encode() for each in signatures.split(" ") if each.startswith("v1,")]
    # Every pair is compared, so that the time says nothing about which one fits.
    fits = [hmac.compare_digest(one, other) for one in expected for other in offered]
    if not any(fits):
        raise WebhookVerificationError("the signature is not by this secret")
    return _read_event(identity, raw)


def _sign(secret: str, signed: bytes) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError(f"the secret of a webhook is {_PREFIX} followed by base64; is it complete?")
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())


def _read_event(identity: str, raw: bytes) -> WebhookEvent:
    try:
        event = json.loads(raw)
        kind, stamp, data = event["type"], event["timestamp"], event["data"]
    except (ValueError, TypeError, KeyError) as error:
        raise WebhookVerificationError("the body is not an event of the service") from error
    if not isinstance(kind, str) or not isinstance(stamp, str) or not isinstance(data, dict):
        raise WebhookVerificationError("the body is not an event of the service")
    return WebhookEvent(id=identity, type=kind, timestamp=stamp, data=data)
