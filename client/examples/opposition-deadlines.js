// Opposition deadlines of the coming weeks, from a replica: no call, no unit.
//
//   npx tmds-replica --to sqlite:marks.db
//   node opposition-deadlines.js marks.db 4 9,42
//
// Prints the marks in the given Nice classes whose opposition period ends within the weeks, soonest first.
import { pathToFileURL } from 'node:url';
import { openSqlite } from '@tmds/client/replica';

const QUERY = `
  select jurisdiction_code, uid, mark_name, opposition_period_end
  from trademarks
  where opposition_period_end between ? and ?
    and exists (select 1 from json_each(nice_classes) where value in (select value from json_each(?)))
  order by opposition_period_end, jurisdiction_code, uid`;

export async function listDeadlines(file, today, weeks, niceClasses) {
  const last = new Date(`${today}T00:00:00Z`);
  last.setUTCDate(last.getUTCDate() + weeks * 7);
  const db = await openSqlite(file);
  try {
    return db.prepare(QUERY).all(today, last.toISOString().slice(0, 10), JSON.stringify(niceClasses));
  } finally {
    db.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [file = 'marks.db', weeks = '4', classes = '9,42'] = process.argv.slice(2);
  const today = new Date().toISOString().slice(0, 10);
  for (const mark of await listDeadlines(file, today, Number(weeks), classes.split(',').map(Number))) {
    console.log(
      `${mark.opposition_period_end}\t${mark.jurisdiction_code}/${mark.uid}\t${mark.mark_name ?? '(no text)'}`,
    );
  }
}
