"""Written by `npm run docs` from the contract's table of errors; not to be edited."""

from __future__ import annotations

from collections.abc import Mapping

from .errors import TrademarkApiError


class InvalidParameterError(TrademarkApiError):
    """`invalid_parameter`, 400: A parameter value is malformed. Correct the parameter named in `param`; the
    message says what it takes."""

    CODE = "invalid_parameter"


class UnknownParameterError(TrademarkApiError):
    """`unknown_parameter`, 400: A parameter the endpoint does not define. Remove the parameter named in
    `param`, or correct its name; the message may suggest the intended name."""

    CODE = "unknown_parameter"


class MissingFilterError(TrademarkApiError):
    """`missing_filter`, 400: A search without any filter. Add at least one filter, for example
    `jurisdiction`."""

    CODE = "missing_filter"


class ReservedParameterError(TrademarkApiError):
    """`reserved_parameter`, 400: Use of the reserved name `q`. Use the structured filters; `q` is kept for a
    future query language."""

    CODE = "reserved_parameter"


class QueryTooBroadError(TrademarkApiError):
    """`query_too_broad`, 400: Query too broad; narrow it. Add or shorten the part that the message names."""

    CODE = "query_too_broad"


class CursorInvalidError(TrademarkApiError):
    """`cursor_invalid`, 400: The cursor is not valid. Send `next_cursor` back exactly as it was received, or
    start again without a cursor."""

    CODE = "cursor_invalid"


class CursorQueryMismatchError(TrademarkApiError):
    """`cursor_query_mismatch`, 400: Cursor reused with a different query than produced it. Repeat the query
    that produced the cursor, or leave the cursor out."""

    CODE = "cursor_query_mismatch"


class UnauthorizedError(TrademarkApiError):
    """`unauthorized`, 401: Missing or unknown key. Send a valid key in `X-API-Key` or as a Bearer token."""

    CODE = "unauthorized"


class KeyRevokedError(TrademarkApiError):
    """`key_revoked`, 403: Key was revoked. Use the key that replaced it."""

    CODE = "key_revoked"


class ProductNotEnabledError(TrademarkApiError):
    """`product_not_enabled`, 403: Valid key not sold this product. Ask for the product to be added to the
    agreement; the key is good, so do not rotate it."""

    CODE = "product_not_enabled"


class NotFoundError(TrademarkApiError):
    """`not_found`, 404: No such record or register; a real answer, not to be retried. Check the register code
    or the uid, whichever the message says is missing."""

    CODE = "not_found"


class MethodNotAllowedError(TrademarkApiError):
    """`method_not_allowed`, 405: A method that the path does not take. Use a method that `Allow` names."""

    CODE = "method_not_allowed"


class QueryTimeoutError(TrademarkApiError):
    """`query_timeout`, 422: Query not answerable within 10 seconds; narrow it, do not blind-retry. Add a
    filter that narrows the query."""

    CODE = "query_timeout"


class ValidationError(TrademarkApiError):
    """`validation_error`, 422: A parameter fails its declaration. Correct the parameter named in `param`;
    `detail` lists every failure."""

    CODE = "validation_error"


class RateLimitedError(TrademarkApiError):
    """`rate_limited`, 429: Per-minute rate exceeded. Wait for the seconds of Retry-After."""

    CODE = "rate_limited"
    retryable = True


class QuotaExceededError(TrademarkApiError):
    """`quota_exceeded`, 429: Monthly quota exceeded. Wait until the instant in the message, when the month
    ends, or have the quota raised."""

    CODE = "quota_exceeded"


class InternalError(TrademarkApiError):
    """`internal_error`, 500: A fault of the service. Report it with the request id."""

    CODE = "internal_error"


class UnavailableError(TrademarkApiError):
    """`unavailable`, 503: Transient problem; safe to retry shortly. Retry after the seconds of
    Retry-After."""

    CODE = "unavailable"
    retryable = True


#: The exception of each code. A newer service may have other codes: they are a plain `TrademarkApiError`.
REFUSALS: Mapping[str, type[TrademarkApiError]] = {
    refusal.CODE: refusal
    for refusal in (
        InvalidParameterError,
        UnknownParameterError,
        MissingFilterError,
        ReservedParameterError,
        QueryTooBroadError,
        CursorInvalidError,
        CursorQueryMismatchError,
        UnauthorizedError,
        KeyRevokedError,
        ProductNotEnabledError,
        NotFoundError,
        MethodNotAllowedError,
        QueryTimeoutError,
        ValidationError,
        RateLimitedError,
        QuotaExceededError,
        InternalError,
        UnavailableError,
    )
}

__all__ = [
    "REFUSALS",
    "CursorInvalidError",
    "CursorQueryMismatchError",
    "InternalError",
    "InvalidParameterError",
    "KeyRevokedError",
    "MethodNotAllowedError",
    "MissingFilterError",
    "NotFoundError",
    "ProductNotEnabledError",
    "QueryTimeoutError",
    "QueryTooBroadError",
    "QuotaExceededError",
    "RateLimitedError",
    "ReservedParameterError",
    "UnauthorizedError",
    "UnavailableError",
    "UnknownParameterError",
    "ValidationError",
]
