/** The declared sources, in the words of `tmds sources`, with their files, as the last check of `tmds sync` saw them. */

import { html } from 'htm/preact';
import { SOURCE_FILE_STATES, type SourceFileState, showPeriod } from '../../store/sync/source-files.ts';
import {
  type FilePosition,
  type FileReport,
  listFileReports,
  listSourceReports,
  type SourceReport,
} from '../../store/sync/source-reports.ts';
import { orNotFound, type Page, type PortalRoute, pageNotFound, type SignedInCall } from '../frame/call.ts';
import { type Level, renderBadge, renderFacts, renderHeading, renderNotice, renderTrail } from '../frame/components.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { cutPage, linkTo, renderFurther } from '../frame/paging.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderListing } from '../frame/table.ts';
import { CONDITION_LEVELS, formatPeriod } from '../registers/coverage-view.ts';
import type { PortalServices } from '../services.ts';
import { decodePosition, encodePosition, formatBytes, readChoice, renderFilter } from './listing.ts';

export function listSourceRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildOperatorRoutes(services);
  return [show('/sources', showSources), show('/sources/:id', showSource)];
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const REVISION_MAX = 2_147_483_647;

/** Null for a text that none of our pages made. */
function readFile(text: string | null): FilePosition | null {
  const [period, name, revision] = decodePosition(text) ?? [];
  if (typeof period !== 'string' || typeof name !== 'string' || !Number.isInteger(revision)) return null;
  return Math.abs(revision as number) > REVISION_MAX ? null : { period, name, revision: revision as number };
}

const FILES_PAGE = 50;

const STATE_LEVELS: Readonly<Record<SourceFileState, Level>> = {
  seen: 'plain',
  fetched: 'plain',
  loaded: 'good',
  failed: 'bad',
  late: 'warn',
  skipped: 'warn',
  double: 'plain',
  superseded: 'plain',
};

function pathOf(source: string): string {
  return `/portal/operator/sources/${source}`;
}

async function showSources(_call: SignedInCall, { database, clock }: PortalServices): Promise<Page> {
  const sources = await listSourceReports(database, { source: null, nowMs: clock.nowMs() });
  const body = html`
    ${renderHeading('Sources')}
    ${renderListing({
      label: 'Sources',
      rows: sources,
      empty: 'No source has been checked yet. Declare sources in sources.toml, then run tmds sync.',
      columns: [
        { label: 'Source', cell: ({ source }) => html`<a href=${pathOf(source)}>${source}</a>` },
        { label: 'Condition', cell: renderCondition },
        { label: 'Last file', cell: renderLastFile, style: 'name' },
        { label: 'Loaded', cell: ({ last_loaded_at }) => renderInstant(last_loaded_at) },
        {
          label: 'Next',
          cell: ({ next_period }) => formatPeriod(next_period === null ? null : showPeriod(next_period)),
        },
        { label: 'Overdue from', cell: ({ overdue_at }) => (overdue_at === null ? null : renderInstant(overdue_at)) },
        { label: 'Waiting', cell: ({ waiting }) => formatCount(waiting), style: 'number' },
        { label: 'Gaps', cell: ({ gaps }) => describeGaps(gaps) },
        { label: 'Checked', cell: ({ checked_at }) => renderInstant(checked_at) },
      ],
    })}
    <p class="hint">
      As of the last check. A source with files that was never checked is being checked for the first time, or
      is no longer declared.
    </p>
  `;
  return { title: 'Operator: sources', body, section: 'operator/sources' };
}

function renderCondition({ condition }: SourceReport): unknown {
  return renderBadge(CONDITION_LEVELS[condition], condition);
}

function renderLastFile({ last_file, last_load_id }: SourceReport): unknown {
  if (last_file === null) return null;
  const name = html`<bdi>${last_file}</bdi>`;
  return last_load_id === null ? name : html`<a href=${`/portal/operator/loads/${last_load_id}`}>${name}</a>`;
}

const GAPS_SHOWN = 3;

function describeGaps(gaps: readonly string[], shownMax: number = GAPS_SHOWN): string {
  const shown = gaps.slice(0, shownMax).map(showPeriod).join(', ');
  return gaps.length > shownMax ? `${shown} and ${formatCount(gaps.length - shownMax)} more` : shown;
}

async function showSource({ params, query }: SignedInCall, { database, clock }: PortalServices): Promise<Page> {
  const name = params.id ?? '';
  if (!NAME.test(name)) throw pageNotFound();
  const state = readChoice(query, 'state', SOURCE_FILE_STATES);
  const before = readFile(query.get('before'));
  const [[found], files] = await Promise.all([
    listSourceReports(database, { source: name, nowMs: clock.nowMs() }),
    listFileReports(database, { source: name, state, before, limitMax: FILES_PAGE + 1 }),
  ]);
  const source = orNotFound(found);
  const path = pathOf(name);
  const { rows, further } = cutPage(files, FILES_PAGE, (last) =>
    linkTo(path, { state, before: encodePosition([last.period, last.name, last.revision]) }),
  );
  const body = html`
    ${renderTrail({ label: 'Sources', href: '/portal/operator/sources' })}
    ${renderHeading(html`Source ${source.source}`)}
    ${renderProblem(source)}
    ${renderSourceFacts(source)}
    <section>
      <h2>Files</h2>
      ${renderFilter(path, [{ id: 'state', label: 'State', any: 'Any', choices: SOURCE_FILE_STATES, chosen: state }])}
      ${renderListing({
        label: 'Files',
        rows,
        empty: state === null ? 'No file has been seen yet.' : `No file is ${state}.`,
        columns: [
          { label: 'File', cell: renderFileName },
          { label: 'Period', cell: ({ period }) => formatPeriod(showPeriod(period)) },
          { label: 'State', cell: (file) => renderBadge(STATE_LEVELS[file.state], file.state) },
          { label: 'Why', cell: ({ reason }) => (reason === null ? null : html`<bdi>${reason}</bdi>`), style: 'name' },
          { label: 'Seen', cell: ({ seen_at }) => renderInstant(seen_at) },
          { label: 'Ended', cell: ({ ended_at }) => (ended_at === null ? null : renderInstant(ended_at)) },
          { label: 'Size', cell: ({ bytes }) => (bytes === null ? null : formatBytes(bytes)), style: 'number' },
          {
            label: 'SHA-256',
            cell: ({ digest }) => (digest === null ? null : html`<code>${digest}</code>`),
            style: 'name',
          },
          { label: 'Load', cell: renderLoadLink },
        ],
      })}
      ${renderFurther(further, 'Older files')}
    </section>
  `;
  return { title: `Source ${source.source}`, body, section: 'operator/sources' };
}

const STOP_REMEDY =
  'Nothing more of its register is loaded until tmds sync --retry FILE has loaded it, or --skip FILE left it out.';

function renderProblem({ condition, problem }: SourceReport): unknown {
  if (problem === null) return null;
  const remedy = condition === 'stopped' ? html` ${STOP_REMEDY}` : null;
  return renderNotice('bad', html`<bdi>${problem}</bdi>${remedy}`);
}

function renderSourceFacts(source: SourceReport): unknown {
  const { last_period, next_period, overdue_at, gaps, waiting, late, checked_at, succeeded_at } = source;
  return renderFacts([
    ['Condition', renderCondition(source)],
    ['Last file', renderLastFile(source)],
    ['Of', formatPeriod(last_period === null ? null : showPeriod(last_period))],
    ['Loaded', renderInstant(source.last_loaded_at)],
    ['Next', formatPeriod(next_period === null ? null : showPeriod(next_period))],
    ['Overdue from', overdue_at === null ? null : renderInstant(overdue_at)],
    ['Gaps', gaps.length === 0 ? 'none' : describeGaps(gaps, FILES_PAGE)],
    ['Waiting', formatCount(waiting)],
    ['Came late, not loaded', formatCount(late)],
    ['Checked', renderInstant(checked_at, 'second')],
    ['Last check without a failure', renderInstant(succeeded_at, 'second')],
  ]);
}

function renderFileName({ name, revision }: FileReport): unknown {
  return revision === 1 ? html`<bdi>${name}</bdi>` : html`<bdi>${name}</bdi>, revision ${formatCount(revision)}`;
}

function renderLoadLink({ load_id }: FileReport): unknown {
  if (load_id === null) return null;
  return html`<a href=${`/portal/operator/loads/${load_id}`}><code>${load_id.slice(0, 8)}</code></a>`;
}
