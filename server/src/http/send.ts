/**
 * Turns an answer into the bytes of a response: headers of every answer, conditional requests, compression, and the
 * release of an answer whose caller has left. Invariant: a closed response releases its resources at once.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../base/errors.ts';
import { type Answer, type Chunks, JSON_TYPE, renderRateHeaders, selectAnswer } from '../render/answer.ts';
import { ENCODED_LENGTH_MIN, encodeBody } from './encoding.ts';
import type { WireCall } from './wire.ts';

/** On every response: browsers must not sniff its type, frame it or run anything in it. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Bodies up to this size are sent as text: Node writes headers and text in one call, but headers and bytes in two. */
const TEXT_BYTES_MAX = 16_384;

export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: ApiError): void {
  sendAnswer(request, reply, request.call.refuse(refusal));
}

/**
 * Sends the answer of a call. The unit is returned if nothing was sent because the caller had left, or if the answer
 * broke off through a fault of the service (docs/design/access.md).
 */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, whole: Answer): void {
  const { call, headers } = request;
  const { 'if-none-match': ifNoneMatch, range, 'if-range': ifRange } = headers;
  const answer = selectAnswer(whole, { ifNoneMatch, range, ifRange: readText(ifRange) });
  if (call.rate !== null) reply.headers(renderRateHeaders(call.product, call.rate));
  if (call.coverage !== null) reply.headers(call.coverage);
  reply.code(answer.status).headers(answer.headers).header('vary', 'Accept-Encoding, Origin');
  // A process that is stopping keeps no connections, and an unexpected request body is not read to its end.
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if ((hasBody && !request.raw.readableEnded) || call.traffic.isStopping) reply.header('connection', 'close');
  const { body } = answer;
  if (call.end !== null) {
    drop(reply, body);
    return;
  }
  call.begin(body);
  const accepted = answer.file === undefined ? headers['accept-encoding'] : undefined;
  if (body === null) send(call, reply);
  else if (isChunks(body)) void sendEncoded(call, reply, watchChunks(body, call), accepted);
  else if (accepted !== undefined && body.length >= ENCODED_LENGTH_MIN) void sendEncoded(call, reply, body, accepted);
  else send(call, reply, Buffer.isBuffer(body) && isText(answer, body) ? body.toString() : body);
}

/** Node gives a header that it does not know as a list if it was sent more than once. */
function readText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/** Passes the chunks on. If their source fails half-way, the unit is returned before the client notices. */
async function* watchChunks(chunks: Chunks, call: WireCall): AsyncGenerator<Buffer | string> {
  try {
    yield* chunks;
  } catch (error) {
    // If the caller has left, the failure is a consequence of that.
    if (call.end === null) {
      call.fail(error);
      await call.returnUnit();
    }
    throw error;
  }
}

async function sendEncoded(
  call: WireCall,
  reply: FastifyReply,
  body: NonNullable<Answer['body']>,
  accepted: string | undefined,
): Promise<void> {
  try {
    const encoded = await encodeBody(body, accepted);
    if (call.end !== null) return drop(reply, encoded.body);
    if (encoded.encoding !== null) reply.header('content-encoding', encoded.encoding);
    const { body: sent } = encoded;
    if (sent instanceof Readable) call.whenOver(() => sent.destroy());
    send(call, reply, sent);
  } catch (error) {
    reply.send(error);
  }
}

function send(call: WireCall, reply: FastifyReply, body?: Answer['body'] | Readable): void {
  reply.send(body);
  call.noteSent();
}

/** Releases the answer of a caller who has left. */
function drop(reply: FastifyReply, body: Answer['body'] | Readable): void {
  if (body instanceof Readable) body.destroy();
  else if (isChunks(body))
    void body[Symbol.asyncIterator]()
      .return?.()
      ?.catch(() => undefined);
  reply.hijack();
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

function isText({ headers }: Answer, body: Buffer): boolean {
  return body.length <= TEXT_BYTES_MAX && headers['content-type'] === JSON_TYPE;
}
