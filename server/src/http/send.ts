/**
 * Turns an answer into the bytes of a response: headers of every answer, conditional requests, compression, and the
 * release of an answer whose caller has left. Invariant: a closed response releases its resources at once.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Chunks } from '../render/answer.ts';
import { JSON_TYPE, renderConditional, renderRange } from '../render/answer.ts';
import type { Delivery } from './delivery.ts';
import { encodeBody, isEncodable } from './encoding.ts';
import type { Judged } from './judge.ts';
import { limitReading } from './patience.ts';

/** On every response: browsers must not sniff its type, frame it or run anything in it. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/**
 * Sends an answer and notes a refusal for the log line of the call. The unit is returned if nothing was sent because
 * the caller had left, or if the answer broke off through a fault of the service (docs/design/access.md).
 */
export async function sendJudged(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer: whole, refusal, headers, giveBack }: Judged,
): Promise<FastifyReply> {
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
  const answer = ifNoneMatch === undefined ? renderRange(whole, range, readText(ifRange)) : whole;
  if (refusal !== null) request.refusal = refusal;
  request.units = giveBack === undefined ? 0 : 1;
  if (headers !== undefined) reply.headers(headers);
  if (giveBack === undefined) return sendAnswer(request, reply, answer);
  const { delivery } = request;
  delivery.whenOver(() => {
    if (!isUnitKept(delivery)) void giveBack();
  });
  const { body } = answer;
  if (!isChunks(body)) return sendAnswer(request, reply, answer);
  return sendAnswer(request, reply, { ...answer, body: watchChunks(body, delivery, giveBack) });
}

/** Node gives a header that it does not know as a list if it was sent more than once. */
function readText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/** Whether a call whose delivery has ended costs its unit (docs/design/access.md). */
export function isUnitKept({ end, hasBegun }: Delivery): boolean {
  return end === 'whole' || (hasBegun && end !== 'failed');
}

/** Passes the chunks on. If their source fails half-way, the unit is returned before the client notices. */
async function* watchChunks(
  chunks: Chunks,
  delivery: Delivery,
  giveBack: () => Promise<void>,
): AsyncGenerator<Buffer | string> {
  try {
    yield* chunks;
  } catch (error) {
    // If the caller has left, the failure is a consequence of that.
    if (delivery.end === null) {
      delivery.fail(error);
      await giveBack();
    }
    throw error;
  }
}

/** Bodies up to this size are sent as text: Node writes headers and text in one call, but headers and bytes in two. */
const TEXT_BYTES_MAX = 16_384;

export async function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  const { headers } = request;
  const ifNoneMatch = headers['if-none-match'];
  const {
    status,
    headers: answerHeaders,
    body,
  } = ifNoneMatch === undefined ? answer : renderConditional(answer, ifNoneMatch);
  reply.code(status).headers(answerHeaders).header('vary', 'Accept-Encoding, Origin');
  // A process that is stopping keeps no connections, and an unexpected request body is not read to its end.
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if ((hasBody && !request.raw.readableEnded) || request.server.isStopping()) reply.header('connection', 'close');
  const { delivery } = request;
  if (delivery.end !== null) return drop(reply, body);
  delivery.begin();
  limitReading(delivery, body);
  if (body === null) return send(delivery, reply);
  const accepted = answer.file === undefined ? headers['accept-encoding'] : undefined;
  if (isEncodable(body, accepted)) {
    const encoded = await encodeBody(body, accepted);
    if (request.delivery.end !== null) return drop(reply, encoded.body);
    if (encoded.encoding !== null) reply.header('content-encoding', encoded.encoding);
    const { body: sent } = encoded;
    if (sent instanceof Readable) delivery.whenOver(() => sent.destroy());
    return send(delivery, reply, sent);
  }
  return send(delivery, reply, Buffer.isBuffer(body) && isText(answerHeaders, body) ? body.toString() : body);
}

function send(delivery: Delivery, reply: FastifyReply, body?: Answer['body'] | Readable): FastifyReply {
  const sent = reply.send(body);
  delivery.noteSent();
  return sent;
}

/** Releases the answer of a caller who has left. */
function drop(reply: FastifyReply, body: Answer['body'] | Readable): FastifyReply {
  if (body instanceof Readable) body.destroy();
  else if (isChunks(body))
    void body[Symbol.asyncIterator]()
      .return?.()
      ?.catch(() => undefined);
  return reply.hijack();
}

function isChunks(body: Answer['body']): body is Chunks {
  return body !== null && typeof body !== 'string' && !Buffer.isBuffer(body);
}

const BODY_HEADERS = [
  'accept-ranges',
  'content-encoding',
  'content-length',
  'content-range',
  'etag',
  'feed-lineage',
  'x-change-horizon',
] as const;

/** Removes the headers about the body of an answer that failed before its first byte. */
export function forgetBody(reply: FastifyReply): void {
  for (const name of BODY_HEADERS) {
    reply.removeHeader(name);
    if (!reply.raw.headersSent) reply.raw.removeHeader(name);
  }
}

function isText(headers: Answer['headers'], body: Buffer): boolean {
  return body.length <= TEXT_BYTES_MAX && headers['content-type'] === JSON_TYPE;
}
