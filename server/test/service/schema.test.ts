import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXTENSIONS } from '../../src/store/checks.ts';
import { MIGRATIONS_FOLDER, readMigrations } from '../../src/store/migrate.ts';
import { createTestDatabase } from '../support/database.ts';
import { printSchema } from '../support/schema.ts';

test('the schema under review is the one the migrations make; npm run schema prints it anew', async (t) => {
  const { db } = await createTestDatabase(t);
  assert.equal(await printSchema(db), await readFile(join(MIGRATIONS_FOLDER, 'schema.sql'), 'utf8'));
});

test('an external database is checked for exactly the extensions that the migrations create', async () => {
  const texts = (await readMigrations()).map(({ text }) => text).join('\n');
  const created = [...texts.matchAll(/^create extension(?: if not exists)? (\w+)/gm)].map((match) => match[1]);
  assert.deepEqual([...EXTENSIONS].sort(), [...new Set(created)].sort());
});
