// Watch an owner's portfolio: prints it at first, then what is new or changed since the run before.
//
//   TMDS_API_KEY=… TMDS_BASE_URL=… node watch-owner.js "acme inc." acme.json
//
// What was seen is kept in the file. Each run asks again for the last ten minutes, since records appear in searches a
// little after their stamp, and leaves out what the file already holds.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { TrademarkClient } from '@tmds/client';

const OVERLAP_MS = 10 * 60_000;
const RECORDS_MAX = 100_000;

export async function watchOwner(client, ownerName, file, print) {
  const seen = await readSeen(file);
  const latest = Object.values(seen).sort().at(-1);
  const since = latest === undefined ? undefined : new Date(Date.parse(latest) - OVERLAP_MS).toISOString();
  const search = { owner_name: ownerName, updated_since: since, sort: 'updated_at', order: 'asc' };
  for await (const record of client.searchAll(search, { itemsMax: RECORDS_MAX })) {
    const identity = `${record.jurisdiction_code}/${record.uid}`;
    if (seen[identity] === record.updated_at) continue;
    const change = seen[identity] === undefined ? 'new' : 'changed';
    print(`${change}\t${identity}\t${record.status}\t${record.mark_name ?? '(no text)'}`);
    seen[identity] = record.updated_at;
  }
  await writeFile(`${file}.new`, JSON.stringify(seen));
  await rename(`${file}.new`, file);
}

async function readSeen(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [ownerName, file = 'portfolio.json'] = process.argv.slice(2);
  await watchOwner(new TrademarkClient(), ownerName, file, console.log);
}
