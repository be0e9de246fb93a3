/** The page of one record. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { MemberCall, Page } from '../frame/call.ts';
import { parseNext } from '../frame/pieces.ts';
import type { Outcome } from './ask.ts';
import { type KeyChoice, renderAsk } from './charged-key.ts';
import { type Neighbours, renderNeighbours } from './neighbours.ts';
import { renderCost, renderRefused } from './outcome-view.ts';
import { renderRecord } from './record-view.ts';
import { type RequestShown, renderRequest } from './request-view.ts';

interface RecordState {
  readonly register: string;
  readonly uid: string;
  readonly choice: KeyChoice;
  readonly outcome: Outcome | null;
  readonly request: RequestShown;
  readonly neighbours: Neighbours | null;
}

export function renderRecordPage(
  call: MemberCall,
  { register, uid, choice, outcome, request, neighbours }: RecordState,
): Page {
  const refusal = outcome?.refusal ?? null;
  const record = outcome !== null && refusal === null ? (outcome.answer.body as TrademarkDetail) : null;
  const body = html`
    ${renderTrail(call)} ${renderNeighbours(neighbours)}
    ${record === null ? html`<h1><bdi>${register} ${uid}</bdi></h1>` : renderRecord(record)}
    ${outcome === null ? renderAsk(call, choice) : null}
    ${refusal === null ? null : renderRefused(refusal)}
    ${outcome === null ? null : renderCost(outcome)}
    ${renderRequest(request)}
  `;
  const title = record?.mark_name ?? `${register} ${uid}`;
  return { title, body, section: 'explorer', status: refusal?.code === 'not_found' ? 404 : 200 };
}

function renderTrail(call: MemberCall): unknown {
  const path = parseNext(call.query.get('from'));
  if (/^\/portal\/explorer\?/.test(path)) return html`<p class="trail"><a href=${path}>Back to the search</a></p>`;
  if (/^\/portal\/feed\?/.test(path)) return html`<p class="trail"><a href=${path}>Back to the changes</a></p>`;
  return html`<p class="trail"><a href="/portal/explorer">Explorer</a></p>`;
}
