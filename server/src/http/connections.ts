/**
 * The bounds of a connection: how many there may be, and how long a caller may take to send a request or to read an
 * answer. Node enforces them; a request that breaks one is answered by `answerBrokenRequest`, then closed.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** The headers of a request have to arrive within this time, counted from the connection or from its first byte. */
  readonly headersMs: number;
  /** Time for the whole request, with its body. At least `headersMs`. */
  readonly requestMs: number;
  /** How often both are checked. */
  readonly lookMs: number;
  /** A connection without a call is closed after this time. */
  readonly keepAliveMs: number;
  /** A caller who reads nothing of an answer for this long is cut off. */
  readonly stalledMs: number;
  /** A connection above this number is closed as soon as it is made. */
  readonly connectionsMax: number;
  /** This many requests may be sent ahead over a connection while one is answered. With more it is closed. */
  readonly aheadMax: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 20_000,
  requestMs: 30_000,
  lookMs: 5_000,
  // Longer than the idle timeouts of common load balancers, so that they close idle connections and this server does
  // not.
  keepAliveMs: 72_000,
  stalledMs: 60_000,
  // Ten thousand idle connections leave room for as many busy ones.
  connectionsMax: 20_000,
  aheadMax: 100,
};

/** Options of the framework for a server with these limits. */
export function listServerOptions(limits: ConnectionLimits): {
  readonly connectionTimeout: number;
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
  readonly http: { readonly headersTimeout: number; readonly connectionsCheckingInterval: number };
} {
  return {
    connectionTimeout: limits.stalledMs,
    keepAliveTimeout: limits.keepAliveMs,
    requestTimeout: limits.requestMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.lookMs },
  };
}

export function boundConnections(server: Server, { connectionsMax, aheadMax }: ConnectionLimits): void {
  server.maxConnections = connectionsMax;
  answerInTurn(server, aheadMax);
}

type Request = readonly [request: IncomingMessage, response: ServerResponse];

/** What a connection has under way. */
interface Line {
  isBusy: boolean;
  readonly waiting: Request[];
}

/**
 * A connection has one call answered at a time. HTTP/1.1 sends the answers in the order of the requests anyway; without
 * this, a thousand requests in one write would all be processed before any other caller's.
 */
function answerInTurn(server: Server, aheadMax: number): void {
  const answers = server.listeners('request') as ((...request: Request) => void)[];
  server.removeAllListeners('request');
  const lines = new WeakMap<Socket, Line>();
  const answer = (socket: Socket, line: Line, request: Request): void => {
    request[1].on('close', () => {
      const next = line.waiting.shift();
      line.isBusy = next !== undefined;
      // In a separate turn of the event loop, so that other callers' calls come in between.
      if (next !== undefined && !socket.destroyed) setImmediate(answer, socket, line, next);
    });
    for (const each of answers) each.call(server, ...request);
  };
  server.on('request', (...request) => {
    const { socket } = request[0];
    let line = lines.get(socket);
    if (line === undefined) {
      line = { isBusy: false, waiting: [] };
      lines.set(socket, line);
    }
    if (line.isBusy) {
      if (line.waiting.length >= aheadMax) socket.destroy();
      else line.waiting.push(request);
      return;
    }
    line.isBusy = true;
    answer(socket, line, request);
  });
}
