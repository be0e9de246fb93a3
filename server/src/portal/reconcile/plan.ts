/**
 * A docket before it is compared: how it is to be read, as the address of its page states it, the cost of the
 * comparison, and the button that starts it.
 */

import type { CsvRow } from '@tmds/contract/csv';
import { findMappingFault, guessMapping } from '@tmds/contract/docket/columns';
import { DAY_ORDERS, type DayOrder } from '@tmds/contract/docket/dates';
import { DATE_COLUMNS, DOCKET_FIELDS, type DocketField, type Mapping } from '@tmds/contract/docket/fields';
import { nameColumns } from '@tmds/contract/docket/head-row';
import { mapGently, planBatches } from '@tmds/contract/docket/reconcile';
import { type Reading, readRow } from '@tmds/contract/docket/rows';
import { judgeDayOrders, listUndecided } from '@tmds/contract/docket/survey';
import { html } from 'htm/preact';
import type { Queryable } from '../../database/driver/db.ts';
import { findPart } from '../../store/accounts/dockets.ts';
import { type KeyChoice, renderKeyChoice } from '../explorer/ask.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderTrail,
} from '../frame/components.ts';
import { hiddenField, tickedField } from '../frame/field-kinds.ts';
import { renderOptions, renderSelect } from '../frame/fields.ts';
import { declareForm, renderForm } from '../frame/forms.ts';
import { formatCount, renderHidden } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { nameOf } from '../keys/terms.ts';
import { joinSheets } from './list-page.ts';
import { type Docket, type KeptSurvey, listBelow, unpackRows } from './results.ts';

const FIELDS_OFFERED = Object.keys(DOCKET_FIELDS) as DocketField[];
const SHOWN_CELLS = 3;

/** In addition to the fields of the plan, which its columns name. */
export const START = declareForm({
  key: hiddenField(false),
  remember: tickedField({
    label: 'Next time',
    text: 'Remember these rows, so that the next upload shows what has changed',
  }),
});

interface PlanState {
  readonly docket: Docket;
  readonly plan: DocketPlan;
  /** The calls of the comparison; null until the columns were confirmed. */
  readonly calls: number | null;
  readonly choice: KeyChoice;
  readonly served: readonly string[];
}

export function renderPlan(call: MemberCall, state: PlanState): Page {
  const { docket, plan, calls, choice } = state;
  const path = `/portal/reconcile/${docket.docket_id}`;
  const isReady = calls !== null && choice.key !== null && plan.fault === null;
  const body = html`
    <section>
      ${renderTrail({ label: 'Dockets', href: '/portal/reconcile' })}
      ${renderHeading(html`<bdi>${docket.name}</bdi>`, renderLinkButton('Delete', `${path}/delete`, 'quiet'))}
      <p>
        ${formatCount(plan.rows)} ${plan.rows === 1 ? 'row' : 'rows'}. Check what each column contains. Columns that are
        not compared are kept unchanged.
      </p>
      ${joinSheets(docket.survey.sheet)}
      ${plan.fault === null ? null : renderNotice('warn', plan.fault, 'status')}
      ${choice.fault === null ? null : renderNotice('warn', choice.fault, 'status')}
      ${isReady ? renderStart(call, state, path) : null}
      <form method="get" action=${path} class="stack">
        ${renderHeadChoice(docket, plan)}
        ${renderColumns(plan)}
        ${renderChoices(state)}
        ${renderKeyChoice(choice)}
        <input type="hidden" name="checked" value="1" />
        ${renderActions(renderButton(isReady ? 'Show the new cost' : 'Continue', isReady ? 'second' : 'first'))}
      </form>
    </section>
  `;
  return { title: docket.name, body, section: 'reconcile' };
}

function renderStart(call: MemberCall, { docket, plan, calls, choice }: PlanState, path: string): unknown {
  const holds = FIELDS_OFFERED.flatMap((field) => {
    const column = plan.mapping[field];
    return column === undefined ? [] : [[holdName(column), field] as const];
  });
  const fields = [
    ...holds,
    ['head', String(plan.headLine)],
    ['register', plan.register ?? ''],
    ['dates', plan.dates ?? ''],
  ] as const;
  const form = html`
    <p>
      Comparing ${formatCount(plan.rows - docket.rows_done)} rows costs
      <strong> ${formatCount(calls ?? 0)} ${calls === 1 ? 'unit' : 'units'}</strong> of
      <bdi> ${choice.key === null ? '' : nameOf(choice.key)}</bdi>: one for up to 500 numbers of a register, and
      one more where they have more than 500 records.
    </p>
    ${renderForm(call, START, {
      action: `${path}/start`,
      before: fields.map(([name, value]) => renderHidden(name, value)),
      shown: { key: { value: choice.key?.id ?? '' } },
      note: html`
        <p class="hint">
          Without numbers, marks or names, and in no backup. <a href="/portal/reconcile/memory">What is remembered</a>
        </p>
      `,
      label: 'Compare',
    })}
  `;
  return renderNotice('plain', form);
}

interface Column {
  readonly name: string;
  readonly position: number;
  readonly cells: readonly string[];
}

const OFFERED_CHARACTERS = 80;

/** Lists often begin with titles, so the row that names the columns can be chosen. */
function renderHeadChoice({ survey }: Docket, { headLine }: DocketPlan): unknown {
  const offered = listHeadRows(survey).map(({ line, cells }) => {
    const text = cells.filter((cell) => cell.trim() !== '').join(' · ');
    const short = text.length > OFFERED_CHARACTERS ? `${text.slice(0, OFFERED_CHARACTERS).toWellFormed()}…` : text;
    return { value: String(line), label: `Line ${line}: ${short}` };
  });
  return html`
    ${renderSelect({
      id: 'head',
      label: 'Row with the names of the columns',
      hint: 'Rows above it are left out.',
      choices: [{ value: '0', label: 'No row: the list begins at once' }, ...offered],
      chosen: String(headLine),
    })}
    <input type="hidden" name="head-shown" value=${headLine} />
  `;
}

function renderColumns({ mapping, head, sample }: DocketPlan): unknown {
  const columns = head.map((name, position): Column => {
    const cells = sample.map(({ cells: row }) => row[position]?.trim() ?? '').filter((cell) => cell !== '');
    return { name, position, cells: [...new Set(cells)].slice(0, SHOWN_CELLS) };
  });
  const choices = [
    { value: '', label: 'not compared' },
    ...FIELDS.map((field) => ({ value: field, label: DOCKET_FIELDS[field] })),
  ];
  return renderTable<Column>({
    label: 'Columns',
    rows: columns,
    columns: [
      {
        label: 'Column',
        isHeader: true,
        cell: ({ name, position }) => html`<bdi>${name || `Column ${position + 1}`}</bdi>`,
      },
      { label: 'First values', style: 'words', cell: ({ cells }) => html`<bdi>${cells.join(' · ')}</bdi>` },
      {
        label: 'Contains',
        cell: ({ name, position }) => html`
          <select name=${holdName(position)} aria-label=${`What ${name || `column ${position + 1}`} contains`}>
            ${renderOptions(choices, FIELDS_OFFERED.find((field) => mapping[field] === position) ?? '')}
          </select>
        `,
      },
    ],
  });
}

function renderChoices({ plan, served }: PlanState): unknown {
  return html`
    ${renderSelect({
      id: 'register',
      label: 'Register for rows that name none',
      choices: [
        { value: '', label: 'each row names its own' },
        ...served.map((code) => ({ value: code, label: nameAndCode(code) })),
      ],
      chosen: plan.register ?? '',
    })}
    ${renderSelect({
      id: 'dates',
      label: 'Dates such as 03/04/2026',
      choices: [
        { value: '', label: 'as the column suggests' },
        { value: 'dmy', label: 'the day comes first' },
        { value: 'mdy', label: 'the month comes first' },
      ],
      chosen: plan.dates ?? '',
    })}
  `;
}

const HEAD_CHARACTERS_MAX = 200;

const FIELDS = Object.keys(DOCKET_FIELDS) as DocketField[];

export interface DocketPlan {
  /** The line of the row that names the columns; 0 if none does. */
  readonly headLine: number;
  readonly head: readonly string[];
  /** The first rows below it, and how many there are in all. */
  readonly sample: readonly CsvRow[];
  readonly rows: number;
  readonly mapping: Mapping;
  readonly register: string | null;
  readonly dates: DayOrder | null;
  /** Why nothing can be compared yet; null if it can. */
  readonly fault: string | null;
}

/** The name of the field that chooses a column's meaning. */
const holdName = (column: number): string => `holds-${column}`;

/** `fields`: those of the address or of the form. Without a choice in them, the guessed meanings count. */
export function readPlan(
  { survey, rows }: Pick<Docket, 'survey' | 'rows'>,
  fields: URLSearchParams,
  served: readonly string[],
): DocketPlan {
  const view = chooseHead(survey, rows, fields.get('head'));
  // Columns that were chosen below another head say nothing about these.
  const isChosen = [...fields.keys()].some((name) => name.startsWith('holds-'));
  const isSameHead = (fields.get('head-shown') ?? String(view.headLine)) === String(view.headLine);
  const mapping = isChosen && isSameHead ? readMapping(view.head, fields) : guess(view);
  const named = fields.get('register') ?? '';
  const register = served.includes(named) ? named : null;
  const dates = DAY_ORDERS.find((order) => order === fields.get('dates')) ?? null;
  const plan = { ...view, mapping, register, dates };
  return { ...plan, fault: findFault(survey, fields, plan) };
}

type HeadView = Pick<DocketPlan, 'headLine' | 'head' | 'sample' | 'rows'>;

/** Lines that may be the head: those of the first rows. */
function listHeadRows({ above, sample }: KeptSurvey): readonly CsvRow[] {
  return [...above, ...sample];
}

/** The docket below the chosen head; below the one that was found if the text names no line. */
function chooseHead(survey: KeptSurvey, rows: number, chosen: string | null): HeadView {
  const top = listHeadRows(survey);
  const line = /^\d{1,7}$/.test(chosen ?? '') ? Number(chosen) : survey.headLine;
  const headLine = line === 0 || top.some((row) => row.line === line) ? line : survey.headLine;
  if (headLine === survey.headLine) return { headLine, head: survey.head, sample: survey.sample, rows };
  const head = nameColumns(top, headLine).map((name) => name.slice(0, HEAD_CHARACTERS_MAX));
  const sample = top.filter((row) => row.line > headLine);
  const lower = survey.sample.filter((row) => row.line <= headLine).length;
  const higher = survey.above.filter((row) => row.line > headLine).length;
  return { headLine, head, sample, rows: rows + higher - lower };
}

function guess({ head, sample }: Pick<HeadView, 'head' | 'sample'>): Mapping {
  return guessMapping(
    head,
    sample.map(({ cells }) => cells),
  );
}

function readMapping(head: readonly string[], fields: URLSearchParams): Mapping {
  const mapping: Partial<Record<DocketField, number>> = {};
  for (let column = head.length - 1; column >= 0; column -= 1) {
    const field = FIELDS.find((each) => each === fields.get(holdName(column)));
    if (field !== undefined) mapping[field] = column;
  }
  return mapping;
}

function findFault(
  survey: KeptSurvey,
  fields: URLSearchParams,
  { head, sample, rows: left, mapping, register, dates }: Omit<DocketPlan, 'fault'>,
): string | null {
  if (survey.headLine === 0 && !fields.has('head')) {
    return 'No row with the names of the columns was found. Choose the row that has them, or say what each column contains.';
  }
  if (left < 1) return 'No row is left below these names of columns. Choose a row further up.';
  const chosen = head.map((_name, column) => fields.get(holdName(column)) ?? '').filter((field) => field !== '');
  const twice = chosen.find((field, at) => chosen.indexOf(field) !== at) as DocketField | undefined;
  if (twice !== undefined) return `Two columns contain the same: ${DOCKET_FIELDS[twice] ?? twice}. Choose one of them.`;
  const rows = sample.map(({ cells }) => cells);
  const fault = findMappingFault(mapping, register, rows);
  if (fault !== null || dates !== null) return fault;
  const columns = DATE_COLUMNS.flatMap((field) => (mapping[field] === undefined ? [] : [mapping[field]]));
  const [undecided] = listUndecided(survey.dates, columns);
  if (undecided === undefined) return null;
  return `It is not clear whether the day or the month comes first in “${head[undecided]}”. Choose one.`;
}

export function buildReading({ dates: evidence }: KeptSurvey, plan: DocketPlan): Reading {
  const { head, mapping, register, dates } = plan;
  return { head, mapping, register, dayOrders: judgeDayOrders(evidence, dates) };
}

/** The calls that a comparison takes, as long as no call finds more than 500 records. */
export async function countCalls(
  database: Queryable,
  { docket_id: docketId, parts, parts_done: done, survey }: Docket,
  { headLine, reading }: { readonly headLine: number; readonly reading: Reading },
  served: readonly string[],
): Promise<number> {
  const known = new Set(served);
  let calls = 0;
  for (let number = done; number < parts; number += 1) {
    const part = await findPart(database, docketId, number);
    if (part === null) break;
    const stored = await unpackRows(part.cells);
    const rows = await mapGently(
      number === 0 && headLine !== survey.headLine ? listBelow(stored, survey, headLine) : stored,
      (row) => row.cells,
      (row) => readRow(row, reading, known),
    );
    calls += planBatches(rows).length;
  }
  return calls;
}
