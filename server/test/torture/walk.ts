/** A consumer of the feed below HTTP: reads pages by plan, keeps its cursor, upserts by identity. */

import { textAt } from '../../src/database/driver/copied-rows.ts';
import type { Queryable } from '../../src/database/driver/db.ts';
import { parseChanges } from '../../src/parse/changes.ts';
import type { ChangesValues } from '../../src/parse/query.ts';
import { planChanges } from '../../src/plan/changes.ts';
import { type ChangesPage, findChangesPage } from '../../src/store/records/changes.ts';

export interface DeliveredItem {
  jurisdiction_code: string;
  uid: string;
  first_seen_at: string;
  updated_at: string;
  mark_name: string | null;
  [field: string]: unknown;
}

export interface ReadPage extends Omit<ChangesPage, 'items'> {
  items: DeliveredItem[];
}

export interface PageOptions {
  register?: string;
  horizonSeconds?: number;
}

export async function readPage(db: Queryable, values: ChangesValues, options: PageOptions = {}): Promise<ReadPage> {
  const plan = planChanges(parseChanges({ since: '1970-01-01', ...values }, options.register ?? null));
  const page = await findChangesPage(db, plan, { horizonSeconds: options.horizonSeconds ?? 0 });
  return { ...page, items: await readItems(page) };
}

async function readItems({ items }: ChangesPage): Promise<DeliveredItem[]> {
  if ('bytes' in items) {
    return items.starts.map((_, index) => JSON.parse(textAt(items, index)) as DeliveredItem);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of items) chunks.push(chunk);
  return JSON.parse(`[${Buffer.concat(chunks).toString()}]`);
}

export interface Walk {
  items: DeliveredItem[];
  /** Null before the first page that was not empty. */
  cursor: string | null;
  pages: number;
}

/** Reads from a cursor, or from the beginning, until caught up. */
export async function walkChanges(
  db: Queryable,
  values: ChangesValues = {},
  options: PageOptions & { limit?: () => number } = {},
): Promise<Walk> {
  const walk: Walk = { items: [], cursor: values.cursor ?? null, pages: 0 };
  for (;;) {
    const limit = options.limit === undefined ? {} : { limit: String(options.limit()) };
    const cursor = walk.cursor === null ? {} : { cursor: walk.cursor };
    const page = await readPage(db, { ...values, ...limit, ...cursor }, options);
    walk.pages += 1;
    if (page.next_cursor === null) return walk;
    walk.items.push(...page.items);
    walk.cursor = page.next_cursor;
  }
}

export function identify(items: readonly DeliveredItem[]): string[] {
  return items.map((item) => item.uid);
}
