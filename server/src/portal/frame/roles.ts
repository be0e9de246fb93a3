/**
 * What each role of a team may open. Every route for members belongs to an area (`within`), and the gates ask here; the
 * navigation leaves out what a role may not open. Operators have no role.
 */
import type { PortalPerson, Role } from '../../store/accounts/portal.ts';
import type { Area, PortalRoute } from './call.ts';
import { textField } from './field-kinds.ts';

const OPENED: Readonly<Record<Role, readonly Area[]>> = {
  administrator: ['own', 'search', 'watches', 'dockets', 'keys', 'webhooks', 'usage', 'api', 'team'],
  member: ['own', 'search', 'watches', 'dockets'],
  developer: ['own', 'keys', 'webhooks', 'usage', 'api'],
};

/** `does`: what the role is for, after the name of it or of a person. */
export const ROLE_WORDS: Readonly<Record<Role, { readonly name: string; readonly does: string }>> = {
  administrator: { name: 'Administrator', does: 'everything, and who is on the team' },
  member: { name: 'Member', does: 'search, watches and dockets' },
  developer: { name: 'Developer', does: 'keys, webhooks, usage and the call log' },
};

export function mayOpen({ role, is_operator }: Pick<PortalPerson, 'role' | 'is_operator'>, area: Area): boolean {
  return is_operator || OPENED[role].includes(area);
}

/** The routes as routes of this area, except those that name another. */
export function within(area: Area, routes: readonly PortalRoute[]): PortalRoute[] {
  return routes.map((route) => (route.members === undefined ? route : { area, ...route }));
}

/** How colleagues see a person: by name, or by address if there is none. */
export function nameOfPerson({ name, email }: Pick<PortalPerson, 'name' | 'email'>): string {
  return name ?? email;
}

const PERSON_NAME_MAX = 100;

export const PERSON_NAME = textField({
  label: 'Your name',
  hint: 'How colleagues see you, instead of your address.',
  attributes: { autocomplete: 'name', maxlength: PERSON_NAME_MAX },
  read: (text) => {
    const name = text.trim();
    const isName = name.length <= PERSON_NAME_MAX && !/[\p{Cc}\p{Cs}]/u.test(name);
    return isName ? name || null : { fault: `A name has at most ${PERSON_NAME_MAX} characters, in one line.` };
  },
});

const EMAIL_CHARACTERS_MAX = 254;
export const EMAIL_ATTRIBUTES = { type: 'email', required: true, maxlength: EMAIL_CHARACTERS_MAX } as const;

/** An address as accounts are stored under it: trimmed and in lower case. */
export function parseEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= EMAIL_CHARACTERS_MAX && /^[^\s@<>"']+@[^\s@<>"']+$/.test(email) ? email : null;
}

export const EMAIL = textField({
  label: 'E-mail address',
  attributes: EMAIL_ATTRIBUTES,
  read: (text) => parseEmail(text) ?? { fault: 'That is not an e-mail address.' },
});
