/** The table of agreements says what used to be derived from keys, whatever operators and customers do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRODUCTS, type Product } from '@tmds/contract/enums';
import { issueKey, issueKeyWithin, revokeKeyWithin, setKey, setKeyWithin } from '../../src/access/keys.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { listAgreements } from '../../src/store/accounts/agreements.ts';
import { eraseCustomer, findCustomer } from '../../src/store/accounts/customers.ts';
import { createTestDatabase } from '../support/database.ts';
import { createNotes, deriveAgreements, type NoteTables, noteKey, noteQuota } from '../support/derived-agreements.ts';
import { buildRandom, type Random } from '../torture/random.ts';

const OPERATOR = { actor: 'operator' };
const CUSTOMER = { actor: 'portal', byCustomer: true };
const RATES = [60, 600, 6_000];

interface HeldKey {
  readonly id: string;
  /** Whether its customer has ever taken its limit away, as a customer without a limit may. */
  gaveAll: boolean;
}

/**
 * Random acts on the keys of one customer, noted as they used to be. Quotas of operators are even, those of customers
 * odd: the notes took an operator's quota for the customer's if both had once been the same.
 */
class KeyActs {
  private readonly keys: HeldKey[] = [];
  private readonly db: Database;
  private readonly notes: NoteTables;
  private readonly random: Random;
  readonly customer: string;

  constructor(db: Database, notes: NoteTables, random: Random, customer: string) {
    this.db = db;
    this.notes = notes;
    this.random = random;
    this.customer = customer;
  }

  async act(): Promise<string> {
    const { random } = this;
    const key = this.keys.length === 0 ? null : random.pick(this.keys);
    if (key === null || random.integer(1, 6) === 1) return random.integer(1, 3) > 1 ? this.sell() : this.issue();
    const isLive = await this.isLive(key);
    const acts = [this.reset, this.resend, this.replace, ...(random.integer(1, 3) === 1 ? [this.end] : [])];
    const own = [this.divide, this.divide, this.rename, ...(random.integer(1, 2) === 1 ? [this.revoke] : [])];
    return await random.pick(isLive ? [...acts, ...own] : acts).call(this, key);
  }

  private async sell(): Promise<string> {
    const order = { customer: this.customer, name: null, products: this.products(), ...OPERATOR };
    const { id } = await issueKey(this.db, { ...order, rateLimitPerMinute: this.rate(), quota: this.sold() });
    this.keys.push({ id, gaveAll: false });
    return 'an operator issues';
  }

  private async issue(): Promise<string> {
    const order = { customer: this.customer, name: null, products: this.products(), ...CUSTOMER };
    await this.db.transaction(async (tx) => {
      const { id } = await issueKeyWithin(tx, { ...order, rateLimitPerMinute: this.rate(), quota: this.given() });
      await noteKey(tx, this.notes, id, 'issued');
      this.keys.push({ id, gaveAll: true });
    });
    return 'the customer issues';
  }

  private async reset({ id, gaveAll }: HeldKey): Promise<string> {
    const quota = gaveAll ? this.units() : this.sold();
    const limits = [{ quota }, { rateLimitPerMinute: this.rate() }, { quota, rateLimitPerMinute: this.rate() }];
    await setKey(this.db, { id, ...OPERATOR, ...this.random.pick(limits) });
    return 'an operator changes limits';
  }

  /** As the form of the operators' page does, on which only the rate was changed. */
  private async resend({ id }: HeldKey): Promise<string> {
    const rows = await this.db.query<{ product: Product; quota: number | null }>(sql`
      select product, quota::float8 as quota from key_product where key_id = ${id} and enabled`);
    const [quota, ...others] = new Set(rows.map((row) => row.quota));
    if (quota === undefined || others.length > 0) return 'nobody does anything';
    const products = rows.map(({ product }) => product);
    await setKey(this.db, { id, ...OPERATOR, products, quota, rateLimitPerMinute: this.rate() });
    return 'an operator sends the same quota';
  }

  private async replace({ id, gaveAll }: HeldKey): Promise<string> {
    const quota = gaveAll ? { quota: this.units() } : this.random.pick([{}, { quota: this.sold() }]);
    await setKey(this.db, { id, ...OPERATOR, products: this.products(), ...quota });
    return 'an operator replaces the products';
  }

  private async end({ id }: HeldKey): Promise<string> {
    await this.db.transaction((tx) => revokeKeyWithin(tx, { id, ...OPERATOR }));
    return 'an operator revokes';
  }

  private async divide(key: HeldKey): Promise<string> {
    const quota = this.given();
    if (quota === null) key.gaveAll = true;
    await this.db.transaction(async (tx) => {
      await noteQuota(tx, this.notes, key.id, quota);
      await setKeyWithin(tx, { id: key.id, ...CUSTOMER, quota });
    });
    return 'the customer changes a quota';
  }

  private async rename({ id }: HeldKey): Promise<string> {
    await this.db.transaction((tx) => setKeyWithin(tx, { id, ...CUSTOMER, name: 'docketing' }));
    return 'the customer renames';
  }

  private async revoke({ id }: HeldKey): Promise<string> {
    await this.db.transaction(async (tx) => {
      await revokeKeyWithin(tx, { id, ...CUSTOMER });
      await noteKey(tx, this.notes, id, 'revoked');
    });
    return 'the customer revokes';
  }

  private async isLive({ id }: HeldKey): Promise<boolean> {
    const [row] = await this.db.query<{ live: boolean }>(
      sql`select revoked_at is null as live from access_key where key_id = ${id}`,
    );
    return row!.live;
  }

  private products(): Product[] {
    const one = this.random.pick([...PRODUCTS]);
    return this.random.pick([[one], [...PRODUCTS]]);
  }

  private rate(): number {
    return this.random.pick(RATES);
  }

  private units(): number {
    return 2 * this.random.integer(1, 500);
  }

  private sold(): number | null {
    return this.random.integer(1, 8) === 1 ? null : this.units();
  }

  private given(): number | null {
    return this.random.integer(1, 8) === 1 ? null : this.units() - 1;
  }
}

test('an agreement is what used to be derived from keys, after any acts of operators and customers [5.4]', async (t) => {
  const { db } = await createTestDatabase(t);
  const notes = await createNotes(db);
  let limited = 0;
  for (let seed = 1; seed <= 12; seed += 1) {
    const acts = new KeyActs(db, notes, buildRandom(seed), `customer ${seed}`);
    const done: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      done.push(await acts.act());
      const { customer_id: id } = (await findCustomer(db, acts.customer))!;
      const agreements = await listAgreements(db, id);
      assert.deepEqual(agreements, await deriveAgreements(db, notes, id), `seed ${seed}: ${done.join(', ')}`);
      limited += agreements.filter(({ quota, free }) => quota !== null && free! > 0).length;
    }
    const { customer_id: id } = (await findCustomer(db, acts.customer))!;
    await db.transaction((tx) => eraseCustomer(tx, id, `removed ${seed}`));
    assert.deepEqual(await listAgreements(db, id), await deriveAgreements(db, notes, id), `seed ${seed}, removed`);
  }
  assert.ok(limited > 50, `${limited} agreements had units left`);
});

test('what an operator gives a key is agreed, even if the customer gave it the same once [5.4]', async (t) => {
  const { db } = await createTestDatabase(t);
  const order = { customer: 'Acme', name: null, products: ['records' as const], quota: 1000 };
  const { id } = await issueKey(db, { ...order, ...OPERATOR });
  const { customer_id: customerId } = (await findCustomer(db, 'Acme'))!;
  const quotas: (number | null)[] = [];
  const set = async (quota: number, who: typeof OPERATOR | typeof CUSTOMER): Promise<void> => {
    await setKey(db, { id, quota, ...who });
    quotas.push((await listAgreements(db, customerId))[0]!.quota);
  };
  await set(400, CUSTOMER);
  await set(500, OPERATOR);
  await set(400, OPERATOR);
  assert.deepEqual(quotas, [1000, 500, 400]);
});
