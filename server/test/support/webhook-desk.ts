/** A service with a customer, a person of it, a watch, and the sender of webhooks, which sends when the test says. */
import { systemClock } from '../../src/base/clock.ts';
import { askNameServers } from '../../src/webhook/post.ts';
import { buildSecretBox } from '../../src/webhook/secrets.ts';
import { buildSender } from '../../src/webhook/sender.ts';
import { testLog } from './database.ts';
import { type Customer, createCustomer, joinPortal, type Person } from './portal.ts';
import { startService, type TestContext, type TestService } from './service.ts';
import { storeWatch } from './watch-hits.ts';

export interface WebhookDesk {
  readonly service: TestService;
  readonly customer: Customer;
  readonly person: Person;
  readonly watch: string;
  send(): Promise<void>;
}

export async function openDesk(t: TestContext, webhookPrivate: 'refuse' | 'allow' = 'allow'): Promise<WebhookDesk> {
  const service = await startService(t, { config: { webhookPrivate } });
  const customer = await createCustomer(service.db);
  const watch = await storeWatch(service.db, customer.name);
  const sender = buildSender({
    database: service.db,
    secrets: buildSecretBox(service.db, null),
    privateTargets: webhookPrivate,
    resolve: askNameServers,
    random: () => 0.5,
    clock: systemClock,
    log: testLog,
    version: '1',
  });
  return {
    service,
    customer,
    person: await joinPortal(service.url, customer),
    watch,
    send: async () => {
      await sender.round();
      await sender.settled();
    },
  };
}
