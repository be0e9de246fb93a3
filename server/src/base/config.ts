/**
 * The settings of the service: one table of names, defaults, bounds and meanings, and the only reader of the
 * environment. Everything else takes a `Config`. Invariant: a `Config` that exists is valid as a whole.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { CHANGE_HORIZON_SECONDS, QUERY_TIMEOUT_SECONDS } from '@tmds/contract/limits';
import { OperatorError } from './errors.ts';
import { LOG_LEVELS, type LogLevel } from './log.ts';

export interface Config {
  /** `postgresql://…`; null = the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | null;
  readonly replicaUrls: readonly string[];
  /** Absolute. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Path segment in front of `/v1`, without slashes. */
  readonly recordPrefix: string;
  readonly analyticsPrefix: string;
  readonly changeHorizonSeconds: number;
  readonly queryTimeoutSeconds: number;
  /** Most connections of one server process to its database. */
  readonly poolMax: number;
  /** Origins such as `https://app.example` whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** `https://api.example`: where browsers reach the service; null = at whatever address they use. */
  readonly publicUrl: string | null;
  /** Networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** The identity provider's address; null = people sign in with passwords only. */
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcClientSecret: string | null;
  readonly logLevel: LogLevel;
}

export interface Setting<Value> {
  /** Name of the environment variable. */
  readonly variable: string;
  /** The default, as it would be written; null = unset. */
  readonly standard: string | null;
  /** Which values it takes. */
  readonly takes: string;
  readonly meaning: string;
  /** Throws `WrongValue` with what the value has to be. */
  readonly parse: (text: string | null) => Value;
}

class WrongValue extends Error {}

export const SETTINGS: { readonly [Field in keyof Config]: Setting<Config[Field]> } = {
  databaseUrl: {
    variable: 'DATABASE_URL',
    standard: null,
    takes: '`postgresql://user:password@host:port/database`; unset = embedded PostgreSQL',
    meaning: 'The database. PostgreSQL 15 or newer, UTF8.',
    parse: (text) => (text === null ? null : parseDatabaseUrl(text)),
  },
  replicaUrls: {
    variable: 'DATABASE_REPLICA_URLS',
    standard: null,
    takes: 'addresses like `DATABASE_URL`, separated by commas; only together with `DATABASE_URL`',
    meaning: 'Streaming standbys of the database. `tmds doctor` checks them; reads are not spread over them yet.',
    parse: (text) => (text === null ? [] : text.split(',').map((part) => parseDatabaseUrl(part.trim()))),
  },
  dataDir: {
    variable: 'TMDS_DATA_DIR',
    standard: './data',
    takes: 'a folder, made when missing',
    meaning: 'Where the embedded database, the snapshots of the search index and the demonstration key are kept.',
    parse: (text) => resolve(text ?? ''),
  },
  host: {
    variable: 'HOST',
    standard: '127.0.0.1',
    takes: 'a host name or an IP address; `0.0.0.0` or `::` = every interface',
    meaning: 'The address to listen on.',
    parse: parseHost,
  },
  port: {
    variable: 'PORT',
    standard: '8080',
    takes: 'an integer from 0 to 65535; 0 = any free port',
    meaning: 'The port to listen on.',
    parse: (text) => parseNumber(text, { from: 0, to: 65_535, integer: true }),
  },
  recordPrefix: {
    variable: 'TMDS_RECORD_PREFIX',
    standard: 'records',
    takes: 'one path segment of letters, digits, `-`, `_`; not `v1`',
    meaning: 'The path segment of the Record API in front of `/v1`.',
    parse: parsePrefix,
  },
  analyticsPrefix: {
    variable: 'TMDS_ANALYTICS_PREFIX',
    standard: 'analytics',
    takes: 'one path segment of letters, digits, `-`, `_`; not `v1`, not `TMDS_RECORD_PREFIX`',
    meaning: 'The path segment of the other product, which this host refuses or does not know.',
    parse: parsePrefix,
  },
  changeHorizonSeconds: {
    variable: 'TMDS_CHANGE_HORIZON_SECONDS',
    standard: String(CHANGE_HORIZON_SECONDS),
    takes: 'a number from 0 to 86400',
    meaning: 'How far behind the current time the change feed ends. Anything but the default is for tests.',
    parse: (text) => parseNumber(text, { from: 0, to: 86_400, integer: false }),
  },
  queryTimeoutSeconds: {
    variable: 'TMDS_QUERY_TIMEOUT_SECONDS',
    standard: String(QUERY_TIMEOUT_SECONDS),
    takes: 'a number from 0.01 to 600',
    meaning: 'After how long a query is stopped and answered with `query_timeout`.',
    parse: (text) => parseNumber(text, { from: 0.01, to: 600, integer: false }),
  },
  poolMax: {
    variable: 'TMDS_POOL_MAX',
    standard: '16',
    takes: 'an integer from 2 to 500',
    meaning: 'Most connections of one server process to its database.',
    parse: (text) => parseNumber(text, { from: 2, to: 500, integer: true }),
  },
  corsOrigins: {
    variable: 'TMDS_CORS_ORIGINS',
    standard: null,
    takes: 'origins such as `https://app.example`, separated by commas; unset = none',
    meaning: 'Pages of which other origins may call the API from a browser.',
    parse: (text) => (text === null ? [] : text.split(',').map((part) => parseOrigin(part.trim()))),
  },
  publicUrl: {
    variable: 'TMDS_PUBLIC_URL',
    standard: null,
    takes: 'an origin such as `https://api.example`; unset = whatever address the browser used',
    meaning:
      'Where the service is reached: stands in the interface description and in links of the portal; with `https` its cookies travel encrypted only.',
    parse: (text) => (text === null ? null : parseOrigin(text)),
  },
  trustedProxies: {
    variable: 'TMDS_TRUSTED_PROXIES',
    standard: null,
    takes: 'addresses or networks such as `10.0.0.0/8`, separated by commas; unset = none',
    meaning: 'Proxies whose `X-Forwarded-For` names the address that sign-in attempts are counted for.',
    parse: (text) => (text === null ? [] : text.split(',').map((part) => parseNetwork(part.trim()))),
  },
  oidcIssuer: {
    variable: 'TMDS_OIDC_ISSUER',
    standard: null,
    takes: 'an `https` address; unset = sign-in with passwords only',
    meaning: 'The OpenID Connect provider that people may sign in to the portal with.',
    parse: (text) => (text === null ? null : parseIssuer(text)),
  },
  oidcClientId: {
    variable: 'TMDS_OIDC_CLIENT_ID',
    standard: null,
    takes: 'a text; together with `TMDS_OIDC_ISSUER`',
    meaning: 'The name under which the provider knows the portal.',
    parse: (text) => text,
  },
  oidcClientSecret: {
    variable: 'TMDS_OIDC_CLIENT_SECRET',
    standard: null,
    takes: 'a text; unset = a public client',
    meaning: 'The secret that goes with it.',
    parse: (text) => text,
  },
  logLevel: {
    variable: 'TMDS_LOG_LEVEL',
    standard: 'info',
    takes: LOG_LEVELS.map((level) => `\`${level}\``).join(', '),
    meaning: 'Which log lines are written to standard error.',
    parse: parseLogLevel,
  },
};

/**
 * Reads every setting; a variable that is unset or empty takes its default.
 * Throws one OperatorError (exit status 2) that names every problem; values of addresses are not repeated in it.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([field, setting]: [string, Setting<unknown>]) => {
    const text = environment[setting.variable];
    try {
      return [field, setting.parse(text === undefined || text === '' ? setting.standard : text)];
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      problems.push(`${setting.variable} ${error.message}`);
      return [field, undefined];
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (problems.length === 0) problems.push(...findContradictions(config));
  if (problems.length > 0) throw new OperatorError(`wrong settings: ${problems.join('; ')}`, { exitStatus: 2 });
  return config;
}

/** Settings of the client, which a shell may hold beside those of the service. */
const CLIENT_VARIABLES = ['TMDS_API_KEY', 'TMDS_BASE_URL'];

/** Variables that bear the service's mark and are no setting, as `TMDS_PORT` is none: nobody would notice them. */
export function listUnknownSettings(environment: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const known = new Set([...Object.values(SETTINGS).map(({ variable }) => variable), ...CLIENT_VARIABLES]);
  return Object.keys(environment).filter((name) => name.startsWith('TMDS_') && !known.has(name));
}

/**
 * The environment for programs this service starts: this process's own without its settings and PostgreSQL's, which
 * may hold passwords, and with the plain locale, so that what they print can be read.
 */
export function programEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(PG|LC_|LANG|TMDS_|DATABASE_|NODE_|npm_)/.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), LC_ALL: 'C' };
}

function findContradictions(config: Config): string[] {
  const contradictions: string[] = [];
  if (config.recordPrefix === config.analyticsPrefix) {
    contradictions.push('TMDS_RECORD_PREFIX and TMDS_ANALYTICS_PREFIX have to differ');
  }
  if (config.replicaUrls.length > 0 && config.databaseUrl === null) {
    contradictions.push('DATABASE_REPLICA_URLS needs DATABASE_URL');
  }
  if ((config.oidcIssuer === null) !== (config.oidcClientId === null)) {
    contradictions.push('TMDS_OIDC_ISSUER and TMDS_OIDC_CLIENT_ID go together');
  }
  if (config.oidcIssuer !== null && config.publicUrl === null) {
    contradictions.push('TMDS_OIDC_ISSUER needs TMDS_PUBLIC_URL');
  }
  return contradictions;
}

function parseDatabaseUrl(text: string): string {
  const wrong = new WrongValue('has to be an address like postgresql://user:password@host:port/database');
  // PostgreSQL's own tools take a user without a host, as before a socket's folder in `?host=`; URLs do not.
  const address = text.replace(/^(\w+:\/\/[^@/]*@)\//, '$1localhost/');
  if (!URL.canParse(address)) throw wrong;
  const { protocol } = new URL(address);
  if (protocol !== 'postgresql:' && protocol !== 'postgres:') throw wrong;
  return address;
}

function parseHost(text: string | null): string {
  const host = (text ?? '').replace(/^\[(.*)\]$/, '$1');
  if (!/^[A-Za-z0-9._:%-]+$/.test(host)) throw new WrongValue(`has to be a host name or an IP address, not "${text}"`);
  return host;
}

function parseOrigin(text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new WrongValue(`has to be origins such as https://app.example, not "${text}"`);
  }
  return text;
}

function parseNetwork(text: string): string {
  const [address = '', length, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
  if (bits < 0 || rest.length > 0 || !isLength) {
    throw new WrongValue(`has to be addresses or networks such as 10.0.0.0/8, not "${text}"`);
  }
  return text;
}

/** Plain http only where nothing leaves the machine. */
function parseIssuer(text: string): string {
  const isUrl = URL.canParse(text);
  const { protocol, hostname } = isUrl ? new URL(text) : { protocol: '', hostname: '' };
  if (protocol !== 'https:' && !(protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))) {
    throw new WrongValue(`has to be an https address, not "${text}"`);
  }
  return text;
}

/** Segments the service itself answers under. */
const TAKEN_SEGMENTS: ReadonlySet<string> = new Set(['v1', 'portal', 'docs']);

function parsePrefix(text: string | null): string {
  const prefix = text ?? '';
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(prefix) || TAKEN_SEGMENTS.has(prefix)) {
    throw new WrongValue(
      'has to be one path segment of letters, digits, "-" and "_" ' +
        `other than ${[...TAKEN_SEGMENTS].join(', ')}, not "${text}"`,
    );
  }
  return prefix;
}

function parseNumber(text: string | null, bounds: { from: number; to: number; integer: boolean }): number {
  const shape = bounds.integer ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,6})?$/;
  const value = Number(text);
  if (!shape.test(text ?? '') || value < bounds.from || value > bounds.to) {
    const kind = bounds.integer ? 'an integer' : 'a number';
    throw new WrongValue(`has to be ${kind} from ${bounds.from} to ${bounds.to}, not "${text}"`);
  }
  return value;
}

function parseLogLevel(text: string | null): LogLevel {
  const level = LOG_LEVELS.find((candidate) => candidate === text);
  if (level === undefined) throw new WrongValue(`has to be one of ${LOG_LEVELS.join(', ')}, not "${text}"`);
  return level;
}
