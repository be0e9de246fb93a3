/** From an answer to the bytes of a response: headers of every answer, conditional requests, compression. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../render/answer.ts';
import { renderConditional } from '../render/answer.ts';
import { encodeBody } from './encoding.ts';
import type { Judged } from './judge.ts';

/** On every response: nothing is sniffed, framed or run, and no address is passed on. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** Sends an answer; a refusal is remembered for the log line of the call. */
export async function sendJudged(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, refusal }: Judged,
): Promise<FastifyReply> {
  if (refusal !== null) request.refusal = refusal;
  return sendAnswer(request, reply, answer);
}

export async function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  const conditional = renderConditional(answer, request.headers['if-none-match']);
  const { body, encoding } = await encodeBody(conditional, request.headers['accept-encoding']);
  reply.code(conditional.status).headers({ ...conditional.headers, vary: 'Accept-Encoding, Origin' });
  if (encoding !== null) reply.header('content-encoding', encoding);
  // A process that stops keeps no connection, and a body that nobody asked for is not read to its end.
  const sentBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (sentBody || request.server.isStopping()) reply.header('connection', 'close');
  return reply.send(body);
}
