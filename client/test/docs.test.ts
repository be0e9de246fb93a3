/** The documents and the code say the same. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXTRA_ENDPOINTS } from '@tmds/contract/extras';
import { ENDPOINTS } from '@tmds/contract/parameters';
import type * as contract from '@tmds/contract/record';
import { renderParameterTypes, renderRecordTypes } from '../scripts/types.ts';
import { AnalyticsClient } from '../src/analytics.ts';
import { TrademarkClient } from '../src/client.ts';
import * as front from '../src/main.ts';
import { ManyClient } from '../src/many.ts';
import type { TrademarkDetail } from '../src/record.ts';
import * as replicaFront from '../src/replica/main.ts';
import { START, transition, UNBOUNDED } from '../src/replica/states.ts';
import { WebhooksClient } from '../src/webhooks.ts';

const CLIENT = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (name: string): Promise<string> => readFile(join(CLIENT, name), 'utf8');

test('api.md lists every method, and every endpoint that a key can call', async () => {
  const text = await read('api.md');
  const methods = [TrademarkClient, AnalyticsClient, ManyClient, WebhooksClient]
    .flatMap((each) => Object.getOwnPropertyNames(each.prototype))
    .filter((name) => name !== 'constructor' && name !== 'baseUrl');
  const rows = /^\| `(?:analytics\.|many\.|webhooks\.)?(\w+)\([^|]*\| (?:the same|GET|PUT|DELETE)/gm;
  const listed = [...text.matchAll(rows)].map((match) => match[1]);
  assert.deepEqual(listed.sort(), methods.sort());
  const paths = Object.entries({ ...ENDPOINTS, ...EXTRA_ENDPOINTS }).filter(([name]) => name !== 'health');
  assert.deepEqual(
    paths
      .filter(([, endpoint]) => !text.includes(`${'method' in endpoint ? endpoint.method : 'GET'} ${endpoint.path}`))
      .map(([name]) => name),
    [],
  );
});

test('api.md or README.md name everything that the two front doors export', async () => {
  const text = (await read('api.md')) + (await read('README.md'));
  const names = [...Object.keys(front), ...Object.keys(replicaFront)];
  const unnamed = new Set(['VERSION', 'EPOCH', 'ReplicaError']);
  assert.deepEqual(
    names.filter((name) => !unnamed.has(name) && !text.includes(name)),
    [],
  );
});

test('README.md links every example', async () => {
  const text = await read('README.md');
  const examples = await readdir(join(CLIENT, 'examples'));
  assert.deepEqual(
    examples.filter((name) => !text.includes(`(examples/${name})`)),
    [],
  );
});

test('SPEC.md has the state that the code moves to, for every state and event', async () => {
  const text = await read('SPEC.md');
  const [header, ...rows] = text.split('\n').filter((line) => /^\| (\| `|`\w+` \| (`|stays))/.test(line));
  const events = [...header!.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
  assert.deepEqual(events, ['page_saved', 'end_saved', 'fault', 'refusal']);
  const table = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  assert.deepEqual(
    table.map(([state]) => state),
    ['`syncing`', '`caught_up`', '`failed`'],
  );
  const error = new Error('why');
  for (const [state, ...cells] of table) {
    for (const [index, kind] of events.entries()) {
      const from = {
        kind: state!.replaceAll('`', ''),
        position: START,
        faults: 0,
        fault: null,
        faultSinceMs: null,
        waitMs: 0,
        pollAfterMs: 0,
        error,
      } as never;
      const { kind: to } = transition(from, { kind, position: START, error, atMs: 0, waitMs: 0 } as never, UNBOUNDED);
      const cell = cells[index]!;
      const said = cell === 'stays' ? 'failed' : /`(\w+)`/.exec(cell)?.[1];
      assert.equal(said, to, `${state} on ${kind}`);
    }
  }
});

test('every filter and every field carries the comment that the contract has for it', async () => {
  assert.equal(await read('src/parameters.ts'), renderParameterTypes(), 'npm run docs writes it again');
  assert.equal(await read('src/record.ts'), renderRecordTypes(), 'npm run docs writes it again');
  // Equal both ways, or this does not compile.
  const there = (record: contract.TrademarkDetail): TrademarkDetail => record;
  const back = (record: TrademarkDetail): contract.TrademarkDetail => record;
  assert.equal(typeof there, typeof back);
});
