/** An index whose process is killed at any step of writing a snapshot, starts again and goes on. */
import assert from 'node:assert/strict';
import fs, { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { microsOf } from '../../src/base/clock.ts';
import { loadView, saveView } from '../../src/index/files.ts';
import { mergeSegments } from '../../src/index/merge.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import { runsOf } from '../support/depth.ts';
import { buildSegment } from '../support/segments.ts';
import type { StoredRecord } from '../support/stored.ts';
import { checkQueries, checkSummary, type Key, keyOf, queriesArbitrary } from './index-checks.ts';
import { registersArbitrary } from './search-registers.ts';

const DATABASE_ID = 'a database';
const WRITING = ['mkdir', 'open', 'rename', 'writeFile', 'rm'] as const;

class Killed extends Error {}

/**
 * Does its work until it has changed the disk a given number of times, then every further change fails, the first of
 * them half done: what is on the disk is what a kill would have left. True when the work was finished before.
 */
async function killAfter(changes: number, work: () => Promise<void>): Promise<boolean> {
  const own = { ...fs };
  const patched = fs as unknown as Record<string, (...given: never[]) => Promise<unknown>>;
  let left = changes;
  const spend = async (halfDone: () => Promise<unknown> = async () => undefined): Promise<void> => {
    left -= 1;
    if (left === -1) await halfDone();
    if (left < 0) throw new Killed();
  };
  for (const name of WRITING) {
    const real = own[name] as (...given: unknown[]) => Promise<unknown>;
    patched[name] = async (...given: unknown[]) => {
      const [path, text] = given;
      await spend(name === 'writeFile' ? () => own.writeFile(path as string, half(String(text))) : undefined);
      const made = await real(...given);
      if (name === 'open') killWrites(made as fs.FileHandle);
      return made;
    };
  }
  const killWrites = (file: fs.FileHandle): void => {
    const write = file.writeFile.bind(file) as (bytes: Uint8Array) => Promise<void>;
    const sync = file.sync.bind(file);
    Object.assign(file, {
      writeFile: async (bytes: Uint8Array) => {
        await spend(() => write(bytes.subarray(0, bytes.length >> 1)));
        await write(bytes);
      },
      sync: async () => {
        await spend();
        await sync();
      },
    });
  };
  syncBuiltinESMExports();
  try {
    await work();
    return true;
  } catch (error) {
    assert.ok(error instanceof Killed, String(error));
    return false;
  } finally {
    Object.assign(fs, own);
    syncBuiltinESMExports();
  }
}

const half = (text: string): string => text.slice(0, text.length >> 1);

/** What a database holds: of every record its newest version, and when it was first seen. */
class Stored {
  readonly newest = new Map<Key, StoredRecord>();
  readonly firstSeen = new Map<Key, string>();
  stamp = '2026-02-01T00:00:00.000000Z';
  private publishes = 0;

  publish(records: readonly StoredRecord['record'][]): void {
    this.publishes += 1;
    this.stamp = `2026-02-01T00:00:${String(this.publishes).padStart(2, '0')}.000000Z`;
    for (const record of records) {
      const each = { record, updated_at: this.stamp };
      if (!this.firstSeen.has(keyOf(each))) this.firstSeen.set(keyOf(each), this.stamp);
      this.newest.set(keyOf(each), each);
    }
  }

  catchUp(writer: IndexWriter): void {
    const { stamp } = writer.view;
    const fresh = [...this.newest.values()].filter(({ updated_at }) => microsOf(updated_at) > stamp);
    if (fresh.length === 0) return;
    const segment = buildSegment(fresh, `after ${stamp} to ${this.stamp}`, (each) => this.firstSeen.get(keyOf(each))!);
    writer.apply([segment], microsOf(this.stamp));
  }
}

const stepArbitrary = (changesOfDisk: fc.Arbitrary<number>) =>
  fc.record({
    changed: fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 30 }),
    contents: fc.nat(1_000),
    merges: fc.boolean(),
    changesOfDisk,
  });

/**
 * A segment is written in some seventy steps. The first snapshot is killed before it is one, the last but one is
 * finished, and the last is killed while it writes: every history sees each outcome, whatever was drawn between.
 */
const historyArbitrary = fc
  .tuple(
    stepArbitrary(fc.nat(30)),
    fc.array(stepArbitrary(fc.oneof(fc.nat(300), fc.constant(Number.POSITIVE_INFINITY))), { maxLength: 12 }),
    stepArbitrary(fc.constant(Number.POSITIVE_INFINITY)),
    stepArbitrary(fc.nat(30)),
  )
  .map(([first, between, finished, last]) => [first, ...between, finished, last]);

test('an index that is killed at any step of a snapshot goes on from what is on the disk [I-41]', async () => {
  const seen = { killed: 0, finished: 0, loaded: 0, none: 0 };
  await fc.assert(
    fc.asyncProperty(registersArbitrary, historyArbitrary, queriesArbitrary, async (registers, history, queries) => {
      const folder = await mkdtemp(join(tmpdir(), 'tmds-kills-'));
      const stored = new Stored();
      let writer = new IndexWriter(() => writer.view.number);
      for (const { changed, contents, merges, changesOfDisk } of history) {
        const records = changed.map((index) => {
          const { jurisdiction_code, uid } = registers[index % registers.length]!.record;
          const content = registers[(index + contents) % registers.length]!.record;
          return { ...content, jurisdiction_code, uid };
        });
        stored.publish(records);
        stored.catchUp(writer);
        const { parts } = writer.view;
        if (merges) writer.replace(parts, mergeSegments(parts, `merged at ${stored.stamp}`));
        const { view } = writer;
        const saved = {
          stamp: view.stamp,
          parts: view.parts.map(({ segment, dead }) => ({ parts: segment.parts, dead })),
        };
        if (await killAfter(changesOfDisk, () => saveView(folder, DATABASE_ID, saved))) {
          seen.finished += 1;
          continue;
        }
        seen.killed += 1;
        const loaded = await loadView(folder, DATABASE_ID, microsOf(stored.stamp));
        seen[loaded.view === null ? 'none' : 'loaded'] += 1;
        writer = new IndexWriter(() => writer.view.number, loaded.view ?? undefined);
        stored.catchUp(writer);
      }
      checkQueries(writer.view, [...stored.newest.values()], queries);
      checkSummary(writer.view, [...stored.newest.values()]);
      await rm(folder, { recursive: true });
    }),
    { numRuns: runsOf(5) },
  );
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 0, `no history saw ${what}`);
});
