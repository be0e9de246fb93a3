/**
 * From an answer to the bytes of a response: headers of every answer, conditional requests, compression, and what
 * becomes of an answer that nobody takes any more. Invariant: whatever a closed response holds is let go at once.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Chunks } from '../render/answer.ts';
import { JSON_TYPE, renderConditional } from '../render/answer.ts';
import type { Delivery } from './delivery.ts';
import { encodeBody, isEncodable } from './encoding.ts';
import type { Judged } from './judge.ts';
import { limitReading } from './patience.ts';

/** On every response: nothing is sniffed, framed or run. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/**
 * Sends an answer; a refusal is remembered for the log line of the call. A unit is given back where nothing was sent,
 * because the caller had left, and where the answer broke off by our fault (docs/decisions/0045).
 */
export async function sendJudged(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, refusal, headers, giveBack }: Judged,
): Promise<FastifyReply> {
  if (refusal !== null) request.refusal = refusal;
  if (headers !== undefined) reply.headers(headers);
  if (giveBack === undefined) return sendAnswer(request, reply, answer);
  const { delivery } = request;
  delivery.whenOver((end) => {
    if (end !== 'whole' && !delivery.hasBegun) void giveBack();
  });
  const { body } = answer;
  if (!isChunks(body)) return sendAnswer(request, reply, answer);
  return sendAnswer(request, reply, { ...answer, body: watchChunks(body, delivery, giveBack) });
}

/** The same chunks; of a source that fails half-way the unit is given back before the client learns of it. */
async function* watchChunks(
  chunks: Chunks,
  delivery: Delivery,
  giveBack: () => Promise<void>,
): AsyncGenerator<Buffer | string> {
  try {
    yield* chunks;
  } catch (error) {
    // What fails because the caller has left is no fault of ours.
    if (delivery.end === null) {
      delivery.fail(error);
      await giveBack();
    }
    throw error;
  }
}

/** Bodies up to this size go out as text: Node writes head and text at once, but head and bytes apart. */
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
  // A process that stops keeps no connection, and a body that nobody asked for is not read to its end.
  const sentBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (sentBody || request.server.isStopping()) reply.header('connection', 'close');
  const { delivery } = request;
  if (delivery.end !== null) return drop(reply, body);
  delivery.begin();
  limitReading(delivery, body);
  if (body === null) return reply.send();
  if (isEncodable(body, headers['accept-encoding'])) {
    const encoded = await encodeBody(body, headers['accept-encoding']);
    if (request.delivery.end !== null) return drop(reply, encoded.body);
    if (encoded.encoding !== null) reply.header('content-encoding', encoded.encoding);
    const { body: sent } = encoded;
    if (sent instanceof Readable) delivery.whenOver(() => sent.destroy());
    return reply.send(sent);
  }
  return reply.send(Buffer.isBuffer(body) && isText(answerHeaders, body) ? body.toString() : body);
}

/** The answer of a caller who has left. */
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

/** Takes back what an answer that failed before its first byte had said of its body. */
export function forgetBody(reply: FastifyReply): void {
  for (const name of ['content-encoding', 'x-change-horizon']) {
    reply.removeHeader(name);
    if (!reply.raw.headersSent) reply.raw.removeHeader(name);
  }
}

function isText(headers: Answer['headers'], body: Buffer): boolean {
  return body.length <= TEXT_BYTES_MAX && headers['content-type'] === JSON_TYPE;
}
