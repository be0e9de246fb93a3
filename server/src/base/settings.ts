/**
 * The settings of the service: one table of names, defaults, bounds and meanings. It reads nothing; `config.ts` does. The
 * documentation, `tmds config` and `tmds.toml` follow from it.
 */
import { resolve } from 'node:path';
import { CHANGE_HORIZON_SECONDS, QUERY_TIMEOUT_SECONDS } from '@tmds/contract/limits';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log.ts';
import { PAYLOAD_PLACES, type PayloadPlace } from './payload-places.ts';
import {
  parseAddress,
  parseBucket,
  parseChoice,
  parseContact,
  parseDatabaseUrl,
  parseHost,
  parseIssuer,
  parseKeptDays,
  parseKeyMaterial,
  parseMailAddress,
  parseNetwork,
  parseNumber,
  parseObjectPrefix,
  parseOrigin,
  parsePrefix,
  parseRegion,
  parseSmtpUrl,
} from './setting-values.ts';

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
  /** Where browsers reach the service, such as `https://api.example`; null = the address they use. */
  readonly publicUrl: string | null;
  /** Whom to inform of a weakness, `mailto:…` or `https://…`; null = not published. */
  readonly securityContact: string | null;
  /** Networks whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  /** The identity provider's address; null = users sign in with passwords only. */
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcClientSecret: string | null;
  /** The server that takes mail; null = no mail is sent. */
  readonly smtpUrl: string | null;
  /** The sender of mail; set with `smtpUrl`. */
  readonly mailFrom: string | null;
  /** The key that seals the secrets of webhooks; null = a key that the database holds. */
  readonly webhookKey: string | null;
  /** Whether webhooks may lead to private addresses, and by plain http. */
  readonly webhookPrivate: 'refuse' | 'allow';
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** 0 = any free port; null = metrics are not served. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** Where a collector accepts traces by OTLP over HTTP; null = no traces. */
  readonly tracesEndpoint: string | null;
  /** The share of traces that are kept, from 0 to 1. */
  readonly tracesShare: number;
  /** Absolute. */
  readonly sourcesFile: string;
  /** Where snapshots for replicas are, absolute; null = `snapshots` in `dataDir`. */
  readonly snapshotsDir: string | null;
  /** How many of them are kept. */
  readonly keepSnapshots: number;
  /** How many days the deltas between snapshots are kept; 0: none are made. */
  readonly deltaDays: number;
  /** Where loads put payloads. */
  readonly payloads: PayloadPlace;
  /** The store of objects, which holds payloads that are not in the database; null = no store. */
  readonly s3Bucket: string | null;
  /** Null = Amazon's endpoint for the region. */
  readonly s3Endpoint: string | null;
  readonly s3Prefix: string;
  readonly s3Region: string;
  readonly s3KeyId: string | null;
  readonly s3Secret: string | null;
  /** How long a stopping server says that it is not ready and still serves. */
  readonly drainSeconds: number;
  readonly keepCallsDays: number;
  /** In days; null = without limit. */
  readonly keepRefusalsDays: number | null;
  readonly keepUsageDays: number | null;
  readonly keepAuditDays: number | null;
  readonly keepFindingsDays: number | null;
  readonly keepWatchesDays: number | null;
}

export interface Setting<Value> {
  /** Name of the environment variable; `keyOf` derives the name in `tmds.toml`. */
  readonly variable: string;
  /** The default, as the variable would state it; null = unset: the field is null, or an empty list. */
  readonly standard: string | null;
  /** The accepted values, in words. */
  readonly takes: string;
  readonly meaning: string;
  /** Several values, separated by commas; in `tmds.toml` an array. */
  readonly isList?: true;
  /** Never shown, and also taken from a file that `…_FILE` names. */
  readonly isSecret?: true;
  /** Not called for a setting that is unset. Throws `WrongValue`, whose message says what the value must be. */
  readonly parse: (text: string) => Value;
}

/** Without a default, a field has to be one that may be null or is a list. */
type Declared<Value> = Setting<Value> &
  (null extends Value ? object : Value extends readonly unknown[] ? { readonly isList: true } : { standard: string });

export const SETTINGS: { readonly [Field in keyof Config]: Declared<Config[Field]> } = {
  databaseUrl: {
    variable: 'DATABASE_URL',
    standard: null,
    takes:
      '`postgresql://user:password@host:port/database`, or with several hosts, `@one:5432,two:5432/`; ' +
      'unset = embedded PostgreSQL',
    meaning: 'The database. PostgreSQL 15 or newer, UTF8. Of several servers, the one that can be written is used.',
    isSecret: true,
    parse: (text) => parseDatabaseUrl(text),
  },
  replicaUrls: {
    variable: 'DATABASE_REPLICA_URLS',
    standard: null,
    takes: 'addresses like `DATABASE_URL`, separated by commas; requires `DATABASE_URL`',
    meaning: 'Streaming standbys of the database, from which servers read records.',
    isList: true,
    isSecret: true,
    parse: (text) => text.split(',').map((part) => parseDatabaseUrl(part.trim())),
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
    meaning: 'The path segment of the analytics product, before its `/v1`.',
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
    isList: true,
    parse: (text) => text.split(',').map((part) => parseOrigin(part.trim())),
  },
  publicUrl: {
    variable: 'TMDS_PUBLIC_URL',
    standard: null,
    takes: 'an origin such as `https://api.example`; unset = the address that the browser used',
    meaning:
      'Where browsers reach the service. Used in the interface description and in portal links; with `https`, cookies are sent over encrypted connections only.',
    parse: (text) => parseOrigin(text),
  },
  securityContact: {
    variable: 'TMDS_SECURITY_CONTACT',
    standard: null,
    takes: '`mailto:` with an address, or an `https` address; unset = no `/.well-known/security.txt`',
    meaning: 'Whom to inform of a weakness of the service, as `/.well-known/security.txt` (RFC 9116) says.',
    parse: (text) => parseContact(text),
  },
  trustedProxies: {
    variable: 'TMDS_TRUSTED_PROXIES',
    standard: null,
    takes: 'addresses or networks such as `10.0.0.0/8`, separated by commas; unset = none',
    meaning:
      'Proxies whose `X-Forwarded-For` is trusted when sign-in attempts and unknown keys are counted by address.',
    isList: true,
    parse: (text) => text.split(',').map((part) => parseNetwork(part.trim())),
  },
  oidcIssuer: {
    variable: 'TMDS_OIDC_ISSUER',
    standard: null,
    takes: 'an `https` address; unset = sign-in with passwords only',
    meaning: 'The OpenID Connect provider for signing in to the portal.',
    parse: (text) => parseIssuer(text),
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
    isSecret: true,
    parse: (text) => text,
  },
  smtpUrl: {
    variable: 'TMDS_SMTP_URL',
    standard: null,
    takes:
      '`smtp://user:password@host:587` or `smtps://user:password@host:465`; requires `TMDS_MAIL_FROM`; unset = no mail',
    meaning:
      'The server that takes mail about quotas, watches and webhooks. Outside loopback the connection is always encrypted.',
    isSecret: true,
    parse: (text) => parseSmtpUrl(text),
  },
  mailFrom: {
    variable: 'TMDS_MAIL_FROM',
    standard: null,
    takes: 'an address such as `noreply@example.com`; requires `TMDS_SMTP_URL`',
    meaning: 'The sender of mail.',
    parse: (text) => parseMailAddress(text),
  },
  webhookKey: {
    variable: 'TMDS_WEBHOOK_KEY',
    standard: null,
    takes: 'text of 32 to 1000 characters, the same for every server; unset = a key that the database holds',
    meaning:
      'The key that seals the signing secrets of webhooks, so that the database and its backups do not reveal them. After a change of the key, secrets have to be rotated.',
    isSecret: true,
    parse: (text) => parseKeyMaterial(text),
  },
  webhookPrivate: {
    variable: 'TMDS_WEBHOOK_PRIVATE',
    standard: 'refuse',
    takes: '`refuse`, `allow`',
    meaning:
      'Whether webhooks may lead to private addresses, to any port (instead of 443 and those above 1023), and by plain `http`. Only for trials, and where customers are trusted with the network of the service.',
    parse: (text) => parseChoice(text, ['refuse', 'allow'] as const),
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
  tracesEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    standard: null,
    takes: 'an `http` or `https` address such as `http://127.0.0.1:4318`; unset = no traces',
    meaning: 'A collector of OpenTelemetry that takes traces by OTLP over HTTP, as JSON.',
    parse: (text) => parseAddress(text),
  },
  tracesShare: {
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    standard: '1',
    takes: 'a number from 0 to 1',
    meaning: 'The share of traces that are kept.',
    parse: (text) => parseNumber(text, { from: 0, to: 1, integer: false }),
  },
  sourcesFile: {
    variable: 'TMDS_SOURCES',
    standard: './sources.toml',
    takes: 'a file',
    meaning: 'Declares the sources that `tmds sync` and `tmds serve --sync` keep the registers current from.',
    parse: (text) => resolve(text ?? ''),
  },
  snapshotsDir: {
    variable: 'TMDS_SNAPSHOTS',
    standard: null,
    takes: 'a folder; created if missing; unset = `snapshots` in `TMDS_DATA_DIR`',
    meaning: 'Where `tmds snapshot` puts the files that replicas start from, and `tmds serve` finds them.',
    parse: (text) => resolve(text),
  },
  keepSnapshots: {
    variable: 'TMDS_KEEP_SNAPSHOTS',
    standard: '2',
    takes: 'an integer from 1 to 100',
    meaning: 'How many snapshots are kept. `tmds snapshot` takes older ones away once it has made another.',
    parse: (text) => parseNumber(text, { from: 1, to: 100, integer: true }),
  },
  deltaDays: {
    variable: 'TMDS_KEEP_DELTAS_DAYS',
    standard: '35',
    takes: 'an integer from 0 to 400',
    meaning:
      'How many days the deltas of a day, a week and a month are kept that `tmds snapshot` makes. 0: it makes none.',
    parse: (text) => parseNumber(text, { from: 0, to: 400, integer: true }),
  },
  payloads: {
    variable: 'TMDS_PAYLOADS',
    standard: 'database',
    takes: '`database`, `compressed`, `s3`; `s3` requires `TMDS_S3_BUCKET`',
    meaning:
      'Where loads put payloads: as text in the database, packed in the database, or packed in a store of objects. `tmds payloads move` moves what is stored.',
    parse: (text) => parseChoice(text, PAYLOAD_PLACES),
  },
  s3Bucket: {
    variable: 'TMDS_S3_BUCKET',
    standard: null,
    takes: 'the name of a bucket; requires `TMDS_S3_KEY_ID` and `TMDS_S3_SECRET`; unset = no store of objects',
    meaning: 'The bucket of a store of objects with the S3 protocol that holds payloads.',
    parse: (text) => parseBucket(text),
  },
  s3Endpoint: {
    variable: 'TMDS_S3_ENDPOINT',
    standard: null,
    takes: 'an `http` or `https` address; unset = Amazon S3 in `TMDS_S3_REGION`',
    meaning: 'The server of the store of objects.',
    parse: (text) => parseAddress(text),
  },
  s3Prefix: {
    variable: 'TMDS_S3_PREFIX',
    standard: 'tmds/',
    takes: 'letters, digits, `-`, `_`, `.`, `/`',
    meaning: 'What the names of all objects of this service begin with. Each database needs its own prefix or bucket.',
    parse: (text) => parseObjectPrefix(text ?? ''),
  },
  s3Region: {
    variable: 'TMDS_S3_REGION',
    standard: 'us-east-1',
    takes: 'the name of a region',
    meaning: 'The region that requests to the store of objects are signed for.',
    parse: (text) => parseRegion(text ?? ''),
  },
  s3KeyId: {
    variable: 'TMDS_S3_KEY_ID',
    standard: null,
    takes: 'text; requires `TMDS_S3_BUCKET`',
    meaning: 'The id of the key that may read, write, list and delete objects with the prefix.',
    parse: (text) => text,
  },
  s3Secret: {
    variable: 'TMDS_S3_SECRET',
    standard: null,
    takes: 'text; requires `TMDS_S3_BUCKET`',
    meaning: 'The secret of that key.',
    isSecret: true,
    parse: (text) => text,
  },
  drainSeconds: {
    variable: 'TMDS_DRAIN_SECONDS',
    standard: '2',
    takes: 'a number from 0 to 6',
    meaning:
      'How long `tmds serve`, when stopping, answers `/readyz` with 503 and still serves. Must be longer than the load balancer takes to notice.',
    parse: (text) => parseNumber(text, { from: 0, to: 6, integer: false }),
  },
  keepCallsDays: {
    variable: 'TMDS_KEEP_CALLS_DAYS',
    standard: '30',
    takes: 'an integer from 1 to 30',
    meaning: 'How many days of calls the call log of the portal keeps.',
    parse: (text) => parseNumber(text, { from: 1, to: 30, integer: true }),
  },
  keepRefusalsDays: {
    variable: 'TMDS_KEEP_REFUSALS_DAYS',
    standard: '762',
    takes: 'an integer from 1 to 36500, or `unlimited`',
    meaning: 'How many days counts of refused calls are kept.',
    parse: (text) => parseKeptDays(text, 1),
  },
  keepUsageDays: {
    variable: 'TMDS_KEEP_USAGE_DAYS',
    standard: 'unlimited',
    takes: 'an integer from 762 (25 months) to 36500, or `unlimited`',
    meaning: 'How many days units are kept by day. The portal shows 24 months.',
    parse: (text) => parseKeptDays(text, 762),
  },
  keepAuditDays: {
    variable: 'TMDS_KEEP_AUDIT_DAYS',
    standard: 'unlimited',
    takes: 'an integer from 1 to 36500, or `unlimited`',
    meaning: 'How many days the audit of customers and keys is kept.',
    parse: (text) => parseKeptDays(text, 1),
  },
  keepFindingsDays: {
    variable: 'TMDS_KEEP_FINDINGS_DAYS',
    standard: '365',
    takes: 'an integer from 1 to 36500, or `unlimited`',
    meaning: 'How many days after its end the issues and rejects of a load are kept.',
    parse: (text) => parseKeptDays(text, 1),
  },
  keepWatchesDays: {
    variable: 'TMDS_KEEP_WATCHES_DAYS',
    standard: 'unlimited',
    takes: 'an integer from 1 to 36500, or `unlimited`',
    meaning:
      'How many days after its end a watch is kept, with its hits. A watch that has not ended keeps all its hits.',
    parse: (text) => parseKeptDays(text, 1),
  },
};
