/** An office on HTTP with a secret, declared for `tmds sync` as an operator declares it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from './command.ts';
import { createTestDatabase } from './database.ts';
import { makeFolder } from './folder.ts';
import { openHttpOffice } from './office-http.ts';
import { createDataFolder, type startTmds } from './process.ts';

type Context = Parameters<typeof startTmds>[0] & Parameters<typeof makeFolder>[0];

export const OFFICE_KEY = 'kEy-0f-the-office';

/** `run`: inside the test, which has no variable `OFFICE_KEY`, so that the secret has to be in a file. */
export async function openSyncWorld(t: Context, { secretIn }: { secretIn: 'file' | 'variable' }) {
  const { db, url } = await createTestDatabase(t);
  const office = await openHttpOffice(t);
  const folder = makeFolder(t);
  const toml = join(folder, 'sources.toml');
  writeFileSync(join(folder, 'key'), `${OFFICE_KEY}\n`, { mode: 0o600 });
  const key = secretIn === 'file' ? `file:${join(folder, 'key')}` : 'env:OFFICE_KEY';
  writeFileSync(
    toml,
    `[source.office]\nkind = "http"\nurl = "${office.url}/files/"\ncatalogue = "page"\nkey = "${key}"
    format = "ndjson"\nregister = "XA"\nfiles = "day-{YYYY}-{MM}-{DD}.ndjson"\nevery = "1m"\n`,
  );
  const environment = {
    ...{ DATABASE_URL: url, TMDS_SOURCES: toml, TMDS_DATA_DIR: await createDataFolder(t) },
    OFFICE_KEY,
  };
  const run = async (...words: string[]) => await runHere(words, environment);
  return { db, office, toml, environment, run };
}
