/**
 * A proxy in front of the tested service that simulates the faults of a network and of a busy service. It counts the
 * pages of the change feed that left the service, whether or not they arrived.
 */
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ERRORS } from '@tmds/contract/errors';
import type { ChangesPage } from '@tmds/contract/record';
import type { TestContext } from './service.ts';

/** `lost`: answered, but the answer discarded; `cut`: half of it sent; `slow`: sent in two parts with a pause. */
export const PROXY_FAULTS = ['lost', 'cut', 'slow', 'rate_limited', 'unavailable', 'network'] as const;
/** Also `bad_gateway`: a 502 page that is not the service's; `stalled`: half of an answer and then nothing. */
export type ProxyFault = (typeof PROXY_FAULTS)[number] | 'bad_gateway' | 'stalled' | 'none';

export interface PlayedFault {
  readonly fault: ProxyFault;
  /** For a `slow` answer. */
  readonly pauseMs: number;
  /** Called when a `stalled` answer will send no more. */
  readonly onStalled?: () => void;
  /** For a refusal: 0 or 1. */
  readonly retryAfterSeconds: number;
}

export interface FeedTally {
  /** Records that left the service on pages of the feed. */
  sent: number;
  /** Pages that repeat a version of a record from an earlier page. */
  pagesAgain: number;
  /** How often each fault was simulated. */
  readonly faults: Map<ProxyFault, number>;
}

export interface FaultyProxy {
  readonly url: string;
  readonly tally: FeedTally;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const NO_ANSWER = null;
const BAD_GATEWAY: Answer = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html><h1>502 Bad Gateway</h1></html>'),
};

/** @param planFault called before every call is passed on */
export async function startFaultyProxy(
  t: TestContext,
  serviceUrl: string,
  planFault: () => Promise<PlayedFault>,
): Promise<FaultyProxy> {
  const tally: FeedTally = { sent: 0, pagesAgain: 0, faults: new Map() };
  const versions = new Set<string>();

  function countPage({ status, body }: Answer): void {
    if (status !== 200) return;
    const { items } = JSON.parse(body.toString()) as ChangesPage;
    const names = items.map((item) => `${item.jurisdiction_code} ${item.uid} ${item.updated_at}`);
    tally.sent += items.length;
    if (names.some((name) => versions.has(name))) tally.pagesAgain += 1;
    for (const name of names) versions.add(name);
  }

  async function answerCall(target: string, key: string, range: string | null, response: ServerResponse) {
    const played = await planFault();
    const { fault } = played;
    tally.faults.set(fault, (tally.faults.get(fault) ?? 0) + 1);
    if (fault === 'network') response.destroy();
    else if (fault === 'bad_gateway') await send(response, BAD_GATEWAY, played);
    else if (fault === 'rate_limited' || fault === 'unavailable') await send(response, refuse(fault, played), played);
    else {
      const answer = await forward(serviceUrl + target, { 'x-api-key': key, ...(range === null ? {} : { range }) });
      if (new URL(target, serviceUrl).pathname.endsWith('/changes')) countPage(answer);
      await send(response, fault === 'lost' ? NO_ANSWER : answer, played);
    }
  }

  const server = createServer((call, response) => {
    const { range = null, 'x-api-key': key } = call.headers;
    answerCall(call.url ?? '/', String(key), range, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tally };
}

function refuse(code: 'rate_limited' | 'unavailable', { retryAfterSeconds }: PlayedFault): Answer {
  const body = Buffer.from(JSON.stringify({ error: { code, message: `refused: ${code}` } }));
  const headers = { 'content-type': 'application/json', 'retry-after': String(retryAfterSeconds) };
  return { status: ERRORS[code].status, headers, body };
}

async function send(response: ServerResponse, answer: Answer | null, played: PlayedFault): Promise<void> {
  const { fault, pauseMs } = played;
  if (answer === NO_ANSWER) {
    response.destroy();
    return;
  }
  const { status, headers, body } = answer;
  const half = body.subarray(0, body.length / 2);
  response.writeHead(status, { ...headers, 'content-length': String(body.length) });
  if (fault === 'cut') response.write(half, () => response.destroy());
  else if (fault === 'stalled') response.write(half, () => played.onStalled?.());
  else if (fault === 'slow') {
    response.write(half);
    await delay(pauseMs);
    response.end(body.subarray(half.length));
  } else response.end(body);
}

/** Asks the service and reads the whole answer, uncompressed. */
function forward(url: string, sent: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { headers: sent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const kept = Object.entries(answer.headers).filter(([name]) => !/^(connection|transfer-|keep-)/.test(name));
        const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
        resolve({ status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks) });
      });
    });
    call.on('error', reject);
    call.end();
  });
}
