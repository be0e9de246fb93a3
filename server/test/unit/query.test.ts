/** What a query string alone decides, before any value means anything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@tmds/contract/parameters';
import { CONTENT_FIELDS, SERVICE_FIELDS } from '@tmds/contract/record';
import { ApiError } from '../../src/base/errors.ts';
import { checkDeclared, splitQuery } from '../../src/parse/query.ts';

type EndpointName = keyof typeof ENDPOINTS;

function refusal(endpoint: EndpointName, raw: string): { code: string; param: string | undefined } | null {
  try {
    checkDeclared(endpoint, splitQuery(raw));
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return { code: error.code, param: error.param };
  }
}

test('decodes percent-encoded UTF-8 and reads + as a blank [4.3]', () => {
  const values = checkDeclared('search', splitQuery('mark_name=a+b%2Bc%20%E5%95%86&status=Pending'));
  assert.deepEqual({ ...values }, { mark_name: 'a b+c 商', status: 'Pending' });
});

test('refuses text that is not UTF-8, cut short, or holds a NUL, naming its parameter [I-5]', () => {
  for (const value of ['%', '%2', '%zz', '%ff', '%c3', '%ed%a0%80', 'a%00b', '%C0%80', '%f5%80%80%80']) {
    assert.deepEqual(refusal('search', `mark_name=${value}`), { code: 'invalid_parameter', param: 'mark_name' }, value);
  }
});

test('judges q first, then unknown names, then declarations, then repeats and empty values [1, I-1, I-5]', () => {
  const raw = ['status=', 'office=WO', 'office=WO', 'limit=x', 'nonsense=1', 'q=1'];
  const refusals = [
    { code: 'reserved_parameter', param: 'q' },
    { code: 'unknown_parameter', param: 'nonsense' },
    { code: 'validation_error', param: 'limit' },
    { code: 'invalid_parameter', param: 'office' },
  ];
  assert.deepEqual(
    [0, 1, 2, 3].map((dropped) => refusal('search', raw.slice(0, raw.length - dropped).join('&'))),
    refusals,
  );
  assert.deepEqual(refusal('search', 'status='), { code: 'invalid_parameter', param: 'status' });
  assert.deepEqual(refusal('search', 'limit='), { code: 'invalid_parameter', param: 'limit' });
  assert.deepEqual(refusal('search', 'limit=0&limit=0'), { code: 'invalid_parameter', param: 'limit' });
  assert.deepEqual(refusal('changes', 'since='), { code: 'invalid_parameter', param: 'since' });
  assert.deepEqual(refusal('changes', 'cursor='), { code: 'validation_error', param: 'since' });
});

test('refuses q, unknown, repeated and empty parameters on every endpoint [1, I-5]', () => {
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    assert.deepEqual(refusal(name, 'q'), { code: 'reserved_parameter', param: 'q' });
    assert.deepEqual(refusal(name, '__proto__=1'), { code: 'unknown_parameter', param: '__proto__' });
    assert.deepEqual(refusal(name, 'toString=1'), { code: 'unknown_parameter', param: 'toString' });
    for (const param of Object.keys(ENDPOINTS[name].parameters)) {
      const required = ENDPOINTS[name].required
        .filter((other) => other !== param)
        .map((other) => `&${other}=2026-01-01`);
      assert.deepEqual(refusal(name, `${param}=${required.join('')}`), { code: 'invalid_parameter', param });
      assert.deepEqual(refusal(name, `${param}=1&${param}=1${required.join('')}`), {
        code: 'invalid_parameter',
        param,
      });
    }
  }
});

function messageOf(endpoint: EndpointName, raw: string): string {
  try {
    checkDeclared(endpoint, splitQuery(raw));
    return '';
  } catch (error) {
    return (error as ApiError).message;
  }
}

test('points from an unknown name to the parameters that were probably meant [I-5]', () => {
  const none = '/v1/trademarks has no parameter of this name';
  assert.equal(messageOf('search', 'since=2026-01-01'), `${none}; did you mean updated_since?`);
  assert.equal(
    messageOf('changes', 'updated_since=2026-01-01'),
    '/v1/changes has no parameter of this name; did you mean since?',
  );
  assert.equal(
    messageOf('search', 'Owner-Name=a'),
    `${none}; did you mean owner_name or owner_name_contains or owner_name_startswith?`,
  );
  assert.equal(messageOf('search', 'class=9'), `${none}; did you mean nice_class or nice_class_all?`);
  for (const name of ['zzzz', 'e', '__proto__', 'x'.repeat(9_000)]) {
    assert.equal(messageOf('search', `${name}=1`), `${none}.`);
  }
  const meant = {
    statis: 'status',
    juridiction: 'jurisdiction',
    jurisdcition: 'jurisdiction',
    owner_countries: 'owner_country',
    ownerContries: 'owner_country',
    designated_countries: 'designated_country',
    updated_at: 'updated_since or updated_before',
    vienna_codes: 'vienna_code',
    payload: 'expand',
  };
  for (const [asked, parameters] of Object.entries(meant)) {
    assert.equal(messageOf('search', `${asked}=1`), `${none}; did you mean ${parameters}?`);
  }
  assert.equal(
    messageOf('search', 'renewal_date=1'),
    `${none}; no parameter here selects records by the field renewal_date.`,
  );
});

test('every field of a record is a filter, leads to its filters, or is said to have none [4.3, I-5]', () => {
  for (const field of [...Object.keys(CONTENT_FIELDS), ...Object.keys(SERVICE_FIELDS), 'payload']) {
    const message = messageOf('search', `${field}=a`);
    assert.match(message, /^$|did you mean \w+|no parameter here selects records by the field/, field);
  }
});

test('for an unknown name, a small endpoint says what it takes, and that the path names the register [I-5]', () => {
  const none = 'has no parameter of this name';
  assert.equal(messageOf('changes', 'zzzz=1'), `/v1/changes ${none}; it takes since, cursor, limit, expand.`);
  assert.equal(messageOf('changes', 'updated_at=1'), `/v1/changes ${none}; did you mean since?`);
  assert.equal(messageOf('usage', 'month=1'), `/v1/usage ${none}; it takes none.`);
  assert.equal(
    messageOf('scoped_search', 'jurisdiction=US'),
    `/v1/{jurisdiction_code}/trademarks ${none}; the path names the register.`,
  );
});

test('says of a repeated list how its values are sent at once, and of one value to send it once [I-5]', () => {
  const twice = 'is given more than once;';
  assert.equal(
    messageOf('search', 'jurisdiction=EM&jurisdiction=US'),
    `jurisdiction ${twice} separate its values by commas: jurisdiction=EM,US`,
  );
  assert.equal(
    messageOf('search', 'nice_class_all=9&status=Pending&nice_class_all=42'),
    `nice_class_all ${twice} separate its values by commas: nice_class_all=9,42`,
  );
  assert.equal(messageOf('search', 'mark_name=a&mark_name=b'), `mark_name ${twice} send it once.`);
  const many = Array.from({ length: 500 }, () => 'office=WO').join('&');
  assert.match(messageOf('search', many), /office=(WO,){10,}…$/);
  assert.ok(messageOf('search', many).length < 300);
});

test('says of an empty, missing or undecodable value what to send [I-5, I-6]', () => {
  assert.equal(messageOf('changes', 'since='), 'since is empty; give it a value, for example since=2026-01-01.');
  assert.equal(messageOf('changes', ''), 'since: Field required, for example since=2026-01-01.');
  assert.equal(
    messageOf('search', 'status='),
    'status is empty; leave it out or give it a value, for example status=Registered,Pending.',
  );
  assert.equal(
    messageOf('search', 'mark_name=a%b'),
    'mark_name has a % without two hexadecimal digits after it; write %25 for a percent sign.',
  );
  assert.equal(
    messageOf('search', 'mark_name=a%00'),
    'mark_name holds a NUL character (%00); leave it out, because no value has one.',
  );
  assert.equal(
    messageOf('search', 'mark_name=%ff'),
    'mark_name is not percent-encoded UTF-8; encode the text as UTF-8 first.',
  );
});

test('takes jurisdiction on the global search only, because the path pins the register [4.3]', () => {
  assert.equal(refusal('search', 'jurisdiction=US'), null);
  assert.deepEqual(refusal('scoped_search', 'jurisdiction=US'), { code: 'unknown_parameter', param: 'jurisdiction' });
});

test('lists every failed declaration with loc, msg and type [2.6, I-6, I-7]', () => {
  try {
    checkDeclared('changes', splitQuery('limit=5001&expand=all'));
    assert.fail('accepted');
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 'validation_error');
    assert.equal(error.param, 'since');
    assert.deepEqual(error.details, [
      { loc: ['query', 'since'], msg: 'Field required', type: 'missing', input: null },
      {
        loc: ['query', 'limit'],
        input: '5001',
        type: 'less_than_equal',
        msg: 'Input should be less than or equal to 5000',
        ctx: { le: 5000 },
      },
      {
        loc: ['query', 'expand'],
        input: 'all',
        type: 'enum',
        msg: "Input should be 'payload'",
        ctx: { expected: "'payload'" },
      },
    ]);
  }
});

test('takes integers within their declared range and nothing else [8, I-6]', () => {
  for (const limit of ['1', '500', '050']) assert.equal(refusal('search', `limit=${limit}`), null, limit);
  for (const limit of ['0', '-1', '501', '1.0', '1e2', '0x10', 'ten', '%201', '+5', '9'.repeat(400), '٣']) {
    assert.deepEqual(
      refusal('search', `limit=${encodeURI(limit)}`),
      { code: 'validation_error', param: 'limit' },
      limit,
    );
  }
  assert.equal(refusal('changes', 'since=2026-01-01&limit=5000'), null);
});

test('takes declared choices in their exact spelling [I-6]', () => {
  assert.equal(refusal('search', 'count=capped&expand=payload&sort=application_date&order=asc'), null);
  for (const pair of ['count=all', 'expand=Payload', 'sort=uid', 'order=up']) {
    assert.equal(refusal('search', pair)?.code, 'validation_error', pair);
  }
});
