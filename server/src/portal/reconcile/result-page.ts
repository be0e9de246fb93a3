/** A docket during and after its comparison: its progress, its findings, and the files. */
import type { DescribedFinding } from '@tmds/contract/docket/output';
import { html } from 'htm/preact';
import { DOCKET_DAYS } from '../../store/accounts/dockets.ts';
import type { Calendar } from '../../store/dates/calendars.ts';
import { renderCalendars } from '../frame/calendar-section.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderEmpty,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderPager,
  renderTabs,
  renderTrail,
} from '../frame/components.ts';
import { renderConfirm } from '../frame/fields.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, formFields } from '../frame/pieces.ts';
import type { Computed } from './computed.ts';
import { joinSheets } from './list-page.ts';
import { renderResultTable } from './result-table.ts';
import { type Counts, type Place, type ResultPage, SHOWS, type Show } from './results.ts';
import type { Docket } from './stored-docket.ts';
import { describeFailure, RESULT_TITLES } from './wording.ts';

/** Seconds until the page of a running comparison is shown again. */
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
  /** What rules give for dates of these rows. */
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
          ? renderEmpty(wordNoRows(show))
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

function wordNoRows(show: Show | null): string {
  return show === null ? 'No row has been compared yet.' : 'No rows match. “All” has every row.';
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
        : html`
            <form method="post" action=${`/portal/reconcile/${id}/watch`} class="stack">
              ${formFields(call)}
              <p class="hint">
                A watch of the records that were found reports when the register changes one of them. It stays when
                the docket is deleted, and creating it costs nothing. <a href="/portal/watches">All watches</a>
              </p>
              ${renderActions(renderButton('Watch these records', 'second'))}
            </form>
          `
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
    <form method="post" action=${`/portal/reconcile/${id}/continue`}>${formFields(call)}${renderButton('Continue')}</form>
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
      ${renderConfirm({ action: `${back}/delete`, tokens: formFields(call), label: 'Delete', back })}`,
  );
}
