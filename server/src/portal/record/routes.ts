/**
 * The page of one record: one look-up of the public API with a key that the person chose, judged and metered like any
 * other. The family, and the pages of the record's parts and JSON, cost nothing more.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { isoInstant } from '../../base/clock.ts';
import { ask, baseUrlOf } from '../explorer/ask.ts';
import { chooseKey, renderNoKey } from '../explorer/charged-key.ts';
import { findNeighbours } from '../explorer/neighbours.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
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

async function showRecord(call: MemberCall, services: PortalServices, answers: Answers): Promise<Page> {
  const choice = await chooseKey(call, services, answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Record', section: 'explorer' });
  const { register = '', '*': uid = '' } = call.params;
  const path = `/v1/${encodeURIComponent(register)}/trademarks/${encodeURIComponent(uid)}`;
  const target = `${path}?expand=payload`;
  const request = { baseUrl: baseUrlOf(call, services), target, keyId: choice.key?.id ?? '' };
  const outcome = await ask(call, { services, answers }, choice, target);
  const isServed = outcome !== null && outcome.refusal === null;
  const record = isServed ? (outcome.answer.body as TrademarkDetail) : null;
  const isWhole = !call.query.has('part') && !call.query.has('json');
  const family = record !== null && isWhole ? await findFamily(call.user.customer_id, record, services) : [];
  const today = isoInstant(services.clock.nowMs()).slice(0, 10);
  const neighbours = choice.key === null ? null : await findNeighbours(call, answers, choice.key.id, { register, uid });
  return renderRecordPage(call, { register, uid, choice, outcome, record, family, request, neighbours, today });
}
