/** Pages that are one call of the API with a key that the person chose: the call, and what they all say of it. */
import { html } from 'htm/preact';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
import { type RequestShown, renderRequest } from '../request/request-view.ts';
import {
  ask,
  baseUrlOf,
  chooseKey,
  type Explorer,
  type KeyChoice,
  type Outcome,
  type Refusal,
  renderAsk,
  renderNoKey,
} from './ask.ts';
import { type Explained, renderCost, renderRefused } from './outcome-view.ts';

/** To a team without a live key, the page says how to get one. */
export function paidPage(
  url: string,
  explorer: Explorer,
  head: { readonly title: string; readonly section: 'explorer' | 'registers' },
  show: (call: MemberCall, choice: KeyChoice) => Promise<Page>,
): PortalRoute {
  const { services, answers } = explorer;
  const members = async (call: MemberCall): Promise<Page> => {
    const choice = await chooseKey(call, services, answers);
    return choice.keys.length === 0 ? renderNoKey(call, services, head) : show(call, choice);
  };
  return { method: 'GET', url, members };
}

export interface Asked<Body> {
  readonly choice: KeyChoice;
  /** Empty while no key is chosen. */
  readonly keyId: string;
  readonly outcome: Outcome | null;
  readonly refusal: Refusal | null;
  /** Null if the call was not made, or not served. */
  readonly body: Body | null;
  readonly request: RequestShown;
}

export async function askFor<Body>(
  call: MemberCall,
  explorer: Explorer,
  choice: KeyChoice,
  target: string,
): Promise<Asked<Body>> {
  const outcome = await ask(call, explorer, choice, target);
  const refusal = outcome?.refusal ?? null;
  const keyId = choice.key?.id ?? '';
  const body = outcome !== null && refusal === null ? (outcome.answer.body as Body) : null;
  return {
    choice,
    keyId,
    outcome,
    refusal,
    body,
    request: { baseUrl: baseUrlOf(call, explorer.services), target, keyId },
  };
}

/** Below an answer, or in its place: what to choose or why it is refused, the cost, and the request for programs. */
export function renderAsked(
  call: MemberCall,
  { choice, outcome, refusal, request }: Omit<Asked<unknown>, 'body'>,
  explained?: Explained,
): unknown {
  return html`
    ${outcome === null ? renderAsk(call, choice) : null}
    ${refusal === null ? null : renderRefused(refusal, explained)}
    ${outcome === null ? null : renderCost(outcome)}
    ${renderRequest(request)}
  `;
}
