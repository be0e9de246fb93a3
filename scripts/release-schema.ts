/**
 * Writes `server/test/released/NNNN.sql`: what a database of the present schema version was made by, migrations and their
 * books together. It is run once for a release; `server/test/service/released.test.ts` upgrades from each such file.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../server/src/base/errors.ts';
import { BOOKS } from '../server/src/database/schema/apply.ts';
import { readMigrations } from '../server/src/database/schema/migrate.ts';
import { planMigration } from '../server/src/database/schema/steps.ts';
import { buildCommand } from './command.ts';

const FOLDER = fileURLToPath(new URL('../server/test/released/', import.meta.url));

await buildCommand('npm run release-schema', 'Keeps the present schema, so that upgrades from it are tested for good.')
  .action(writeRelease)
  .parseAsync();

async function writeRelease(): Promise<void> {
  const migrations = await readMigrations();
  const version = String(migrations.length).padStart(4, '0');
  const file = `${FOLDER}${version}.sql`;
  if (existsSync(file)) throw new OperatorError(`${file} exists: schema version ${version} has been released`);
  const parts = migrations.map((migration) => {
    const { number, name, text } = migration;
    const { worksSince } = planMigration(migration);
    const noted = `insert into migration (number, name, works_since) values (${number}, '${name}', ${worksSince});`;
    // One script is one transaction, in which an index cannot be built concurrently.
    return `-- ${name}\n${text.replaceAll(/\b(index) concurrently\b/g, '$1')}\n${noted}\n`;
  });
  await writeFile(
    file,
    [`-- A database of schema version ${version}, as it was released.\n`, BOOKS, ...parts].join('\n'),
  );
  console.log(`wrote ${file}; add a file of data next to it, named ${version}-data.sql`);
}
