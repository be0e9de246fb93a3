/**
 * A guide to each error code for callers: an example, why it happens, what to do. The pages, the interface description
 * and docs/errors/ derive from this table. Its type makes it complete.
 */
import { ERRORS, type ErrorCode, type ErrorEnvelope, type ValidationEnvelope } from '@tmds/contract/errors';

export interface ErrorGuide {
  /** A request that is answered with this code. */
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
      'The parameter in `param` has a malformed value: a date that does not exist, an unknown value in a list, an ' +
        'empty value, or text that is not percent-encoded UTF-8 (`%25` stands for a percent sign).',
      'The same parameter was sent twice. The values of a list are separated by commas instead: `jurisdiction=EM,US`.',
      '`limit` is above the lower maximum for `expand=payload`.',
      'Without `param`: the request itself is malformed, for example because its path cannot be decoded or its ' +
        'headers are too large.',
    ],
    remedy: [
      'Correct the value; the message says what the parameter takes. Repeating the request gives the same answer.',
    ],
  },
  unknown_parameter: {
    request: 'GET /records/v1/trademarks?jurisdictions=US',
    message: '/v1/trademarks has no parameter of this name; did you mean jurisdiction?',
    param: 'jurisdictions',
    why: [
      'Parameters that an endpoint does not define are refused, never ignored. If a misspelt filter were ignored, the ' +
        'answer would silently contain the wrong records.',
      'A filter is rarely called like the field of the record: `owner_country` finds `owner_countries`. The message ' +
        'says which parameter was probably meant.',
      '`jurisdiction` is not a parameter below `/v1/{jurisdiction_code}/…`, because the path names the register.',
    ],
    remedy: ['Remove the parameter, or correct its spelling against the reference.'],
  },
  missing_filter: {
    request: 'GET /records/v1/trademarks?limit=10',
    message: 'A search needs at least one filter, for example jurisdiction or owner_name.',
    why: [
      'A search over all registers has no filter. `sort`, `order`, `count`, `expand`, `limit` and `cursor` are not ' +
        'filters.',
    ],
    remedy: [
      'Add a filter, or search one register under `/v1/{jurisdiction_code}/trademarks`, where no filter is needed.',
      'To copy every record, read the change feed from an early `since`.',
    ],
  },
  reserved_parameter: {
    request: 'GET /records/v1/trademarks?q=acme',
    message: 'q is reserved for a future query language; use the structured filters.',
    param: 'q',
    why: ['Every endpoint reserves the name `q` for a future query language.'],
    remedy: ['Use the structured filters, such as `mark_name`, `mark_name_startswith` or `owner_name_contains`.'],
  },
  query_too_broad: {
    request: 'GET /records/v1/trademarks?mark_name_contains=star',
    message: 'mark_name_contains needs a register scope: add jurisdiction with 1 to 10 codes.',
    param: 'mark_name_contains',
    why: [
      'A `*_contains` filter needs `jurisdiction` with at most 10 codes (or a register in the path), a ' +
        '`*_startswith` filter needs `jurisdiction`, and a `vienna_code` of one segment needs `jurisdiction`, ' +
        '`nice_class`, `nice_class_all` or `owner_country`.',
    ],
    remedy: ['Add or shorten the part that the message names. Nothing else has to change.'],
  },
  cursor_invalid: {
    request: 'GET /records/v1/trademarks?jurisdiction=US&cursor=abc',
    message: 'cursor is not one of ours; send next_cursor back exactly as it was received.',
    param: 'cursor',
    why: ['The cursor was cut, changed or invented: it cannot be decoded, or its checksum is wrong.'],
    remedy: [
      'Send `next_cursor` back exactly as it was received; it needs no encoding. Cursors never expire.',
      'If you have lost it, start again without a cursor.',
    ],
  },
  cursor_query_mismatch: {
    request: 'GET /records/v1/trademarks?jurisdiction=EM&cursor=<cursor of a search in US>',
    message: 'cursor belongs to another query; repeat the query that produced it unchanged, or leave the cursor out.',
    param: 'cursor',
    why: [
      'A cursor is bound to the endpoint, the register in the path, the filters, `sort` and `order` that ' +
        'produced it; on the change feed and the history, to `since`, the register and the filters.',
      '`limit`, `expand` and `count` may change between pages.',
    ],
    remedy: ['Repeat the query that produced the cursor, or leave the cursor out to start again.'],
  },
  unauthorized: {
    request: 'GET /records/v1/usage',
    message: 'The request carries no key. Send a valid key in X-API-Key or as a Bearer token.',
    why: [
      'No key was sent, the key is unknown (perhaps a character is missing), or `X-API-Key` and `Authorization` carry ' +
        'different keys.',
    ],
    remedy: ['Send the key exactly as issued, as `X-API-Key: <API_KEY>` or as `Authorization: Bearer <API_KEY>`.'],
  },
  key_revoked: {
    request: 'GET /records/v1/usage',
    message: 'This key was revoked or replaced. Use the key that replaced it.',
    why: ['The key was revoked, or it was rotated and the grace period of the old secret has ended.'],
    remedy: ['Use the key that replaced it. If you do not have it, look in the portal or ask your contact.'],
  },
  product_not_enabled: {
    request: 'GET /analytics/v1/anything',
    message:
      'The key is good, but its agreement does not include the product "analytics". Ask for the product to be added; ' +
      'do not rotate the key.',
    why: ['The key is valid, but your agreement does not include the product under this path prefix.'],
    remedy: ['Ask for the product to be added to your agreement. Rotating the key does not help.'],
  },
  not_found: {
    request: 'GET /records/v1/ZZ/trademarks/nonesuch',
    message: 'No register of this code is served; /v1/jurisdictions lists those that are.',
    param: 'jurisdiction_code',
    why: [
      'The service has no such record, or serves no such register; the message says which. This is a regular answer ' +
        'and costs one unit.',
      'Or the path is not one of the endpoints.',
    ],
    remedy: [
      'Check the register code against `/v1/jurisdictions`. Check that the `uid` is the delivered one, ' +
        'percent-encoded. Do not retry.',
    ],
  },
  method_not_allowed: {
    request: 'POST /records/v1/trademarks',
    message: 'POST is not allowed here; this path takes GET.',
    why: [
      'Every path takes GET; watches and webhooks also take PUT and DELETE. `Allow` and the message name the methods of the path. ' +
        'HEAD and OPTIONS are refused too.',
    ],
    remedy: [
      'Use a method that the path takes. To find out whether something changed, send the `ETag` of the last answer in `If-None-Match`.',
    ],
  },
  query_timeout: {
    request: 'GET /records/v1/trademarks?…',
    message: 'The query was not answerable in time. Narrow it with another filter.',
    why: ['The query was still running after 10 seconds and was stopped. It cost no unit.'],
    remedy: [
      'Add a filter that narrows the query, such as `jurisdiction` or a date range. Repeating it unchanged does not help.',
    ],
  },
  validation_error: {
    request: 'GET /records/v1/changes?limit=ten',
    message: 'since: Field required, for example since=2026-01-01 (and 1 more, see detail).',
    param: 'since',
    why: [
      'A parameter fails its declaration: `since` is missing, `limit` is not an integer or is out of range, or ' +
        '`count`, `expand`, `sort` or `order` has an unknown value.',
      '`detail` lists every failure at once.',
    ],
    remedy: ['Correct the parameters that `detail` names.'],
  },
  rate_limited: {
    request: 'GET /records/v1/trademarks?jurisdiction=US',
    message: 'More than 600 calls in this minute. Try again in 12 seconds.',
    why: ['The key made more calls in the current minute than it may. Refused calls cost no unit.'],
    remedy: [
      'Wait for the seconds in `Retry-After`. `X-RateLimit-Remaining` on every answer says how many calls are left.',
    ],
  },
  quota_exceeded: {
    request: 'GET /records/v1/trademarks?jurisdiction=US',
    message:
      "10000 of the month's 10000 calls are used. The quota resets at 2026-12-01T00:00:00.000000Z; wait until then, " +
      'or ask for a higher one.',
    why: [
      "The month's calls are used up. The message, `X-Quota-Limit` and `X-Quota-Used` give the numbers, as does " +
        '`/v1/usage`.',
    ],
    remedy: [
      'Wait until the quota resets, at the end of the UTC month, or ask for a higher quota; it takes effect within a second.',
    ],
  },
  internal_error: {
    request: 'GET /records/v1/trademarks?jurisdiction=US',
    message: 'The service failed to answer. Report it with the id in the header x-request-id.',
    why: ['The service is at fault, not the request. The cause was logged; the call cost no unit.'],
    remedy: ['Report it with the id in `X-Request-Id`. You may try again.'],
  },
  unavailable: {
    request: 'GET /records/v1/trademarks?jurisdiction=US',
    message: 'The database is not available at the moment. Try again shortly.',
    why: ['A temporary problem: the database or the service is restarting, or all connections are busy.'],
    remedy: ['Wait for the seconds in `Retry-After` and repeat the request. It cost no unit.'],
  },
};

/** The body of the example answer. */
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
