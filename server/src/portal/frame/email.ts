/** E-mail addresses as accounts are stored under them: trimmed and in lower case. */

export const EMAIL_CHARACTERS_MAX = 254;

export function parseEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= EMAIL_CHARACTERS_MAX && /^[^\s@<>"']+@[^\s@<>"']+$/.test(email) ? email : null;
}
