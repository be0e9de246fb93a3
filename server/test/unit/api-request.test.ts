/** A call of the API as its parts, as an address of the console, and as programs. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitQuery } from '../../src/parse/query.ts';
import { consolePath, readRequest } from '../../src/portal/request/request-view.ts';
import { type ApiRequest, ENDPOINTS_DESCRIBED, parseTarget, targetOf } from '../../src/render/description/endpoints.ts';
import { CLIENT_FILE, listPrograms } from '../../src/render/description/programs.ts';
import { runsOf } from '../support/depth.ts';

const parse = (target: string): ApiRequest => {
  const request = parseTarget(target);
  assert.ok(request !== null, target);
  return request;
};

/** Every name with its values, as the API reads them; it refuses repeated names whatever their order. */
function readAsApi(target: string): ReadonlyMap<string, string[]> {
  const pairs = new Map<string, string[]>();
  for (const { name, value, fault } of splitQuery(target.split('?').slice(1).join('?'))) {
    pairs.set(name, [...(pairs.get(name) ?? []), `${value} ${fault}`].sort());
  }
  return pairs;
}

const part = fc.oneof(
  fc.constantFrom('status', 'mark_name', 'limit', 'cursor', 'q', 'key', 'asked', 'more', 'If-None-Match', '__proto__'),
  fc.string({ unit: fc.constantFrom('a', '+', '%20', '%', '%ff', '%00', '%26', '%3D', '/', '?', "'", '%C3%A9') }),
);

test('a call that was read from its address is the same call when it is written again, even through the console', () => {
  const pair = fc
    .tuple(
      part,
      fc.oneof(
        fc.constant(''),
        part.map((text) => `=${text}`),
      ),
    )
    .map(([name, rest]) => name + rest);
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
      const target = `/v1/trademarks?${pairs.join('&')}`;
      const request = parse(target);
      assert.deepEqual(readAsApi(targetOf(request)), readAsApi(target));
      const address = new URL(consolePath(request, { keyId: 'k', asked: 'now' }), 'http://portal');
      const filled = readRequest(request.endpoint, address.searchParams);
      assert.deepEqual(readAsApi(targetOf(filled)), readAsApi(target));
      assert.deepEqual([address.searchParams.get('key'), address.searchParams.get('asked')], ['k', 'now']);
    }),
    { numRuns: runsOf(100) },
  );
});

test('no parameter of the API has the name of a field of the page', () => {
  const names = ENDPOINTS_DESCRIBED.flatMap(({ parameters }) => parameters.map(({ name }) => name));
  // The console reads the first four, the frame of every page the others.
  for (const own of ['key', 'asked', 'more', 'empty', 'q', 'done', 'go']) assert.ok(!names.includes(own), own);
});

test('every text is quoted for the program that contains it', () => {
  const name = `a'b"c\\d\`$(x)\n\u2028é`;
  const target = `/v1/trademarks?${new URLSearchParams({ mark_name: name }).toString()}`;
  const texts = Object.fromEntries(
    listPrograms(parse(target), 'https://api.example/records').map((program) => [program.name, program.text]),
  );
  const quoted = /'((?:[^']|'\\'')*)'$/.exec(texts.curl ?? '')?.[1]?.replaceAll(`'\\''`, "'");
  assert.equal(quoted, `https://api.example/records${target}`);
  const python = /"mark_name": ("[^\n]*"),\n/.exec(texts.python ?? '')?.[1] ?? '';
  assert.equal(JSON.parse(python), name);
  for (const text of Object.values(texts)) assert.doesNotMatch(text, /tmds_(?:live|test)/i);
});

test('calls that the client library cannot make are fetched, with all of their parameters and headers', () => {
  const request = parse('/v1/FR/trademarks/FR1?expand=payload&expand=payload');
  const conditional = { ...parse('/v1/jurisdictions'), values: new Map([['If-None-Match', 'W/"a\'b"']]) };
  const program = (each: ApiRequest, name: string): string =>
    listPrograms(each, 'https://api.example').find((written) => written.name === name)?.text ?? '';
  assert.deepEqual([program(request, 'client'), program(conditional, 'client')], ['', '']);
  assert.match(program(request, 'fetch'), /fetch\('https:[^']*\?expand=payload&expand=payload', \{ headers \}\)/);
  assert.match(program(request, 'python'), /"https:[^"]*\?expand=payload&expand=payload",/);
  assert.match(program(conditional, 'fetch'), /'if-none-match': 'W\/"a\\'b"',/);
  assert.match(program(conditional, 'curl'), / -H 'if-none-match: W\/"a'\\''b"' /);
  assert.match(program(conditional, 'python'), /"if-none-match": "W\/\\"a'b\\"",/);
});

test('every program prints something, and the file of the client is the one that the package makes', async () => {
  for (const endpoint of ENDPOINTS_DESCRIBED) {
    const values = new Map(
      endpoint.parameters.filter(({ required }) => required).map((each) => [each.name, each.example]),
    );
    const programs = listPrograms({ endpoint, values, more: '' }, 'https://api.example/records');
    assert.deepEqual(
      programs.map(({ name }) => name),
      ['url', 'curl', 'fetch', 'client', 'python'],
      endpoint.id,
    );
    for (const { name, text, needs } of programs) {
      assert.equal(needs === null, name === 'url', name);
      if (!['url', 'curl'].includes(name)) assert.match(text, /console\.log\(|print\(/, `${endpoint.id} ${name}`);
    }
  }
  const { name, version } = JSON.parse(
    await readFile(new URL('../../../client/package.json', import.meta.url), 'utf8'),
  );
  assert.equal(CLIENT_FILE, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
});
