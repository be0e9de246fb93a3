/**
 * The report of a search for likeness: every mark with what the team thinks of it, then what was searched, when,
 * through which date each register was complete, and in which ways names were compared. The page prints
 * the same sentences. What the team thinks of marks, relevant or not, is kept with the search.
 */

import { createHash } from 'node:crypto';
import type { CoverageReport } from '@tmds/contract/coverage';
import {
  LIKENESS_ENTRIES_MAX,
  LIKENESS_RECORDS_PER_ENTRY,
  type SimilarPage,
  type SimilarRecord,
} from '@tmds/contract/likeness';
import { describeReasons } from '@tmds/contract/likeness-words';
import type { Queryable } from '../../database/driver/db.ts';
import {
  JUDGEMENTS_MAX,
  type JudgedRecord,
  type Judgement,
  listJudgements,
  putJudgements,
} from '../../store/accounts/similar-judgements.ts';
import { describeFilters } from '../explorer/search-words.ts';
import { noteActivity } from '../frame/audit-table.ts';
import { type Download, type MemberCall, PageRefusal, type Redirect } from '../frame/call.ts';
import { buttonsField, hiddenField, rowsField } from '../frame/field-kinds.ts';
import { declareForm, type Values } from '../frame/forms.ts';
import { doAlone, type Fault } from '../frame/once.ts';
import { formatCount, formatDatesIn, formatInstant } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { CHOICE_TITLES, describeAge, describeGoods, TIER_TITLES } from '../frame/wording.ts';
import { pathOfRecord } from '../history/places.ts';
import type { PortalServices } from '../services.ts';
import { buildTableFile, dayCell, type FileColumn, type SheetCell } from '../spreadsheet/excel.ts';
import { listShown, nameRecord, numberOf } from './entries-view.ts';
import { readSimilar, type SimilarTarget, similarPath } from './similar-target.ts';

export interface Report {
  readonly page: SimilarPage;
  readonly asked: SimilarTarget;
  readonly at: string;
  readonly coverage: readonly CoverageReport[];
  readonly judgements: Judgements;
  readonly origin: string;
}

/** What the report says before its rows: names with values. */
export function listStatements({ page, asked, at, coverage }: Report): [name: string, value: string][] {
  const filters = asked.filters.filter(([name]) => name !== 'jurisdiction');
  const classes = asked.pairs.find(([name]) => name === 'classes')?.[1];
  const { words, is_transliterated } = page.compared;
  return [
    ['No legal opinion', NO_OPINION],
    ['Mark', page.mark],
    ['Compared as', `${words.join(' ')}${is_transliterated ? ' (transliterated here)' : ''}`],
    ...(classes === undefined ? [] : [['Classes of its goods', classes.split(',').join(', ')] as [string, string]]),
    ['Searched on', `${formatInstant(at)} UTC`],
    ['Names compared', formatCount(page.names_compared)],
    ...(filters.length === 0 ? [] : [['Only records with', describeFilters(filters)] as [string, string]]),
    ['Ways in which names were compared', page.strategies.map(({ strategy }) => CHOICE_TITLES[strategy]).join(', ')],
    ['Texts that were compared', page.held_as.map((name) => CHOICE_TITLES[name]).join(', ')],
    ['Left out', page.bounds_met.length === 0 ? 'nothing' : page.bounds_met.map((bound) => BOUNDS[bound]).join('; ')],
    ...coverage.map((each): [string, string] => [
      `Register: ${registerName(each.jurisdiction_code)}`,
      `${formatCount(each.record_count)} records. ${formatDatesIn(each.conclusion)}`,
    ]),
  ];
}

function describeJudgement(judgements: Judgements, { record }: SimilarRecord): string {
  const judged = judgements.get(nameRecord(record));
  return judged === undefined ? '' : judged.is_relevant ? 'relevant' : 'not relevant';
}

interface Row {
  readonly statement?: readonly [name: string, value: string];
  readonly entry?: SimilarRecord;
}

export function buildReportFile(form: string, report: Report): Download | null {
  return buildTableFile(form, 'is-it-free', {
    name: 'Is it free',
    columns: listColumns(report),
    portions: listPortions(report),
  });
}

async function* listPortions(report: Report): AsyncGenerator<readonly Row[]> {
  yield listShown(report.page).map((entry) => ({ entry }));
  yield listStatements(report).map((statement) => ({ statement }));
}

function listColumns({ judgements, origin }: Report): FileColumn<Row>[] {
  const column = (head: string, width: number, cell: (entry: SimilarRecord) => SheetCell): FileColumn<Row> => ({
    head,
    width,
    cell: ({ entry }) => (entry === undefined ? null : cell(entry)),
  });
  const [first, second, ...others] = [
    column('Tier', 14, ({ tier }) => TIER_TITLES[tier].title),
    column('Mark', 40, ({ record }) => record.mark_name),
    column('Judged', 14, (entry) => describeJudgement(judgements, entry)),
    column('Why', 50, (entry) => describeReasons(entry).join('\n')),
    column('Compared as', 28, ({ compared }) => compared.words.join(' ')),
    column('Goods', 22, ({ goods }) => describeGoods(goods)),
    column('Classes', 14, ({ record }) => (record.nice_classes ?? []).join('; ')),
    column('Register', 18, ({ record }) => registerName(record.jurisdiction_code)),
    column('Number', 18, ({ record }) => numberOf(record)),
    column('Owner', 28, ({ record }) => (record.owner_names ?? []).join('; ')),
    column('Status', 14, ({ record }) => record.status),
    column('Filed', 14, ({ record }) => dayCell(record.application_date)),
    column('Expires', 14, ({ record }) => dayCell(record.expiry_date)),
    column('Age', 18, describeAge),
    column('Link', 14, ({ record }) => ({
      text: 'Open record',
      href: `${origin}${pathOfRecord(record.jurisdiction_code, record.uid)}`,
    })),
  ];
  // Below the marks, the first two columns say what was searched.
  return [
    { ...first!, cell: (row) => row.statement?.[0] ?? first!.cell(row) },
    { ...second!, cell: (row) => row.statement?.[1] ?? second!.cell(row) },
    ...others,
  ];
}

const RECORDS_MAX = LIKENESS_ENTRIES_MAX * LIKENESS_RECORDS_PER_ENTRY;

const VERDICTS = { relevant: true, not_relevant: false, open: null } as const;

type Judgements = ReadonlyMap<string, Judgement>;

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

/** What the team thinks of several records. `search`: the query of the page, so that the address of the form says nothing. */
export const JUDGEMENT = declareForm({
  search: hiddenField(false),
  record: rowsField(RECORDS_MAX),
  judge: buttonsField({
    relevant: { label: 'Mark chosen as relevant' },
    not_relevant: { label: 'Mark chosen as not relevant' },
    open: { label: 'Clear chosen' },
  }),
});

function pathBack(search: string): string {
  const query = new URLSearchParams(search);
  return similarPath(readSimilar(query).pairs, query.get('key') ?? '', keptPairs(query));
}

export async function judgeChosen(
  call: MemberCall,
  { database }: PortalServices,
  { search, record, judge }: Values<typeof JUDGEMENT.fields>,
): Promise<Redirect | Fault> {
  const asked = readSimilar(new URLSearchParams(search));
  const back = pathBack(search);
  const records = record.flatMap(readRecord);
  if (records.length === 0) return { to: `${back}&done=judged_none` };
  const { customer_id } = call.user;
  return doAlone(call, database, async (tx) => {
    const change = { isRelevant: VERDICTS[judge], by: call.person.email };
    if (!(await putJudgements(tx, customer_id, digestSearch(asked), records, change))) return { fault: FULL };
    const { mark } = asked;
    await noteActivity(tx, call, 'similar.judge', { mark, records: records.length, verdict: VERDICTS[judge] });
    return { to: `${back}&done=judged` };
  });
}

/** The page of results is paid for, so the refusal is a page that leads back to it. */
export async function refuseJudgement({ form }: MemberCall, _services: PortalServices, fault: string): Promise<never> {
  throw new PageRefusal(422, 'Nothing was marked', fault, pathBack(form.get('search') ?? ''));
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

/** On every page with results, and in every report. */
export const NO_OPINION =
  'This lists names that are alike and says why. It is not a legal opinion: whether a mark is free depends on goods, use and law that no list of names shows.';

const BOUNDS: Readonly<Record<SimilarPage['bounds_met'][number], string>> = {
  entries: 'further entries beyond the number that an answer has',
  records: 'further records of the names that were found',
  records_of_a_name: 'further records of a name that many records have',
};
