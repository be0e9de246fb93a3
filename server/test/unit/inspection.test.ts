/** What an inspection reports about a file, found by the readers of a load and stored nowhere. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chooseFormat, unknownFile } from '../../src/load/inspection/choose.ts';
import { type Inspection, openInspection } from '../../src/load/inspection/inspect.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { makeFolder } from '../support/folder.ts';
import { buildZip } from '../support/zip.ts';

type Cleaner = { after: (work: () => void) => void };

function write(t: Cleaner, name: string, content: string | Buffer): string {
  const path = join(makeFolder(t), name);
  writeFileSync(path, content);
  return path;
}

async function inspect(path: string): Promise<Inspection> {
  const choice = await chooseFormat(await openSource(path));
  assert.ok(choice?.format, 'a format was found');
  const source = await openSource(path);
  return await openInspection({ source, format: choice.format, choice, register: null }).run();
}

const LINES = [
  '{"jurisdiction_code":"XA","uid":"1","status":"Registered","application_date":"2020-02-03","vienna_codes":["1-2"],"payload":{"events":[1],"mark":null}}',
  `{"jurisdiction_code":"XA","uid":"2","status":"Pending","application_date":"2019-12-31","mark_name":"${'long '.repeat(99)}"}`,
  '{"jurisdiction_code":"XB","uid":"1","status":"Pending","mark_name":"b"}',
  '{"jurisdiction_code":"XA","uid":"4"}',
];

test('an inspection counts records, rejects, fields, sections, dates and issues', async (t) => {
  const found = await inspect(write(t, 'day.ndjson', `${LINES.join('\n')}\n`));
  assert.deepEqual([found.format, found.seen], ['ndjson', 'normalized records, one a line']);
  assert.deepEqual([found.records, found.rejected, found.partial, found.failure], [3, 1, 0, null]);
  assert.deepEqual(found.registers, { XA: 2, XB: 1 });
  assert.deepEqual(found.fields.mark_name, { records: 2, percent: 66.7 });
  assert.deepEqual(found.fields.owner_names, { records: 0, percent: 0 });
  assert.deepEqual(found.fields.application_date, {
    records: 2,
    percent: 66.7,
    earliest: '2019-12-31',
    latest: '2020-02-03',
  });
  assert.deepEqual(found.period, { from: '2019-12-31', through: '2020-02-03', by: 'application_date' });
  assert.deepEqual(found.payload_sections, { events: { records: 1, percent: 33.3 } });
  assert.deepEqual(
    found.issues.map(({ code, path, value, count, examples }) => [code, path, value, count, examples[0]?.uid]),
    [['unfindable_value', 'vienna_codes', '1-2', 1, '1']],
  );
  assert.equal(found.rejects[0]?.source, LINES[3]);
  assert.match(found.rejects[0]?.position ?? '', /^day\.ndjson, line 4$/);
  assert.equal(found.largest_record?.uid, '2');
});

const DAY = `<?xml version="1.0"?><trademark-applications-daily><version><version-no>2.0</version-no>
<version-date>20041108</version-date></version><creation-datetime>202601312208</creation-datetime>
<application-information><file-segments><action-keys>
<case-file><serial-number>97123456</serial-number><transaction-date>20260130</transaction-date>
<case-file-header><status-code>999</status-code><odd-flag>T</odd-flag></case-file-header></case-file>`;
const DAY_END = '</action-keys></file-segments></application-information></trademark-applications-daily>';

test('an inspection reports the edition and the period that a delivery states, and what its format does not know', async (t) => {
  const found = await inspect(write(t, 'apc.xml', DAY + DAY_END));
  assert.equal(found.format, 'uspto-apc');
  assert.deepEqual(
    found.vintage.map(({ what, value }) => `${what}: ${value}`),
    ['root element: trademark-applications-daily', 'version: 2.0', 'version date: 20041108', 'made: 202601312208'],
  );
  const instant = '2026-01-31T22:08:00.000000Z';
  assert.deepEqual(found.period, { from: instant, through: instant, by: 'the delivery' });
  assert.deepEqual(found.issues.map(({ code, value }) => [code, value]).sort(), [
    ['unknown_element', 'T'],
    ['unmapped_status', '999'],
  ]);
});

test('a file that breaks off is reported with its content up to that point', async (t) => {
  const found = await inspect(write(t, 'apc.xml', `${DAY}<case-file><serial-number>97123457</serial-number>`));
  assert.match(found.failure ?? '', /truncated/);
  assert.equal(found.format, 'uspto-apc');
});

test('an archive is read as what its members are, whatever else it holds', async (t) => {
  const zip = buildZip([
    { name: 'page.html', text: '<html></html>' },
    { name: 'day/apc.xml', text: DAY + DAY_END },
  ]);
  const found = await inspect(write(t, 'delivery.zip', zip));
  assert.deepEqual([found.format, found.records], ['uspto-apc', 1]);
  assert.match(found.vintage_of ?? '', /delivery\.zip\/day\/apc\.xml$/);
});

test('an inspection of joined tables reports the rows by table, and columns it does not know', async (t) => {
  const path = write(t, 'upd_appl_reg_info.tsv', 'appl_cd\tappl_name\tappl_shoe_size\n000000001\tExample\t43\n');
  const found = await inspect(path);
  assert.equal(found.format, 'jpo');
  assert.deepEqual(found.tables, { appl_reg_info: { rows: 1, removed: 0 } });
  assert.ok(found.issues.some(({ code, path: place }) => code === 'unknown_element' && /appl_shoe_size/.test(place)));
});

test('a file that no format reads is named by its kind', async (t) => {
  const path = write(t, 'error.xml', '<!DOCTYPE html><html><body>503</body></html>');
  const choice = await chooseFormat(await openSource(path));
  assert.equal(choice?.format, null);
  assert.match(unknownFile(path, choice).message, /error\.xml seems to be a web page.*fetch the file again$/);
  const empty = await chooseFormat(await openSource(write(t, 'none.zip', buildZip([]))));
  assert.match(unknownFile('none.zip', empty).message, /archive without files/);
});
