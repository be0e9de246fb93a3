/**
 * What each role of a team may open. Every route for members belongs to an area (`within`), and the gates ask here; the
 * navigation leaves out what a role may not open. Operators have no role.
 */
import type { PortalPerson, Role } from '../../store/accounts/portal.ts';
import type { Area, PortalRoute } from './call.ts';

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

/** Characters of the name of a person. */
export const PERSON_NAME_MAX = 100;
export const PERSON_NAME_FAULT = `A name has at most ${PERSON_NAME_MAX} characters, in one line.`;

/** Null without a name; undefined for a text that is no name. */
export function parsePersonName(text: string | null): string | null | undefined {
  const name = (text ?? '').trim();
  if (name === '') return null;
  return name.length > PERSON_NAME_MAX || /[\p{Cc}\p{Cs}]/u.test(name) ? undefined : name;
}

export const EMAIL_CHARACTERS_MAX = 254;

export function parseEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= EMAIL_CHARACTERS_MAX && /^[^\s@<>"']+@[^\s@<>"']+$/.test(email) ? email : null;
}
