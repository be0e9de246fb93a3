/**
 * Records that change publish by publish, watches of every kind over them, and the hits that each watch has to get:
 * worked out version by version in plain JavaScript, which shares nothing with the index or the matching.
 */

import { HELD_AS_NAMES, type HeldAs } from '@tmds/contract/likeness';
import { WATCH_STRATEGIES } from '@tmds/contract/watches';
import fc from 'fast-check';
import type { Database, Transaction } from '../../src/database/driver/db.ts';
import { instantText, sql } from '../../src/database/driver/sql.ts';
import { explainPair } from '../../src/likeness/explain.ts';
import { GRAMS } from '../../src/likeness/grams.ts';
import type { Frequencies } from '../../src/likeness/query.ts';
import { parseWatchedSimilar, writeSimilar } from '../../src/parse/likeness.ts';
import { foldName, NAME_SEPARATOR } from '../../src/record/names.ts';
import { buildRow } from '../../src/record/row.ts';
import { spellName } from '../../src/record/spelling.ts';
import { advanceClock } from '../../src/store/publish/announce.ts';
import { lockPublishing } from '../../src/store/publish/feed-clock.ts';
import { HITS_OF_ROW } from '../../src/store/watches/hit-rows.ts';
import { findProgress } from '../../src/store/watches/matching.ts';
import { endWatch, putWatch, type WatchSubject } from '../../src/store/watches/watches.ts';
import { type SearchTexts, selectRecords } from '../model/search-reference.ts';
import { queryArbitrary, registersArbitrary } from '../model/search-registers.ts';
import type { Random } from '../torture/random.ts';
import { renderDetail, type StoredRecord } from './stored.ts';

const FIRST_STAMP = '2026-03-01T00:00:00.000000Z';
const RECORDS = 60;
const CONTENTS = 150;
const QUERIES = 80;

interface Version {
  readonly stored: StoredRecord;
  readonly before: StoredRecord | null;
}

/** From an event on, in the order of the history, a watch is this; null = ended. */
interface Phase {
  readonly from: string;
  readonly judge: ((stored: StoredRecord) => boolean) | null;
}

type Told = readonly [stamp: string, jurisdictionCode: string, uid: string, event: string];

const SAME_WEIGHTS: Frequencies = {
  gramWeights: new Float32Array(GRAMS).fill(1),
  findWord: () => null,
  distinctionOf: () => 1,
  countWord: () => ({ names: 0, names_in_classes: null }),
};

/** The text of the mark, and what the register holds as its translations and transliterations. */
function namesOf(record: StoredRecord['record'], heldAs: readonly HeldAs[] = HELD_AS_NAMES): string[] {
  const { mark_variants } = buildRow(record);
  const marks = record.mark_name === null ? [] : [record.mark_name];
  const variants = mark_variants?.split(NAME_SEPARATOR) ?? [];
  return [...(heldAs.includes('mark') ? marks : []), ...(heldAs.includes('variant') ? variants : [])];
}

const keyOf = ({ record }: StoredRecord): string => `${record.jurisdiction_code}\0${record.uid}`;
/** Places in the history compare like these texts: stamps are of one length, and the test's identities are ASCII. */
const placeOf = (stamp: string, jurisdictionCode: string, uid: string): string =>
  `${stamp}\0${jurisdictionCode}\0${uid}`;

export class WatchedWorld {
  readonly customerId: string;
  /** Every version of every record, in the order of the history. */
  readonly events: Version[] = [];
  private readonly db: Database;
  private readonly random: Random;
  private readonly contents: readonly StoredRecord[];
  private readonly queries: readonly SearchTexts[];
  private readonly current = new Map<string, StoredRecord>();
  private readonly phases = new Map<string, Phase[]>();

  private constructor(db: Database, random: Random, customerId: string) {
    this.db = db;
    this.random = random;
    this.customerId = customerId;
    const seed = random.integer(1, 2 ** 30);
    this.contents = fc.sample(registersArbitrary, { numRuns: 10, seed }).flat().slice(0, CONTENTS);
    this.queries = fc
      .sample(queryArbitrary, { numRuns: QUERIES, seed })
      .map(({ register, texts }): SearchTexts => (register === null ? texts : { ...texts, jurisdiction: register }))
      .filter((texts) => Object.keys(texts).some((name) => !['sort', 'order'].includes(name)));
  }

  /** `customer`: default a new one. */
  static async open(db: Database, random: Random, customer?: string): Promise<WatchedWorld> {
    if (customer !== undefined) return new WatchedWorld(db, random, customer);
    const [made] = await db.query<{ id: string }>(sql`
      insert into customer (customer_id, name, created_at)
      values (gen_random_uuid(), 'watching ' || gen_random_uuid(), now()) returning customer_id as id`);
    return new WatchedWorld(db, random, made!.id);
  }

  /** A publish of some records, new ones and further versions, this long after the one before. */
  async publish(size: number, pause = '1 ms'): Promise<void> {
    const batch = await this.db.transaction(async (tx) => {
      await lockPublishing(tx);
      const [clock] = await tx.query<{ stamp: string }>(sql`
        update publish_clock
        set ${advanceClock(sql`greatest(last_stamp, ${FIRST_STAMP}::timestamptz) + ${pause}::interval`)}
        returning ${instantText(sql`last_stamp`)} as stamp`);
      const chosen = this.chooseBatch(size, clock!.stamp);
      for (const stored of chosen) await this.write(tx, stored);
      return chosen;
    });
    for (const stored of batch) {
      this.events.push({ stored, before: this.current.get(keyOf(stored)) ?? null });
      this.current.set(keyOf(stored), stored);
    }
  }

  private chooseBatch(size: number, stamp: string): StoredRecord[] {
    const chosen = new Map<string, StoredRecord>();
    for (let count = 0; count < size; count += 1) {
      const content = this.random.pick(this.contents).record;
      const uid = `R${this.random.integer(1, RECORDS)}`;
      const stored = { record: { ...content, uid }, updated_at: stamp };
      chosen.set(keyOf(stored), stored);
    }
    return [...chosen.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }

  private async write(tx: Transaction, stored: StoredRecord): Promise<void> {
    const { jurisdiction_code, uid, content_digest, mark_variants } = buildRow(stored.record);
    const first = this.events.find(({ stored: known }) => keyOf(known) === keyOf(stored))?.stored.updated_at;
    const { updated_at } = stored;
    await tx.query(sql`
      insert into record_version (jurisdiction_code, uid, updated_at, replaced_at, cause, mark_variants, detail,
        has_document)
      select jurisdiction_code, uid, updated_at, ${updated_at}, 'office', mark_variants, detail, false
      from record where jurisdiction_code = ${jurisdiction_code} and uid = ${uid}`);
    await tx.query(sql`
      insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, mark_variants, detail)
      values (${jurisdiction_code}, ${uid}, ${updated_at}, ${first ?? updated_at}, decode(${content_digest}, 'hex'),
        ${mark_variants}, ${renderDetail(stored, first ?? updated_at)})
      on conflict (jurisdiction_code, uid) do update set updated_at = excluded.updated_at,
        content_digest = excluded.content_digest, mark_variants = excluded.mark_variants, detail = excluded.detail`);
  }

  /** Makes, changes or ends one of some watches. */
  async changeWatch(): Promise<void> {
    const id = `w${this.random.integer(1, 25)}`;
    if (this.random.chance(0.15)) {
      if ((await endWatch(this.db, this.customerId, id)) !== null) await this.note(id, null);
      return;
    }
    const { subject, judge } = this.chooseSubject();
    const { outcome } = await putWatch(this.db, this.customerId, id, { name: id, subject });
    if (outcome !== 'unchanged') await this.note(id, judge);
  }

  private async note(id: string, judge: Phase['judge']): Promise<void> {
    const { stamp, jurisdiction_code, uid } = await findProgress(this.db);
    const phases = this.phases.get(id) ?? [];
    if (judge === null && (phases.at(-1)?.judge ?? null) === null) return;
    this.phases.set(id, [...phases, { from: placeOf(stamp, jurisdiction_code, uid), judge }]);
  }

  /** Compares the mark with each name alone, in any strategies. */
  private chooseMark(): { readonly subject: WatchSubject; readonly judge: NonNullable<Phase['judge']> } {
    const named = this.contents.flatMap(({ record }) => namesOf(record));
    const mark = this.random.pick(named.filter((name) => spellName(name).length > 0));
    const strategies = WATCH_STRATEGIES.filter(() => this.random.chance(0.6));
    const texts = HELD_AS_NAMES.filter(() => this.random.chance(0.4));
    const filters: SearchTexts = this.random.chance(0.5) ? { jurisdiction: 'XA' } : {};
    const text = { mark, strategies: [strategies.join(',') || 'equal', ...texts].join(','), ...filters };
    const search = writeSimilar(parseWatchedSimilar(new URLSearchParams(text).toString()));
    const ways = new Set(strategies.length === 0 ? (['equal'] as const) : strategies);
    // A name without letters and digits is like none.
    const isAlike = (name: string): boolean =>
      spellName(foldName(name)).length > 0 &&
      explainPair(spellName(foldName(mark)), spellName(foldName(name)), ways, SAME_WEIGHTS).length > 0;
    const judge = (stored: StoredRecord): boolean =>
      (filters.jurisdiction === undefined || selectRecords([stored], filters, null).length > 0) &&
      namesOf(stored.record, texts.length === 0 ? HELD_AS_NAMES : texts).some(isAlike);
    return { subject: { kind: 'similar', search }, judge };
  }

  chooseSubject(): { readonly subject: WatchSubject; readonly judge: NonNullable<Phase['judge']> } {
    const kind = this.random.pick(['search', 'search', 'records', 'owners', 'similar'] as const);
    if (kind === 'search') {
      const texts = this.random.pick(this.queries);
      const { sort: _sort, order: _order, ...filters } = texts;
      const search = new URLSearchParams(filters).toString();
      return { subject: { kind, search }, judge: (stored) => selectRecords([stored], filters, null).length > 0 };
    }
    if (kind === 'similar') return this.chooseMark();
    if (kind === 'records') {
      const uids = Array.from({ length: 5 }, () => `R${this.random.integer(1, RECORDS)}`);
      const records = [...new Set(uids)].sort().map((uid) => ({ jurisdiction_code: 'XA', uid }));
      const listed = new Set(records.map(({ uid }) => uid));
      const judge = ({ record }: StoredRecord) => record.jurisdiction_code === 'XA' && listed.has(record.uid);
      return { subject: { kind, records }, judge };
    }
    const owners = ['acme', 'acme holdings', '商标注册', 'café noir', 'οδοσ'].filter(() => this.random.chance(0.4));
    const judge = (stored: StoredRecord) =>
      owners.some((owner) => selectRecords([stored], { owner_name: owner }, null).length > 0);
    return { subject: { kind, owners: [...owners].sort() }, judge };
  }

  /** The hits that each watch has to get from everything published so far. */
  listExpected(): Map<string, Told[]> {
    return new Map([...this.phases].map(([id, phases]) => [id, this.events.flatMap((each) => tellOf(each, phases))]));
  }

  async listTold(): Promise<Map<string, Told[]>> {
    const rows = await this.db.query<{ id: string; told: string }>(sql`
      select w.id, coalesce(json_agg(json_build_array(
          to_char(stamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), hit.jurisdiction_code, hit.uid, hit.event)
          order by stamp, hit.jurisdiction_code, hit.uid) filter (where hit_row.watch_id is not null), '[]')::text as told
      from watch w left join (watch_hit as hit_row cross join lateral ${HITS_OF_ROW}) using (watch_id)
      where w.customer_id = ${this.customerId} group by w.id`);
    return new Map(rows.map(({ id, told }) => [id, JSON.parse(told) as Told[]]));
  }
}

function tellOf({ stored, before }: Version, phases: readonly Phase[]): Told[] {
  const { jurisdiction_code, uid } = stored.record;
  const place = placeOf(stored.updated_at, jurisdiction_code, uid);
  const judge = phases.findLast(({ from }) => from < place)?.judge ?? null;
  if (judge === null) return [];
  const [is, was] = [judge(stored), before !== null && judge(before)];
  if (!is && !was) return [];
  return [[stored.updated_at, jurisdiction_code, uid, is && was ? 'changes' : is ? 'begins' : 'stops']];
}
