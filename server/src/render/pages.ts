/**
 * Records and pages as delivered. Records are stored rendered, so a page is joined from their texts without parsing
 * them. A page that is still being read while it is sent stays a stream of chunks. Digests have a cursor for a bucket
 * that is longer than a page (docs/design/client.md).
 */
import type { IdentitiesPage as DeliveredIdentities, NumbersPage as DeliveredNumbers } from '@tmds/contract/asked';
import { DIGEST_FORM } from '@tmds/contract/extras';
import type { SimilarPage } from '@tmds/contract/likeness';
import type { Texts } from '../database/driver/copied-rows.ts';
import { encodePosition } from '../parse/cursor.ts';
import type { BucketDigestsRequest, DigestsRequest } from '../parse/digests.ts';
import type { ChangesPage } from '../store/records/changes.ts';
import {
  BUCKET_BITS,
  BUCKET_PAGE_MAX,
  type BucketItem,
  type DigestAnswer,
  type Unsettled,
} from '../store/records/digests.ts';
import type { SearchPage } from '../store/records/search.ts';
import { type Answer, type Chunks, renderJson } from './answer.ts';

/** Pages whose records are texts. */
type NumbersPage = Readonly<Omit<DeliveredNumbers, 'items' | 'asked' | 'coverage'>> & ListedAs<DeliveredNumbers>;
type IdentitiesPage = ListedAs<DeliveredIdentities>;
interface ListedAs<Page extends DeliveredNumbers | DeliveredIdentities> {
  readonly items: readonly Buffer[];
  readonly asked: readonly Page['asked'][number][];
  readonly coverage: readonly NonNullable<Page['coverage']>[number][] | null;
}

/** A page of a search, with counts only if they were requested (rule I-18). */
export function renderSearchPage({ items, next_cursor, matched }: SearchPage): Answer {
  const counts = matched === null ? {} : { matched_count: matched.count, matched_count_capped: matched.capped };
  return renderJson(joinPage(items, { next_cursor, ...counts }));
}

/** A page of the feed, with the instant up to which it is complete (rule I-23), and its lineage (rule I-47). */
export function renderChangesPage(page: ChangesPage): Answer {
  const headers: Record<string, string> = { 'x-change-horizon': page.horizon, 'feed-lineage': page.lineage };
  if (page.nextPollSeconds !== null) headers['x-poll-after'] = String(page.nextPollSeconds);
  return renderJson(joinPage(page.items, { next_cursor: page.next_cursor }), headers);
}

/** The records of several registers that have numbers of a list, and which number each of them answers. */
export function renderNumbersPage({ items, ...members }: NumbersPage): Answer {
  return renderJson(joinPage(items, members));
}

export function renderIdentitiesPage({ items, ...members }: IdentitiesPage): Answer {
  return renderJson(joinPage(items, members));
}

/** `{"items":[…],…}` with the other members after the items. */
function joinPage(
  items: Texts | readonly Buffer[] | AsyncIterable<Buffer>,
  members: Readonly<Record<string, unknown>>,
): Buffer | Chunks {
  const head = Buffer.from('{"items":[');
  const tail = Buffer.from(`],${JSON.stringify(members).slice(1)}`);
  if (Symbol.asyncIterator in items) return joinChunks(head, items, tail);
  return 'bytes' in items ? joinTexts(head, items, tail) : joinItems(head, items, tail);
}

const COMMA = Buffer.from(',');

/** Copies every item once, from where its text is kept. */
function joinItems(head: Buffer, items: readonly Buffer[], tail: Buffer): Buffer {
  return Buffer.concat([head, ...items.flatMap((item, place) => (place === 0 ? [item] : [COMMA, item])), tail]);
}

function joinTexts(head: Buffer, { bytes, starts, ends }: Texts, tail: Buffer): Buffer {
  // Each item is followed by a comma, except the last one.
  let length = head.length + tail.length + Math.max(0, starts.length - 1);
  for (let index = 0; index < starts.length; index += 1) length += ends[index]! - starts[index]!;
  const page = Buffer.allocUnsafe(length);
  let at = head.copy(page);
  for (let index = 0; index < starts.length; index += 1) {
    if (index > 0) at += COMMA.copy(page, at);
    at += bytes.copy(page, at, starts[index], ends[index]);
  }
  tail.copy(page, at);
  return page;
}

async function* joinChunks(head: Buffer, items: AsyncIterable<Buffer>, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* items;
  yield tail;
}

export function renderDigests(request: DigestsRequest, { items, unsettled, lineage }: DigestAnswer<unknown>): Answer {
  return renderJson(JSON.stringify({ ...renderHead(request), items, unsettled }), { 'feed-lineage': lineage });
}

/** The path names the register, so unsettled records are listed by uid only. */
export function renderRegisterDigests(request: DigestsRequest, found: DigestAnswer<unknown>): Answer {
  return renderDigests(request, { ...found, unsettled: nameByUid(found.unsettled) as Unsettled[] });
}

export function renderBucketDigests(request: BucketDigestsRequest, found: DigestAnswer<BucketItem>): Answer {
  const page = found.items.slice(0, BUCKET_PAGE_MAX);
  const last = found.items.length > page.length ? page.at(-1) : undefined;
  const next =
    last === undefined
      ? null
      : encodePosition(request, { updated_at: last.updated_at, jurisdiction_code: request.register, uid: last.uid });
  const items = page.map(({ uid, digest }) => ({ uid, digest }));
  const body = { ...renderHead(request), items, unsettled: nameByUid(found.unsettled), next_cursor: next };
  return renderJson(JSON.stringify(body), { 'feed-lineage': found.lineage });
}

function renderHead({ asOf }: DigestsRequest): { form: number; as_of: string; bucket_bits: number } {
  return { form: DIGEST_FORM, as_of: asOf, bucket_bits: BUCKET_BITS };
}

function nameByUid(unsettled: readonly Unsettled[]): { uid: string }[] {
  return unsettled.map(({ uid }) => ({ uid }));
}

export function renderSimilarPage(page: SimilarPage): Answer {
  return renderJson(JSON.stringify(page));
}
