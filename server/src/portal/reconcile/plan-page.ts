/**
 * A docket before it is compared: the meaning of its columns, the cost of the comparison, and the button that starts
 * it.
 */
import { DOCKET_FIELDS, type DocketField } from '@tmds/contract/docket/fields';
import { html } from 'htm/preact';
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
import { renderChecks, renderOptions, renderSelect } from '../frame/fields.ts';
import { formatCount, formFields } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { nameOf } from '../keys/terms.ts';
import { joinSheets } from './list-page.ts';
import { type DocketPlan, holdName, listHeadRows } from './plan.ts';
import type { Docket } from './stored-docket.ts';

const FIELDS = Object.keys(DOCKET_FIELDS) as DocketField[];
const SHOWN_CELLS = 3;

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
  const holds = FIELDS.flatMap((field) => {
    const column = plan.mapping[field];
    return column === undefined ? [] : [[holdName(column), field] as const];
  });
  const fields = [
    ...holds,
    ['head', String(plan.headLine)],
    ['register', plan.register ?? ''],
    ['dates', plan.dates ?? ''],
    ['key', choice.key?.id ?? ''],
  ] as const;
  const form = html`
    <p>
      Comparing ${formatCount(plan.rows - docket.rows_done)} rows costs
      <strong> ${formatCount(calls ?? 0)} ${calls === 1 ? 'unit' : 'units'}</strong> of
      <bdi> ${choice.key === null ? '' : nameOf(choice.key)}</bdi>: one for up to 500 numbers of a register, and
      one more where they have more than 500 records.
    </p>
    <form method="post" action=${`${path}/start`} class="stack">
      ${formFields(call)}
      ${fields.map(([name, value]) => html`<input key=${name} type="hidden" name=${name} value=${value} />`)}
      ${renderChecks(
        {
          legend: 'Next time',
          name: 'remember',
          choices: [{ value: 'yes', label: 'Remember these rows, so that the next upload shows what has changed' }],
          chosen: ['yes'],
        },
        'checkbox',
      )}
      <p class="hint">
        Without numbers, marks or names, and in no backup. <a href="/portal/reconcile/memory">What is remembered</a>
      </p>
      ${renderActions(renderButton('Compare'))}
    </form>
  `;
  return renderNotice('plain', form);
}

interface Column {
  readonly name: string;
  readonly position: number;
  readonly cells: readonly string[];
}

/** Length of the cells of a row that is offered as the head. */
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
    keyOf: ({ position }) => String(position),
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
            ${renderOptions(choices, FIELDS.find((field) => mapping[field] === position) ?? '')}
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
