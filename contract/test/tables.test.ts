/**
 * The tables of the contract against the specification: names, numbers and relations that nothing else would notice.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILTER_DATES, KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import { ERRORS } from '@tmds/contract/errors';
import { CHANGES_PAGE_MAX, MATCHED_COUNT_MAX, SEARCH_PAGE_MAX } from '@tmds/contract/limits';
import { ENDPOINTS, FILTERS, type ParameterDefinition, RESERVED_PARAMETER } from '@tmds/contract/parameters';
import { CONTENT_FIELDS, SERVICE_FIELDS } from '@tmds/contract/record';

const every: [string, ParameterDefinition][] = Object.values(ENDPOINTS).flatMap((endpoint) =>
  Object.entries(endpoint.parameters as Record<string, ParameterDefinition>),
);

test('every code of the specification keeps its status [7, I-9]', () => {
  const statuses = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
  assert.deepEqual(statuses, {
    invalid_parameter: 400,
    unknown_parameter: 400,
    missing_filter: 400,
    reserved_parameter: 400,
    query_too_broad: 400,
    cursor_invalid: 400,
    cursor_query_mismatch: 400,
    unauthorized: 401,
    key_revoked: 403,
    product_not_enabled: 403,
    not_found: 404,
    method_not_allowed: 405,
    query_timeout: 422,
    validation_error: 422,
    rate_limited: 429,
    quota_exceeded: 429,
    internal_error: 500,
    unavailable: 503,
  });
});

test('only temporary failures may be retried [7]', () => {
  const retried = Object.entries(ERRORS).filter(([, { retry }]) => retry === 'later');
  assert.deepEqual(
    retried.map(([code]) => code),
    ['rate_limited', 'unavailable'],
  );
});

test('a search takes twenty-five filters and twenty-one date forms; a scoped one all but the register [4.3]', () => {
  assert.equal(Object.keys(FILTERS).length, 25 + FILTER_DATES.length * 3);
  const global = Object.keys(ENDPOINTS.search.parameters);
  const scoped = Object.keys(ENDPOINTS.scoped_search.parameters);
  assert.deepEqual(
    global.filter((name) => !scoped.includes(name)),
    ['jurisdiction'],
  );
  assert.equal(global.includes(RESERVED_PARAMETER), false);
});

test('everything but six controls is a filter [I-10]', () => {
  const controls = Object.entries(ENDPOINTS.search.parameters as Record<string, ParameterDefinition>)
    .filter(([, { filter }]) => !filter)
    .map(([name]) => name);
  assert.deepEqual(controls.sort(), ['count', 'cursor', 'expand', 'limit', 'order', 'sort']);
});

test('choices and integers are declared on the wire, everything else is text [I-6]', () => {
  const declared = every.filter(([, { value }]) => value.form === 'choice' || value.form === 'integer');
  assert.deepEqual([...new Set(declared.map(([name]) => name))].sort(), ['count', 'expand', 'limit', 'order', 'sort']);
});

test('the closed sets have the published sizes [4.3]', () => {
  assert.equal(STATUSES.length, 5);
  assert.equal(KINDS_OF_MARK.length, 12);
  assert.equal(MARK_FEATURES.length, 19);
});

test('a record has thirty fields besides its payload, three of which no source may leave out [2.2]', () => {
  assert.equal(Object.keys(CONTENT_FIELDS).length + Object.keys(SERVICE_FIELDS).length, 30);
  const required = Object.entries(CONTENT_FIELDS).filter(([, { nullable }]) => !nullable);
  assert.deepEqual(
    required.map(([name]) => name),
    ['jurisdiction_code', 'uid', 'status'],
  );
});

test('pages and counts are bounded as published [8]', () => {
  assert.deepEqual([SEARCH_PAGE_MAX, CHANGES_PAGE_MAX, MATCHED_COUNT_MAX], [500, 5000, 10_000]);
});

test('every parameter says what it is and shows a value', () => {
  for (const [name, { description, example }] of every) {
    assert.ok(description.length > 8, name);
    assert.ok(example !== '' || name === 'cursor', name);
  }
});
