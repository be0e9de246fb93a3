/** A docket during and after its comparison: its progress, its findings, and the files. */
import { DOCKET_FIELDS } from '@tmds/contract/docket/fields';
import { type DescribedFinding, RESULTS, type Result } from '@tmds/contract/docket/output';
import { html } from 'htm/preact';
import { recordPath } from '../explorer/record-path.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  type Level,
  renderActions,
  renderBadge,
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
import { formatCount, formFields, renderDay, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import type { Place, ResultPage } from './results.ts';
import type { Counts, Docket } from './stored-docket.ts';

const TITLES: Readonly<Record<Result, readonly [title: string, level: Level]>> = {
  different: ['Differences', 'warn'],
  not_found: ['Not found', 'bad'],
  ambiguous: ['Several candidates', 'warn'],
  invalid: ['Needs fixing', 'off'],
  found: ['Matches', 'good'],
};
/** Results that need attention come first. */
const ORDER = Object.keys(TITLES) as Result[];

/** Seconds until the page of a running comparison is shown again. */
const REFRESH_SECONDS = 3;

export function parseResult(text: string | null): Result | null {
  return RESULTS.find((result) => result === text) ?? null;
}

function resultPath({ docket_id: id }: Docket, result: Result | null, place: Place | null = null): string {
  const query = new URLSearchParams({
    ...(result === null ? {} : { show: result }),
    ...(place === null ? {} : { at: `${place.part}.${place.skipped}` }),
  }).toString();
  return `/portal/reconcile/${id}${query === '' ? '' : `?${query}`}`;
}

export function renderResults(call: MemberCall, docket: Docket, shown: Result | null, page: ResultPage): Page {
  const { counts, findings, next } = page;
  const isWhole = docket.parts_done === docket.parts;
  const tabs = [null, ...ORDER].map((result) => ({
    label: html`${result === null ? 'All' : TITLES[result][0]} ${formatCount(result === null ? docket.rows_done : counts[result])}`,
    href: resultPath(docket, result),
    isHere: result === shown,
  }));
  const body = html`
    <section>
      ${renderTrail({ label: 'Dockets', href: '/portal/reconcile' })}
      ${renderHeading(
        html`<bdi>${docket.name}</bdi>`,
        renderLinkButton('Delete', `/portal/reconcile/${docket.docket_id}/delete`, 'quiet'),
      )}
      ${isWhole ? renderDone(call, docket, shown, counts) : renderProgress(call, docket)}
      <div id="results" tabindex="-1">
      ${renderTabs('Results', tabs)}
      ${findings.length === 0 ? renderEmpty('No rows with this result.') : renderFindings(docket, shown, findings)}
      ${renderPager([next === null ? null : { label: 'Next rows', href: resultPath(docket, shown, next) }])}
      </div>
    </section>
  `;
  return {
    title: docket.name,
    body,
    section: 'reconcile',
    results: true,
    ...(isWhole || !docket.is_running ? {} : { refreshSeconds: REFRESH_SECONDS }),
  };
}

function renderDone(
  call: MemberCall,
  { docket_id: id, rows, units }: Docket,
  shown: Result | null,
  counts: Counts,
): unknown {
  const found = counts.found + counts.different;
  const part = shown === null ? '' : `&show=${shown}`;
  const file = (format: string): string => `/portal/reconcile/${id}/file?format=${format}${part}`;
  return html`
    <p>${formatCount(rows)} rows were compared for ${formatCount(units)} ${units === 1 ? 'unit' : 'units'}.</p>
    ${renderActions(
      renderLinkButton('Download CSV', file('csv'), 'first', { rel: 'nofollow' }),
      renderLinkButton('Download NDJSON', file('ndjson'), 'second', { rel: 'nofollow' }),
    )}
    <p class="hint">
      CSV has your columns and ours. A cell that a spreadsheet would run as a formula begins with an
      apostrophe.
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
    const told = html`<p>${spent}</p> <progress aria-label="Rows compared" max=${rows} value=${done}></progress>`;
    return renderNotice('plain', told, 'status');
  }
  const why = failure === null ? 'The comparison was interrupted.' : `The comparison stopped: ${failure}.`;
  const form = html`
    <p>${why} ${spent}</p>
    <form method="post" action=${`/portal/reconcile/${id}/continue`}>${formFields(call)}${renderButton('Continue')}</form>
  `;
  return renderNotice('warn', form, 'status');
}

function renderFindings(docket: Docket, shown: Result | null, findings: readonly DescribedFinding[]): unknown {
  const opening = { keyId: docket.key_id ?? '', from: resultPath(docket, shown) };
  const link = (register: string | null, uid: string, text: string): unknown =>
    html`<a rel="nofollow" href=${recordPath({ jurisdiction_code: register ?? '', uid }, opening)}><bdi>${text}</bdi></a>`;
  return renderTable<DescribedFinding>({
    label: 'Rows',
    rows: findings,
    keyOf: ({ line }) => String(line),
    columns: [
      { label: 'Line', style: 'number', isHeader: true, cell: ({ line }) => formatCount(line) },
      { label: 'Register', cell: ({ jurisdiction_code: code }) => code ?? '' },
      {
        label: 'Number',
        cell: ({ numbers, uid, jurisdiction_code: code }) =>
          uid === null ? numbers.join(', ') || null : link(code, uid, numbers.join(', ')),
      },
      { label: 'Result', cell: ({ result }) => renderBadge(TITLES[result][1], TITLES[result][0]) },
      { label: 'Details', style: 'words', cell: (finding) => renderSaid(finding, link) },
      {
        label: 'Record changed',
        style: 'date',
        cell: ({ updated_at: at }) => (at === null ? '' : renderDay(at)),
      },
      {
        label: 'Current through',
        style: 'date',
        cell: ({ known_through: at }) => (at === null ? '' : renderInstant(at)),
      },
    ],
  });
}

function renderSaid(
  { reason, differences, candidates, not_compared: notCompared, jurisdiction_code: code }: DescribedFinding,
  link: (register: string | null, uid: string, text: string) => unknown,
): unknown {
  if (reason === null && differences.length + candidates.length + notCompared.length === 0) return null;
  return html`
    ${reason}
    ${differences.map(
      ({ field, yours, register }) => html`
        <div key=${field}>
          ${DOCKET_FIELDS[field]}: you have “<bdi>${yours}</bdi>”, the register
          ${register === null ? ' states none' : html` has <strong>“<bdi>${register}</bdi>”</strong>`}.
        </div>
      `,
    )}
    ${candidates.map(({ uid }) => html`<div key=${uid}>${link(code, uid, uid)}</div>`)}
    ${notCompared.map(
      ({ field, reason: why }) => html`
        <div key=${field} class="hint">${DOCKET_FIELDS[field]} is not compared: ${why}.</div>
      `,
    )}
  `;
}

export function renderDelete(call: MemberCall, { docket_id: id, name }: Docket): Page {
  const back = `/portal/reconcile/${id}`;
  const body = html`
    <section class="narrow">
      ${renderHeading('Delete the docket')}
      <p><bdi>${name}</bdi> and what was found about it are deleted. A comparison that is under way ends.</p>
      ${renderConfirm({ action: `${back}/delete`, tokens: formFields(call), label: 'Delete', back })}
    </section>
  `;
  return { title: 'Delete the docket', body, section: 'reconcile' };
}
