/**
 * An answer of several pages. Each further page is a separate call, run by the runner of all calls: judged, metered,
 * limited and logged as if its caller had sent it with the cursor of the page before. It is read when the caller has
 * read the page before, and nothing is held in between: no connection of the database, no turn of a search.
 * Invariants: no record leaves before the unit of its page is stored; a page that is refused or not sent costs nothing;
 * every answer that is not cut off ends with a position.
 */
import { EXPORT_SECONDS_MAX } from '@tmds/contract/limits';
import type { Answer, FurtherPages } from '../render/answer.ts';
import { Call } from './call.ts';
import { type EndpointRequest, type MeteredServices, runEndpoint } from './judge.ts';
import { buildRequestId } from './wire.ts';

/** The whole answer of the call that the first page answers. */
export function goOn(first: Answer, request: EndpointRequest, services: MeteredServices, call: Call): Answer {
  if (first.pages === undefined || first.pages.next === null) return first;
  return { ...first, body: streamPages(first, request, services, call) };
}

async function* streamPages(
  { body, pages: further }: Answer,
  request: EndpointRequest,
  services: MeteredServices,
  call: Call,
): AsyncGenerator<string | Buffer> {
  yield readBody(body);
  let pages = further!;
  let page: Call | null = null;
  call.onGone(() => page?.finish('abandoned'));
  while (pages.next !== null && mayGoOn(call)) {
    page = new Call(describePage(call, pages), call.traffic);
    page.endpoint = call.endpoint;
    page.route = call.route;
    const answer = await runPage(request, pages, services, page);
    const isServed = answer.pages !== undefined;
    // The caller has left, which has ended the call of the page and returned its unit.
    if (call.end !== null) return;
    const sent = isServed ? readBody(answer.body) : pages.end(page.refusal!);
    page.status = answer.status;
    page.hasBegun = true;
    page.sentBytes = Buffer.byteLength(sent);
    // A caller who reads slowly must not hold the turn of a search.
    page.noteSent();
    try {
      yield sent;
    } finally {
      page.finish('whole');
    }
    if (!isServed) return;
    pages = answer.pages;
  }
}

/** No longer than the published limit, and not while the server stops: the position says where to continue. */
function mayGoOn({ traffic, clock, startedMs }: Call): boolean {
  return !traffic.isStopping && clock.monotonicMs() - startedMs < EXPORT_SECONDS_MAX * 1000;
}

function runPage(
  request: EndpointRequest,
  { next }: FurtherPages,
  services: MeteredServices,
  page: Call,
): Promise<Answer> {
  const readInput: EndpointRequest['readInput'] = () => {
    const input = request.readInput();
    const others = input.pairs.filter(({ name }) => name !== 'cursor');
    return { ...input, pairs: [...others, { name: 'cursor', value: next!, fault: null }] };
  };
  return runEndpoint({ ...request, readInput }, services, page);
}

/** With the target that a caller would have sent. */
function describePage({ method, target, parent }: Call, { next }: FurtherPages) {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const pairs = mark < 0 ? [] : target.slice(mark + 1).split('&');
  const others = pairs.filter((pair) => pair !== '' && !pair.startsWith('cursor='));
  return { requestId: buildRequestId(), method, parent, target: `${path}?${[...others, `cursor=${next}`].join('&')}` };
}

function readBody(body: Answer['body']): string | Buffer {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  throw new Error('a page of several is whole before it is sent');
}
