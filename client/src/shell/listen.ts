/**
 * `listen`: a receiver of webhooks on this machine. It verifies each message, shows it, and forwards it unchanged. The
 * service repeats what is answered with a failure, so a message that could not be forwarded is answered with one.
 * Bounded: the size of a message, the time for it, the connections, and the ids that are remembered.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../docket/options.ts';
import { describeError } from '../replica/progress.ts';
import { readSecret } from '../replica/settings.ts';
import { note, openList, type ShellCall } from './call.ts';
import type { View } from './views.ts';
import { readWebhookSecret, Unverified, verifyMessage, type WebhookMessage } from './webhook.ts';

const PORT_DEFAULT = 8787;
const BODY_BYTES_MAX = 65_536;
const CONNECTIONS_MAX = 32;
const REQUEST_MS = 10_000;
/** The service waits for ten seconds. */
const FORWARD_MS = 8_000;
const IDS_MAX = 10_000;

const FORWARDED = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

const MESSAGES: View<WebhookMessage> = {
  columns: [
    { head: 'TIME', cell: ({ timestamp }) => timestamp },
    { head: 'TYPE', cell: ({ type }) => type },
    { head: 'WATCH', cell: ({ data }) => String(data.watch ?? '') },
    { head: 'REFERENCE', cell: ({ data }) => String(data.reference ?? '') },
    { head: 'SINCE', cell: ({ data }) => String(data.since ?? '') },
    { head: 'ID', cell: ({ id }) => id },
  ],
  json: (message) => JSON.stringify(message),
};

export async function runListen(call: ShellCall): Promise<void> {
  const { given, environment } = call;
  if (given.positionals.length > 0) throw new UsageError('listen takes flags only');
  const port = given.integer('port', 0, 65_535) ?? PORT_DEFAULT;
  const host = given.text('host') ?? '127.0.0.1';
  const forward = readForward(given.text('forward'));
  const keys = readKeys(await readSecret(environment, 'TMDS_WEBHOOK_SECRET'));
  const receive = buildReceiver(call, keys, forward);
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    receive(request, response).catch((error: unknown) => {
      note(call, `a message failed: ${describeError(error)}`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  await open(server, port, host);
  const { address, port: bound } = server.address() as AddressInfo;
  const shown = address.includes(':') ? `[${address}]` : address;
  note(call, `listening at http://${shown}:${bound}${forward === null ? '' : `, forwarding to ${forward}`}; ^C ends`);
  await untilAborted(call.signal);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function readKeys(secrets: string | undefined): Buffer[] {
  const given = (secrets ?? '').split(/[\s,]+/).filter((secret) => secret !== '');
  if (given.length === 0) {
    throw new UsageError(
      'no secret: set TMDS_WEBHOOK_SECRET to that of the webhook, or TMDS_WEBHOOK_SECRET_FILE to a file',
    );
  }
  return given.map((secret) => {
    const key = readWebhookSecret(secret);
    if (key === null) throw new UsageError('TMDS_WEBHOOK_SECRET is not whsec_ followed by base64; is it complete?');
    return key;
  });
}

function readForward(address: string | undefined): string | null {
  if (address === undefined) return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--forward takes an address such as http://localhost:3000/hooks, not "${address}"`);
  }
  return url.href;
}

async function open(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(describeOpening(error, port, host))));
    server.listen(port, host, resolve);
  });
}

function describeOpening({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use by another program: choose one with --port`;
  if (code === 'EACCES') return `port ${port} may not be opened by you: choose one above 1023 with --port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is not an address of this machine`;
  return message;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function buildReceiver(call: ShellCall, keys: readonly Buffer[], forward: string | null) {
  const write = openList(call, MESSAGES);
  const taken = new Set<string>();
  const refuse = (response: ServerResponse, status: number, why: string): void => {
    note(call, `refused with ${status}: ${why}`);
    response.writeHead(status).end();
  };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return refuse(response, 405, `${request.method} instead of POST`);
    const body = await readBody(request);
    if (body === null) return refuse(response, 413, `a body of more than ${BODY_BYTES_MAX} bytes`);
    let message: WebhookMessage;
    try {
      message = verifyMessage(keys, request.headers, body, call.clock.nowMs());
    } catch (error) {
      if (!(error instanceof Unverified)) throw error;
      return refuse(response, 401, error.message);
    }
    if (taken.has(message.id)) {
      note(call, `${message.id} again, which has been taken`);
    } else {
      const failure = forward === null ? null : await post(forward, request, body);
      if (failure !== null) return refuse(response, 502, `${message.id} could not be forwarded: ${failure}`);
      await write([message]);
      remember(taken, message.id);
    }
    response.writeHead(204).end();
  };
}

function remember(taken: Set<string>, id: string): void {
  taken.add(id);
  const [oldest] = taken;
  if (taken.size > IDS_MAX && oldest !== undefined) taken.delete(oldest);
}

/** Null if it is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Why it could not be forwarded; null if it was taken. */
async function post(target: string, request: IncomingMessage, body: Buffer): Promise<string | null> {
  const headers = Object.fromEntries(FORWARDED.map((name) => [name, String(request.headers[name] ?? '')]));
  try {
    const signal = AbortSignal.timeout(FORWARD_MS);
    const answer = await fetch(target, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal,
    });
    await answer.body?.cancel();
    return answer.status >= 200 && answer.status <= 299 ? null : `${target} answers ${answer.status}`;
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return `${target}: ${describeError(cause instanceof Error && cause.message !== '' ? cause : error)}`;
  }
}
