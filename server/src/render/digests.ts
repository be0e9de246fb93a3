/** Answers with digests (docs/design/client.md), and the cursor of a bucket that is longer than a page. */
import { DIGEST_FORM } from '@tmds/contract/extras';
import { encodePosition } from '../parse/cursor.ts';
import type { BucketDigestsRequest, DigestsRequest } from '../parse/digests.ts';
import {
  BUCKET_BITS,
  BUCKET_PAGE_MAX,
  type BucketItem,
  type DigestAnswer,
  type Unsettled,
} from '../store/records/digests.ts';
import { type Answer, renderJson } from './answer.ts';

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
