/**
 * The demonstration of `tmds serve --demo`: sample registers in an empty database, and a key that works. The key's
 * text is kept in the data folder, readable by its owner only, so that every start can print the same one.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueKey } from '../access/keys.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { ServeDatabases } from '../main.ts';
import type { Database } from '../store/db.ts';
import { findKey } from '../store/keys.ts';
import { listRegisters } from '../store/registers.ts';

export interface DemoOptions {
  readonly config: Config;
  readonly databases: ServeDatabases;
  readonly clock: Clock;
  readonly log: Log;
  /** A line for a person who waits. */
  readonly note: (line: string) => void;
}

const DEMO_CUSTOMER = 'Demonstration';

/** Resolves to the text of the demonstration key. */
export async function prepareDemo(options: DemoOptions): Promise<string> {
  const { databases } = options;
  const registers = await listRegisters(databases.database);
  if (registers.length === 0) options.note('the database is empty');
  return await findOrIssueKey(databases.database, options.config.dataDir);
}

interface KeptKey {
  readonly id: string;
  readonly key: string;
}

async function findOrIssueKey(database: Database, dataDir: string): Promise<string> {
  const path = join(dataDir, 'demo-key.json');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text !== null) {
    const kept = JSON.parse(text) as KeptKey;
    const stored = await findKey(database, kept.id);
    if (stored !== null && !stored.revoked) return kept.key;
  }
  const issued = await issueKey(database, {
    customer: DEMO_CUSTOMER,
    name: 'demonstration key',
    products: ['records'],
    actor: 'tmds serve --demo',
  });
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, `${JSON.stringify({ id: issued.id, key: issued.key })}\n`, { mode: 0o600 });
  return issued.key;
}

export function printDemo(demo: { address: string; config: Config; key: string; print: (line: string) => void }): void {
  const { config, key, print } = demo;
  const reachable = demo.address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  print('');
  print(`demonstration key  ${key}`);
  print(`portal             ${reachable}/portal`);
  print(`API reference      ${reachable}/docs`);
  print('');
  print(`curl -H 'X-API-Key: ${key}' '${reachable}/${config.recordPrefix}/v1/trademarks?status=Registered&limit=2'`);
  print('');
}
