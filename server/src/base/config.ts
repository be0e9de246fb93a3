/**
 * Reads the settings (`settings.ts`). This is the only file that reads the environment; everything else takes a `Config`.
 * Invariant: every `Config` is valid as a whole.
 */
import {
  CONFIG_VARIABLE,
  type Environment,
  keyOf,
  type Origin,
  readStatements,
  type Statements,
  secretFileVariable,
} from './config-sources.ts';
import { OperatorError } from './errors.ts';
import { isLedElsewhere, maskSecret, WrongValue } from './setting-values.ts';
import { type Config, SETTINGS, type Setting } from './settings.ts';

/** The value of one setting, and where it comes from. */
export interface SettingState {
  readonly variable: string;
  /** The name in `tmds.toml`. */
  readonly key: string;
  /** As its variable would state it, without secrets; null = unset. */
  readonly value: string | null;
  readonly from: Origin;
  /** What states it, such as `PORT` or `port (tmds.toml, line 3)`; null for a default. */
  readonly place: string | null;
}

export interface Settings {
  readonly config: Config;
  readonly states: readonly SettingState[];
  /** The path of the configuration file; null if there is none. */
  readonly file: string | null;
  /** Warnings: settings that hold but should be corrected. */
  readonly warnings: readonly string[];
}

/**
 * Reads every setting: from the environment, else from the file `configFile` (default: what `TMDS_CONFIG` names, then
 * `tmds.toml` in the working folder, if it is there), else its default. An empty value counts as unset. Throws one
 * OperatorError (exit status 2) that names every problem. It never repeats a secret.
 */
export function readSettings(environment: Environment = process.env, configFile: string | null = null): Settings {
  const table = Object.entries(SETTINGS) as [string, Setting<unknown>][];
  const statements = readStatements(Object.values(SETTINGS), environment, configFile);
  const problems = [...statements.problems];
  const entries = table.map(([field, { variable, standard, isList, parse }]) => {
    const statement = statements.stated.get(variable);
    const text = statement?.text ?? standard;
    try {
      return [field, text === null ? (isList ? [] : null) : parse(text)];
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      problems.push(`${statement?.place ?? variable} ${error.message}`);
      return [field, undefined];
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (problems.length === 0) problems.push(...findContradictions(config, environment));
  if (problems.length > 0) throw new OperatorError(`invalid settings: ${problems.join('; ')}`, { exitStatus: 2 });
  const states = table.map(([, setting]) => describeSetting(setting, statements));
  return { config, states, file: statements.file, warnings: statements.warnings };
}

function describeSetting(setting: Setting<unknown>, { stated }: Statements): SettingState {
  const { variable, standard, isSecret, isList = false } = setting;
  const statement = stated.get(variable);
  const text = statement?.text ?? standard;
  const value = text !== null && isSecret ? maskSecret(text, isList) : text;
  const { from = 'default', place = null } = statement ?? {};
  return { variable, key: keyOf(variable), value, from, place };
}

/** A secret that `sources.toml` names by its variable; null if it is not set. */
export function readVariable(name: string): string | null {
  return process.env[name] ?? null;
}

/** Settings of the client, which may be set in the same shell. */
const CLIENT_VARIABLES = ['TMDS_API_KEY', 'TMDS_BASE_URL'];

/** `TMDS_…` variables that are not settings, such as `TMDS_PORT`: a misspelt setting would otherwise go unnoticed. */
export function listUnknownSettings(environment: Environment = process.env): string[] {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const names = settings.flatMap(({ variable, isSecret }) =>
    isSecret ? [variable, secretFileVariable(variable)] : [variable],
  );
  const known = new Set([...names, CONFIG_VARIABLE, ...CLIENT_VARIABLES]);
  return Object.keys(environment).filter((name) => name.startsWith('TMDS_') && !known.has(name));
}

/**
 * The environment for programs that this service starts: its own, without the settings of the service and of
 * PostgreSQL, which may hold passwords, and with the C locale, so that their output can be parsed.
 */
export function programEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(PG|LC_|LANG|TMDS_|DATABASE_|OTEL_|NODE_|npm_)/.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), LC_ALL: 'C' };
}

function findContradictions(config: Config, { PGHOST }: Environment): string[] {
  const contradictions: string[] = [];
  if (config.databaseUrl !== null && isLedElsewhere(config.databaseUrl, PGHOST)) {
    contradictions.push('DATABASE_URL must name its host, because PGHOST leads to another machine');
  }
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
  if ((config.smtpUrl === null) !== (config.mailFrom === null)) {
    contradictions.push('TMDS_SMTP_URL and TMDS_MAIL_FROM must be set together');
  }
  const { s3Bucket, s3KeyId, s3Secret } = config;
  if ([s3KeyId, s3Secret].some((value) => (value === null) !== (s3Bucket === null))) {
    contradictions.push('TMDS_S3_BUCKET, TMDS_S3_KEY_ID and TMDS_S3_SECRET must be set together');
  }
  if (config.payloads === 's3' && s3Bucket === null) contradictions.push('TMDS_PAYLOADS=s3 requires TMDS_S3_BUCKET');
  return contradictions;
}
