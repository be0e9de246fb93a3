/**
 * `tmds serve --demo`: loads sample registers into an empty database and issues a key. The key's text is stored in the
 * data folder, readable only by its owner, so that every start prints the same key.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PRODUCTS } from '@tmds/contract/enums';
import { inviteCustomer, issueKey, setKey } from '../access/keys.ts';
import { equalDigests, parseKeyText } from '../access/secret.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../base/settings.ts';
import type { Database } from '../database/driver/db.ts';
import { generateLines } from '../generator/generate.ts';
import { DEFAULT_AS_OF, DEMONSTRATION_RECORDS } from '../generator/options.ts';
import { silentProgress } from '../load/findings/progress.ts';
import { ndjsonFormat } from '../load/formats/ndjson.ts';
import { placesIn } from '../load/places.ts';
import { LOAD_POOL_MIN, runLoad } from '../load/run.ts';
import type { Source } from '../load/sources/source.ts';
import type { ServeDatabases } from '../main.ts';
import { findCustomer } from '../store/accounts/customers.ts';
import { findKey } from '../store/accounts/keys.ts';
import { listMembers } from '../store/accounts/portal.ts';
import { listLoads } from '../store/publish/loads.ts';
import { listRegisters } from '../store/records/registers.ts';

export interface DemoOptions {
  readonly config: Config;
  readonly databases: ServeDatabases;
  readonly clock: Clock;
  readonly log: Log;
  /** Writes a line for a waiting person. */
  readonly note: (line: string) => void;
}

const DEMO_CUSTOMER = 'Demonstration';
const ACTOR = 'tmds serve --demo';

const SAMPLE_SOURCE = 'the sample registers';
const DEMONSTRATION_SEED = 'tmds';

export interface Demo {
  /** The key's text. */
  readonly key: string;
  /** The token of an invitation to the portal; null when someone has joined. */
  readonly invitation: string | null;
}

export async function prepareDemo(options: DemoOptions): Promise<Demo> {
  const { database } = options.databases;
  if (await needsSamples(database)) await loadSamples(options);
  const key = await findOrIssueKey(database, options.config.dataDir);
  const customer = await findCustomer(database, DEMO_CUSTOMER);
  const members = customer === null ? [] : await listMembers(database, customer.customer_id);
  if (members.length > 0) return { key, invitation: null };
  const order = { customer: DEMO_CUSTOMER, email: 'demo@example.org', actor: ACTOR };
  return { key, invitation: (await inviteCustomer(database, order)).token };
}

/** True for an empty database, and when an earlier load of the samples was interrupted. */
async function needsSamples(database: Database): Promise<boolean> {
  const loads = await listLoads(database, { limitMax: 100 });
  if (loads.some(({ source, state }) => source !== SAMPLE_SOURCE || state === 'finished')) return false;
  return loads.length > 0 || (await listRegisters(database)).length === 0;
}

/** Generates the sample registers and loads them as any file is loaded. */
async function loadSamples({ databases, clock, log, note, config }: DemoOptions): Promise<void> {
  note(`loading ${DEMONSTRATION_RECORDS} sample records`);
  const lines = generateLines({ records: DEMONSTRATION_RECORDS, seed: DEMONSTRATION_SEED });
  const source: Source = {
    name: SAMPLE_SOURCE,
    totalBytes: null,
    readBytes: () => 0,
    entries: async function* () {
      yield { name: SAMPLE_SOURCE, stream: Readable.from(encodeLines(lines)) };
    },
  };
  await runLoad({
    ...placesIn(config.dataDir),
    db: await databases.connectUnlimited(LOAD_POOL_MIN),
    clock,
    log,
    format: ndjsonFormat,
    sources: [source],
    register: null,
    currentThrough: `${DEFAULT_AS_OF}T00:00:00.000000Z`,
    keepRejectsFile: false,
    payloads: config.payloads,
    progress: silentProgress,
  });
}

function* encodeLines(lines: Iterable<string>): Generator<Buffer> {
  for (const line of lines) yield Buffer.from(line);
}

async function findOrIssueKey(database: Database, dataDir: string): Promise<string> {
  const path = join(dataDir, 'demo-key');
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (await isUsable(database, kept)) return kept;
  const issued = await issueKey(database, {
    customer: DEMO_CUSTOMER,
    name: 'demonstration key',
    products: PRODUCTS,
    actor: ACTOR,
  });
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, `${issued.key}\n`, { mode: 0o600 });
  return issued.key;
}

/**
 * False when the key was revoked or rotated, or belongs to another database. A key of an earlier version gets the
 * products that it lacks.
 */
async function isUsable(database: Database, key: string): Promise<boolean> {
  const presented = parseKeyText(key);
  if (presented === null) return false;
  const stored = await findKey(database, presented.keyId);
  if (stored === null || stored.revoked || !stored.products.includes('records')) return false;
  if (!stored.secrets.some(({ live, digest }) => live && equalDigests(digest, presented.digest))) return false;
  const isWhole = PRODUCTS.every((product) => stored.products.includes(product));
  if (!isWhole) await setKey(database, { id: presented.keyId, products: PRODUCTS, actor: ACTOR });
  return true;
}

export interface DemoOutput extends Demo {
  readonly address: string;
  readonly config: Config;
  readonly print: (line: string) => void;
}

export function printDemo({ address, config, key, invitation, print }: DemoOutput): void {
  const reachable = address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  print('');
  print(`demonstration key  ${key}`);
  print(`portal             ${reachable}/portal`);
  if (invitation !== null) print(`to sign in, once   ${reachable}/portal/invitation/${invitation}`);
  print(`API reference      ${reachable}/docs`);
  print('');
  print(`curl -H 'X-API-Key: ${key}' '${reachable}/${config.recordPrefix}/v1/trademarks?status=Registered&limit=2'`);
  print('');
}
