/**
 * A form does its work once. Every form that changes something has its own one-use token; sending the form again (a
 * double click, a reload, the back button) leads where it led the first time. The token is signed for the browser's
 * cookie, so nothing is stored until it is used. Its digest is written in the transaction that does the work, so a form
 * whose work failed can be sent again.
 */
import { createHmac } from 'node:crypto';
import { digestText } from '../../access/secret.ts';
import type { Database, Transaction } from '../../database/driver/db.ts';
import { type Customer, holdCustomer, lockCustomer } from '../../store/accounts/customers.ts';
import { claimForm, finishForm } from '../../store/accounts/portal-forms.ts';
import { type MemberCall, orNotFound, type PublicCall, type Redirect } from './call.ts';

/** How old a form may be when it is sent: as long as a session may be idle. */
export const FORM_SECONDS = 2 * 3600;

/** Fields of every form that nobody typed. */
const FORM_TOKENS: readonly string[] = ['csrf', 'once'];

/** The form cannot be accepted, but the typed text has no fault, so it is kept. */
export class StaleForm extends Error {
  readonly why: 'old' | 'used';

  constructor(why: 'old' | 'used') {
    super(`the form is ${why}`);
    this.name = 'StaleForm';
    this.why = why;
  }
}

export interface Fault {
  readonly fault: string;
}

class Undone extends Error {
  readonly outcome: Fault;

  constructor(outcome: Fault) {
    super(outcome.fault);
    this.outcome = outcome;
  }
}

type FormCall = Pick<PublicCall, 'form' | 'isFormFresh'>;

/**
 * Runs `work` in a transaction unless this form has done its work already. A fault rolls the transaction back, and the
 * form can be sent again. Until then the customer of the person stays: nothing is stored of one that is being removed.
 * Throws StaleForm when the form is too old, or did its work with different content.
 */
export async function doOnce<Outcome extends Redirect | Fault>(
  call: FormCall & Pick<PublicCall, 'user' | 'isViewing'>,
  database: Database,
  work: (tx: Transaction) => Promise<Outcome>,
): Promise<Outcome | Redirect> {
  return await runOnce(call, database, async (tx) => {
    if (call.user !== null && !call.isViewing) orNotFound(await holdCustomer(tx, call.user.customer_id));
    return await work(tx);
  });
}

/** The same under the lock of the customer, so that two changes never take the same units, or the last free place. */
export async function doAlone<Outcome extends Redirect | Fault>(
  call: FormCall & Pick<MemberCall, 'user'>,
  database: Database,
  work: (tx: Transaction, customer: Customer) => Promise<Outcome>,
): Promise<Outcome | Redirect> {
  // Locked at once: of two that held it first, each would wait for the other.
  return await runOnce(call, database, async (tx) =>
    work(tx, orNotFound(await lockCustomer(tx, call.user.customer_id))),
  );
}

async function runOnce<Outcome extends Redirect | Fault>(
  call: FormCall,
  database: Database,
  work: (tx: Transaction) => Promise<Outcome>,
): Promise<Outcome | Redirect> {
  if (!call.isFormFresh) throw new StaleForm('old');
  const token = call.form.get('once') ?? '';
  const tokenDigest = digestText(token);
  const contentDigest = digestContent(call.form, token);
  try {
    return await database.transaction(async (tx): Promise<Outcome | Redirect> => {
      const form = { token_digest: tokenDigest, content_digest: contentDigest, valid_seconds: FORM_SECONDS };
      const done = await claimForm(tx, form);
      if (done !== null) {
        if (!done.content_digest.equals(contentDigest)) throw new StaleForm('used');
        return { to: done.led_to };
      }
      const outcome = await work(tx);
      if ('fault' in outcome) throw new Undone(outcome);
      await finishForm(tx, tokenDigest, outcome.to);
      return outcome;
    });
  } catch (error) {
    if (error instanceof Undone) return error.outcome as Outcome;
    throw error;
  }
}

/** Keyed by the token, which is not stored, so that a password in the form cannot be guessed from the digest. */
function digestContent(form: URLSearchParams, token: string): Buffer {
  const typed = [...form].filter(([name]) => !FORM_TOKENS.includes(name));
  return createHmac('sha256', token).update(JSON.stringify(typed)).digest();
}
