/** One load: what it read, its issues by kind, path and value, and the records that it rejected. */
import { html } from 'htm/preact';
import type { CountedIssue, IssueExample, IssueFilter, StoredReject } from '../../store/publish/findings.ts';
import type { LoadSummary } from '../../store/publish/loads.ts';
import type { Page } from '../frame/call.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { linkTo, renderFurther, renderListing, renderSelect, renderText } from './listing.ts';
import { renderLoadState } from './loads-page.ts';

export const ISSUES_PAGE = 50;
export const REJECTS_PAGE = 10;
/** Of the source of a reject; a download has all of it. */
const SOURCE_CHARACTERS_MAX = 4000;

export interface LoadState {
  readonly load: LoadSummary;
  readonly filter: IssueFilter;
  /** One more than a page. */
  readonly issues: readonly CountedIssue[];
  readonly rejects: readonly StoredReject[];
  /** What each kind of issue means. */
  readonly meanings: Readonly<Record<string, string>>;
  /** Names the place after the last issue of the page, for the next one. */
  readonly encodeIssue: (issue: CountedIssue) => string;
}

export function renderLoad(state: LoadState): Page {
  const { load } = state;
  const body = html`
    <p class="trail"><a href="/portal/operator/loads">Loads</a></p>
    <h1>Load <code>${load.load_id.slice(0, 8)}</code></h1>
    ${renderFacts(load)}
    ${renderIssues(state)}
    ${renderRejects(state)}
  `;
  return { title: `Load ${load.load_id.slice(0, 8)}`, body, section: 'operator/loads', wide: true };
}

function renderFacts(load: LoadSummary): unknown {
  const { format, source, started_at, finished_at, data_current_through, failure, load_id } = load;
  const counts = (['read', 'new', 'changed', 'unchanged', 'rejected'] as const).map(
    (name) => `${formatCount(load[name])} ${name}`,
  );
  return html`
    <dl class="facts">
      <div><dt>State</dt><dd>${renderLoadState(load)}</dd></div>
      ${failure === null ? null : html`<div><dt>Failure</dt><dd><bdi>${failure}</bdi></dd></div>`}
      <div><dt>Format</dt><dd>${format}</dd></div>
      <div><dt>Source</dt><dd><bdi>${source}</bdi></dd></div>
      <div><dt>Started</dt><dd>${renderInstant(started_at, 'second')}</dd></div>
      <div><dt>Ended</dt><dd>${renderInstant(finished_at, 'second')}</dd></div>
      <div><dt>Current through</dt><dd>${renderInstant(data_current_through)}</dd></div>
      <div><dt>Records</dt><dd>${counts.join(', ')}</dd></div>
      <div><dt>Id</dt><dd><code>${load_id}</code></dd></div>
    </dl>
  `;
}

function renderIssues(state: LoadState): unknown {
  const { load, filter, meanings, encodeIssue } = state;
  const path = `/portal/operator/loads/${load.load_id}`;
  const asked = { kind: filter.code, path: filter.pathPart };
  const rows = state.issues.slice(0, ISSUES_PAGE);
  const last = state.issues.length > ISSUES_PAGE ? rows.at(-1) : undefined;
  const kinds = [...new Set(rows.map(({ code }) => code))];
  return html`
    <section>
      <h2>Issues</h2>
      <p>
        ${formatCount(load.issues)} issues. With the rejects as
        ${' '}<a href=${linkTo(`${path}/findings.json`, asked)} download>JSON</a> or
        ${' '}<a href=${linkTo(`${path}/findings.ndjson`, asked)} download>NDJSON</a>.
      </p>
      <form method="get" action=${path} class="row">
        ${renderSelect(
          'kind',
          'Kind',
          [{ value: '', label: 'Any' }, ...Object.keys(meanings).map((value) => ({ value, label: value }))],
          filter.code ?? '',
        )}
        ${renderText('path', 'Path contains', filter.pathPart ?? '')}
        <button type="submit" class="second">Show</button>
      </form>
      ${renderListing({
        label: 'Issues',
        rows,
        keyOf: ({ code, path: at, value }) => `${code} ${at} ${value}`,
        empty: filter.code === null && filter.pathPart === null ? 'No issue.' : 'No issue of this kind and path.',
        columns: [
          { title: 'Kind', cell: ({ code }) => code },
          { title: 'Count', cell: ({ count }) => formatCount(count), kind: 'number' },
          { title: 'Path', cell: (issue) => html`<code>${issue.path}</code>`, kind: 'name' },
          { title: 'Value', cell: ({ value }) => html`<bdi>${value}</bdi>`, kind: 'name' },
          { title: 'Examples', cell: ({ examples }) => renderExamples(examples), kind: 'name' },
        ],
      })}
      ${renderFurther(last === undefined ? null : linkTo(path, { ...asked, after: encodeIssue(last) }), 'More issues')}
      ${
        kinds.length === 0
          ? null
          : html`
              <dl class="facts">
                ${kinds.map((kind) => html`<div key=${kind}><dt>${kind}</dt><dd>${meanings[kind] ?? ''}</dd></div>`)}
              </dl>
            `
      }
    </section>
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

function renderRejects({ load, filter, rejects }: LoadState): unknown {
  // Rejects have neither kind nor path.
  if (filter.code !== null || filter.pathPart !== null) return null;
  const rows = rejects.slice(0, REJECTS_PAGE);
  const last = rejects.length > REJECTS_PAGE ? rows.at(-1) : undefined;
  const path = `/portal/operator/loads/${load.load_id}`;
  return html`
    <section id="rejects">
      <h2>Rejected records</h2>
      ${rows.length === 0 ? html`<p class="empty">No reject.</p>` : html`<p>${formatCount(load.rejected)} records.</p>`}
      ${rows.map(
        ({ ordinal, position, reason, raw }) => html`
          <details key=${ordinal}>
            <summary><bdi>${position}: ${reason}</bdi></summary>
            <pre tabindex="0" role="region" aria-label=${`Source of reject ${ordinal}`}><code>${cut(raw)}</code></pre>
          </details>
        `,
      )}
      ${renderFurther(
        last === undefined ? null : `${linkTo(path, { reject: String(last.ordinal) })}#rejects`,
        'More rejected records',
      )}
    </section>
  `;
}

function cut(raw: Buffer): string {
  const text = raw.toString('utf8');
  return text.length > SOURCE_CHARACTERS_MAX ? `${text.slice(0, SOURCE_CHARACTERS_MAX).toWellFormed()}…` : text;
}
