/** What scanners and crawlers ask for: whom to inform of a weakness (RFC 9116), and which paths are worth reading. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

export interface SecurityContact {
  /** `mailto:…` or `https://…`. */
  readonly contact: string;
  /** Where the service is reached; null = not known. */
  readonly publicUrl: string | null;
}

/** Valid for half a year from the day of the call. */
export function renderSecurityText({ contact, publicUrl }: SecurityContact, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString().replace('.000Z', 'Z');
  const canonical = publicUrl === null ? [] : [`Canonical: ${publicUrl}/.well-known/security.txt`];
  return [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en', ...canonical, ''].join('\n');
}

export const ROBOTS_TEXT = [
  'User-agent: *',
  'Allow: /docs',
  'Allow: /llms.txt',
  'Allow: /openapi.json',
  'Disallow: /',
  '',
].join('\n');
