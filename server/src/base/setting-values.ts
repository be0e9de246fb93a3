/** How the value of a setting is read: one function for each kind of value. It knows no setting. */
import { isIP } from 'node:net';

/** The message says what the value must be; the caller puts the name of the setting in front. */
export class WrongValue extends Error {}

/**
 * The address of a database, or of several servers of which one is the primary, as PostgreSQL's own tools write it:
 * `postgresql://user:password@one:5432,two:5432/database`. Outside this machine it is encrypted and its certificate
 * verified, unless the address says otherwise (docs/design/operations.md).
 */
export function parseDatabaseUrl(text: string): string {
  const wrong = new WrongValue('must be an address like postgresql://user:password@host:port/database');
  // PostgreSQL's tools accept a user without a host (`postgresql://user@/db?host=/folder`); the URL class does not.
  const address = text.replace(/^(\w+:\/\/[^@/]*@)\//, '$1localhost/');
  const servers = listServers(address);
  if (servers.length > SERVERS_MAX) throw new WrongValue(`must name at most ${SERVERS_MAX} servers`);
  if (new Set(servers).size < servers.length) throw new WrongValue('must name each server once');
  const urls = servers.map((server) => {
    if (!URL.canParse(server)) throw wrong;
    return new URL(server);
  });
  for (const { protocol, searchParams, hostname } of urls) {
    if (protocol !== 'postgresql:' && protocol !== 'postgres:') throw wrong;
    if (urls.length > 1 && hostname === '') throw wrong;
    if (searchParams.get('host')?.includes(',')) {
      throw new WrongValue('must name several servers before its path: postgresql://user@one:5432,two:5432/database');
    }
    const wanted = searchParams.get(WANTED_SERVER);
    if (wanted !== null && wanted !== 'read-write' && wanted !== 'primary') {
      throw new WrongValue(`must lead to the primary: ${WANTED_SERVER} is read-write, or left out`);
    }
  }
  const isSaid = urls.some(({ searchParams }) => TLS_PARAMETERS.some((name) => Boolean(searchParams.get(name))));
  if (isSaid || urls.every((url) => staysOnMachine(hostOf(url)))) return address;
  return `${address}${address.includes('?') ? (address.endsWith('?') ? '' : '&') : '?'}sslmode=verify-full`;
}

/** Each is asked twice a second by every process. */
const SERVERS_MAX = 8;
/** From PostgreSQL's own tools. The service always uses the primary, with or without it. */
const WANTED_SERVER = 'target_session_attrs';

/** The address of each server that an address of a database names, in its order. */
export function listServers(address: string): string[] {
  const [, scheme, user, hosts, rest] = /^(\w+:\/\/)([^@/?#]*@)?([^/?#]*)(.*)$/s.exec(address) ?? [];
  return hosts?.includes(',') ? hosts.split(',').map((host) => `${scheme}${user ?? ''}${host}${rest}`) : [address];
}

/** Empty if the address names none; a folder for a socket. */
function hostOf({ searchParams, hostname }: URL): string {
  return searchParams.get('host') ?? hostname.replace(/%2f/gi, '/');
}

/** Whether the driver would take the host from `PGHOST`, and that leads to another machine. */
export function isLedElsewhere(address: string, host: string | undefined): boolean {
  const isMissing = listServers(address).some((server) => hostOf(new URL(server)) === '');
  return host !== undefined && isMissing && !staysOnMachine(host);
}

/** Each of these alone decides whether a connection is encrypted. */
const TLS_PARAMETERS = ['sslmode', 'ssl'];

/** A socket or a loopback address. A name other than `localhost` may lead anywhere. */
function staysOnMachine(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const isLoopback = bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
  return bare === '' || bare.startsWith('/') || isLoopback;
}

const MASK = '***';
/** The parameters of an address that may be shown; others, such as `password`, may be secret. */
const SHOWN_PARAMETERS: ReadonlySet<string> = new Set(
  'host port sslmode sslrootcert sslcert target_session_attrs'.split(' '),
);

/** A secret as it may be shown: an address without its password, of anything else nothing. */
export function maskSecret(text: string, isList: boolean): string {
  return isList
    ? text
        .split(',')
        .map((part) => maskAddress(part.trim()))
        .join(',')
    : maskAddress(text);
}

function maskAddress(text: string): string {
  const [first = '', ...others] = listServers(text);
  if (!/^postgres(ql)?:\/\//.test(text) || ![first, ...others].every((server) => URL.canParse(server))) return MASK;
  const url = new URL(first);
  if (url.password !== '') url.password = MASK;
  for (const name of new Set(url.searchParams.keys())) {
    if (!SHOWN_PARAMETERS.has(name)) url.searchParams.set(name, MASK);
  }
  const hosts = [url.host, ...others.map((server) => new URL(server).host)];
  return url.href.replace(/^(\w+:\/\/(?:[^@/?#]*@)?)[^/?#]*/, `$1${hosts.join(',')}`);
}

export function parseHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, '$1');
  if (!/^[A-Za-z0-9._:%-]+$/.test(host)) throw new WrongValue(`must be a host name or an IP address, not "${text}"`);
  return host;
}

export function parseOrigin(text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new WrongValue(`must be an origin such as https://app.example, not "${text}"`);
  }
  return text;
}

/** Without user and password, which would be shown and logged. */
export function parseAddress(text: string): string {
  const { protocol = '', username = '', password = '' } = URL.canParse(text) ? new URL(text) : {};
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') {
    throw new WrongValue('must be an http or https address without user and password');
  }
  return text;
}

export function parseNetwork(text: string): string {
  const [address = '', length, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
  if (bits < 0 || rest.length > 0 || !isLength) {
    throw new WrongValue(`must be addresses or networks such as 10.0.0.0/8, not "${text}"`);
  }
  return text;
}

/** Plain http is accepted for loopback addresses only, where nothing leaves the machine. */
export function parseIssuer(text: string): string {
  const isUrl = URL.canParse(text);
  const { protocol, hostname } = isUrl ? new URL(text) : { protocol: '', hostname: '' };
  if (protocol !== 'https:' && !(protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))) {
    throw new WrongValue(`must be an https address, not "${text}"`);
  }
  return text;
}

/** The message never repeats the address, which may hold a password. */
export function parseSmtpUrl(text: string): string {
  const wrong = new WrongValue(
    'must be an address like smtp://user:password@host:587 or smtps://user:password@host:465',
  );
  if (!URL.canParse(text)) throw wrong;
  const { protocol, hostname, pathname, search } = new URL(text);
  const isWhole = hostname !== '' && ['', '/'].includes(pathname) && search === '';
  if (!['smtp:', 'smtps:'].includes(protocol) || !isWhole) throw wrong;
  return text;
}

/** The message never repeats it. */
export function parseKeyMaterial(text: string): string {
  if (text.length < 32 || text.length > 1000) throw new WrongValue('must have 32 to 1000 characters');
  return text;
}

export function parseMailAddress(text: string): string {
  if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text)) {
    throw new WrongValue(`must be an address such as noreply@example.com, not "${text}"`);
  }
  return text;
}

/** Visible ASCII, so that it is one line of a file. */
export function parseContact(text: string): string {
  const isMail = /^mailto:[!-?A-~]+@[!-?A-~]+$/.test(text);
  if (!isMail && !(/^https:\/\/[!-~]+$/.test(text) && URL.canParse(text))) {
    throw new WrongValue(`must be mailto: with an address, or an https address, not "${text}"`);
  }
  return text;
}

/** Paths that the service itself answers under. */
const RESERVED_PREFIXES: ReadonlySet<string> = new Set(['v1', 'portal', 'docs']);

export function parsePrefix(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(text) || RESERVED_PREFIXES.has(text)) {
    throw new WrongValue(
      'must be one path segment of letters, digits, "-" and "_" ' +
        `other than ${[...RESERVED_PREFIXES].join(', ')}, not "${text}"`,
    );
  }
  return text;
}

/** As every server with the S3 protocol takes it. */
export function parseBucket(text: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text;
  throw new WrongValue(`must be 3 to 63 lower-case letters, digits, "-" and ".", not "${text}"`);
}

export function parseObjectPrefix(text: string): string {
  if (/^[A-Za-z0-9_.-][A-Za-z0-9_./-]{0,199}$/.test(text)) return text;
  throw new WrongValue(
    `must be 1 to 200 letters, digits, "-", "_", "." and "/", and not begin with "/", not "${text}"`,
  );
}

export function parseRegion(text: string): string {
  if (/^[a-z0-9-]{1,63}$/.test(text)) return text;
  throw new WrongValue(`must be the name of a region such as eu-central-1, not "${text}"`);
}

export function parseNumber(text: string, bounds: { from: number; to: number; integer: boolean }): number {
  const shape = bounds.integer ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,6})?$/;
  const value = Number(text);
  if (!shape.test(text) || value < bounds.from || value > bounds.to) {
    const kind = bounds.integer ? 'an integer' : 'a number';
    throw new WrongValue(`must be ${kind} from ${bounds.from} to ${bounds.to}, not "${text}"`);
  }
  return value;
}

export function parseChoice<Choice extends string>(text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new WrongValue(`must be one of ${choices.join(', ')}, not "${text}"`);
  return choice;
}

export function parseKeptDays(text: string, from: number): number | null {
  return text === 'unlimited' ? null : parseNumber(text, { from, to: 36_500, integer: true });
}
