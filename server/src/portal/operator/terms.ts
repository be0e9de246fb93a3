/** What operators type: customers and keys, within the same bounds as on the command line, and their own password. */
import { RATE_LIMIT_DEFAULT } from '../../access/keys.ts';
import type { SignedInCall } from '../frame/call.ts';
import { textField, unkeptField } from '../frame/field-kinds.ts';
import { declareForm } from '../frame/forms.ts';
import type { Fault } from '../frame/once.ts';
import { formatCount } from '../frame/pieces.ts';
import { EMAIL } from '../frame/roles.ts';
import { PRODUCT, quotaField } from '../keys/terms.ts';
import type { PortalServices } from '../services.ts';
import { signIn } from '../sign-in/passwords.ts';

const NAME_MAX = 200;
const REASON_MAX = 500;
const RATE_MAX = 2_147_483_647;

function readName(text: string): string | Fault {
  const name = text.trim();
  const isName = name !== '' && name.length <= NAME_MAX && !/[\p{Cc}\p{Cs}]/u.test(name);
  return isName ? name : { fault: `A name has 1 to ${NAME_MAX} characters.` };
}

export const CUSTOMER = declareForm({
  name: textField({ label: 'Name', attributes: { required: true, maxlength: NAME_MAX }, read: readName }),
});

export const INVITATION = declareForm({ email: EMAIL });

/** The password that a page requires again before a harmful action. */
const OWN_PASSWORD = unkeptField({
  label: 'Your password',
  attributes: { type: 'password', autocomplete: 'current-password', required: true },
});

export const SUSPENSION = declareForm({
  reason: textField({
    label: 'Reason',
    hint: 'Their people read it when they sign in. May be empty.',
    attributes: { maxlength: REASON_MAX },
    read: (text) => {
      const reason = text.replace(/\s+/g, ' ').trim();
      return reason.length > REASON_MAX ? { fault: `A reason has at most ${REASON_MAX} characters.` } : reason || null;
    },
  }),
  password: OWN_PASSWORD,
});

export const REMOVAL = declareForm({
  confirmed: unkeptField({ label: 'Type the name of the customer', attributes: { required: true } }),
  password: OWN_PASSWORD,
});

export const REVOCATION = declareForm({ password: OWN_PASSWORD });

/** A key without a name has none, or keeps its own. `quota`: units a month for each product; null = unlimited. */
export const KEY_TERMS = declareForm({
  name: textField({
    label: 'Name',
    hint: 'What the key is for.',
    attributes: { maxlength: NAME_MAX },
    read: (text) => (text.trim() === '' ? null : readName(text)),
  }),
  product: PRODUCT,
  rate: textField({
    label: 'Calls a minute, for each product',
    hint: `Empty means ${formatCount(RATE_LIMIT_DEFAULT)}.`,
    attributes: { inputmode: 'numeric' },
    read: (text) => {
      const digits = text.trim().replaceAll(/[ ,_]/g, '');
      if (digits === '') return RATE_LIMIT_DEFAULT;
      const rate = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
      const isRate = rate >= 1 && rate <= RATE_MAX;
      return isRate ? rate : { fault: 'Calls a minute must be a whole number of at least 1, or empty.' };
    },
  }),
  quota: quotaField('The monthly limit must be a whole number, or empty for no limit.'),
});

/** Why the form is refused; null if it has the sender's password. Attempts count like those of a sign-in. */
export async function findPasswordFault(
  { person: { email }, address }: SignedInCall,
  { database }: PortalServices,
  { password }: { readonly password: string },
): Promise<Fault | null> {
  const outcome = await signIn(database, { email, password, address });
  if ('userId' in outcome) return null;
  return { fault: outcome.refused === 'too_many' ? 'Too many attempts. Try again later.' : 'Your password is wrong.' };
}
