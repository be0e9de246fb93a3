"""
The client's settings: arguments, then the environment, which only this file reads. An invalid setting raises
`ValueError` before any call, without repeating the key.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

TIMEOUT_DEFAULT_SECONDS = 30.0
TIMEOUT_MAX_SECONDS = 600.0
RETRIES_DEFAULT = 3
RETRIES_MAX = 20

_ADDRESS = "the service's address with the product's path, such as https://host/records"


@dataclass(frozen=True)
class Config:
    api_key: str
    base_url: str
    timeout_seconds: float
    max_retries: int
    headers: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Config(base_url={self.base_url!r})"


def read_config(
    api_key: str | None,
    base_url: str | None,
    timeout: float,
    max_retries: int,
    headers: Mapping[str, str] | None,
) -> Config:
    address = _check_base_url(base_url or os.environ.get("TMDS_BASE_URL"))
    return Config(
        api_key=_check_key(api_key or os.environ.get("TMDS_API_KEY")),
        base_url=address,
        timeout_seconds=check_timeout(timeout),
        max_retries=check_retries(max_retries),
        headers={name.lower(): value for name, value in (headers or {}).items() if name.lower() != "x-api-key"},
    )


def check_timeout(seconds: float) -> float:
    if 0 < seconds <= TIMEOUT_MAX_SECONDS:
        return float(seconds)
    raise ValueError(f"timeout must be more than 0 and at most {TIMEOUT_MAX_SECONDS:.0f} seconds")


def check_retries(retries: int) -> int:
    if isinstance(retries, int) and 0 <= retries <= RETRIES_MAX:
        return retries
    raise ValueError(f"max_retries must be an integer from 0 to {RETRIES_MAX}")


def _check_key(key: str | None) -> str:
    if not key:
        raise ValueError("no API key: pass api_key, or set the environment variable TMDS_API_KEY")
    if re.fullmatch(r"[\x21-\x7e]+", key) is None:
        raise ValueError("the API key has invalid characters; is it complete, and without quotes?")
    return key


def _check_base_url(address: str | None) -> str:
    if not address:
        raise ValueError(f"no base address: pass base_url, or set TMDS_BASE_URL: {_ADDRESS}")
    try:
        url = urlsplit(address)
        named = url.hostname is not None and url.port != 0
    except ValueError:
        named = False
    if not named or url.scheme not in ("http", "https") or re.search(r"[\s\x00-\x1f]", address):
        raise ValueError(f"base_url must be {_ADDRESS}")
    if url.query or url.fragment or "@" in url.netloc:
        raise ValueError(f"base_url must not have a query, a fragment or credentials: {_ADDRESS}")
    return f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}"
