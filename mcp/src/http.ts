/**
 * One message of the protocol over HTTP. Every message stands alone: no session is kept, so any server of a service may
 * answer it, and nothing is left when it has been answered.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { TrademarkClient } from '@tmds/client';
import { buildMcpServer } from './server.ts';

/** A message and what the request says about it. */
export interface McpMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Aborted when the caller has gone, or when it takes too long. */
  readonly signal: AbortSignal;
}

export interface McpAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

/** The protocol does not use the address, and the message is at hand. */
const ADDRESS = 'http://localhost/mcp';

/** Answers a message with the calls of one customer. */
export async function answerMessage(
  { headers, body, signal }: McpMessage,
  client: TrademarkClient,
): Promise<McpAnswer> {
  // No subscriptions: nothing that these tools list ever changes while a server runs.
  const handler = createMcpHandler(() => buildMcpServer(client), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
  });
  try {
    const answer = await handler.fetch(new Request(ADDRESS, { method: 'POST', headers, body, signal }));
    return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() };
  } finally {
    await handler.close();
  }
}
