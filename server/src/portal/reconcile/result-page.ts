/** A docket during and after its comparison: its progress, its findings as a table to work on, and the files. */

import { DOCKET_FIELDS } from '@tmds/contract/docket/fields';
import type { DescribedFinding } from '@tmds/contract/docket/output';
import { html } from 'htm/preact';
import { DOCKET_DAYS } from '../../store/accounts/dockets.ts';
import type { Calendar } from '../../store/dates/calendars.ts';
import { recordPath } from '../explorer/record-parts.ts';
import { renderCalendars } from '../frame/calendar-section.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderBadge,
  renderEmpty,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderPager,
  renderTabs,
  renderTrail,
} from '../frame/components.ts';
import { buttonsField, hiddenField, rowsField } from '../frame/field-kinds.ts';
import { renderTick } from '../frame/fields.ts';
import { declareForm, NO_FIELDS, renderForm } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, renderDay } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { joinSheets } from './list-page.ts';
import {
  type Counts,
  type Docket,
  nameRow,
  PAGE_ROWS,
  type Place,
  type ResultPage,
  type ResultRow,
  SHOWS,
  type Show,
} from './results.ts';
import { type Computed, describeFailure, describeSince, RESULT_TITLES, STATE_TITLES, writeStated } from './wording.ts';

/** What is done about several rows. `back`: the page of the results. */
export const MARKS = declareForm({
  back: hiddenField(false),
  row: rowsField(PAGE_ROWS),
  do: buttonsField({ done: { label: 'Mark as done' }, ignored: { label: 'Ignore' }, open: { label: 'Reopen' } }),
});

const REFRESH_SECONDS = 3;

/** Rows of the last time that are missing now are counted up to this many. */
export const GONE_MAX = 1_000;

export function parseShow(text: string | null): Show | null {
  return SHOWS.find((show) => show === text) ?? null;
}

function resultPath({ docket_id: id }: Docket, show: Show | null, place: Place | null = null): string {
  const query = new URLSearchParams({
    ...(show === null ? {} : { show }),
    ...(place === null || (place.part === 0 && place.skipped === 0) ? {} : { at: `${place.part}.${place.skipped}` }),
  }).toString();
  return `/portal/reconcile/${id}${query === '' ? '' : `?${query}`}`;
}

/** The page of the results that the text names, or else the first one: nothing else can be led back to. */
export function parseBack({ docket_id: id }: Docket, text: string | null): string {
  const path = `/portal/reconcile/${id}`;
  return text !== null && (text === path || text.startsWith(`${path}?`)) && text.length < 200 ? text : path;
}

interface ResultState {
  readonly show: Show | null;
  readonly from: Place;
  readonly page: ResultPage;
  /** Rows of the last time that the docket no longer has; more than `GONE_MAX` are not counted. */
  readonly gone: number;
  readonly calendars: readonly Calendar[];
  readonly computed: ReadonlyMap<DescribedFinding, Computed>;
}

export function renderResults(
  call: MemberCall,
  docket: Docket,
  { show, from, page, gone, computed, calendars }: ResultState,
): Page {
  const { counts, rows, next } = page;
  const isWhole = docket.parts_done === docket.parts;
  const isKnown = counts.known > 0;
  const here = resultPath(docket, show, from);
  const kinds = [
    null,
    'open',
    ...(isKnown ? (['changed'] as const) : []),
    ...Object.keys(RESULT_TITLES),
  ] as (Show | null)[];
  const tabs = kinds.map((kind) => ({
    label: html`${titleOf(kind)} ${formatCount(kind === null ? docket.rows_done : counts[kind])}`,
    href: resultPath(docket, kind),
    isHere: kind === show,
  }));
  const body = html`
    <section>
      ${renderTrail({ label: 'Dockets', href: '/portal/reconcile' })}
      ${renderHeading(
        html`<bdi>${docket.name}</bdi>`,
        renderLinkButton('Delete', `/portal/reconcile/${docket.docket_id}/delete`, 'quiet'),
      )}
      ${joinSheets(docket.survey.sheet)}
      ${isWhole ? renderDone(call, docket, show, counts) : renderProgress(call, docket)}
      ${isKnown && isWhole ? renderLastTime(counts, gone) : null}
      <div id="results" tabindex="-1">
      ${renderTabs('Results', tabs)}
      ${
        rows.length === 0
          ? renderEmpty(show === null ? 'No row has been compared yet.' : 'No rows match. “All” has every row.')
          : renderResultTable(call, { docket, rows, here, isKnown, computed })
      }
      ${renderPager([
        from.part + from.skipped === 0 ? null : { label: 'First rows', href: resultPath(docket, show) },
        next === null ? null : { label: 'Next rows', href: resultPath(docket, show, next) },
      ])}
      </div>
    </section>
    ${isWhole ? renderCalendars(call, { calendars, action: `/portal/reconcile/${docket.docket_id}/calendar`, lasts: LASTS }) : null}
  `;
  return {
    title: docket.name,
    body,
    section: 'reconcile',
    results: true,
    ...(isWhole || !docket.is_running ? {} : { refreshSeconds: REFRESH_SECONDS }),
  };
}

const LASTS = `It works until you revoke it, and as long as the docket is kept: ${24 * DOCKET_DAYS} hours. The calendar of a watch of these records stays.`;

function titleOf(kind: Show | null): string {
  if (kind === null) return 'All';
  if (kind === 'open') return 'To do';
  return kind === 'changed' ? 'Changed' : RESULT_TITLES[kind][0];
}

function renderLastTime({ known, changed }: Counts, gone: number): unknown {
  const left = gone > GONE_MAX ? `more than ${formatCount(GONE_MAX)}` : formatCount(gone);
  const missing =
    gone === 0
      ? null
      : html` ${left} ${gone === 1 ? 'row' : 'rows'} of the last time ${gone === 1 ? 'is' : 'are'} not in this file.`;
  const text = html`
    You have compared ${formatCount(known)} of these rows before.
    ${changed === 0 ? ' Nothing has changed since.' : html` ${formatCount(changed)} ${changed === 1 ? 'row is' : 'rows are'} new or changed since.`}
    ${missing}
  `;
  return renderNotice('plain', text);
}

function renderDone(
  call: MemberCall,
  { docket_id: id, rows, units }: Docket,
  show: Show | null,
  counts: Counts,
): unknown {
  const found = counts.found + counts.different;
  const part = show === null ? '' : `&show=${show}`;
  const file = (format: string): string => `/portal/reconcile/${id}/file?format=${format}${part}`;
  return html`
    <p>${formatCount(rows)} rows were compared for ${formatCount(units)} ${units === 1 ? 'unit' : 'units'}.</p>
    ${renderActions(
      renderLinkButton('Download Excel', file('xlsx'), 'first', { rel: 'nofollow' }),
      renderLinkButton('Download CSV', file('csv'), 'second', { rel: 'nofollow' }),
      renderLinkButton('Download NDJSON', file('ndjson'), 'second', { rel: 'nofollow' }),
    )}
    <p class="hint">
      Excel and CSV have your columns and ours, of the rows that are shown; Excel also has your notes. In CSV, a cell
      that a spreadsheet would run as a formula begins with an apostrophe.
    </p>
    ${
      found === 0
        ? null
        : renderForm(call, NO_FIELDS, {
            action: `/portal/reconcile/${id}/watch`,
            before: html`
              <p class="hint">
                A watch of the records that were found reports when the register changes one of them. It stays when
                the docket is deleted, and creating it costs nothing. <a href="/portal/watches">All watches</a>
              </p>
            `,
            label: 'Watch these records',
            kind: 'second',
          })
    }
  `;
}

function renderProgress(call: MemberCall, docket: Docket): unknown {
  const { docket_id: id, rows, rows_done: done, units, failure, is_running: isRunning } = docket;
  const spent = `${formatCount(done)} of ${formatCount(rows)} rows are compared, for ${formatCount(units)} units so far.`;
  if (isRunning) {
    const comparing = html`<p>${spent}</p> <progress aria-label="Rows compared" max=${rows} value=${done}></progress>`;
    return renderNotice('plain', comparing, 'status');
  }
  const why =
    failure === null ? 'The comparison was interrupted.' : `The comparison stopped: ${describeFailure(failure)}`;
  const form = html`
    <p>${why} ${spent}</p>
    ${renderForm(call, NO_FIELDS, { action: `/portal/reconcile/${id}/continue`, layout: null, label: 'Continue' })}
  `;
  return renderNotice('warn', form, 'status');
}

export function renderDelete(call: MemberCall, { docket_id: id, name }: Docket): Page {
  const back = `/portal/reconcile/${id}`;
  return buildFormPage(
    { title: 'Delete the docket', section: 'reconcile' },
    html`<p>
        <bdi>${name}</bdi>, what was found about it and your marks and notes are deleted. A running comparison ends.
        What is remembered for the next time is <a href="/portal/reconcile/memory">deleted separately</a>.
      </p>
      ${renderForm(call, NO_FIELDS, { action: `${back}/delete`, label: 'Delete', kind: 'danger', back })}`,
  );
}

interface TableState {
  readonly docket: Docket;
  readonly rows: readonly ResultRow[];
  readonly here: string;
  /** Whether an earlier docket had some of the rows. */
  readonly isKnown: boolean;
  readonly computed: ReadonlyMap<DescribedFinding, Computed>;
}

function renderResultTable(call: MemberCall, { docket, rows, here, isKnown, computed }: TableState): unknown {
  const path = `/portal/reconcile/${docket.docket_id}`;
  const opening = { keyId: docket.key_id ?? '', from: here };
  const link = (register: string | null, uid: string, text: string): unknown =>
    html`<a rel="nofollow" href=${recordPath({ jurisdiction_code: register ?? '', uid }, opening)}><bdi>${text}</bdi></a>`;
  const since: TableColumn<ResultRow> = {
    label: 'Since last time',
    style: 'name',
    cell: ({ finding }) => (finding.memory?.since == null ? null : describeSince(finding.memory.since)),
  };
  const reference: TableColumn<ResultRow> = {
    label: 'Your reference',
    cell: ({ finding }) => (finding.reference ? html`<bdi>${finding.reference}</bdi>` : null),
  };
  const hasReference = docket.reading?.mapping.reference !== undefined;
  const rowPath = ({ part, finding }: ResultRow): string =>
    `${path}/rows/${nameRow(part, finding.line)}?${new URLSearchParams({ back: here }).toString()}`;
  const table = renderTable<ResultRow>({
    label: 'Rows',
    rows,
    columns: [
      {
        label: 'Line',
        isHeader: true,
        // On one line, next to its box.
        style: 'date',
        cell: (row) => {
          const { line } = row.finding;
          const box = renderTick('row', nameRow(row.part, line), `line ${line}`);
          return html`<span>${box} <a href=${rowPath(row)}>${formatCount(line)}</a></span>`;
        },
      },
      ...(hasReference ? [reference] : []),
      {
        label: 'Mark',
        style: 'name',
        cell: ({ finding }) => (finding.mark ? html`<bdi>${finding.mark}</bdi>` : null),
      },
      {
        label: 'Register',
        cell: ({ finding: { jurisdiction_code: code } }) => (code === null ? '' : registerName(code)),
      },
      {
        label: 'Number',
        cell: ({ finding: { numbers, uid, jurisdiction_code: code } }) =>
          uid === null ? numbers.join(', ') || null : link(code, uid, numbers.join(', ')),
      },
      { label: 'Result', cell: renderState },
      { label: 'Details', style: 'words', cell: (row) => renderSaid(row, computed.get(row.finding) ?? null, link) },
      ...(isKnown ? [since] : []),
      {
        label: 'Record changed',
        style: 'date',
        cell: ({ finding: { updated_at: at } }) => (at === null ? '' : renderDay(at)),
      },
    ],
  });
  const hint = 'Choose rows and say what you did. The number of a line opens it, for a note.';
  return renderForm(call, MARKS, {
    action: `${path}/marks`,
    before: html`${table}<p class="hint">${hint}</p>`,
    shown: { back: { value: here } },
    label: null,
  });
}

function renderState({ finding: { result }, mark }: ResultRow): unknown {
  const [title, level] = RESULT_TITLES[result];
  const state = mark?.state ?? null;
  const marked = state === null ? null : html` ${renderBadge(STATE_TITLES[state][1], STATE_TITLES[state][0])}`;
  return html`<span>${renderBadge(level, title)}${marked}</span>`;
}

function renderSaid(
  { finding, mark }: ResultRow,
  computed: Computed | null,
  link: (register: string | null, uid: string, text: string) => unknown,
): unknown {
  const {
    reason,
    differences,
    candidates,
    not_compared: notCompared,
    jurisdiction_code: code,
  }: DescribedFinding = finding;
  const note = mark?.note ?? null;
  if (reason === null && note === null && differences.length + candidates.length + notCompared.length === 0)
    return null;
  return html`
    ${reason}
    ${differences.map(
      ({ field, yours, register }) => html`
        <div>
          ${DOCKET_FIELDS[field]}: you have “<bdi>${yours}</bdi>”, the register
          ${register === null ? ' states none' : html` has <strong>“<bdi>${writeStated(field, register)}</bdi>”</strong>`}.
        </div>
      `,
    )}
    ${candidates.map(({ uid }) => html`<div>${link(code, uid, uid)}</div>`)}
    ${notCompared.map(
      ({ field, reason: why }) => html`
        <div class="hint">${DOCKET_FIELDS[field]} is not compared: ${why}.</div>
      `,
    )}
    ${[...(computed?.values() ?? [])].map((sentence) => html`<div>${sentence}</div>`)}
    ${note === null ? null : html`<div><strong>Note:</strong> <bdi>${note}</bdi></div>`}
  `;
}
