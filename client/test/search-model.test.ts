/**
 * The promise of a replica of a search (SPEC.md, I12) against random histories: records that come, change and leave
 * while it is walked, every fault of the network, and a process that dies around any save or removal.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../server/test/support/depth.ts';
import { TrademarkClient } from '../src/client.ts';
import { openNdjsonSink } from '../src/replica/ndjson.ts';
import { replicate } from '../src/replica/replicate.ts';
import type { ReplicaSink } from '../src/replica/sink.ts';
import { openSqliteSink } from '../src/replica/sqlite.ts';
import { buildRecord } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';
import { buildService, type FakeService, type Fault, nameOf } from './support/service.ts';

const RUNS = runsOf(6);
const STATUSES = ['Pending', 'Registered'] as const;

interface Change {
  marks: number[];
  status: (typeof STATUSES)[number];
  text: string;
}

interface Refresh {
  before: Change[];
  /** What is published before each of its calls. */
  during: (Change | null)[];
  faults: Fault[];
  /** The write at which the process dies; null when it lives. */
  crash: { write: number; when: 'before' | 'after' } | null;
  limit: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  marks: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 8 }),
  status: fc.constantFrom(...STATUSES),
  text: fc.constantFrom('one', 'two', 'three'),
});

const refresh: fc.Arbitrary<Refresh> = fc.record({
  before: fc.array(change, { maxLength: 4 }),
  during: fc.array(fc.option(change), { maxLength: 6 }),
  faults: fc.array(fc.constantFrom<Fault>('none', 'none', 'network', 'lost', 'cut', 'unavailable', 'gateway'), {
    maxLength: 8,
  }),
  crash: fc.option(
    fc.record({ write: fc.integer({ min: 0, max: 4 }), when: fc.constantFrom('before' as const, 'after' as const) }),
  ),
  limit: fc.integer({ min: 1, max: 7 }),
});

class Crash extends Error {}

/** The sink of a process that dies at its n-th write. */
function killAt(sink: ReplicaSink, crash: Refresh['crash']): ReplicaSink {
  let writes = 0;
  const around = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    const dies = crash !== null && writes === crash.write;
    writes += 1;
    if (dies && crash.when === 'before') throw new Crash('killed before the write');
    const result = await write();
    if (dies) throw new Crash('killed after the write');
    return result;
  };
  return {
    ...sink,
    save: (items, from, to) => around(() => sink.save(items, from, to)),
    repair: (repairs) => around(() => sink.repair(repairs)),
  };
}

const publish = (service: FakeService, { marks, status, text }: Change): void =>
  service.publish(marks.map((mark) => ({ uid: `${mark}`, status, mark_name: text })));

const listPending = ({ records }: FakeService): Set<string> =>
  new Set([...records.values()].filter(({ status }) => status === 'Pending').map(nameOf));

async function listHeld(sink: ReplicaSink): Promise<Map<string, string>> {
  const held = new Map<string, string>();
  for await (const record of sink.listRecords()) held.set(nameOf(record), `${record.mark_name} ${record.updated_at}`);
  return held;
}

/** Runs one refresh; checks what it promises when it ends. */
async function play(service: FakeService, sink: ReplicaSink, run: Refresh): Promise<void> {
  for (const each of run.before) publish(service, each);
  const always = listPending(service);
  const ever = new Set(always);
  const first = service.calls();
  service.plan((call) => {
    const meanwhile = run.during[call - first];
    if (meanwhile != null) publish(service, meanwhile);
    const pending = listPending(service);
    for (const name of pending) ever.add(name);
    for (const name of always) if (!pending.has(name)) always.delete(name);
    return run.faults[call - first] ?? 'none';
  });
  const clock = buildSimulatedClock();
  const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch: service.fetch, clock });
  const options = { client, search: { status: 'Pending' }, clock, random: () => 0.5, limit: run.limit } as const;
  try {
    await replicate({ ...options, sink: killAt(sink, run.crash) });
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return;
  }
  const held = await listHeld(sink);
  assert.deepEqual(
    [...always].filter((name) => !held.has(name)),
    [],
    'what matched throughout is held',
  );
  assert.deepEqual(
    [...held.keys()].filter((name) => !ever.has(name)),
    [],
    'what never matched is not',
  );
}

async function checkHistory(kind: 'sqlite' | 'ndjson', runs: Refresh[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tmds-model-'));
  try {
    const service = buildService({ build: buildRecord });
    const openSink = () =>
      kind === 'sqlite' ? openSqliteSink(join(folder, 'marks.db')) : openNdjsonSink(join(folder, 'marks'));
    const last: Refresh = { before: [], during: [], faults: [], crash: null, limit: 5 };
    for (const run of [...runs, last]) {
      const sink = await openSink();
      await play(service, sink, run).finally(() => sink.close());
    }
    const sink = await openSink();
    const pending = [...service.records.values()].filter(({ status }) => status === 'Pending');
    const served = new Map(pending.map((record) => [nameOf(record), `${record.mark_name} ${record.updated_at}`]));
    assert.deepEqual(await listHeld(sink), served, 'a quiet refresh ends with exactly what matches');
    await sink.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

for (const kind of ['sqlite', 'ndjson'] as const) {
  test(`${kind}: a refresh ends with all that matched throughout it and nothing that never did [4.3, I-41]`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(refresh, { maxLength: 5 }), (runs) => checkHistory(kind, runs)),
      { numRuns: RUNS },
    );
  });
}
