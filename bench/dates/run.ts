/**
 * `npm run bench -- dates [FOLDER]`: how often the dates that follow from the rules are those that offices state, in
 * the real files next to the checkout and in the published study (FOLDER is its `deadline-verification`). Writes
 * `docs/dates-agreement.md`; only counts are published.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DateEvent } from '@tmds/contract/dates';
import type { Command } from 'commander';
import { addTerm } from '../../server/src/dates/calendar.ts';
import { type ComputedDate, computeDates, type Facts, listDates, readFacts } from '../../server/src/dates/compute.ts';
import { RULES } from '../../server/src/dates/rules/all.ts';
import { skipWithout } from '../../server/test/support/formats.ts';
import { readRealRecords } from '../../server/test/support/real-records.ts';
import { CAUSES, type Cause, causeOf } from './causes.ts';
import {
  OFFICES,
  OPPOSED_OFFICES,
  type Opposed,
  type Published,
  readFilings,
  readOppositions,
  readPublished,
  readSamples,
} from './study.ts';

const PAGE = resolve(import.meta.dirname, '../../docs/dates-agreement.md');
/** The day as of which the study compared. */
const STUDY_DAY = '2026-07-07';
/** The window that the study lets its renewals be filed in, wherever the law states a shorter one. */
const STUDY_WINDOW = { months: 12 };

interface Cell {
  k: number;
  n: number;
}

type Cells = Map<string, Cell>;

export function registerDatesBench(program: Command): void {
  program
    .command('dates')
    .description('agreement of computed dates with those that offices state')
    .argument('[folder]', 'the folder deadline-verification of the published study')
    .option('--write', 'write docs/dates-agreement.md')
    .action(run);
}

async function run(folder: string | undefined, { write = false }: { write?: boolean }): Promise<void> {
  const missing = skipWithout('trial-inputs');
  const parts = [missing === false ? await checkRealRecords() : `${missing}\n`];
  if (folder === undefined) parts.push('Name the folder of the study to compare with it.\n');
  else parts.push(...checkStudy(folder));
  const page = parts.join('\n');
  console.log(page);
  if (write) writeFileSync(PAGE, `${HEAD}\n${page}`);
}

const HEAD = `# Agreement of computed dates

Written by \`npm run bench -- dates FOLDER --write\`. [Dates](dates.md) explains what is computed. "Agrees" is equality to
the day with one of the ends of term that follow from the rules.
`;

/** Real records: what their offices state as expiry and as the end of opposition. */
async function checkRealRecords(): Promise<string> {
  const cells: Cells = new Map();
  const causes = new Map<string, number>();
  for (const record of (await readRealRecords({ withLarge: true })).values()) {
    const facts = readFacts(record);
    for (const { event, agreement, computed } of computeDates(facts, STUDY_DAY)) {
      if (agreement !== 'agrees' && agreement !== 'differs') continue;
      count(cells, `${record.jurisdiction_code} ${facts.route}|${event}`, agreement === 'agrees');
      if (agreement === 'differs') add(causes, `${record.jurisdiction_code}|${causeOf(facts, computed)}`);
    }
  }
  const rows = [...cells].sort().map(([cell, { k, n }]) => `| ${cell.replace('|', ' | ')} | ${k} of ${n} |`);
  return [
    '## Real records held',
    '',
    '| register | date | agrees |',
    '|---|---|--:|',
    ...rows,
    '',
    listCauses(causes),
  ].join('\n');
}

function checkStudy(folder: string): string[] {
  const published = readPublished(folder);
  const renewals: Cells = new Map();
  const eras: Cells = new Map();
  const filings: Cells = new Map();
  const wide: Cells = new Map();
  const oppositions: Cells = new Map();
  const causes = new Map<string, number>();
  for (const office of OFFICES) {
    const samples = readSamples(folder, office);
    for (const { facts, route, era } of samples) {
      const answer = computeDates(facts, STUDY_DAY).find(({ event }) => event === 'renewal');
      // Nothing is compared where the office states nothing: the study computes the ends of US extensions itself.
      if (answer?.stated === null || answer === undefined || (office === 'uspto' && route === 'madrid')) continue;
      count(renewals, `${office}|${route}`, answer.agreement === 'agrees');
      count(eras, `${office} ${route}|${era}`, answer.agreement === 'agrees');
      if (answer.agreement !== 'agrees') add(causes, `${office} ${route}|${causeOf(facts, answer.computed)}`);
    }
    const byId = new Map(samples.map((sample) => [sample.id, sample]));
    for (const { id, date } of readFilings(folder, office)) {
      const sample = byId.get(id);
      if (sample === undefined) continue;
      const dates = listAll(sample.facts, ['renewal', 'use_declaration']);
      count(
        filings,
        `${office}|${sample.route}`,
        dates.some((due) => isInWindow(date, due, due.opensOn)),
      );
      count(
        wide,
        `${office}|${sample.route}`,
        dates.some((due) =>
          isInWindow(date, due, earlier(due.opensOn, addTerm(due.endsOn, { months: -STUDY_WINDOW.months }))),
        ),
      );
    }
  }
  for (const office of OPPOSED_OFFICES) {
    for (const opposed of readOppositions(folder, office)) {
      if (isOpposersMark(office, opposed)) continue;
      count(oppositions, `${office}|${opposed.route}`, isTimely(opposed));
    }
  }
  return [
    renderCells('## Ends of term, compared with the study', renewals, published.renewal),
    `### By decade of registration\n\n| office | decade | agrees |\n|---|---|--:|\n${[...eras]
      .sort()
      .map(([cell, { k, n }]) => `| ${cell.replace('|', ' | ')} | ${k} of ${n} |`)
      .join('\n')}\n`,
    `### Why the others differ\n\n${listCauses(causes)}`,
    renderCells(
      '## Renewals and declarations that were filed, inside the window of the rule',
      filings,
      published.filings,
    ),
    renderCells('### The same, with windows of twelve months as the study has them', wide, published.filings),
    renderCells(
      '## Oppositions that were filed, inside the period or its extension',
      oppositions,
      published.oppositions,
    ),
  ];
}

function listAll(facts: Facts, events: readonly DateEvent[]): ComputedDate[] {
  return RULES.filter(
    ({ jurisdiction, route, event }) =>
      jurisdiction === facts.jurisdiction && route === facts.route && events.includes(event),
  ).flatMap((rule) => listDates(rule, facts));
}

function isInWindow(date: string, { dueOn, lateUntil }: ComputedDate, opensOn: string | null): boolean {
  return date >= (opensOn ?? dueOn) && date <= (lateUntil ?? dueOn);
}

function earlier(one: string | null, other: string): string {
  return one === null || other < one ? other : one;
}

/** The study's data also names the marks on which oppositions rest; those were registered long before. */
function isOpposersMark(office: string, { route, isRegistered }: Opposed): boolean {
  return isRegistered && !(office === 'euipo' && route === 'madrid');
}

/** As if the mark were pending: a period that is history has no date ahead. */
function isTimely({ facts, filed }: Opposed): boolean {
  const pending: Facts = { ...facts, status: 'Pending', terminated: null };
  const answer = computeDates(pending, STUDY_DAY).find(({ event }) => event === 'opposition_end');
  const published = facts.anchors.publication_date;
  const due = answer?.computed ?? null;
  return published !== null && due !== null && filed >= published && filed <= (due.lateUntil ?? due.dueOn);
}

function count(cells: Cells, cell: string, agrees: boolean): void {
  const known = cells.get(cell) ?? { k: 0, n: 0 };
  cells.set(cell, { k: known.k + (agrees ? 1 : 0), n: known.n + 1 });
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function renderCells(title: string, cells: Cells, published: Published): string {
  const rows = [...cells].map(([cell, { k, n }]) => {
    const theirs = published.get(cell);
    const study = theirs === undefined ? '| – | –' : `| ${theirs.k} of ${theirs.n} | ${percent(theirs)}`;
    return `| ${cell.replace('|', ' | ')} | ${k} of ${n} | ${percent({ k, n })} ${study} |`;
  });
  return [title, '', '| office | route | ours | | study | |', '|---|---|--:|--:|--:|--:|', ...rows, ''].join('\n');
}

function listCauses(causes: ReadonlyMap<string, number>): string {
  if (causes.size === 0) return 'None differs.\n';
  const rows = [...causes].sort().map(([key, times]) => {
    const [cell = '', cause = ''] = key.split('|');
    return `| ${cell} | ${times} | ${CAUSES[cause as Cause]} |`;
  });
  return ['| office | records | cause |', '|---|--:|---|', ...rows, ''].join('\n');
}

function percent({ k, n }: Cell): string {
  return `${((100 * k) / n).toFixed(2)} %`;
}
