/** The loads, newest first; and one: what it read, its issues by kind, path and value, and its rejected records. */

import { html } from 'htm/preact';
import type { CountedIssue, IssueExample, IssueFilter, KeptReject } from '../../store/publish/findings.ts';
import type { LoadSummary } from '../../store/publish/loads.ts';
import type { Page, SignedInCall } from '../frame/call.ts';
import {
  type Level,
  renderBadge,
  renderCopyable,
  renderDisclosure,
  renderEmpty,
  renderFacts,
  renderHeading,
  renderNotice,
  renderTrail,
} from '../frame/components.ts';
import { NO_FIELDS, renderForm } from '../frame/forms.ts';
import { cutPage, linkTo, renderFurther } from '../frame/paging.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderListing } from '../frame/table.ts';
import { renderFilter } from './listing.ts';

export const LOADS_PAGE = 50;

const STATE_LEVELS: Readonly<Record<LoadSummary['state'], Level>> = {
  staging: 'plain',
  publishing: 'plain',
  finished: 'good',
  failed: 'bad',
  interrupted: 'warn',
};

function renderLoadState({ state }: LoadSummary): unknown {
  return renderBadge(STATE_LEVELS[state], state);
}

export function renderLoads(found: readonly LoadSummary[]): Page {
  const { rows, further } = cutPage(found, LOADS_PAGE, (last) =>
    linkTo('/portal/operator/loads', { before: `${last.started_at}_${last.load_id}` }),
  );
  const counts = ['read', 'new', 'changed', 'unchanged', 'rejected', 'issues'] as const;
  const body = html`
    ${renderHeading('Loads')}
    ${renderListing({
      label: 'Loads',
      rows,
      empty: 'Nothing has been loaded yet.',
      columns: [
        {
          label: 'Load',
          cell: ({ load_id }) => html`
            <a href=${`/portal/operator/loads/${load_id}`}><code>${load_id.slice(0, 8)}</code></a>
          `,
        },
        { label: 'Started', cell: ({ started_at }) => renderInstant(started_at) },
        {
          label: 'State',
          cell: (load) => html`
            ${renderLoadState(load)}${load.failure === null ? null : html`<br /><bdi>${load.failure}</bdi>`}
          `,
        },
        { label: 'Format', cell: ({ format }) => format },
        ...counts.map((name) => ({
          label: name.replace(/^./, (letter) => letter.toUpperCase()),
          cell: (load: LoadSummary) => formatCount(load[name]),
          style: 'number' as const,
        })),
        { label: 'Source', cell: ({ source }) => html`<bdi>${source}</bdi>`, style: 'name' },
      ],
    })}
    ${renderFurther(further, 'Older loads')}
  `;
  return { title: 'Operator: loads', body, section: 'operator/loads' };
}

export const ISSUES_PAGE = 50;
export const REJECTS_PAGE = 10;
/** Characters of a reject's source that the page shows; a download has all of it. */
const SOURCE_CHARACTERS_MAX = 4000;

export interface LoadState {
  readonly load: LoadSummary;
  readonly filter: IssueFilter;
  readonly issues: readonly CountedIssue[];
  readonly rejects: readonly KeptReject[];
  readonly open: number;
  readonly meanings: Readonly<Record<string, string>>;
  readonly remedies: Readonly<Record<string, string>>;
  /** Identifies the last issue of the page, for the next page. */
  readonly encodeIssue: (issue: CountedIssue) => string;
}

export function renderLoad(call: SignedInCall, state: LoadState): Page {
  const { load } = state;
  const body = html`
    ${renderTrail({ label: 'Loads', href: '/portal/operator/loads' })}
    ${renderHeading(html`Load <code>${load.load_id.slice(0, 8)}</code>`)}
    ${renderLoadFacts(load)}
    ${renderIssues(state)}
    ${renderRejects(call, state)}
  `;
  return { title: `Load ${load.load_id.slice(0, 8)}`, body, section: 'operator/loads' };
}

function renderLoadFacts(load: LoadSummary): unknown {
  const { format, source, started_at, finished_at, data_current_through, failure, load_id } = load;
  const counts = (['read', 'new', 'changed', 'unchanged', 'rejected'] as const).map(
    (name) => `${formatCount(load[name])} ${name}`,
  );
  return renderFacts([
    ['State', renderLoadState(load)],
    ['Failure', failure === null ? null : html`<bdi>${failure}</bdi>`],
    ['Format', format],
    ['Source', html`<bdi>${source}</bdi>`],
    ['Started', renderInstant(started_at, 'second')],
    ['Ended', renderInstant(finished_at, 'second')],
    ['Current through', data_current_through === null ? 'unchanged' : renderInstant(data_current_through)],
    ['Records', counts.join(', ')],
    ['Id', html`<code>${load_id}</code>`],
  ]);
}

function describeNoIssue({ state, rejected }: LoadSummary): string {
  if (state !== 'finished') return 'No issue was noted before the load ended.';
  return rejected === 0 ? 'Every value was understood.' : 'Every value of the records that were read was understood.';
}

function renderIssues(state: LoadState): unknown {
  return html`
    <section>
      <h2>Issues</h2>
      ${renderDownloads(state)}
      ${state.load.issues === 0 ? renderEmpty(describeNoIssue(state.load)) : renderIssueList(state)}
    </section>
  `;
}

function renderDownloads({ load, filter }: LoadState): unknown {
  const { load_id, issues, rejected } = load;
  if (issues === 0 && rejected === 0) return null;
  const linkFile = (form: string): string =>
    linkTo(`/portal/operator/loads/${load_id}/findings.${form}`, { kind: filter.code, path: filter.pathPart });
  return html`
    <p>
      ${formatCount(issues)} ${issues === 1 ? 'issue' : 'issues'}. Issues and rejected records as
      ${' '}<a href=${linkFile('json')} download>JSON</a> or <a href=${linkFile('ndjson')} download>NDJSON</a>.
    </p>
  `;
}

function renderIssueList(state: LoadState): unknown {
  const { load, filter, meanings, remedies, encodeIssue } = state;
  const path = `/portal/operator/loads/${load.load_id}`;
  const asked = { kind: filter.code, path: filter.pathPart };
  const { rows, further } = cutPage(state.issues, ISSUES_PAGE, (last) =>
    linkTo(path, { ...asked, after: encodeIssue(last) }),
  );
  const kinds = [...new Set(rows.map(({ code }) => code))];
  return html`
    ${kinds.map((kind) => (remedies[kind] === undefined ? null : renderNotice('warn', remedies[kind])))}
    ${renderFilter(path, [
      { id: 'kind', label: 'Kind', any: 'Any', choices: Object.keys(meanings), chosen: filter.code },
      { id: 'path', label: 'Path contains', value: filter.pathPart },
    ])}
    ${renderListing({
      label: 'Issues',
      rows,
      empty: 'No issue of this kind and path.',
      columns: [
        { label: 'Kind', cell: ({ code }) => code },
        { label: 'Count', cell: ({ count }) => formatCount(count), style: 'number' },
        { label: 'Path', cell: (issue) => html`<code>${issue.path}</code>`, style: 'name' },
        { label: 'Value', cell: ({ value }) => html`<bdi>${value}</bdi>`, style: 'name' },
        { label: 'Examples', cell: ({ examples }) => renderExamples(examples), style: 'name' },
      ],
    })}
    ${renderFurther(further, 'More issues')}
    ${kinds.length === 0 ? null : renderFacts(kinds.map((kind) => [kind, meanings[kind] ?? null]))}
  `;
}

function renderExamples(examples: readonly IssueExample[]): unknown {
  return html`
    <bdi>${examples.map((example, at) => html`${at === 0 ? null : html`<br />`}${describePlace(example)}`)}</bdi>
  `;
}

function describePlace({ jurisdiction_code, uid, position }: IssueExample): string {
  if (uid === null) return position ?? '';
  return position === null ? `${jurisdiction_code} ${uid}` : `${jurisdiction_code} ${uid} (${position})`;
}

function renderRejects(call: SignedInCall, { load, filter, rejects, open }: LoadState): unknown {
  // Rejects have neither kind nor path.
  if (filter.code !== null || filter.pathPart !== null) return null;
  const path = `/portal/operator/loads/${load.load_id}`;
  const { rows, further } = cutPage(
    rejects,
    REJECTS_PAGE,
    ({ ordinal }) => `${linkTo(path, { reject: String(ordinal) })}#rejects`,
  );
  return html`
    <section id="rejects">
      <h2>Rejected records</h2>
      ${rows.length === 0 ? renderEmpty('No record was rejected.') : html`<p>${describeOpen(load, open)}</p>`}
      ${open === 0 ? null : renderClose(call, path)}
      ${rows.map(({ ordinal, position, reason, raw, closed_at }) =>
        renderDisclosure(
          html`<bdi>${position}: ${reason}</bdi>${closed_at === null ? null : html` (closed ${renderInstant(closed_at)})`}`,
          renderCopyable(`Source of reject ${ordinal}`, cut(raw), `reject-${ordinal}`),
        ),
      )}
      ${renderFurther(further, 'More rejected records')}
    </section>
  `;
}

function describeOpen({ rejected }: LoadSummary, open: number): string {
  const all = `${formatCount(rejected)} ${rejected === 1 ? 'record' : 'records'}`;
  return open === 0 ? `${all}, none of them open.` : `${all}, ${formatCount(open)} of them open: not stored since.`;
}

function renderClose(call: SignedInCall, path: string): unknown {
  return renderForm(call, NO_FIELDS, {
    action: `${path}/close`,
    note: html`
      <p class="hint">
        A reject closes automatically when a later load states its record. Close those that need not be stored: the
        register then counts as complete without them.
      </p>
    `,
    label: 'Close all open rejects',
    kind: 'second',
  });
}

function cut(raw: Buffer): string {
  const text = raw.toString('utf8');
  return text.length > SOURCE_CHARACTERS_MAX ? `${text.slice(0, SOURCE_CHARACTERS_MAX).toWellFormed()}…` : text;
}
