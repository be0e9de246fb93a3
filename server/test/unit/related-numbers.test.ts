/** Numbers of different places that have to know each other. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CHANGE_HORIZON_SECONDS, EXPORT_SECONDS_MAX } from '@tmds/contract/limits';
import { READ_MS_MAX } from '../../src/http/wire.ts';
import {
  ACQUIRE_TIMEOUT_MS,
  CALLS_MS,
  CONNECT_TIMEOUT_MS,
  LEFTOVER_MS,
  LOCK_TIMEOUT_MS,
  STOP_MS,
} from '../../src/main.ts';
import { BEAT_MS, SILENCE_MS } from '../../src/store/duties/duties.ts';
import { JOBS } from '../../src/store/duties/jobs.ts';
import { SETTLED_SECONDS } from '../../src/store/publish/feed-clock.ts';
import { PUBLISH_DEADLINE_MS } from '../../src/store/publish/publish.ts';
import { ANSWER_MS_MAX } from '../../src/webhook/post.ts';
import { LEASE_SECONDS } from '../../src/webhook/sender.ts';
import { ROOT } from '../support/sources.ts';

/** How long a supervisor waits by default, such as `docker stop`. */
const SUPERVISOR_MS = 10_000;

function readSeconds(path: string, pattern: RegExp): number[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(pattern)].map(([, seconds]) => Number(seconds));
}

test('a server has stopped before anything that supervises it loses patience', () => {
  assert.ok(CALLS_MS < STOP_MS && STOP_MS + LEFTOVER_MS < SUPERVISOR_MS);
  const patience = [
    ...readSeconds('ops/compose.yml', /stop_grace_period: (\d+)s/g),
    ...readSeconds('ops/tmds.service', /TimeoutStopSec=(\d+)/g),
  ];
  assert.equal(patience.length, 3);
  for (const seconds of patience) assert.ok(STOP_MS + LEFTOVER_MS < seconds * 1000, `${seconds} s`);
});

test('a publish ends with an error long before a primary counts its stamp as settled [4.6.4, I-21]', () => {
  assert.ok(2 * PUBLISH_DEADLINE_MS <= SETTLED_SECONDS * 1000);
  assert.ok(SETTLED_SECONDS < CHANGE_HORIZON_SECONDS);
});

test('a call that waits for the database is refused within five seconds [I-35]', () => {
  assert.ok(ACQUIRE_TIMEOUT_MS + LOCK_TIMEOUT_MS < 5_000);
  assert.ok(CONNECT_TIMEOUT_MS <= ACQUIRE_TIMEOUT_MS);
});

test('a stream has time to end after a page before reading it is cut off', () => {
  assert.ok(2 * EXPORT_SECONDS_MAX * 1000 <= READ_MS_MAX);
});

test('a job comes round before its duty or its lease could be taken for abandoned', () => {
  assert.ok(3 * BEAT_MS < SILENCE_MS);
  for (const { everyMs, duty } of [JOBS.matching, JOBS.webhooks]) assert.ok(everyMs < BEAT_MS, duty);
  assert.ok(ANSWER_MS_MAX < LEASE_SECONDS * 1000 && JOBS.webhooks.everyMs < LEASE_SECONDS * 1000);
});
