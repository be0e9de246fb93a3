// New marks in a class that contain a word, in up to ten registers.
//
//   TMDS_API_KEY=… TMDS_BASE_URL=… node new-marks.js nova 9 US,EM 2026-01-01
//
// Prints applications filed on or after the day, newest first, a thousand at most, and says when there are more.
import { pathToFileURL } from 'node:url';
import { TrademarkClient } from '@tmds/client';

const RECORDS_MAX = 1_000;

export async function listNewMarks(client, word, niceClass, registers, since, print) {
  const walk = client.searchAll(
    {
      jurisdiction: registers,
      nice_class: niceClass,
      mark_name_contains: word,
      application_date_from: since,
      sort: 'application_date',
    },
    { itemsMax: RECORDS_MAX },
  );
  let step = await walk.next();
  for (; !step.done; step = await walk.next()) {
    const { application_date, jurisdiction_code, uid, mark_name, owner_names } = step.value;
    print(`${application_date}\t${jurisdiction_code}/${uid}\t${mark_name}\t${owner_names?.[0] ?? '(no owner)'}`);
  }
  if (step.value.next_cursor !== null) print(`… and more: narrow the word, the registers or the day`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [word, niceClass = '9', registers = 'US', since = '2026-01-01'] = process.argv.slice(2);
  await listNewMarks(new TrademarkClient(), word, Number(niceClass), registers.split(','), since, console.log);
}
