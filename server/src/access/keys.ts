/**
 * Manages keys for operators and the portal: issue, rotate, revoke, change. Every change is one transaction together
 * with its audit row (who, when, what). The text of a key exists only in the return value.
 */
import { PRODUCTS, type Product } from '@tmds/contract/enums';
import { OperatorError } from '../base/errors.ts';
import type { Database, Transaction } from '../database/driver/db.ts';
import { endAgreements, insertPortalKey, isAgreed, upsertAgreement } from '../store/accounts/agreements.ts';
import { type Actor, insertAudit, insertCustomer } from '../store/accounts/customers.ts';
import {
  disableKeyProducts,
  endOldSecrets,
  insertKey,
  insertSecret,
  type KeySummary,
  listKeys,
  lockKey,
  lockKeyProducts,
  renameKey,
  revokeKey as storeRevocation,
  upsertKeyProduct,
} from '../store/accounts/keys.ts';
import type { Role } from '../store/accounts/portal.ts';
import { insertInvitation, lockAddress } from '../store/accounts/portal-invitations.ts';
import { buildKeyId, buildKeyText, buildToken } from './secret.ts';

/** Calls per minute of a key that is issued without a limit; more than any single replica or law firm makes. */
export const RATE_LIMIT_DEFAULT = 60_000;
export const INVITATION_HOURS = 72;

export interface IssuedKey {
  readonly id: string;
  /** The text of the key. Show it once; it cannot be read again. */
  readonly key: string;
}

export interface KeyLimits {
  readonly rateLimitPerMinute?: number;
  /** Units per month; null = unlimited. */
  readonly quota?: number | null;
}

export interface KeyOrder extends KeyLimits {
  readonly customer: string;
  readonly name: string | null;
  readonly products: readonly Product[];
  /** Who ordered the change; for the audit. */
  readonly actor: Actor;
  /** Whether the customer does this within its agreement, which stays the same; default: the operator does. */
  readonly byCustomer?: boolean;
}

/** Adds the customer if no customer has this name. */
export async function issueKey(db: Database, order: KeyOrder): Promise<IssuedKey> {
  return db.transaction((tx) => issueKeyWithin(tx, order));
}

/** The same within a transaction of the caller, who may hold a lock while checking how many keys are allowed. */
export async function issueKeyWithin(tx: Transaction, order: KeyOrder): Promise<IssuedKey> {
  const id = buildKeyId();
  const { text, digest } = buildKeyText(id);
  const limits = { rate_limit_per_minute: order.rateLimitPerMinute ?? RATE_LIMIT_DEFAULT, quota: order.quota ?? null };
  const customer = await addCustomer(tx, order.customer, order.actor);
  await insertKey(tx, { key_id: id, customer_id: customer.customer_id, name: order.name });
  await insertSecret(tx, { key_id: id, digest, graceSeconds: 0 });
  if (order.byCustomer) await insertPortalKey(tx, id);
  for (const product of order.products) {
    await upsertKeyProduct(tx, id, { product, ...limits });
    if (!order.byCustomer) await upsertAgreement(tx, id, { product, ...limits });
  }
  await insertAudit(tx, {
    actor: order.actor,
    action: 'key.issue',
    customer_id: customer.customer_id,
    key_id: id,
    change: { name: order.name, products: order.products, ...limits },
  });
  return { id, key: text };
}

export interface Rotation {
  readonly id: string;
  readonly graceSeconds: number;
  readonly actor: Actor;
}

/** Adds a new secret; the old ones stay valid for `graceSeconds`. Usage, limits and quota stay with the key. */
export async function rotateKey(db: Database, rotation: Rotation): Promise<IssuedKey> {
  return db.transaction((tx) => rotateKeyWithin(tx, rotation));
}

export async function rotateKeyWithin(tx: Transaction, { id, graceSeconds, actor }: Rotation): Promise<IssuedKey> {
  const { text, digest } = buildKeyText(id);
  const entry = { id, actor, action: 'key.rotate', change: { grace_seconds: graceSeconds } };
  await changeKeyWithin(tx, entry, async (key) => {
    if (key.revoked) throw new OperatorError(`key ${id} is revoked; issue a new one instead`);
    await insertSecret(tx, { key_id: id, digest, graceSeconds });
  });
  return { id, key: text };
}

/** Ends the grace of a rotation: only the newest text of the key stays valid. */
export async function endGraceWithin(tx: Transaction, { id, actor }: { id: string; actor: Actor }): Promise<void> {
  await changeKeyWithin(tx, { id, actor, action: 'key.end_grace', change: {} }, () => endOldSecrets(tx, id));
}

export interface Revocation {
  readonly id: string;
  readonly actor: Actor;
  /** As in `KeyOrder`. */
  readonly byCustomer?: boolean;
}

export async function revokeKey(db: Database, order: Revocation): Promise<void> {
  await db.transaction((tx) => revokeKeyWithin(tx, order));
}

export async function revokeKeyWithin(tx: Transaction, { id, actor, byCustomer }: Revocation): Promise<void> {
  await changeKeyWithin(tx, { id, actor, action: 'key.revoke', change: {} }, async ({ revoked }) => {
    // A key that the customer has revoked stays in the agreement.
    if (!byCustomer && !revoked) await endAgreements(tx, id);
    await storeRevocation(tx, id);
  });
}

export interface KeyChange extends KeyLimits {
  readonly id: string;
  readonly actor: Actor;
  readonly name?: string;
  /** Replaces the products of the key. */
  readonly products?: readonly Product[];
  /** As in `KeyOrder`. */
  readonly byCustomer?: boolean;
}

/** Changes only what is given. Limits apply to every product that the key then has. */
export async function setKey(db: Database, order: KeyChange): Promise<void> {
  await db.transaction((tx) => setKeyWithin(tx, order));
}

export async function setKeyWithin(tx: Transaction, order: KeyChange): Promise<void> {
  const { id, actor, byCustomer = false, ...change } = order;
  await changeKeyWithin(tx, { id, actor, action: 'key.set', change }, async () => {
    if (order.name !== undefined) await renameKey(tx, id, order.name);
    await lockKeyProducts(tx, id);
    const [key] = await listKeys(tx, { keyId: id });
    const known = new Map(key?.products.map((row) => [row.product, row]));
    const products = order.products ?? [...known.keys()];
    const changesAgreement = !byCustomer && (await isAgreed(tx, id));
    for (const product of products) {
      const row = known.get(product);
      const limits = {
        product,
        rate_limit_per_minute: order.rateLimitPerMinute ?? row?.rate_limit_per_minute ?? RATE_LIMIT_DEFAULT,
        quota: order.quota === undefined ? (row?.quota ?? null) : order.quota,
      };
      await upsertKeyProduct(tx, id, limits);
      // A form sends every limit, so a quota that the key has already, perhaps by its customer, is no change.
      const keepsQuota = row !== undefined && row.quota === limits.quota;
      if (changesAgreement) await upsertAgreement(tx, id, limits, { keepsQuota });
    }
    if (order.products === undefined) return;
    await disableKeyProducts(tx, id, products);
    if (changesAgreement) await endAgreements(tx, id, products);
  });
}

/** Throws OperatorError for an id that was never issued. */
export async function findKeySummary(db: Database, id: string): Promise<KeySummary> {
  const [key] = await listKeys(db, { keyId: id });
  if (key === undefined) throw noSuchKey(id);
  return key;
}

export interface InvitationOrder {
  readonly customer: string;
  readonly email: string;
  /** Default: administrator. */
  readonly role?: Role;
  readonly actor: Actor;
}

export interface IssuedInvitation {
  /** Part of a link; only its digest is stored. */
  readonly token: string;
  readonly expires_at: string;
}

interface CustomerInvitation extends IssuedInvitation {
  /** Whether the customer was added for it. */
  readonly isCustomerNew: boolean;
}

/** Issues a one-time invitation to the portal; it replaces an open one for the same address. */
export async function inviteCustomer(db: Database, order: InvitationOrder): Promise<CustomerInvitation> {
  return db.transaction((tx) => inviteWithin(tx, order));
}

export async function inviteWithin(tx: Transaction, order: InvitationOrder): Promise<CustomerInvitation> {
  const { customer, actor, role = 'administrator' } = order;
  const email = order.email.trim().toLowerCase();
  const { text, digest } = buildToken();
  const { customer_id, is_new: isCustomerNew } = await addCustomer(tx, customer, actor);
  await lockAddress(tx, email);
  await insertAudit(tx, { actor, action: 'customer.invite', customer_id, key_id: null, change: { email, role } });
  const invitation = { token_digest: digest, customer_id, email, role, valid_hours: INVITATION_HOURS };
  return { token: text, expires_at: await insertInvitation(tx, invitation), isCustomerNew };
}

export async function addCustomer(
  db: Transaction,
  name: string,
  actor: Actor,
): Promise<{ customer_id: string; is_new: boolean }> {
  const customer = await insertCustomer(db, name);
  if (customer.removed_at !== null) throw new OperatorError(`customer ${name} is removed; give another name`);
  if (customer.is_new) {
    const { customer_id } = customer;
    await insertAudit(db, { actor, action: 'customer.add', customer_id, key_id: null, change: { name } });
  }
  return customer;
}

export function isProduct(text: string): text is Product {
  return PRODUCTS.some((product) => product === text);
}

async function changeKeyWithin(
  tx: Transaction,
  entry: { id: string; actor: Actor; action: string; change: Readonly<Record<string, unknown>> },
  work: (key: { revoked: boolean }) => Promise<void>,
): Promise<void> {
  const { id, actor, action, change } = entry;
  const key = await lockKey(tx, id);
  if (key === null) throw noSuchKey(id);
  await work(key);
  await insertAudit(tx, { actor, action, customer_id: key.customer_id, key_id: id, change });
}

function noSuchKey(id: string): OperatorError {
  return new OperatorError(`there is no key ${id}; tmds key list shows the keys`);
}
