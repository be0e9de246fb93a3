/**
 * Rows of hits: the hits of a watch with one stamp, from one step of the matching, share a row, which has the position
 * of the last of them. So a step writes at most one row for each watch and stamp. It does not know what a hit is.
 * Invariant: no hit of another row of the watch lies between the hits of a row, since steps follow one another.
 */
import { setImmediate } from 'node:timers/promises';
import type { Instant } from '@tmds/contract/record';
import type { HitEvent } from '@tmds/contract/watches';
import type { Transaction } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import type { EventPosition } from './version-events.ts';

export interface EventHit {
  /** Positions among some events, from 0. */
  readonly number: number;
  readonly event: HitEvent;
}

export interface WatchHits {
  readonly watch_id: string;
  /** In the order of the events. */
  readonly hits: readonly EventHit[];
}

/** The columns in which a row holds its hits. */
export const HIT_ROW: Statement = sql`stamp, jurisdiction_code, uid, event, earlier_jurisdiction_codes, earlier_uids,
      earlier_events`;

/** The hits of a row of `hit_row` as `hit`, numbered in order from 1. */
export const HITS_OF_ROW: Statement = sql`unnest(hit_row.earlier_jurisdiction_codes || hit_row.jurisdiction_code,
      hit_row.earlier_uids || hit_row.uid, hit_row.earlier_events || hit_row.event)
      with ordinality as hit (jurisdiction_code, uid, event, number)`;

/** The last hits of such a row, at most `limitMax`, numbered in their order; the others are not unpacked. */
export function lastHitsOfRow(limitMax: number): Statement {
  const last = (list: Statement): Statement => sql`${list}[greatest(1, hit_row.hit_count - ${limitMax}::int):]`;
  return sql`unnest(${last(sql`hit_row.earlier_jurisdiction_codes`)} || hit_row.jurisdiction_code,
      ${last(sql`hit_row.earlier_uids`)} || hit_row.uid, ${last(sql`hit_row.earlier_events`)} || hit_row.event)
      with ordinality as hit (jurisdiction_code, uid, event, number)`;
}

const CHUNK_LENGTH = 64 * 1024;

/** Hits are found while the previous ones are written. */
export async function insertHits(
  tx: Transaction,
  events: readonly EventPosition[],
  found: Iterable<WatchHits>,
): Promise<void> {
  await tx.copyIn(
    sql`copy watch_hit (watch_id, stamp, hit_count, jurisdiction_code, uid, event,
      earlier_jurisdiction_codes, earlier_uids, earlier_events) from stdin`,
    encodeRows(events, found),
  );
}

async function* encodeRows(events: readonly EventPosition[], found: Iterable<WatchHits>): AsyncGenerator<Buffer> {
  const keys: KeyTexts[] = [];
  const keyOf = ({ number }: EventHit): KeyTexts => (keys[number] ??= encodeKey(events[number]!));
  let chunk = '';
  for (const { watch_id, hits } of found) {
    for (const [stamp, ofStamp] of groupByStamp(events, hits)) chunk += encodeRow(watch_id, stamp, ofStamp, keyOf);
    if (chunk.length < CHUNK_LENGTH) continue;
    yield Buffer.from(chunk);
    chunk = '';
    // Handed-out rows leave before more are found.
    await setImmediate();
  }
  yield Buffer.from(chunk);
}

function* groupByStamp(
  events: readonly EventPosition[],
  hits: readonly EventHit[],
): Generator<[stamp: Instant, hits: readonly EventHit[]]> {
  for (let from = 0; from < hits.length; ) {
    const { stamp } = events[hits[from]!.number]!;
    let to = from + 1;
    while (to < hits.length && events[hits[to]!.number]!.stamp === stamp) to += 1;
    yield [stamp, hits.slice(from, to)];
    from = to;
  }
}

function encodeRow(
  watchId: string,
  stamp: Instant,
  hits: readonly EventHit[],
  keyOf: (hit: EventHit) => KeyTexts,
): string {
  const earlier = hits.slice(0, -1);
  const last = hits.at(-1)!;
  const list = (textOf: (hit: EventHit) => string): string =>
    earlier.length === 0 ? '\\N' : `{${earlier.map(textOf).join(',')}}`;
  const lists = [
    list((hit) => keyOf(hit).codeElement),
    list((hit) => keyOf(hit).uidElement),
    list(({ event }) => event),
  ];
  const { code, uid } = keyOf(last);
  return `${[watchId, stamp, hits.length, code, uid, last.event, ...lists].join('\t')}\n`;
}

/** The key of an event as COPY takes it, alone and as an element of a list. */
interface KeyTexts {
  readonly code: string;
  readonly codeElement: string;
  readonly uid: string;
  readonly uidElement: string;
}

function encodeKey({ jurisdiction_code, uid }: EventPosition): KeyTexts {
  return {
    code: escapeField(jurisdiction_code),
    codeElement: encodeElement(jurisdiction_code),
    uid: escapeField(uid),
    uidElement: encodeElement(uid),
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeField(text: string): string {
  return text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character]!);
}

function encodeElement(text: string): string {
  return escapeField(`"${text.replace(/["\\]/g, '\\$&')}"`);
}
