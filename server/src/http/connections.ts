/**
 * The bounds of a connection: how many there may be, and how long a caller may take to send a request or to read an
 * answer. Node enforces them; a request that breaks one is answered by `answerBrokenRequest`, then closed.
 */
import type { Server } from 'node:http';

export interface ConnectionLimits {
  /** The headers of a request have to arrive within this time, counted from the connection or from its first byte. */
  readonly headersMs: number;
  /** So does the whole request, with its body. At least `headersMs`. */
  readonly requestMs: number;
  /** How often both are looked at. */
  readonly lookMs: number;
  /** A connection without a call is closed after this time. */
  readonly keepAliveMs: number;
  /** A caller who reads nothing of an answer for this long is cut off. */
  readonly stalledMs: number;
  /** A connection above this number is closed as soon as it is made. */
  readonly connectionsMax: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 20_000,
  requestMs: 30_000,
  lookMs: 5_000,
  // Longer than the idle timeouts of common load balancers, so that they close idle connections, not we.
  keepAliveMs: 72_000,
  stalledMs: 60_000,
  // Ten thousand that are idle leave room for as many that are not.
  connectionsMax: 20_000,
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

export function boundConnections(server: Server, { connectionsMax }: ConnectionLimits): void {
  server.maxConnections = connectionsMax;
}
