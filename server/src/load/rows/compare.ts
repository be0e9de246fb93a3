/**
 * Turns what a format reads into encoded rows, one group of records after the other: a group is opened, its identities
 * are compared with what is stored, and its rows are made, while the next groups are read. Rows come in the order of
 * the source. The groups that are held are bounded in number and size, so that memory does not grow with the file.
 */
import type { Database } from '../../database/driver/db.ts';
import { listDiffering } from '../../store/records/identities.ts';
import type { ComparableRows } from './comparable.ts';
import type { EncodedRows } from './encoded-rows.ts';

/** Records that are compared together. */
export interface Group {
  /** At least the number of its records, each of which gets a number. */
  readonly recordsMax: number;
  /** About the bytes that it holds in memory. */
  readonly bytes: number;
  /** Its records are numbered from `firstSeq`. */
  open(firstSeq: number): Promise<ComparableRows>;
}

export interface GroupBounds {
  /** Groups held at once, in addition to the one that is being read. */
  readonly groupsMax: number;
  /** Bytes held at once. A larger group goes alone. */
  readonly bytesMax: number;
}

export interface Stored {
  readonly db: Database;
  /** Registers that hold records; only in these can a record be unchanged. */
  readonly stocked: ReadonlySet<string>;
}

interface Flight {
  encoded: Promise<EncodedRows>;
  bytes: number;
}

export async function* encodeGroups(
  stored: Stored,
  groups: AsyncIterable<Group>,
  { groupsMax, bytesMax }: GroupBounds,
): AsyncGenerator<EncodedRows> {
  const inFlight: Flight[] = [];
  const isFull = (bytes: number): boolean =>
    inFlight.length >= groupsMax || inFlight.reduce((sum, flight) => sum + flight.bytes, bytes) > bytesMax;
  let nextSeq = 0;
  for await (const group of groups) {
    const { recordsMax, bytes } = group;
    while (inFlight.length > 0 && isFull(bytes)) yield await inFlight.shift()!.encoded;
    const encoded = encodeGroup(stored, group, nextSeq);
    nextSeq += recordsMax;
    // A failure is thrown when its turn comes; until then it is not unhandled.
    encoded.catch(() => undefined);
    inFlight.push({ encoded, bytes });
  }
  for (const { encoded } of inFlight) yield await encoded;
}

async function encodeGroup({ db, stocked }: Stored, group: Group, firstSeq: number): Promise<EncodedRows> {
  const rows = await group.open(firstSeq);
  const mayBeStored = rows.registers.some((register) => stocked.has(register));
  return await rows.encode(mayBeStored ? await listDiffering(db, rows.identities) : null);
}
