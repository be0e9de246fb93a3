/** The USPTO reader over the office's own files, compared with what a plain search of their text says. */
import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FormatItem } from '../../src/load/formats/format.ts';
import { usptoApcFormat } from '../../src/load/formats/uspto-apc/adapter.ts';
import { CASE_STATUSES } from '../../src/load/formats/uspto-apc/statuses.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { CASE_SHAPE, type Shape } from '../support/case-file.ts';
import { listItems, REAL_DATA, skipWithout } from '../support/formats.ts';

const SAMPLE = 'uspto/apc/apc180218-sample.xml';
const CASES = ['uspto/apc/case-file-60172053.xml', 'uspto/apc/case-file-79366581.xml'];

const readText = (path: string): string => readFileSync(join(REAL_DATA, path), 'utf8');

const readFile = (path: string): Promise<FormatItem[]> =>
  listItems(usptoApcFormat, createReadStream(join(REAL_DATA, path)), { register: null }, path);

/** Every record of a file; a reject or an issue fails the test. */
async function listRecords(path: string): Promise<SourceRecord[]> {
  return (await readFile(path)).map((item) => {
    assert.ok(item.kind === 'record', `${path}: ${item.kind === 'reject' ? item.reason : ''}`);
    assert.deepEqual(item.issues, [], item.position);
    buildRow(normalizeRecord(item.record));
    return item.record;
  });
}

/** The text of the first element of that name in each case-file of a source text. */
function listStated(text: string, element: string): (string | null)[] {
  return [...text.matchAll(/<case-file>[\s\S]*?<\/case-file>/g)].map(
    ([caseFile]) => new RegExp(`<${element}>([^<]*)</${element}>`).exec(caseFile)?.[1] ?? null,
  );
}

for (const path of [SAMPLE, ...CASES]) {
  test(`reads ${path} whole, without rejects or issues`, { skip: skipWithout(path) }, async () => {
    const text = readText(path);
    const records = await listRecords(path);
    const serials = listStated(text, 'serial-number');
    assert.ok(serials.length > 0);
    assert.deepEqual(
      records.map(({ application_number }) => application_number),
      serials,
    );
    assert.deepEqual(
      records.map(({ status }) => status),
      listStated(text, 'status-code').map((code) => CASE_STATUSES[code ?? '']?.[0]),
    );
    const compact = (date: string | null): string | null => date?.replaceAll('-', '') ?? null;
    assert.deepEqual(
      records.map((record) => compact(record.application_date)),
      listStated(text, 'filing-date'),
    );
    assert.deepEqual(
      records.map((record) => record.mark_name),
      listStated(text, 'mark-identification').map((name) => name?.replaceAll('&amp;', '&') ?? null),
    );
  });
}

test('reads a real Madrid case with the international office', { skip: skipWithout(CASES[1] ?? '') }, async () => {
  const [record] = await listRecords(CASES[1] ?? '');
  const text = readText(CASES[1] ?? '');
  assert.equal(record?.office, 'WO');
  assert.equal(record?.jurisdiction_code, 'US');
  assert.equal(record?.uid, 'US500000079366581');
  assert.deepEqual(record?.international_registration_numbers, listStated(text, 'international-registration-number'));
  assert.equal(record?.priority_numbers, null, 'it claims a priority by its date only');
  assert.deepEqual(record?.nice_classes, [3, 18, 32, 35]);
});

test('knows exactly the elements of the real type definition', { skip: skipWithout(SAMPLE) }, () => {
  const definitions = new Map(
    [...readText(SAMPLE).matchAll(/<!ELEMENT (\S+) \(([^>]*)\)>/g)].map(([, name, model]) => [
      name ?? '',
      (model ?? '').split(/[\s,|()?*+]+/).filter((child) => child !== '' && child !== '#PCDATA'),
    ]),
  );
  const expand = (name: string): Shape | null => {
    const children = definitions.get(name) ?? [];
    return children.length === 0 ? null : Object.fromEntries(children.map((child) => [child, expand(child)]));
  };
  assert.deepEqual(expand('case-file'), CASE_SHAPE);
});

test('maps the status codes as the derived table of the real ones says', {
  skip: skipWithout('uspto/lookups/DERIVED_status_map.csv'),
}, () => {
  const lines = readText('uspto/lookups/DERIVED_status_map.csv').trim().split('\n').slice(1);
  const table = lines.map((line) => {
    const cells = [...line.matchAll(/("[^"]*"|[^,]*)(?:,|$)/g)].map(([, cell]) => (cell ?? '').replaceAll('"', ''));
    return [cells[0], [cells[3], cells[1]]];
  });
  assert.equal(table.length, 169);
  assert.deepEqual({ ...CASE_STATUSES }, Object.fromEntries(table));
});
