/**
 * What an operator does to a whole customer: rename, suspend, resume, remove. Every change is one transaction together
 * with its audit row. A suspended customer's keys are refused like revoked ones, within the same second; a removed
 * customer is also nameless.
 */
import { OperatorError } from '../base/errors.ts';
import type { Transaction } from '../database/driver/db.ts';
import {
  type Actor,
  type Customer,
  eraseCustomer,
  insertAudit,
  lockCustomerNamed,
  renameCustomer as storeName,
  resumeCustomer as storeResumption,
  suspendCustomer as storeSuspension,
} from '../store/accounts/customers.ts';
import { eraseSavedSearches } from '../store/accounts/saved-searches.ts';
import { eraseJudgements } from '../store/accounts/similar-judgements.ts';
import { eraseWatches, takeTurn } from '../store/watches/watches.ts';
import { eraseWebhooks } from '../store/webhooks/webhooks.ts';

export interface CustomerOrder {
  /** Its name. */
  readonly customer: string;
  readonly actor: Actor;
}

/** Changes only the name; a suspended customer can be renamed, too. */
export async function renameCustomer(tx: Transaction, order: CustomerOrder & { name: string }): Promise<void> {
  const { customer_id, name: formerName } = await lockCurrent(tx, order.customer);
  if (!(await storeName(tx, customer_id, order.name))) {
    throw new OperatorError(`a customer ${order.name} already exists; give another name`);
  }
  const change = { name: order.name, former_name: formerName };
  await insertAudit(tx, { actor: order.actor, action: 'customer.rename', customer_id, key_id: null, change });
}

/** The people of the customer see `reason` when they sign in. Suspending again replaces it. */
export async function suspendCustomer(
  tx: Transaction,
  { customer, actor, reason }: CustomerOrder & { reason: string | null },
): Promise<void> {
  const { customer_id } = await lockCurrent(tx, customer);
  await storeSuspension(tx, customer_id, reason);
  const change = reason === null ? {} : { reason };
  await insertAudit(tx, { actor, action: 'customer.suspend', customer_id, key_id: null, change });
}

/** False if the customer was not suspended. */
export async function resumeCustomer(tx: Transaction, { customer, actor }: CustomerOrder): Promise<boolean> {
  const { customer_id, suspended_at } = await lockCurrent(tx, customer);
  if (suspended_at === null) return false;
  await storeResumption(tx, customer_id);
  await insertAudit(tx, { actor, action: 'customer.resume', customer_id, key_id: null, change: {} });
  return true;
}

/** Resolves to the neutral name under which its usage and audit stay. */
export async function removeCustomer(tx: Transaction, { customer, actor }: CustomerOrder): Promise<string> {
  const { customer_id } = await lockCurrent(tx, customer);
  const neutralName = `removed customer ${customer_id}`;
  await eraseWebhooks(tx, customer_id);
  await takeTurn(tx);
  await eraseWatches(tx, customer_id);
  await eraseSavedSearches(tx, customer_id);
  await eraseJudgements(tx, customer_id);
  await eraseCustomer(tx, customer_id, neutralName);
  await insertAudit(tx, { actor, action: 'customer.remove', customer_id, key_id: null, change: {} });
  return neutralName;
}

/** Throws OperatorError for a customer that does not exist or is removed. */
async function lockCurrent(tx: Transaction, name: string): Promise<Customer> {
  const customer = await lockCustomerNamed(tx, name);
  if (customer === null) throw new OperatorError(`there is no customer ${name}; tmds customer list shows them`);
  if (customer.removed_at !== null)
    throw new OperatorError(`customer ${name} is removed; nothing of it can be changed`);
  return customer;
}
