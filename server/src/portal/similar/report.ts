/**
 * The report of a search for likeness: every mark with what the team thinks of it, then what was searched, when,
 * through which date each register was complete, and in which ways names were compared. The page prints
 * the same sentences.
 */
import type { CoverageReport } from '@tmds/contract/coverage';
import type { SimilarPage, SimilarRecord } from '@tmds/contract/likeness';
import { describeReasons } from '@tmds/contract/likeness-words';
import type { TrademarkDetail } from '@tmds/contract/record';
import { describeFilters } from '../explorer/filter-chips.ts';
import { CHOICE_TITLES, describeAge, describeGoods, TIER_TITLES } from '../frame/alike-words.ts';
import type { Download } from '../frame/call.ts';
import { formatCount, formatDatesIn, formatInstant } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import type { SheetCell } from '../spreadsheet/excel.ts';
import { type FileColumn, findFileForm } from '../spreadsheet/table-file.ts';
import { listShown, nameRecord, numberOf } from './entries-view.ts';
import type { Judgements } from './judging.ts';
import type { SimilarTarget } from './similar-target.ts';
import { BOUNDS, NO_OPINION } from './wording.ts';

export interface Report {
  readonly page: SimilarPage;
  readonly asked: SimilarTarget;
  /** When the search was made, UTC. */
  readonly at: string;
  /** The coverage of the registers that were searched. */
  readonly coverage: readonly CoverageReport[];
  readonly judgements: Judgements;
  /** Scheme and authority of the portal as the browser reaches it. */
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

/** Null for a form that is not known. */
export function buildReportFile(name: string, report: Report): Download | null {
  const form = findFileForm(name);
  if (form === undefined) return null;
  const columns = listColumns(report);
  return {
    download: `is-it-free.${form.extension}`,
    type: form.type,
    chunks: form.write({ name: 'Is it free', columns, portions: listPortions(report) }),
  };
}

async function* listPortions(report: Report): AsyncGenerator<readonly Row[]> {
  yield listShown(report.page).map((entry) => ({ entry }));
  yield listStatements(report).map((statement) => ({ statement }));
}

function linkRecord({ jurisdiction_code, uid }: TrademarkDetail): string {
  return `/portal/explorer/records/${encodeURIComponent(jurisdiction_code)}/${encodeURIComponent(uid)}`;
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
    column('Filed', 14, ({ record: { application_date: day } }) => (day === null ? null : { day })),
    column('Expires', 14, ({ record: { expiry_date: day } }) => (day === null ? null : { day })),
    column('Age', 18, describeAge),
    column('Link', 14, ({ record }) => ({ text: 'Open record', href: `${origin}${linkRecord(record)}` })),
  ];
  // Below the marks, the first two columns say what was searched.
  return [
    { ...first!, cell: (row) => row.statement?.[0] ?? first!.cell(row) },
    { ...second!, cell: (row) => row.statement?.[1] ?? second!.cell(row) },
    ...others,
  ];
}
