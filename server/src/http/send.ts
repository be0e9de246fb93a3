/** From an answer to the bytes of a response: headers of every answer, conditional requests, compression. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../render/answer.ts';
import { JSON_TYPE, renderConditional } from '../render/answer.ts';
import { encodeBody, isEncodable } from './encoding.ts';
import type { Judged } from './judge.ts';
import { limitReading } from './patience.ts';

/** On every response: nothing is sniffed, framed or run. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Sends an answer; a refusal is remembered for the log line of the call. */
export async function sendJudged(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, refusal, headers }: Judged,
): Promise<FastifyReply> {
  if (refusal !== null) request.refusal = refusal;
  if (headers !== undefined) reply.headers(headers);
  return sendAnswer(request, reply, answer);
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
  limitReading(reply.raw, body);
  if (isEncodable(body, headers['accept-encoding'])) {
    const encoded = await encodeBody(body, headers['accept-encoding']);
    if (encoded.encoding !== null) reply.header('content-encoding', encoded.encoding);
    return reply.send(encoded.body);
  }
  return reply.send(Buffer.isBuffer(body) && isText(answerHeaders, body) ? body.toString() : body);
}

function isText(headers: Answer['headers'], body: Buffer): boolean {
  return body.length <= TEXT_BYTES_MAX && headers['content-type'] === JSON_TYPE;
}
