/**
 * The settings of the service: one table of names, defaults, bounds and meanings. This is the only file that reads the
 * environment; everything else takes a `Config`. Invariant: every `Config` is valid as a whole.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { CHANGE_HORIZON_SECONDS, QUERY_TIMEOUT_SECONDS } from '@tmds/contract/limits';
import { OperatorError } from './errors.ts';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log.ts';

export interface Config {
  /** `postgresql://…`; null = the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | null;
  readonly replicaUrls: readonly string[];
  /** Absolute. */
  readonly dataDir: string;
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Part of the path in front of `/v1`, without slashes. */
  readonly recordPrefix: string;
  readonly analyticsPrefix: string;
  readonly changeHorizonSeconds: number;
  readonly queryTimeoutSeconds: number;
  /** Upper limit on the database connections of one server process. */
  readonly poolMax: number;
  /** Origins such as `https://app.example` whose pages may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** Where browsers reach the service, such as `https://api.example`; null = whatever address they use. */
  readonly publicUrl: string | null;
  /** Networks whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  /** The identity provider's address; null = users sign in with passwords only. */
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcClientSecret: string | null;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** 0 = any free port; null = metrics are not served. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** How long the server, once told to stop, says that it is not ready and still serves. */
  readonly drainSeconds: number;
}

export interface Setting<Value> {
  /** Name of the environment variable. */
  readonly variable: string;
  /** The default, as the variable would state it; null = unset. */
  readonly standard: string | null;
  /** The accepted values, in words. */
  readonly takes: string;
  readonly meaning: string;
  /** Throws `WrongValue`, whose message says what the value must be. */
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
    takes: 'addresses like `DATABASE_URL`, separated by commas; requires `DATABASE_URL`',
    meaning: 'Streaming standbys of the database. `tmds doctor` checks them; the service does not read from them yet.',
    parse: (text) => (text === null ? [] : text.split(',').map((part) => parseDatabaseUrl(part.trim()))),
  },
  dataDir: {
    variable: 'TMDS_DATA_DIR',
    standard: './data',
    takes: 'a folder; created if missing',
    meaning: 'Holds the embedded database, the snapshots of the search index and the demonstration key.',
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
    meaning: 'The path segment in front of `/v1` under which the Record API is served.',
    parse: parsePrefix,
  },
  analyticsPrefix: {
    variable: 'TMDS_ANALYTICS_PREFIX',
    standard: 'analytics',
    takes: 'one path segment of letters, digits, `-`, `_`; not `v1`, not `TMDS_RECORD_PREFIX`',
    meaning: 'The path segment of the analytics product, which this host does not serve.',
    parse: parsePrefix,
  },
  changeHorizonSeconds: {
    variable: 'TMDS_CHANGE_HORIZON_SECONDS',
    standard: String(CHANGE_HORIZON_SECONDS),
    takes: 'a number from 0 to 86400',
    meaning: 'How many seconds the change feed stays behind the current time. Change it in tests only.',
    parse: (text) => parseNumber(text, { from: 0, to: 86_400, integer: false }),
  },
  queryTimeoutSeconds: {
    variable: 'TMDS_QUERY_TIMEOUT_SECONDS',
    standard: String(QUERY_TIMEOUT_SECONDS),
    takes: 'a number from 0.01 to 600',
    meaning: 'How long a query may run before it is stopped and answered with `query_timeout`.',
    parse: (text) => parseNumber(text, { from: 0.01, to: 600, integer: false }),
  },
  poolMax: {
    variable: 'TMDS_POOL_MAX',
    standard: '16',
    takes: 'an integer from 2 to 500',
    meaning: 'Upper limit on the database connections of one server process.',
    parse: (text) => parseNumber(text, { from: 2, to: 500, integer: true }),
  },
  corsOrigins: {
    variable: 'TMDS_CORS_ORIGINS',
    standard: null,
    takes: 'origins such as `https://app.example`, separated by commas; unset = none',
    meaning: 'Other origins whose pages may call the API from a browser.',
    parse: (text) => (text === null ? [] : text.split(',').map((part) => parseOrigin(part.trim()))),
  },
  publicUrl: {
    variable: 'TMDS_PUBLIC_URL',
    standard: null,
    takes: 'an origin such as `https://api.example`; unset = whatever address the browser used',
    meaning:
      'Where browsers reach the service. Used in the interface description and in portal links; with `https`, cookies are sent over encrypted connections only.',
    parse: (text) => (text === null ? null : parseOrigin(text)),
  },
  trustedProxies: {
    variable: 'TMDS_TRUSTED_PROXIES',
    standard: null,
    takes: 'addresses or networks such as `10.0.0.0/8`, separated by commas; unset = none',
    meaning:
      'Proxies whose `X-Forwarded-For` is trusted when sign-in attempts and unknown keys are counted by address.',
    parse: (text) => (text === null ? [] : text.split(',').map((part) => parseNetwork(part.trim()))),
  },
  oidcIssuer: {
    variable: 'TMDS_OIDC_ISSUER',
    standard: null,
    takes: 'an `https` address; unset = sign-in with passwords only',
    meaning: 'The OpenID Connect provider for signing in to the portal.',
    parse: (text) => (text === null ? null : parseIssuer(text)),
  },
  oidcClientId: {
    variable: 'TMDS_OIDC_CLIENT_ID',
    standard: null,
    takes: 'text; requires `TMDS_OIDC_ISSUER`',
    meaning: 'The client id under which the provider knows the portal.',
    parse: (text) => text,
  },
  oidcClientSecret: {
    variable: 'TMDS_OIDC_CLIENT_SECRET',
    standard: null,
    takes: 'text; unset = a public client',
    meaning: 'The secret that goes with the client id.',
    parse: (text) => text,
  },
  logLevel: {
    variable: 'TMDS_LOG_LEVEL',
    standard: 'info',
    takes: LOG_LEVELS.map((level) => `\`${level}\``).join(', '),
    meaning: 'Which log lines are written to standard error.',
    parse: (text) => parseChoice(text, LOG_LEVELS),
  },
  logFormat: {
    variable: 'TMDS_LOG_FORMAT',
    standard: 'auto',
    takes: LOG_FORMATS.map((format) => `\`${format}\``).join(', '),
    meaning: 'How log lines are written. `auto` = `text` if standard error is a terminal, otherwise `json`.',
    parse: (text) => parseChoice(text, LOG_FORMATS),
  },
  metricsPort: {
    variable: 'TMDS_METRICS_PORT',
    standard: '9464',
    takes: 'an integer from 0 to 65535; 0 = any free port; `off` = none',
    meaning: 'The port on which `tmds serve` serves `/metrics`.',
    parse: (text) => (text === 'off' ? null : parseNumber(text, { from: 0, to: 65_535, integer: true })),
  },
  metricsHost: {
    variable: 'TMDS_METRICS_HOST',
    standard: '127.0.0.1',
    takes: 'a host name or an IP address; `0.0.0.0` or `::` = every interface',
    meaning: 'The address on which `/metrics` is served. Metrics need no key, so open it only to those who watch.',
    parse: parseHost,
  },
  drainSeconds: {
    variable: 'TMDS_DRAIN_SECONDS',
    standard: '2',
    takes: 'a number from 0 to 6',
    meaning:
      'How long `tmds serve`, once told to stop, answers `/readyz` with 503 and still serves. Longer than whatever is in front of it takes to notice.',
    parse: (text) => parseNumber(text, { from: 0, to: 6, integer: false }),
  },
};

/**
 * Reads every setting; an unset or empty variable takes its default.
 * Throws one OperatorError (exit status 2) that names every problem. It never repeats a database address, which may
 * hold a password.
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
  if (problems.length > 0) throw new OperatorError(`invalid settings: ${problems.join('; ')}`, { exitStatus: 2 });
  return config;
}

/** Settings of the client, which may be set in the same shell. */
const CLIENT_VARIABLES = ['TMDS_API_KEY', 'TMDS_BASE_URL'];

/** `TMDS_…` variables that are not settings, such as `TMDS_PORT`: a misspelt setting would otherwise go unnoticed. */
export function listUnknownSettings(environment: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const known = new Set([...Object.values(SETTINGS).map(({ variable }) => variable), ...CLIENT_VARIABLES]);
  return Object.keys(environment).filter((name) => name.startsWith('TMDS_') && !known.has(name));
}

/**
 * The environment for programs that this service starts: its own, without the settings of the service and of
 * PostgreSQL, which may hold passwords, and with the C locale, so that their output can be parsed.
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
    contradictions.push('TMDS_RECORD_PREFIX and TMDS_ANALYTICS_PREFIX must differ');
  }
  if (config.replicaUrls.length > 0 && config.databaseUrl === null) {
    contradictions.push('DATABASE_REPLICA_URLS requires DATABASE_URL');
  }
  if ((config.oidcIssuer === null) !== (config.oidcClientId === null)) {
    contradictions.push('TMDS_OIDC_ISSUER and TMDS_OIDC_CLIENT_ID must be set together');
  }
  if (config.oidcIssuer !== null && config.publicUrl === null) {
    contradictions.push('TMDS_OIDC_ISSUER requires TMDS_PUBLIC_URL');
  }
  return contradictions;
}

function parseDatabaseUrl(text: string): string {
  const wrong = new WrongValue('must be an address like postgresql://user:password@host:port/database');
  // PostgreSQL's tools accept a user without a host (`postgresql://user@/db?host=/folder`); the URL class does not.
  const address = text.replace(/^(\w+:\/\/[^@/]*@)\//, '$1localhost/');
  if (!URL.canParse(address)) throw wrong;
  const { protocol } = new URL(address);
  if (protocol !== 'postgresql:' && protocol !== 'postgres:') throw wrong;
  return address;
}

function parseHost(text: string | null): string {
  const host = (text ?? '').replace(/^\[(.*)\]$/, '$1');
  if (!/^[A-Za-z0-9._:%-]+$/.test(host)) throw new WrongValue(`must be a host name or an IP address, not "${text}"`);
  return host;
}

function parseOrigin(text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new WrongValue(`must be origins such as https://app.example, not "${text}"`);
  }
  return text;
}

function parseNetwork(text: string): string {
  const [address = '', length, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
  if (bits < 0 || rest.length > 0 || !isLength) {
    throw new WrongValue(`must be addresses or networks such as 10.0.0.0/8, not "${text}"`);
  }
  return text;
}

/** Plain http is accepted for loopback addresses only, where nothing leaves the machine. */
function parseIssuer(text: string): string {
  const isUrl = URL.canParse(text);
  const { protocol, hostname } = isUrl ? new URL(text) : { protocol: '', hostname: '' };
  if (protocol !== 'https:' && !(protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))) {
    throw new WrongValue(`must be an https address, not "${text}"`);
  }
  return text;
}

/** Paths that the service itself answers under. */
const RESERVED_PREFIXES: ReadonlySet<string> = new Set(['v1', 'portal', 'docs']);

function parsePrefix(text: string | null): string {
  const prefix = text ?? '';
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(prefix) || RESERVED_PREFIXES.has(prefix)) {
    throw new WrongValue(
      'must be one path segment of letters, digits, "-" and "_" ' +
        `other than ${[...RESERVED_PREFIXES].join(', ')}, not "${text}"`,
    );
  }
  return prefix;
}

function parseNumber(text: string | null, bounds: { from: number; to: number; integer: boolean }): number {
  const shape = bounds.integer ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,6})?$/;
  const value = Number(text);
  if (!shape.test(text ?? '') || value < bounds.from || value > bounds.to) {
    const kind = bounds.integer ? 'an integer' : 'a number';
    throw new WrongValue(`must be ${kind} from ${bounds.from} to ${bounds.to}, not "${text}"`);
  }
  return value;
}

function parseChoice<Choice extends string>(text: string | null, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new WrongValue(`must be one of ${choices.join(', ')}, not "${text}"`);
  return choice;
}
