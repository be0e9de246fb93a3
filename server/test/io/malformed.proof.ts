/** Bytes that are hardly HTTP, at every path of a real server; `npm run malformed` sends many more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { generateVolleys } from '../trials/malformed/requests.ts';
import { runStorm } from '../trials/malformed/storm.ts';
import { startStormTarget } from '../trials/malformed/target.ts';

const COUNT = 3000;
const SEED = 20_261_123;

test('whatever bytes are sent to API, portal, probes and metrics, none is answered with a 5xx [7, I-9]', async (t) => {
  const target = await startStormTarget(t, await createTestDatabase(t));
  for (const path of ['/v1/trademarks', '/records/v1/changes', '/portal/sign-in', '/readyz', '/openapi.json']) {
    assert.ok(
      target.paths.some((served) => served.path === path),
      `${path} is among the paths`,
    );
  }
  const report = await runStorm({ ...target, count: COUNT, seed: SEED, callers: 8 });
  const statuses = new Set([...report.answers.values()].flatMap((counts) => [...counts.keys()]));
  t.diagnostic(`${report.sent} requests: statuses ${[...statuses].sort()}`);
  assert.deepEqual(report.faults, []);
  assert.equal(report.sent, COUNT);
  for (const { path } of target.paths) assert.ok(report.answers.has(path), `nothing was sent to ${path}`);
  for (const status of [200, 303, 400, 401, 403, 404, 405, 413, 415]) {
    assert.ok(statuses.has(status), `no ${status} among the answers`);
  }
  // The server is whole: it serves, and ends as asked.
  assert.equal((await fetch(`${target.server.address}/v1/health`)).status, 200);
  target.server.kill('SIGTERM');
  assert.equal((await target.server.ended).status, 0);
});

test('a run can be had again by its seed', () => {
  const target = {
    paths: [
      { path: '/v1/:register/trademarks/*', takesForms: false },
      { path: '/portal/keys', takesForms: true },
    ],
    credentials: { key: 'k', sessions: [{ cookie: 'a=b', csrf: 'c', formTokens: ['d'] }] },
  };
  const spell = (seed: number): string =>
    [...generateVolleys(seed, 200, target.paths, target.credentials)]
      .flatMap(({ requests }) => requests.map(({ bytes }) => bytes.toString('latin1')))
      .join('\n');
  assert.equal(spell(1), spell(1));
  assert.notEqual(spell(1), spell(2));
});
