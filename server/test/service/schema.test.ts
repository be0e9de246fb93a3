import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { MIGRATIONS_FOLDER, migrate, readMigrations } from '../../src/database/schema/migrate.ts';
import { createTestDatabase } from '../support/database.ts';
import { printSchema } from '../support/schema.ts';

test('the schema under review is the one the migrations make; npm run schema prints it again', async (t) => {
  const { db } = await createTestDatabase(t);
  assert.equal(await printSchema(db), await readFile(join(MIGRATIONS_FOLDER, 'schema.sql'), 'utf8'));
});

test('a database needs no extension', async () => {
  const texts = (await readMigrations()).map(({ text }) => text).join('\n');
  assert.doesNotMatch(texts, /create extension/i);
});

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Add a line for each new one. A line never changes: databases have been made by what it names. */
const MIGRATIONS: Readonly<Record<string, string>> = {
  '0026_baseline.sql': '0f464895c6603c329774ae62deb912be65c7ad988a2c8e20f36b7d2f43119eb2',
};

test('migrations are named and written as they were when a database was first made by them', async () => {
  const digests = (await readMigrations()).map(({ name, text }) => [name, digestOf(text)]);
  assert.deepEqual(Object.fromEntries(digests), MIGRATIONS);
});

/** Of what the 25 migrations before the first release gave, printed as `schema.sql` is, when they were replaced. */
const TAKEN_OVER = '292fe8652313b39dd3160c0003fe4889600dc4df0b9da88984e80ad4f66a8b9c';

test('the baseline gives the schema of the databases that it takes over', async (t) => {
  const { db } = await createTestDatabase(t, { migrated: false });
  await migrate(db, (await readMigrations()).slice(0, 1));
  assert.equal(digestOf(await printSchema(db)), TAKEN_OVER);
});

test('migrations are numbered without a gap', async () => {
  const numbers = (await readMigrations()).map(({ number }) => number);
  assert.deepEqual(
    numbers,
    numbers.map((_, position) => 26 + position),
  );
});
