"""What a receiver accepts: messages signed by its secret, at about its time. The vector is of Standard Webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest

from tmds_client import WebhookVerificationError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"0123456789abcdef0123456789abcdef").decode()
OTHER = "whsec_" + base64.b64encode(b"another secret of thirty-two byte").decode()
NOW = 1_795_478_400
DATA = {"watch": "brands", "reference": "M-2041", "since": "2026-11-23T06:00:00.000001Z", "cursor": "AXQ"}
BODY = json.dumps({"type": "watch.hits", "timestamp": "2026-11-24T00:00:00.123456Z", "data": DATA}).encode()


def sign(secret: str = SECRET, body: bytes = BODY, stamp: int = NOW) -> dict[str, str]:
    key = base64.b64decode(secret[6:])
    digest = hmac.new(key, f"msg_1.{stamp}.".encode() + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(stamp), "Webhook-Signature": signature}


class Verification(unittest.TestCase):
    def test_accepts_the_vector_of_the_standard(self) -> None:
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        # Signed correctly, and then refused because it is not an event of the service.
        with self.assertRaisesRegex(WebhookVerificationError, "not an event"):
            verify_webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", headers, '{"test": 2432232314}', now=1614265330)

    def test_returns_the_event(self) -> None:
        event = verify_webhook(SECRET, sign(), BODY, now=NOW + 299)
        self.assertEqual((event.id, event.type, event.watch), ("msg_1", "watch.hits", "brands"))
        self.assertEqual((event.reference, event.since, event.cursor), ("M-2041", DATA["since"], "AXQ"))

    def test_accepts_either_secret_while_one_is_rotated(self) -> None:
        headers = sign()
        headers["Webhook-Signature"] = sign(OTHER)["Webhook-Signature"] + " " + headers["Webhook-Signature"]
        self.assertEqual(verify_webhook(SECRET, headers, BODY, now=NOW).type, "watch.hits")
        self.assertEqual(verify_webhook([OTHER, SECRET], sign(), BODY, now=NOW).type, "watch.hits")

    def test_refuses_another_secret_a_changed_body_and_an_old_message(self) -> None:
        cases = [(OTHER, BODY, NOW), (SECRET, BODY + b" ", NOW), (SECRET, BODY, NOW + 301), (SECRET, BODY, NOW - 301)]
        for secret, body, now in cases:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(secret, sign(), body, now=now)
        for name in ("Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(SECRET, {**sign(), name: ""}, BODY, now=NOW)

    def test_an_invalid_secret_is_a_mistake_of_the_program(self) -> None:
        for secret in ("", "whsec_", "whsec_***"):
            with self.assertRaises(ValueError):
                verify_webhook(secret, sign(), BODY, now=NOW)


if __name__ == "__main__":
    unittest.main()
