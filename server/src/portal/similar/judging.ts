/** What the team thinks of the marks of a search for likeness: relevant or not. It is kept with the search. */
import { createHash } from 'node:crypto';
import { LIKENESS_ENTRIES_MAX, LIKENESS_RECORDS_PER_ENTRY } from '@tmds/contract/likeness';
import type { Queryable } from '../../database/driver/db.ts';
import {
  JUDGEMENTS_MAX,
  type JudgedRecord,
  type Judgement,
  listJudgements,
  putJudgements,
} from '../../store/accounts/similar-judgements.ts';
import { noteActivity } from '../frame/audit-table.ts';
import { type MemberCall, PageRefusal, type Redirect } from '../frame/call.ts';
import { doAlone, type Fault } from '../frame/once.ts';
import { formatCount } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';
import { nameRecord } from './entries-view.ts';
import { readSimilar, type SimilarTarget, similarPath } from './similar-target.ts';

/** Records of the largest answer. */
const RECORDS_MAX = LIKENESS_ENTRIES_MAX * LIKENESS_RECORDS_PER_ENTRY;

/** What a button of the page says of the chosen records. */
const VERDICTS: Readonly<Record<string, boolean | null>> = { relevant: true, not_relevant: false, open: null };

/** By `nameRecord`. */
export type Judgements = ReadonlyMap<string, Judgement>;

/**
 * The same for searches that differ only in the order of their parts, in letter case, or in how many entries they show.
 */
function digestSearch({ pairs }: SimilarTarget): string {
  const parts = pairs
    .filter(([name]) => name !== 'limit')
    .map(([name, value]) => `${name}=${sortList(name, value.trim().toLowerCase())}`);
  return createHash('sha256').update(parts.sort().join('&')).digest('hex');
}

function sortList(name: string, value: string): string {
  return name === 'mark' ? value : value.split(',').sort().join(',');
}

export async function readJudgements(db: Queryable, customerId: string, asked: SimilarTarget): Promise<Judgements> {
  const found = await listJudgements(db, customerId, { search: digestSearch(asked), limit: JUDGEMENTS_MAX });
  return new Map(found.map((each) => [nameRecord(each), each]));
}

/** `back`: the query of the page, in the form, so that the address of the form says nothing. */
export async function judgeChosen(call: MemberCall, { database }: PortalServices): Promise<Redirect> {
  const query = new URLSearchParams(call.form.get('search') ?? '');
  const asked = readSimilar(query);
  const verdict = VERDICTS[call.form.get('judge') ?? ''];
  const back = similarPath(asked.pairs, query.get('key') ?? '', keptPairs(query));
  const records = call.form.getAll('record').flatMap(readRecord);
  if (verdict === undefined || records.length > RECORDS_MAX) {
    throw new PageRefusal(422, 'Nothing was marked', 'The form is not one of this page.', back);
  }
  if (records.length === 0) return { to: `${back}&done=judged_none` };
  const search = digestSearch(asked);
  const { customer_id } = call.user;
  const outcome = await doAlone(call, database, async (tx): Promise<Redirect | Fault> => {
    const change = { isRelevant: verdict, by: call.person.email };
    if (!(await putJudgements(tx, customer_id, search, records, change))) return { fault: FULL };
    await noteActivity(tx, call, 'similar.judge', { mark: asked.mark, records: records.length, verdict });
    return { to: `${back}&done=judged` };
  });
  if ('fault' in outcome) throw new PageRefusal(422, 'Nothing was marked', outcome.fault, back);
  return outcome;
}

const FULL = `A team marks at most ${formatCount(JUDGEMENTS_MAX)} records. Clear marks of older searches first.`;

function keptPairs(query: URLSearchParams): (readonly [string, string])[] {
  return [...query].filter(([name]) => name === 'asked' || name === 'beside');
}

/** `FR/uid`; a uid may contain slashes. */
function readRecord(name: string): JudgedRecord[] {
  const at = name.indexOf('/');
  return at < 1 ? [] : [{ jurisdiction_code: name.slice(0, at), uid: name.slice(at + 1) }];
}
