/** `webhooks`: where the service sends messages, from the shell. */
import { WEBHOOK_GRACE_MAX, type WebhookInput } from '@tmds/contract/webhooks';
import type { TrademarkClient } from '../client.ts';
import { UsageError } from '../docket/options.ts';
import { note, openList, type ShellCall, writeObject } from './call.ts';
import { DELIVERIES, WEBHOOKS } from './views.ts';

export const WEBHOOK_WORDS = ['list', 'show', 'put', 'delete', 'test', 'deliveries', 'renew'] as const;

type Act = (call: ShellCall, client: TrademarkClient, id: string) => Promise<void>;

const ACTS: Readonly<Record<Exclude<(typeof WEBHOOK_WORDS)[number], 'list'>, Act>> = {
  show: async (call, client, id) => writeObject(call, await client.webhooks.get(id, call.options)),
  put: async (call, client, id) => {
    const webhook = await client.webhooks.put(id, readInput(call), call.options);
    if (webhook.secret !== null) note(call, SHOWN_ONCE);
    await writeObject(call, webhook);
  },
  delete: async (call, client, id) => writeObject(call, await client.webhooks.delete(id, call.options)),
  test: async (call, client, id) => writeObject(call, await client.webhooks.test(id, call.options)),
  deliveries: listDeliveries,
  renew: async (call, client, id) => {
    const grace_seconds = call.given.integer('grace', 0, WEBHOOK_GRACE_MAX) ?? 0;
    const webhook = await client.webhooks.renewSecret(id, { grace_seconds }, call.options);
    note(call, SHOWN_ONCE);
    await writeObject(call, webhook);
  },
};

const SHOWN_ONCE = 'This is the only time that the secret is shown. Copy it to where your receiver keeps its secrets.';

export async function runWebhooks(call: ShellCall): Promise<void> {
  const [word, id, ...rest] = call.given.positionals;
  if (word === 'list' && id === undefined) return await listWebhooks(call);
  if (id === undefined || rest.length > 0) {
    throw new UsageError(`webhooks takes list, or ${WEBHOOK_WORDS.slice(1).join(', ')} and an ID`);
  }
  if (word === undefined || !Object.hasOwn(ACTS, word)) {
    throw new UsageError(`webhooks takes ${WEBHOOK_WORDS.join(', ')}, not "${word}"`);
  }
  await ACTS[word as keyof typeof ACTS](call, await call.client(), id);
}

async function listWebhooks(call: ShellCall): Promise<void> {
  const client = await call.client();
  const write = openList(call, WEBHOOKS);
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.webhooks.list>> = await client.webhooks.list({ cursor }, call.options);
    await write(page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
}

/** The newest, up to `--max`. */
async function listDeliveries(call: ShellCall, client: TrademarkClient, id: string): Promise<void> {
  const write = openList(call, DELIVERIES);
  let left = call.given.integer('max', 1, DELIVERIES_MAX) ?? DELIVERIES_SHOWN;
  for (let cursor: string | null = null; left > 0; ) {
    const limit = Math.min(left, DELIVERIES_PAGE);
    const page: Awaited<ReturnType<typeof client.webhooks.deliveries>> = await client.webhooks.deliveries(
      id,
      { cursor, limit },
      call.options,
    );
    await write(page.items);
    left -= page.items.length;
    cursor = page.next_cursor;
    if (cursor === null) return;
  }
}

const DELIVERIES_SHOWN = 50;
const DELIVERIES_PAGE = 500;
const DELIVERIES_MAX = 1_000_000;

function readInput({ given }: ShellCall): WebhookInput {
  const url = given.text('url');
  if (url === undefined) throw new UsageError('webhooks put takes --url ADDRESS');
  return { url, watch: given.text('watch') ?? null, is_off: given.has('off') };
}
