import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { MIGRATIONS_FOLDER, readMigrations } from '../../src/database/schema/migrate.ts';
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
