/**
 * The search for marks that are alike. Each page makes one call of the endpoint with a key for analytics, so it is
 * judged, metered and refused like any other call. Pictures come from records of an answer that is still remembered.
 */
import { ANALYTICS_ROOT } from '@tmds/contract/extras';
import type { SimilarPage } from '@tmds/contract/likeness';
import { describeCoverage } from '../../render/coverage.ts';
import { listAgreements } from '../../store/accounts/agreements.ts';
import { listRegisterFacts } from '../../store/records/coverage.ts';
import { listDocuments } from '../../store/records/documents.ts';
import { listRegisters } from '../../store/records/registers.ts';
import { ask, chooseKey, type Explorer, type Outcome } from '../explorer/ask.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import {
  type Download,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalRoute,
  pageNotFound,
} from '../frame/call.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import type { PortalServices } from '../services.ts';
import { buildPicture, listShown, spellShown } from './entries-view.ts';
import { buildReportFile, JUDGEMENT, judgeChosen, type Report, readJudgements, refuseJudgement } from './report.ts';
import { renderNoAnalytics, renderSimilar } from './similar-page.ts';
import { readSimilar, type SimilarTarget, similarPath } from './similar-target.ts';

/** A document with larger pictures is not read for one of them. */
const PICTURE_BYTES_MAX = 5 * 1024 * 1024;

export function listSimilarRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  const { submit } = buildMemberRoutes(services);
  return [
    { method: 'GET', url: '/similar', members: (call) => showSimilar(call, explorer) },
    { method: 'GET', url: '/similar/report', members: (call) => sendReport(call, explorer) },
    submit('/similar/judge', '/similar', JUDGEMENT, { refused: refuseJudgement, answer: judgeChosen }),
    { method: 'GET', url: '/similar/pictures/:register/*', members: (call) => sendPicture(call, explorer) },
  ];
}

async function showSimilar(call: MemberCall, explorer: Explorer): Promise<Page> {
  const { services, answers } = explorer;
  const choice = await chooseKey(call, services, answers, 'analytics');
  if (choice.keys.length === 0) {
    return renderNoAnalytics(call, await listAgreements(services.database, call.user.customer_id));
  }
  const registers = await listRegisters(services.database);
  const asked = readSimilar(call.query);
  const outcome = asked.mark === '' ? null : await ask(call, explorer, choice, asked.target);
  const request = {
    baseUrl: `${call.origin}${ANALYTICS_ROOT}`,
    target: asked.target,
    keyId: choice.key?.id ?? '',
  };
  const report = outcome === null || outcome.refusal !== null ? null : await readReport(call, services, asked, outcome);
  return renderSimilar(call, { asked, choice, registers, outcome, request, report });
}

async function readReport(
  { user, origin }: MemberCall,
  { database, clock }: PortalServices,
  asked: SimilarTarget,
  { answer, at }: Outcome,
): Promise<Report> {
  const nowMs = clock.nowMs();
  const [page, facts, judgements] = await Promise.all([
    spellShown(database, answer.body as SimilarPage),
    listRegisterFacts(database, { register: null, nowMs }),
    readJudgements(database, user.customer_id, asked),
  ]);
  const chosen = asked.filters
    .find(([name]) => name === 'jurisdiction')?.[1]
    .toUpperCase()
    .split(',');
  const isSearched = (code: string, records: number): boolean =>
    chosen === undefined ? records > 0 : chosen.some((each) => each.trim() === code);
  const searched = facts.filter(({ jurisdiction_code, record_count }) => isSearched(jurisdiction_code, record_count));
  const coverage = searched.map((each) => describeCoverage(each, nowMs));
  return { page, asked, at, coverage, judgements, origin };
}

/** Costs nothing while the answer of the page is remembered, and a unit later. */
async function sendReport(call: MemberCall, explorer: Explorer): Promise<Download> {
  const { services, answers } = explorer;
  const choice = await chooseKey(call, services, answers, 'analytics');
  const asked = readSimilar(call.query);
  const outcome = asked.mark === '' ? null : await ask(call, explorer, choice, asked.target);
  if (outcome === null || outcome.refusal !== null) {
    const back = similarPath(asked.pairs, choice.key?.id ?? '');
    throw new PageRefusal(403, 'Open the search first', 'The report is made of a search that is open.', back);
  }
  const report = await readReport(call, services, asked, outcome);
  const file = buildReportFile(call.query.get('format') ?? '', report);
  if (file === null) throw pageNotFound();
  return file;
}

/** The picture of a record of the answer, or its words drawn; costs nothing. */
async function sendPicture(call: MemberCall, { services, answers }: Explorer): Promise<Download> {
  const { key } = await chooseKey(call, services, answers, 'analytics');
  const { target } = readSimilar(call.query);
  const stamp = call.query.get('asked') ?? '';
  const answer = key === null ? null : await answers.recall({ keyId: key.id, target, stamp });
  const { register, '*': uid } = call.params;
  const found = answer === null ? [] : listShown(answer.body as SimilarPage).map(({ record }) => record);
  const record = found.find((each) => each.jurisdiction_code === register && each.uid === uid);
  if (record === undefined) throw pageNotFound();
  const [document = null] = await listDocuments(services.database, [record], PICTURE_BYTES_MAX);
  return buildPicture(document === null ? null : JSON.parse(document.toString()), record.mark_name);
}
