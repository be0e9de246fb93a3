/** Sources, as `tmds sources` has them, with their files. It shows what the checks of `tmds sync` keep. */

import { SOURCE_FILE_STATES } from '../../store/sync/source-files.ts';
import { type FilePosition, listFileReports, listSourceReports } from '../../store/sync/source-reports.ts';
import { type Page, type PortalRoute, pageNotFound, type SignedInCall } from '../frame/call.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import type { PortalServices } from '../services.ts';
import { decodePosition, encodePosition, readChoice } from './listing.ts';
import { FILES_PAGE, renderSource, renderSources } from './sources-page.ts';

export function listSourceRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildOperatorRoutes(services);
  return [show('/sources', showSources), show('/sources/:id', showSource)];
}

async function showSources(_call: SignedInCall, { database, clock }: PortalServices): Promise<Page> {
  return renderSources(await listSourceReports(database, { source: null, nowMs: clock.nowMs() }));
}

async function showSource(call: SignedInCall, { database, clock }: PortalServices): Promise<Page> {
  const { params, query } = call;
  const name = params.id ?? '';
  if (!NAME.test(name)) throw pageNotFound();
  const state = readChoice(query, 'state', SOURCE_FILE_STATES);
  const before = readFile(query.get('before'));
  const [[source], files] = await Promise.all([
    listSourceReports(database, { source: name, nowMs: clock.nowMs() }),
    listFileReports(database, { source: name, state, before, limitMax: FILES_PAGE + 1 }),
  ]);
  if (source === undefined) throw pageNotFound();
  return renderSource({ source, state, files, encodeFile });
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const REVISION_MAX = 2_147_483_647;

function encodeFile({ period, name, revision }: FilePosition): string {
  return encodePosition([period, name, revision]);
}

/** Null for a text that none of our pages made. */
function readFile(text: string | null): FilePosition | null {
  const [period, name, revision] = decodePosition(text) ?? [];
  if (typeof period !== 'string' || typeof name !== 'string' || !Number.isInteger(revision)) return null;
  return Math.abs(revision as number) > REVISION_MAX ? null : { period, name, revision: revision as number };
}
