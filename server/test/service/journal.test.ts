/** The journal of calls: what it holds is bounded, what it counts is not, and calls never wait for it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { buildJournal } from '../../src/access/journal.ts';
import { issueKey } from '../../src/access/keys.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { waitFor } from '../support/process.ts';

type JournalCall = Parameters<ReturnType<typeof buildJournal>['note']>[1];

function buildCall(refusal: JournalCall['refusal'] = null): JournalCall {
  return {
    product: 'records',
    requestId: randomUUID(),
    target: '/v1/jurisdictions',
    status: refusal === null ? 200 : 429,
    units: refusal === null ? 1 : 0,
    durationMs: 1,
    refusal,
  };
}

test('a burst of one key is counted whole, listed in part, and leaves room for other keys', async (t) => {
  const { db } = await createTestDatabase(t);
  const order = { customer: 'one', name: null, products: ['records'] as const, actor: 'test' };
  const [busy, quiet] = [await issueKey(db, order), await issueKey(db, order)];
  const journal = buildJournal({ database: db, clock: systemClock, log: testLog });
  for (let calls = 0; calls < 1500; calls += 1) journal.note(busy.id, buildCall());
  journal.note(quiet.id, buildCall());
  journal.note(busy.id, buildCall({ code: 'rate_limited', param: undefined, message: 'Wait.' }));
  await journal.close();
  const rows = await db.query(sql`
    select key_id, refused, sum(calls)::int as calls, sum(listed)::int as listed from call_hour
    group by key_id, refused order by key_id = ${quiet.id}, refused`);
  assert.deepEqual(rows, [
    { key_id: busy.id, refused: false, calls: 1500, listed: 1000 },
    { key_id: busy.id, refused: true, calls: 1, listed: 1 },
    { key_id: quiet.id, refused: false, calls: 1, listed: 1 },
  ]);
  const [listed] = await db.query<{ calls: number }>(sql`select count(*)::int as calls from call_log`);
  assert.equal(listed?.calls, 1002);
});

test('a look-up by numbers is listed without them, because they may be a docket that is in no backup', async (t) => {
  const { db } = await createTestDatabase(t);
  const { id } = await issueKey(db, { customer: 'one', name: null, products: ['records'], actor: 'test' });
  const journal = buildJournal({ database: db, clock: systemClock, log: testLog });
  const message = 'numbers: "018229854x" is no number. Send at most 500.';
  const refused = { ...buildCall({ code: 'invalid_parameter', param: 'numbers', message }), status: 400 };
  journal.note(id, { ...refused, target: '/records/v1/EM/numbers?limit=5&numbers=018229854x,018229855&cursor=' });
  await journal.close();
  assert.deepEqual(await db.query(sql`select path, message from call_log`), [
    {
      path: '/records/v1/EM/numbers?limit=5&numbers=***&cursor=',
      message: 'numbers: *** is no number. Send at most 500.',
    },
  ]);
});

test('calls that cannot be written are lost, and the log of the service says how many', async (t) => {
  const { db } = await createTestDatabase(t);
  const { id } = await issueKey(db, { customer: 'one', name: null, products: ['records'], actor: 'test' });
  const lines: string[] = [];
  const destination = new Writable({
    write: (line: Buffer, _encoding, done) => {
      lines.push(line.toString());
      done();
    },
  });
  const journal = buildJournal({ database: db, clock: systemClock, log: buildLog({ level: 'warn', destination }) });
  await db.query(sql`alter table call_log rename to call_log_away`);
  journal.note(id, buildCall());
  journal.note(id, buildCall());
  await journal.close();
  const told = lines.map((line) => JSON.parse(line) as { msg: string; calls: number });
  assert.deepEqual(
    told.map(({ msg, calls }) => [msg, calls]),
    [['calls could not be recorded in the log of calls', 2]],
  );
});

test('an outage of the log of calls is one line when it begins, and one with the sum of lost calls when it ends', async (t) => {
  const { db } = await createTestDatabase(t);
  const { id } = await issueKey(db, { customer: 'one', name: null, products: ['records'], actor: 'test' });
  const lines: { msg: string; calls: number }[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const pauses: (() => void)[] = [];
  const clock: Clock = { ...systemClock, sleep: () => new Promise((resolve) => void pauses.push(resolve)) };
  const journal = buildJournal({ database: db, clock, log: buildLog({ level: 'warn', format: 'json', destination }) });
  /** Resolves when everything before has been written or lost. */
  const note = async (calls: number): Promise<void> => {
    const before = pauses.length;
    for (let call = 0; call < calls; call += 1) journal.note(id, buildCall());
    await waitFor(async () => pauses.length > before);
  };
  const write = async (): Promise<void> => {
    pauses.at(-1)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  await db.query(sql`alter table call_log rename to call_log_away`);
  for (const calls of [1, 2, 3]) {
    await note(calls);
    await write();
  }
  await note(4);
  await db.query(sql`alter table call_log_away rename to call_log`);
  await write();
  await waitFor(async () => lines.length === 2);
  const closing = journal.close();
  for (const end of pauses) end();
  await closing;
  assert.deepEqual(
    lines.map(({ msg, calls }) => [msg, calls]),
    [
      ['calls could not be recorded in the log of calls', 1],
      ['calls are recorded in the log of calls again; those in between are lost', 5],
    ],
  );
});
