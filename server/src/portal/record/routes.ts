/**
 * The page of one record, in its current or a past version: one look-up of the public API with a key that the person
 * chose, judged and metered like any other. The family, the changes, and the pages of the record's parts and JSON cost
 * nothing more.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { isoInstant } from '../../base/clock.ts';
import type { VersionEvent } from '../../store/records/history.ts';
import { ask, baseUrlOf, chooseKey, renderNoKey } from '../explorer/ask.ts';
import { findNeighbours } from '../explorer/recalled-results.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import { type MemberCall, type Page, type PortalRoute, pageNotFound } from '../frame/call.ts';
import type { PortalServices } from '../services.ts';
import { findFamily } from './family.ts';
import { renderRecordPage } from './record-page.ts';

export function listRecordRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  return [
    {
      method: 'GET',
      url: '/explorer/records/:register/*',
      members: (call) => showRecord(call, services, answers),
    },
  ];
}

/** The stamp of a version, as the history writes it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

async function showRecord(call: MemberCall, services: PortalServices, answers: Answers): Promise<Page> {
  const choice = await chooseKey(call, services, answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Record', section: 'explorer' });
  const { register = '', '*': uid = '' } = call.params;
  const version = call.query.get('version');
  if (version !== null && !INSTANT.test(version)) throw pageNotFound();
  const path = `/v1/${encodeURIComponent(register)}/trademarks/${encodeURIComponent(uid)}`;
  const versionPath = version === null ? path : `${path}/history/${encodeURIComponent(version)}`;
  const target = `${versionPath}?expand=payload`;
  const request = { baseUrl: baseUrlOf(call, services), target, keyId: choice.key?.id ?? '' };
  const outcome = await ask(call, { services, answers }, choice, target);
  const isServed = outcome !== null && outcome.refusal === null;
  const record = isServed ? (outcome.answer.body as TrademarkDetail) : null;
  const isWhole = !call.query.has('part') && !call.query.has('json');
  const [family, change] =
    record === null
      ? [[], null]
      : await Promise.all([
          isWhole && version === null ? findFamily(call.user.customer_id, record, services) : [],
          isWhole || version !== null ? findChange(record, services) : null,
        ]);
  const today = isoInstant(services.clock.nowMs()).slice(0, 10);
  const isInSearch = choice.key !== null && version === null;
  const neighbours = isInSearch
    ? await findNeighbours(call, { services, answers }, choice.key.id, { register, uid })
    : null;
  const shown = { register, uid, version, choice, outcome, record, change, family, request, neighbours, today };
  return renderRecordPage(call, shown);
}

function findChange(record: TrademarkDetail, services: PortalServices): Promise<VersionEvent | null> {
  const { jurisdiction_code: register, uid, updated_at: version } = record;
  return services.findChange({ register, uid, version });
}
