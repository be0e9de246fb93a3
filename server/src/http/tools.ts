/**
 * `/mcp`: the tools for language models over HTTP. The message is answered by `@tmds/mcp`, whose calls are those of the
 * API with the key of the request (`page-calls.ts`): they alone reach records and cost units. Here are the bounds of a
 * message: a key before its body is read, few at a time, of bounded length, and answered within a minute.
 */
import { TrademarkClient } from '@tmds/client';
import { answerMessage } from '@tmds/mcp';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, apiError } from '../base/errors.ts';
import { measureJson } from '../parse/body.ts';
import type { Answer } from '../render/answer.ts';
import { toApiError } from '../render/failure.ts';
import { refuseOtherThan } from './other-methods.ts';
import type { CallWithKey } from './page-calls.ts';
import { Bodies, leaveBodies } from './read-body.ts';
import { type RouteServices, TOOLS_PATH } from './routes.ts';
import { sendAnswer, sendRefusal } from './send.ts';

/** A tool makes a few calls of up to ten seconds each. */
const MESSAGE_MS_MAX = 60_000;
/** The headers in which the protocol says what a message is. */
const PROTOCOL_HEADERS = /^(?:accept|content-type|mcp-[a-z-]{1,60})$/;
/** The client never sends it: the key of the request identifies its calls. */
const NO_KEY = 'of-the-request';
const ADDRESS = 'http://localhost';

export function registerTools(
  app: FastifyInstance,
  { authenticator }: Pick<RouteServices, 'authenticator'>,
  callApi: CallWithKey,
): void {
  const bodies = new Bodies();
  const answer = async (request: FastifyRequest): Promise<Answer | ApiError> => {
    const { call } = request;
    call.caller = await authenticator.authenticate(request);
    return await bodies.reader(request)(call.caller.customerId, async (body) => {
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(MESSAGE_MS_MAX)]);
      const client = buildClient(callApi, () => authenticator.identify(request));
      const answered = await answerMessage({ headers: readHeaders(request), body: readMessage(body), signal }, client);
      return renderMessage(answered);
    });
  };
  app.register(async (scope) => {
    leaveBodies(scope);
    scope.route({
      method: 'POST',
      url: TOOLS_PATH,
      // Streams and sessions of the protocol, which other methods open and end, are not kept.
      config: { answerOther: refuseOtherThan(['POST']) },
      handler: (request, reply) => {
        answer(request)
          .catch(toApiError)
          .then((outcome) =>
            outcome instanceof ApiError ? sendRefusal(request, reply, outcome) : sendAnswer(request, reply, outcome),
          )
          .catch((error) => reply.send(error));
      },
    });
  });
}

/** A docket of 50 rows has 700 cells. */
const SHAPE_MAX = { depth: 16, parts: 5_000 };

/** Several in a list, which only old versions of the protocol have, would pass the bound of calls at once. */
function readMessage(body: Buffer): string {
  const { depth, parts } = measureJson(body, SHAPE_MAX);
  if (depth > SHAPE_MAX.depth || parts > SHAPE_MAX.parts) {
    throw apiError('invalid_parameter', 'The message is nested too deep or has too many members.');
  }
  const text = body.toString();
  if (/^\s*\[/.test(text)) throw apiError('invalid_parameter', 'Send one message at a time; a list is not taken.');
  return text;
}

function readHeaders({ headers }: FastifyRequest): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && PROTOCOL_HEADERS.test(name)) read[name] = value;
  }
  return read;
}

/** The typed client, whose calls stay in this process. It retries nothing: the caller learns what to wait for. */
function buildClient(callApi: CallWithKey, identify: Parameters<CallWithKey>[0]): TrademarkClient {
  return new TrademarkClient({
    apiKey: NO_KEY,
    baseUrl: ADDRESS,
    analyticsUrl: `${ADDRESS}/analytics`,
    maxRetries: 0,
    fetch: async (url, { signal }) => {
      const { status, headers, text } = await callApi(identify, url.slice(ADDRESS.length), signal);
      return { status, headers: { get: (name) => headers[name] ?? null }, text: async () => text };
    },
  });
}

function renderMessage({ status, type, body }: Awaited<ReturnType<typeof answerMessage>>): Answer {
  const headers = { 'cache-control': 'no-store', ...(type === null ? {} : { 'content-type': type }) };
  return { status, headers, body: body === '' ? null : body };
}
