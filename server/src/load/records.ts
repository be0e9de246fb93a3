/**
 * Reads formats that only one thread can read: records in source order, a group at a time. While one group is compared
 * with what is stored, the next one is read.
 */
import { encodeIdentities } from '../store/records/identities.ts';
import { encodeBlock, identityOf, noteRecord, openFindings, type PreparedBlock, type StagedBlock } from './block.ts';
import type { FormatItem } from './formats/format.ts';
import { prepareItem } from './normalize.ts';
import { compareRows, PARTIAL_ROWS, type StageTarget } from './stage.ts';

/** Bounds of a group: two of them are held at once. */
const GROUP_ROWS_MAX = 1_000;
const GROUP_LENGTH_MAX = 2 * 1024 * 1024;

export async function* readRecords(target: StageTarget, items: AsyncIterable<FormatItem>): AsyncGenerator<StagedBlock> {
  let waiting: Promise<() => StagedBlock> | null = null;
  for await (const block of groupItems(items)) {
    const compared = compareBlock(target, block);
    // Awaited one round later; a failure is thrown there.
    compared.catch(() => undefined);
    if (waiting !== null) yield (await waiting)();
    waiting = compared;
  }
  if (waiting !== null) yield (await waiting)();
}

async function compareBlock(target: StageTarget, block: PreparedBlock): Promise<() => StagedBlock> {
  const { records, findings } = block;
  const identities = encodeIdentities(records.map((each) => ({ ...identityOf(each), digest: each.digest })));
  const differing = await compareRows(target, { registers: findings.registers, identities });
  return () => {
    const seq = target.batches.order(records.length);
    return { findings, encoded: encodeBlock(records, (position) => differing.has(position), seq) };
  };
}

async function* groupItems(items: AsyncIterable<FormatItem>): AsyncGenerator<PreparedBlock> {
  let group = openGroup();
  let rows = 0;
  let length = 0;
  for await (const item of items) {
    group.findings.read += 1;
    const prepared = prepareItem(item);
    if (prepared.kind === 'reject') {
      group.findings.rejects.push(prepared);
      rows += 1;
      length += prepared.raw.length;
    } else {
      noteRecord(group.findings, prepared.record.jurisdiction_code, prepared.issues);
      group.records.push(prepared);
      rows += prepared.record.is_partial ? PARTIAL_ROWS : 1;
      length += prepared.length;
    }
    if (rows < GROUP_ROWS_MAX && length < GROUP_LENGTH_MAX) continue;
    yield group;
    group = openGroup();
    rows = 0;
    length = 0;
  }
  if (group.findings.read > 0) yield group;
}

function openGroup(): PreparedBlock {
  return { findings: openFindings(), records: [] };
}
