/** A service with a customer whose person is signed in, for tests of pages. */
import { type Customer, countUnits, createCustomer, joinPortal, type Person } from './portal.ts';
import { type ServiceOptions, startService, type TestContext, type TestService } from './service.ts';

interface OpenPortal extends TestService {
  readonly service: TestService;
  readonly customer: Customer;
  readonly person: Person;
  /** The units that the customer's key has used. */
  readonly units: () => Promise<number>;
}

/** A service, a customer of it, and a person of the customer who is signed in. */
export async function openPortal(
  t: TestContext,
  terms: Parameters<typeof createCustomer>[1] = {},
  options: ServiceOptions = {},
): Promise<OpenPortal> {
  const service = await startService(t, options);
  const customer = await createCustomer(service.db, terms);
  const units = (): Promise<number> => countUnits(service, customer.keyId);
  return { ...service, service, customer, person: await joinPortal(service.url, customer), units };
}
