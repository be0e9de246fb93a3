/** What is made to hold the service up: every case of `npm run hostile`. Its figures want a quiet machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { SERVER_CASES } from '../trials/hostile/corpus.ts';
import { FILE_CASES } from '../trials/hostile/files.ts';
import { type Outcome, playFileCase, playServerCase } from '../trials/hostile/play.ts';
import { renderOutcome } from '../trials/hostile/report.ts';
import { startHostileTarget } from '../trials/hostile/world.ts';

const PAUSE_MS_MAX = 50;
/** Node.js parses what one read of each connection brought before anything of ours runs (`crowds.ts`). */
const PARSED_BY_NODE = ['pipelined', 'pieces'];

test('no request, file, docket or header holds the event loop for more than 50 ms', {
  timeout: 3_600_000,
}, async (t) => {
  const database = await createTestDatabase(t);
  const target = await startHostileTarget(t, database);
  const outcomes: Outcome[] = [];
  for (const each of SERVER_CASES) outcomes.push(await playServerCase(each, target));
  for (const each of FILE_CASES) outcomes.push(await playFileCase(each, { DATABASE_URL: database.url }));
  for (const outcome of outcomes) t.diagnostic(renderOutcome(outcome));
  assert.deepEqual(
    outcomes.filter(({ broken }) => broken.length > 0).map(({ name, worst, broken }) => ({ name, worst, broken })),
    [],
  );
  const looser = outcomes.filter(({ bound, pauseMs }) => pauseMs !== null && bound.pauseMs !== PAUSE_MS_MAX);
  assert.deepEqual(
    looser.map(({ name }) => name),
    PARSED_BY_NODE,
    'no other case is given more time',
  );
});
