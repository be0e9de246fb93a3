/** The recipe that joins a docket with a replica, run as its page has it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { TrademarkClient } from '../../../client/src/main.ts';
import { openPostgresSink, replicate } from '../../../client/src/replica/main.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';
import { publishRecords } from '../torture/publish.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Entry {
  readonly entry: string;
  readonly result: string;
  readonly uids: string | null;
}

test('the recipe on the page joins a docket with a replica, in SQL and in code [I-11, I-50]', async (t) => {
  const page = await readFile(join(ROOT, 'docs/guides/join-docket.md'), 'utf8');
  const listBlocks = (language: string): string[] =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!);
  const [createDocket, report] = listBlocks('sql') as [string, string];
  const [normalize, joinInCode] = listBlocks('js') as [string, string];

  const service = await startService(t);
  await publishRecords(service.db, [
    { jurisdiction_code: 'US', uid: 'u1', application_number: '97123456' },
    { jurisdiction_code: 'EM', uid: 'e1', application_number: '018229854' },
    { jurisdiction_code: 'GB', uid: 'g1', application_number: 'UK00003456789' },
    { jurisdiction_code: 'KR', uid: 'k1', application_number: '40-2020-0012345' },
    { jurisdiction_code: 'US', uid: 'u2', registration_number: '1234567' },
    { jurisdiction_code: 'US', uid: 'u3', application_number: '1234567' },
    { jurisdiction_code: 'GB', uid: 'other', application_number: '97123456' },
  ]);
  const { key } = await service.issue();
  const place = await createTestDatabase(t, { migrated: false });
  const sink = await openPostgresSink(place.url);
  await replicate({ client: new TrademarkClient({ apiKey: key, baseUrl: service.url }), sink });
  await sink.close();

  // Where packages of the workspace are found.
  const folder = await mkdtemp(join(ROOT, 'node_modules', '.recipe-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const db = new pg.Client({ connectionString: place.url });
  await db.connect();
  await db.query(createDocket);
  await writeFile(join(folder, 'normalize-docket.mjs'), normalize);
  for (let run = 0; run < 2; run += 1) {
    await promisify(execFile)(process.execPath, [join(folder, 'normalize-docket.mjs')], {
      env: { ...process.env, DATABASE_URL: place.url },
    });
  }
  const { rows } = await db.query<Entry>(report);
  assert.deepEqual(
    rows.map(({ entry, result, uids }) => [entry, result, uids]),
    [
      ['A-1', 'matched', 'u1'],
      ['A-2', 'matched', 'e1'],
      ['A-3', 'matched', 'g1'],
      ['A-4', 'matched', 'k1'],
      ['A-5', 'ambiguous', 'u2 u3'],
      ['A-6', 'unmatched', null],
    ],
  );

  await writeFile(join(folder, 'join-docket.mjs'), joinInCode);
  const { joinDocket } = (await import(join(folder, 'join-docket.mjs'))) as {
    joinDocket: (db: pg.Client, docket: unknown[]) => Promise<Record<string, { entry: string; uids: string[] }[]>>;
  };
  const docket = (await db.query('select * from docket order by entry')).rows;
  const joined = await joinDocket(db, docket);
  await db.end();
  const flat = Object.entries(joined).flatMap(([result, entries]) =>
    entries.map(({ entry, uids }) => [entry, result, uids.length === 0 ? null : uids.join(' ')]),
  );
  assert.deepEqual(
    flat.sort(([one], [other]) => (one! < other! ? -1 : 1)),
    rows.map(({ entry, result, uids }) => [entry, result, uids]),
  );
});
