/** The export of a search. Its page costs nothing; its files are pages of the API, charged to the chosen key. */

import { ask, chooseKey, type Explorer, renderNoKey, searchOptions } from '../explorer/ask.ts';
import { pageTarget, readExport } from '../explorer/export-plan.ts';
import { recordPath } from '../explorer/record-parts.ts';
import type { Download, MemberCall, Page, PortalRoute, Redirect } from '../frame/call.ts';
import { countMatches } from '../search/matches.ts';
import { listExportColumns } from './columns.ts';
import { readParts } from './file.ts';
import { nameFile } from './file-name.ts';
import { EXPORT_FORMATS } from './formats.ts';
import { renderExportPage } from './page.ts';
import { buildExportProgress, type ExportProgress } from './progress.ts';

export function listExportRoutes(explorer: Explorer): PortalRoute[] {
  const progress = buildExportProgress();
  return [
    { method: 'GET', url: '/explorer/export', members: (call) => showExport(call, explorer, progress) },
    { method: 'GET', url: '/explorer/export/file', members: (call) => sendFile(call, explorer, progress) },
  ];
}

async function showExport(call: MemberCall, { services, answers }: Explorer, progress: ExportProgress): Promise<Page> {
  const choice = await chooseKey(call, services, answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Export', section: 'explorer' });
  const plan = readExport(call.query);
  const total = await countMatches(call.user.customer_id, plan.pairs, services);
  const exported = choice.key === null ? null : progress.find(choice.key.id, pageTarget(plan, plan.cursor));
  return renderExportPage({ choice, plan, total, exported, refusal: null });
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
