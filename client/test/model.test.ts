/**
 * The invariants of SPEC.md against random histories: changes published at random moments, sessions with random page
 * sizes, every fault of the network, and a process that dies before or after any save.
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
import { verify } from '../src/replica/verify.ts';
import { buildRecord } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';
import { buildService, type FakeService, type Fault, HORIZON_MS, nameOf } from './support/service.ts';

const RUNS = runsOf(15);

type Action =
  | { kind: 'publish'; marks: number[]; text: string }
  | { kind: 'advance'; ms: number }
  | { kind: 'session'; limit: number; faults: Fault[]; crash: { save: number; when: 'before' | 'after' } | null };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('publish' as const),
    marks: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 12 }),
    // Without NUL, which neither the service's database nor a sink's can hold (SPEC.md, S7).
    text: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
  }),
  fc.record({ kind: fc.constant('advance' as const), ms: fc.constantFrom(0, 1, 60_000, HORIZON_MS) }),
  fc.record({
    kind: fc.constant('session' as const),
    limit: fc.integer({ min: 1, max: 9 }),
    faults: fc.array(
      fc.constantFrom<Fault>(
        'none',
        'none',
        'network',
        'lost',
        'cut',
        'rate_limited',
        'unavailable',
        'gateway',
        'hang',
      ),
      { maxLength: 8 },
    ),
    crash: fc.option(
      fc.record({ save: fc.integer({ min: 0, max: 4 }), when: fc.constantFrom('before' as const, 'after' as const) }),
    ),
  }),
);

class Crash extends Error {}

/** The sink of a process that dies at its n-th save; what it was doing is known only to the disk. */
function killAt(
  sink: ReplicaSink,
  crash: { save: number; when: 'before' | 'after' } | null,
  saved: string[][],
): ReplicaSink {
  let saves = 0;
  return {
    ...sink,
    save: async (items, from, to) => {
      const dies = crash !== null && saves === crash.save;
      saves += 1;
      if (dies && crash.when === 'before') throw new Crash('killed before the save');
      await sink.save(items, from, to);
      saved.push(items.map((item) => `${nameOf(item)} ${item.updated_at}`));
      if (dies) throw new Crash('killed after the save');
    },
  };
}

function buildClient(service: FakeService): TrademarkClient {
  const clock = buildSimulatedClock();
  return new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch: service.fetch, clock });
}

interface History {
  saved: string[][];
  crashes: number;
}

async function play(service: FakeService, openSink: () => Promise<ReplicaSink>, actions: Action[]): Promise<History> {
  const history: History = { saved: [], crashes: 0 };
  for (const step of actions) {
    if (step.kind === 'publish') {
      service.publish(step.marks.map((mark) => ({ uid: `US-${mark}`, mark_name: step.text })));
    } else if (step.kind === 'advance') {
      service.advance(step.ms);
    } else {
      const first = service.calls();
      service.plan((call) => step.faults[call - first] ?? 'none');
      const sink = await openSink();
      const session = {
        client: buildClient(service),
        clock: buildSimulatedClock(),
        limit: step.limit,
        random: () => 0.5,
      };
      try {
        await replicate({ ...session, sink: killAt(sink, step.crash, history.saved) });
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        history.crashes += 1;
      } finally {
        await sink.close();
      }
    }
  }
  return history;
}

async function checkHistory(kind: 'sqlite' | 'ndjson', actions: Action[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tmds-model-'));
  try {
    const service = buildService({ build: buildRecord });
    const openSink = () =>
      kind === 'sqlite' ? openSqliteSink(join(folder, 'marks.db')) : openNdjsonSink(join(folder, 'marks'));
    const settle: Action[] = [
      { kind: 'advance', ms: HORIZON_MS },
      { kind: 'session', limit: 7, faults: [], crash: null },
    ];
    const { saved, crashes } = await play(service, openSink, [...actions, ...settle]);

    const changes = saved.flat();
    assert.equal(new Set(changes).size, changes.length, 'no change is saved twice');
    const sink = await openSink();
    try {
      const held = new Map<string, string>();
      for await (const record of sink.listRecords())
        held.set(nameOf(record), `${record.mark_name} ${record.updated_at}`);
      const served = [...service.records].map(([name, { mark_name, updated_at }]) => [
        name,
        `${mark_name} ${updated_at}`,
      ]);
      assert.deepEqual([...held].sort(), served.sort(), 'the replica holds what the service holds');
      const { equal, unsettled } = await verify({ client: buildClient(service), sink });
      assert.deepEqual({ equal, unsettled }, { equal: true, unsettled: 0 });
    } finally {
      await sink.close();
    }
    const arrived = service.pages.filter(({ fault, sent }) => fault === 'none' && sent.length > 0).length;
    const pages = saved.filter((page) => page.length > 0).length;
    assert.ok(arrived - pages <= crashes, `${arrived} pages arrived, ${pages} were saved, ${crashes} crashes`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

for (const kind of ['sqlite', 'ndjson'] as const) {
  test(`${kind}: saves every change exactly once, and a crash costs one page at most [4.6.1, I-20]`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 14 }), (actions) => checkHistory(kind, actions)),
      { numRuns: RUNS },
    );
  });
}
