/** Fills the benchmark's database: `load.ts DATA_DIR RECORDS [--no-peer]`. Two processes would need two shares; one will do. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from '../../server/src/store/sql.ts';
import { attachBench, connectBench, copyRecords, prepareTables } from './data.ts';

const [dataDir = '', recordsText = '0', ...flags] = process.argv.slice(2);
const records = Number(recordsText);
const withPeer = !flags.includes('--no-peer');
const attached = await attachBench(dataDir);
const db = await connectBench(attached.url, 2);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const started = performance.now();
const indexes = await prepareTables(db);
const half = Math.ceil(records / 2 / 20_000) * 20_000;
await copyRecords(db, 0, Math.min(half, records), withPeer);
if (records > half) await copyRecords(db, half, records - half, withPeer);
console.log(`copied ${records} in ${seconds(started)}`);
for (const { name, definition } of indexes) {
  const since = performance.now();
  await db.session((session) => session.runScript(definition));
  console.log(`${name} in ${seconds(since)}`);
}
if (withPeer) {
  const since = performance.now();
  const text = await readFile(fileURLToPath(new URL('peer-indexes.sql', import.meta.url)), 'utf8');
  for (const statement of text.split(';')) if (statement.trim() !== '') await db.session((s) => s.runScript(statement));
  console.log(`indexes of the peer in ${seconds(since)}`);
}
await db.query(sql`insert into register (jurisdiction_code, record_count)
  select jurisdiction_code, count(*) from record group by jurisdiction_code`);
await db.session((session) => session.runScript('vacuum analyze'));
const sizes = await db.query(sql`select indexrelid::regclass::text as name,
  pg_size_pretty(pg_relation_size(indexrelid)) as size from pg_index where indrelid = 'record'::regclass`);
console.table(sizes);
console.log(`ready in ${seconds(started)}`);
await db.close();
await attached.release();
