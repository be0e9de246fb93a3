/**
 * Writes a delta: the records that changed after an earlier snapshot or delta, up to the snapshot that is being made.
 * It is made in the same reading, so it ends at the cursors of that snapshot (docs/design/snapshots.md). Invariant: the
 * files of a register add up to what the publishes in between have left.
 */
import { type Delta, type DeltaRegister, MANIFEST_FORM, type Snapshot } from '@tmds/contract/snapshots';
import type { Transaction } from '../../database/driver/db.ts';
import type { PublishedRegister } from '../publish/publishes.ts';
import type { DeltaPlan } from './delta-plan.ts';
import { openWorkspace } from './folder.ts';
import { deltaId } from './manifest.ts';
import { listPublished, type ReadingState, readRegister } from './read-records.ts';
import { type PartOptions, RegisterWriter } from './register-writer.ts';

export interface DeltaOptions extends PartOptions {
  readonly folder: string;
  /** The snapshot of the same reading. */
  readonly snapshot: Snapshot;
  readonly state: ReadingState;
}

const NOTHING = '0'.repeat(16);

export async function writeDelta(tx: Transaction, { period, from }: DeltaPlan, options: DeltaOptions): Promise<Delta> {
  const { folder, snapshot, state } = options;
  const changed = await listPublished(tx, from.as_of, state.horizon);
  const id = deltaId(snapshot.made_at, period);
  const workspace = await openWorkspace(folder, id);
  try {
    const registers: DeltaRegister[] = [];
    for (const { jurisdiction_code: code, cursor } of snapshot.registers) {
      const published = changed.find((each) => each.jurisdiction_code === code);
      const files =
        published === undefined ? [] : await writeChanged(tx, workspace.path, published, from.as_of, options);
      const { record_count, digest } = published ?? { record_count: 0, digest: NOTHING };
      const from_cursor = from.registers.get(code) ?? null;
      registers.push({ jurisdiction_code: code, record_count, digest, from_cursor, cursor, files });
    }
    const { form: _form, as_of, registers: _registers, id: _id, made_at, cursor, ...shared } = snapshot;
    const delta: Delta = {
      ...{ id, form: MANIFEST_FORM, period, made_at, from_as_of: from.as_of, as_of },
      ...{ ...shared, from_cursor: from.cursor, cursor: cursor!, registers },
    };
    await workspace.finish({ ...delta, database_id: state.databaseId, lineage: state.lineage });
    return delta;
  } catch (error) {
    await workspace.abandon();
    throw error;
  }
}

async function writeChanged(
  tx: Transaction,
  path: string,
  published: PublishedRegister,
  after: string,
  options: DeltaOptions,
): Promise<DeltaRegister['files']> {
  const { jurisdiction_code: register } = published;
  const { payloads, state } = options;
  const writer = new RegisterWriter(path, register, options);
  try {
    await readRegister(tx, { register, after, horizon: state.horizon, payloads }, async (portions) => {
      for await (const portion of portions) await writer.add(portion);
    });
    return (await writer.end(published)).files;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}
