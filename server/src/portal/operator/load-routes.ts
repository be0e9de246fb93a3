/** Loads, as `tmds loads` and `tmds issues` have them, with the same files to download. */

import {
  closeRejects,
  countOpenOfLoad,
  type IssuePosition,
  listIssues,
  listRejects,
} from '../../store/publish/findings.ts';
import { isFiltered, writeFindingLines, writeFindings } from '../../store/publish/findings-text.ts';
import { findLoads, type LoadPosition, type LoadSummary, listLoads } from '../../store/publish/loads.ts';
import {
  type Download,
  type Page,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
  type SignedInCall,
} from '../frame/call.ts';
import { NO_FIELDS } from '../frame/forms.ts';
import { doOnce } from '../frame/once.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { readPosition } from '../frame/paging.ts';
import type { PortalServices } from '../services.ts';
import { decodePosition, encodePosition, readText } from './listing.ts';
import { ISSUES_PAGE, LOADS_PAGE, REJECTS_PAGE, renderLoad, renderLoads } from './load-pages.ts';

/** More than a load keeps of either. */
const FINDINGS_MAX = 100_000;

export function listLoadRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit } = buildOperatorRoutes(services);
  const one = '/loads/:id';
  return [
    show('/loads', showLoads),
    show(one, showLoad),
    submit(`${one}/close`, one, NO_FIELDS, { answer: closeOpen }),
    show(`${one}/findings.json`, (call) => download(call, services, 'json')),
    show(`${one}/findings.ndjson`, (call) => download(call, services, 'ndjson')),
  ];
}

async function showLoads({ query }: SignedInCall, { database }: PortalServices): Promise<Page> {
  const place = readPosition(query);
  const before: LoadPosition | null = place === null ? null : { started_at: place.at, load_id: place.id };
  return renderLoads(await listLoads(database, { limitMax: LOADS_PAGE + 1, before }));
}

async function findLoad({ params }: SignedInCall, { database }: PortalServices): Promise<LoadSummary> {
  const [load] = await findLoads(database, { idStart: params.id ?? '', limitMax: 1 });
  if (load === undefined || load.load_id !== params.id) throw pageNotFound();
  return load;
}

function readFilter({ query }: SignedInCall): { code: string | null; pathPart: string | null } {
  return { code: readText(query, 'kind'), pathPart: readText(query, 'path') };
}

async function showLoad(call: SignedInCall, services: PortalServices): Promise<Page> {
  const { database, operations } = services;
  const load = await findLoad(call, services);
  const filter = readFilter(call);
  const loadId = load.load_id;
  const after = decodeIssue(call.query.get('after'));
  const rejectAfter = Number(/^\d{1,9}$/.exec(call.query.get('reject') ?? '')?.[0] ?? 0);
  const [issues, rejects, open] = await Promise.all([
    listIssues(database, { loadId, limitMax: ISSUES_PAGE + 1, ...filter, after }),
    isFiltered(filter) ? [] : listRejects(database, { loadId, limitMax: REJECTS_PAGE + 1, after: rejectAfter }),
    countOpenOfLoad(database, loadId),
  ]);
  const { issueMeanings: meanings, issueRemedies: remedies } = operations;
  return renderLoad(call, { load, filter, issues, rejects, open, meanings, remedies, encodeIssue });
}

async function closeOpen(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const { load_id: loadId } = await findLoad(call, services);
  return await doOnce(call, services.database, async (tx) => {
    await closeRejects(tx, { loadId, ordinals: null, actor: call.person.email });
    return { to: `/portal/operator/loads/${loadId}#rejects` };
  });
}

function encodeIssue({ count, code, path, value }: IssuePosition): string {
  return encodePosition([count, code, path, value]);
}

/** Null for a text that none of our pages made. */
function decodeIssue(text: string | null): IssuePosition | null {
  const [count, code, path, value] = decodePosition(text) ?? [];
  if (!Number.isSafeInteger(count) || [code, path, value].some((each) => typeof each !== 'string')) return null;
  return {
    count: count as number,
    code: code as IssuePosition['code'],
    path: path as string,
    value: value as string,
  };
}

async function download(call: SignedInCall, services: PortalServices, form: 'json' | 'ndjson'): Promise<Download> {
  const load = await findLoad(call, services);
  const asked = { load, limitMax: FINDINGS_MAX, ...readFilter(call) };
  const { database } = services;
  return {
    download: `load-${load.load_id.slice(0, 8)}.${form}`,
    type: form === 'json' ? 'application/json' : 'application/x-ndjson',
    chunks: form === 'json' ? writeFindings(database, asked) : writeFindingLines(database, asked),
  };
}
