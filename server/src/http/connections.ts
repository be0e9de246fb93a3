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

type Call = readonly [request: IncomingMessage, response: ServerResponse];

/**
 * A connection has one call answered at a time. HTTP/1.1 sends the answers in the order of the requests anyway; without
 * this, a thousand requests in one write would all be processed before any other caller's.
 */
function answerInTurn(server: Server, aheadMax: number): void {
  const answers = server.listeners('request') as ((...call: Call) => void)[];
  server.removeAllListeners('request');
  /** State of each connection with a call under way. */
  const ahead = new WeakMap<Socket, Call[]>();
  const answer = (socket: Socket, waiting: Call[], call: Call): void => {
    call[1].once('close', () => {
      const next = waiting.shift();
      if (next === undefined) ahead.delete(socket);
      // In a separate turn of the event loop, so that other callers' calls come in between.
      else if (!socket.destroyed) setImmediate(answer, socket, waiting, next);
    });
    for (const each of answers) each.call(server, ...call);
  };
  server.on('request', (...call) => {
    const { socket } = call[0];
    const waiting = ahead.get(socket);
    if (waiting !== undefined) {
      if (waiting.length >= aheadMax) socket.destroy();
      else waiting.push(call);
      return;
    }
    const own: Call[] = [];
    ahead.set(socket, own);
    answer(socket, own, call);
  });
}
