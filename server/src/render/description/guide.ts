/**
 * What each error code means for the caller: an example, why it happens, what to do. Pages, the interface description
 * and docs/errors/ are made from this table, which is complete by type.
 */
import { ERRORS, type ErrorCode, type ErrorEnvelope, type ValidationEnvelope } from '@tmds/contract/errors';

export interface ErrorGuide {
  /** A request that gets this answer. */
  readonly request: string;
  readonly message: string;
  readonly param?: string;
  readonly why: readonly string[];
  readonly remedy: readonly string[];
}

export const GUIDES: Readonly<Record<ErrorCode, ErrorGuide>> = {
  invalid_parameter: {
    request: 'GET /records/v1/trademarks?expiry_date=2026-02-30',
    message: 'expiry_date takes a calendar date YYYY-MM-DD, not "2026-02-30".',
    param: 'expiry_date',
    why: [
      'The value of the parameter in `param` is not of its form: a date that is in no calendar, an unknown ' +
        'value of a list, an empty value, text that is not percent-encoded UTF-8.',
      'The same parameter was sent twice, or `limit` is above the lower maximum that `expand=payload` brings.',
      'Without `param`: the request itself is at fault, such as a path that cannot be decoded or headers ' +
        'beyond the limits.',
    ],
    remedy: [
      'Correct the value; the message says what the parameter takes. Sending the same request again gives the ' +
        'same answer.',
    ],
  },
  unknown_parameter: {
    request: 'GET /records/v1/trademarks?jurisdictions=US',
    message: '/v1/trademarks has no parameter of this name; did you mean jurisdiction?',
    param: 'jurisdictions',
    why: [
      'Parameters that an endpoint does not define are refused, never ignored: a misspelt filter that was ' +
        'ignored would quietly return the wrong records.',
      '`jurisdiction` is unknown below `/v1/{jurisdiction_code}/…`, because the path already names the register.',
    ],
    remedy: ['Remove the parameter, or correct its spelling against the reference.'],
  },
  missing_filter: {
    request: 'GET /records/v1/trademarks?limit=10',
    message: 'A search needs at least one filter, for example jurisdiction or owner_name.',
    why: [
      'A search over all registers was sent without any filter. Sort, order, count, expand, limit and cursor ' +
        'are none.',
    ],
    remedy: [
      'Add a filter, or search inside one register under `/v1/{jurisdiction_code}/trademarks`, where none is needed.',
      'To take over every record, use the change feed from an early `since`.',
    ],
  },
  reserved_parameter: {
    request: 'GET /records/v1/trademarks?q=acme',
    message: 'q is reserved for a future query language; use the structured filters.',
    param: 'q',
    why: ['The name `q` is kept free on every endpoint for a query language to come.'],
    remedy: ['Use the structured filters, such as `mark_name`, `mark_name_startswith` or `owner_name_contains`.'],
  },
  query_too_broad: {
    request: 'GET /records/v1/trademarks?mark_name_contains=star',
    message: 'mark_name_contains needs a register scope: add jurisdiction with 1 to 10 codes.',
    param: 'mark_name_contains',
    why: [
      'A `*_contains` filter needs `jurisdiction` with at most 10 codes (or a register in the path), a ' +
        '`*_startswith` filter needs `jurisdiction`, and a `vienna_code` of one segment needs `jurisdiction`, ' +
        '`nice_class` or `owner_country`.',
    ],
    remedy: ['Add or shorten exactly what the message names. Nothing else about the query has to change.'],
  },
  cursor_invalid: {
    request: 'GET /records/v1/trademarks?jurisdiction=US&cursor=abc',
    message: 'cursor is not one of ours; send next_cursor back exactly as it was received.',
    param: 'cursor',
    why: ['The cursor was cut, changed or made up: it does not decode, or its checksum does not fit.'],
    remedy: [
      'Send `next_cursor` back exactly as it was received; it needs no encoding.',
      'If it is lost, start again without a cursor. Cursors never expire.',
    ],
  },
  cursor_query_mismatch: {
    request: 'GET /records/v1/trademarks?jurisdiction=EM&cursor=<cursor of a search in US>',
    message: 'cursor belongs to another query; repeat the query that produced it unchanged, or leave the cursor out.',
    param: 'cursor',
    why: [
      'A cursor is bound to the endpoint, the register in the path, the filters, `sort` and `order` that ' +
        'produced it; on the change feed to `since` and the register.',
      '`limit`, `expand` and `count` may change between pages.',
    ],
    remedy: ['Repeat the query that produced the cursor, or leave the cursor out to start anew.'],
  },
  unauthorized: {
    request: 'GET /records/v1/usage',
    message: 'The request carries no key. Send a valid key in X-API-Key or as a Bearer token.',
    why: [
      'No key was sent, the key is not known (often a character was lost), or `X-API-Key` and `Authorization` ' +
        'carry different keys.',
    ],
    remedy: ['Send the key as `X-API-Key: <API_KEY>` or as `Authorization: Bearer <API_KEY>`, as it was printed.'],
  },
  key_revoked: {
    request: 'GET /records/v1/usage',
    message: 'This key was revoked or replaced. Use the key that replaced it.',
    why: ['The key was revoked, or it was rotated and the grace of the old text is over.'],
    remedy: ['Use the key that replaced it; the portal and your contact know which.'],
  },
  product_not_enabled: {
    request: 'GET /analytics/v1/anything',
    message: 'This key is valid but was not sold the product "analytics".',
    why: ['The key is fine, but the product below whose path prefix it was used is not part of what it was sold.'],
    remedy: ['Have the product added to the agreement. Do not rotate the key: that changes nothing.'],
  },
  not_found: {
    request: 'GET /records/v1/US/trademarks/nonesuch',
    message: 'There is no such record or register.',
    why: [
      'No record of this identity, or no register of this code, is served. It is an answer like any other and ' +
        'costs one unit.',
      'Or the path is none of the eight endpoints.',
    ],
    remedy: [
      'Check the register code against `/v1/jurisdictions`, and that the `uid` is the one delivered, ' +
        'percent-encoded. Do not retry.',
    ],
  },
  method_not_allowed: {
    request: 'POST /records/v1/trademarks',
    message: 'POST is not allowed here; every endpoint takes GET only.',
    why: ['Every endpoint is read with GET. HEAD and OPTIONS are refused too.'],
    remedy: ['Use GET. To ask whether something changed, send `If-None-Match` with the `ETag` of the last answer.'],
  },
  query_timeout: {
    request: 'GET /records/v1/trademarks?…',
    message: 'The query was not answerable in time. Narrow it with another filter.',
    why: ['The query was still running after 10 seconds and was stopped. It cost no unit.'],
    remedy: [
      'Add a filter that narrows it, such as `jurisdiction` or a date range. Repeating it as it is will not help.',
    ],
  },
  validation_error: {
    request: 'GET /records/v1/changes?limit=ten',
    message: 'since: Field required (and 1 more, see detail).',
    param: 'since',
    why: [
      'A parameter fails its declaration: `since` is missing, `limit` is no integer or out of range, or ' +
        '`count`, `expand`, `sort` or `order` has a value that does not exist.',
      '`detail` lists every failure at once.',
    ],
    remedy: ['Correct the parameters that `detail` names.'],
  },
  rate_limited: {
    request: 'GET /records/v1/trademarks?jurisdiction=US',
    message: 'More than 600 calls in this minute. Try again in 12 seconds.',
    why: ['The key made more calls in the running minute than it may. Refused calls cost no unit.'],
    remedy: [
      'Wait for the seconds of `Retry-After`, then go on. `X-RateLimit-Remaining` on every answer says what is left.',
    ],
  },
  quota_exceeded: {
    request: 'GET /records/v1/trademarks?jurisdiction=US',
    message: "The month's quota of 10000 calls is used up. It starts anew when the UTC month ends.",
    why: [
      'All calls of the month are used. `X-Quota-Limit` and `X-Quota-Used` say how many; `/v1/usage` shows the same.',
    ],
    remedy: ['Wait for the UTC month to end, or have the quota raised; a raise takes effect within a second.'],
  },
  internal_error: {
    request: 'GET /records/v1/trademarks?jurisdiction=US',
    message: 'The service failed to answer. Report it with the id in the header x-request-id.',
    why: ['A fault of the service, not of the request. It is logged with its cause; it cost no unit.'],
    remedy: ['Report it with the id in `X-Request-Id`. Trying once more is harmless.'],
  },
  unavailable: {
    request: 'GET /records/v1/trademarks?jurisdiction=US',
    message: 'The database is not available at the moment. Try again shortly.',
    why: ['Something that passes by itself: the database or the service is restarting, or all connections are busy.'],
    remedy: ['Wait for the seconds of `Retry-After` and send the same request again. It cost no unit.'],
  },
};

/** The body of the example. */
export function buildExample(code: ErrorCode): ErrorEnvelope | ValidationEnvelope {
  const { message, param } = GUIDES[code];
  const envelope: ErrorEnvelope = { error: { code, message, ...(param === undefined ? {} : { param }) } };
  if (code !== 'validation_error') return envelope;
  const msg = 'Input should be a valid integer, unable to parse string as an integer';
  return {
    detail: [
      { loc: ['query', 'since'], msg: 'Field required', type: 'missing', input: null },
      { loc: ['query', 'limit'], msg, type: 'int_parsing', input: 'ten' },
    ],
    ...envelope,
  };
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}
