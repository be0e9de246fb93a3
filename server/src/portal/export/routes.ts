/**
 * The export of a search. Its page has its content, its cost and its progress, and costs nothing; its files are pages
 * of the API, charged to the chosen key.
 */

import { html } from 'htm/preact';
import {
  ask,
  chooseKey,
  type Explorer,
  type KeyChoice,
  type Refusal,
  renderKeyChoice,
  searchOptions,
} from '../explorer/ask.ts';
import { paidPage } from '../explorer/asked-page.ts';
import {
  type ExportPlan,
  exportPath,
  FILE_ROWS_MAX,
  pageRowsOf,
  pageTarget,
  planCost,
  readExport,
} from '../explorer/export-plan.ts';
import { renderRefused } from '../explorer/outcome-view.ts';
import { recordPath } from '../explorer/record-parts.ts';
import { COLUMNS, DEFAULT_COLUMNS, hasNames, needsPayload } from '../explorer/record-table.ts';
import { encodePairs, type SearchPairs } from '../explorer/search-pairs.ts';
import { renderFilterChips } from '../explorer/search-words.ts';
import type { Download, MemberCall, Page, PortalRoute, Redirect } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderTrail,
} from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderCode } from '../frame/wording.ts';
import { nameOf } from '../keys/terms.ts';
import { countMatches } from '../search/readings.ts';
import {
  buildExportProgress,
  EXPORT_FORMATS,
  type Exported,
  type ExportProgress,
  listExportColumns,
  nameExport,
  nameFile,
  readParts,
} from './file.ts';

export function listExportRoutes(explorer: Explorer): PortalRoute[] {
  const progress = buildExportProgress();
  return [
    paidPage('/explorer/export', explorer, { title: 'Export', section: 'explorer' }, (call, choice) =>
      showExport(call, explorer, choice, progress),
    ),
    { method: 'GET', url: '/explorer/export/file', members: (call) => sendFile(call, explorer, progress) },
  ];
}

async function showExport(
  call: MemberCall,
  { services }: Explorer,
  choice: KeyChoice,
  progress: ExportProgress,
): Promise<Page> {
  const plan = readExport(call.query);
  const total = await countMatches(call.user.customer_id, plan.pairs, services);
  const exported = choice.key === null ? null : progress.get(nameExport(choice.key.id, pageTarget(plan, plan.cursor)));
  return renderExportPage({ choice, plan, total, exported: exported ?? null, refusal: null });
}

/** A link on another site, or one without a key or a known format, leads to the page, which costs nothing. */
async function sendFile(
  call: MemberCall,
  explorer: Explorer,
  progress: ExportProgress,
): Promise<Page | Redirect | Download> {
  const { services } = explorer;
  const choice = await chooseKey(call, services, explorer.answers);
  const { key } = choice;
  const format = EXPORT_FORMATS[call.query.get('format') ?? ''];
  if (key === null || format === undefined || call.fromElsewhere) {
    return { to: `/portal/explorer/export?${call.target.split('?')[1] ?? ''}` };
  }
  const plan = readExport(call.query);
  // The first page comes before the file, so that a search that is refused is answered with a page.
  const target = pageTarget(plan, plan.cursor);
  const outcome = await ask(call, explorer, choice, target, searchOptions(target, services));
  if (outcome === null || outcome.refusal !== null) {
    return renderExportPage({ choice, plan, total: null, exported: null, refusal: outcome?.refusal ?? null });
  }
  const columns = listExportColumns(plan.columns, {
    linkRecord: (record) => call.origin + recordPath(record, { keyId: key.id, from: null }),
    languages: call.languages,
  });
  const order = { plan, keyId: key.id, origin: call.origin };
  return {
    download: nameFile(plan, services.clock.nowMs(), format.extension),
    type: format.type,
    chunks: format.encode(readParts(explorer, progress, order), columns),
  };
}

interface ExportState {
  readonly choice: KeyChoice;
  readonly plan: ExportPlan;
  readonly total: number | null;
  /** Null if no file of this part was written, or this process forgot it. */
  readonly exported: Exported | null;
  /** Why the last download was refused; null if it was not. */
  readonly refusal: Refusal | null;
}

function renderExportPage(state: ExportState): Page {
  const { choice, plan, refusal } = state;
  const keyId = choice.key?.id ?? '';
  const shown: SearchPairs = plan.columns === null ? [] : [['columns', plan.columns.join('.')]];
  const search = `/portal/explorer${encodePairs([...plan.pairs, ...shown, ['key', keyId]])}`;
  const body = html`
    <section>
      ${renderTrail({ label: 'Back to the search', href: search })}
      ${renderHeading('Export')}
      ${renderFilterChips(plan.pairs, null)}
      ${refusal === null ? null : renderRefused(refusal)}
      ${choice.key === null ? renderChoice(state) : renderFiles(state, keyId, nameOf(choice.key))}
    </section>
  `;
  return { title: 'Export', body, section: 'explorer' };
}

function renderChoice({ choice, plan }: ExportState): unknown {
  const form = html`
    <form method="get" action="/portal/explorer/export" class="stack">
      ${choice.fault === null ? null : html`<p role="alert">${choice.fault}</p>`}
      ${plan.pairs.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      ${renderKeyChoice(choice)}
      ${renderButton('Choose')}
    </form>
  `;
  return renderNotice('plain', form);
}

function renderFiles({ plan, total, exported }: ExportState, keyId: string, keyName: string): unknown {
  const place = plan.cursor === null ? null : { cursor: plan.cursor, row: plan.before };
  const query = exportPath(plan, keyId, place).split('?')[1] ?? '';
  return html`
    <p>${describeRows(plan, total)}</p>
    ${isNothingLeft(plan, total) ? null : renderDownloads(plan, total, { keyId, keyName, query })}
    ${exported === null ? null : renderProgress(plan, exported, keyId)}
  `;
}

function renderDownloads(
  plan: ExportPlan,
  total: number | null,
  { keyId, keyName, query }: { keyId: string; keyName: string; query: string },
): unknown {
  const file = `/portal/explorer/export/file?${query}`;
  return html`
    <p>${describeCost(plan, total)} The key that pays is <bdi>${keyName}</bdi>.</p>
    ${renderColumns(plan, keyId)}
    ${renderNames(plan, keyId)}
    ${renderActions(
      ...Object.entries(EXPORT_FORMATS).map(([name, { title }], at) =>
        renderLinkButton(`Download ${title}`, `${file}&format=${name}`, at === 0 ? 'first' : 'second', {
          rel: 'nofollow',
        }),
      ),
    )}
    <p class="hint">
      If the download stops early, the last line says where to continue. Downloading a file again within five
      minutes costs nothing for the pages that are still remembered.
    </p>
    <p class="hint">
      Excel has a filter on every column, dates as dates, links to each record here and at its office, and no formula.
      In CSV, a cell that a spreadsheet would run as a formula begins with an apostrophe. NDJSON is for programs: every
      record exactly as the API delivers it.
    </p>
  `;
}

function linkOther(plan: ExportPlan, keyId: string, other: Partial<ExportPlan>): string {
  const place = plan.cursor === null ? null : { cursor: plan.cursor, row: plan.before };
  return exportPath({ ...plan, ...other }, keyId, place);
}

/** Which columns Excel and CSV have: those that the table was given, or everything. */
function renderColumns(plan: ExportPlan, keyId: string): unknown {
  const { columns } = plan;
  if (columns === null) {
    const href = linkOther(plan, keyId, { columns: DEFAULT_COLUMNS });
    return html`<p>Excel and CSV have every column. <a href=${href}>Only the columns of the table</a></p>`;
  }
  const href = linkOther(plan, keyId, { columns: null });
  const titles = columns.flatMap((name) => (name === 'image' ? [] : (COLUMNS[name]?.label ?? [])));
  return html`
    <p>
      Excel and CSV have the columns of your table: ${['Mark', ...titles].join(', ')}, with links.${' '}
      <a href=${href}>Every column</a>
    </p>
  `;
}

/** The other spelling of names is one click away, with its price. */
function renderNames(plan: ExportPlan, keyId: string): unknown {
  const { columns } = plan;
  if (needsPayload(columns ?? [])) {
    return html`<p>The columns of your table need whole records, so names are spelled as the office does.</p>`;
  }
  if (columns !== null && !hasNames(columns)) return null;
  const other = { ...plan, isSpelled: !plan.isSpelled };
  const href = linkOther(plan, keyId, other);
  if (plan.isSpelled) {
    return html`
      <p>
        Names of owners and representatives are spelled as the office does.${' '}
        <a href=${href}>Use lower case for one unit per ${pageRowsOf(other)} rows</a>
      </p>
    `;
  }
  return html`
    <p>
      Names of owners and representatives are in lower case.${' '}
      <a href=${href}>Spell them as the office does, for one unit per ${pageRowsOf(other)} rows</a>
    </p>
  `;
}

/** A file without a row would still cost a unit. */
function isNothingLeft({ before }: ExportPlan, total: number | null): boolean {
  return total !== null && total <= (before ?? 0);
}

function describeRows(plan: ExportPlan, total: number | null): string {
  const { before } = plan;
  if (total === 0) return 'Nothing matches, so there is nothing to export.';
  if (isNothingLeft(plan, total)) return 'Nothing is left to export.';
  const most = `This file has at most ${formatCount(FILE_ROWS_MAX)} rows.`;
  if (total === null) return `${most} The matches could not be counted.`;
  if (before === null) return `${most} ${formatCount(total)} match in all.`;
  const last = Math.min(total, before + FILE_ROWS_MAX);
  return `This file has rows ${formatCount(before + 1)}–${formatCount(last)} of ${formatCount(total)}.`;
}

function describeCost(plan: ExportPlan, total: number | null): string {
  const rule = `one for every ${pageRowsOf(plan)} rows`;
  const cost = planCost(plan, total);
  if (cost === null) return `It costs units, ${rule}.`;
  const { units, unitsLeft } = cost;
  const all = unitsLeft > units ? `, and everything that is left ${formatCount(unitsLeft)}` : '';
  return `It costs ${formatCount(units)} ${units === 1 ? 'unit' : 'units'}${all}: ${rule}.`;
}

function renderProgress(plan: ExportPlan, { rows, at, cursor, refusal }: Exported, keyId: string): unknown {
  const row = plan.before === null ? null : plan.before + rows;
  const progressNote = html`
      <p>
        ${formatCount(rows)} rows were exported on ${renderInstant(at)}${refusal === null ? '' : html`; then the file ended early (${renderCode(refusal)})`}.
        ${cursor === null ? ' That was everything.' : null}
      </p>
      ${
        cursor === null
          ? null
          : renderActions(renderLinkButton('Continue from there', exportPath(plan, keyId, { cursor, row }), 'second'))
      }
  `;
  return renderNotice('plain', progressNote, 'status');
}
