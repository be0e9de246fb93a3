/** A spoilt file is never read as if it were whole: the record says so, or an issue, a reject or a refusal does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTENT_FIELDS } from '@tmds/contract/record';
import { isIgnored } from '../../src/load/formats/jpo/rows.ts';
import { ndjsonFormat } from '../../src/load/formats/ndjson.ts';
import { prepareItem } from '../../src/load/rows/encode.ts';
import type { Issue } from '../../src/record/document.ts';
import { listItems } from '../support/formats.ts';
import { APPLICATION, REGISTRATION, ROOT } from '../support/japanese-rows.ts';
import { listMutations } from '../support/mutations.ts';
import { REGISTER_FIXTURES, type RegisterFixture } from '../support/register-fixtures.ts';
import { listTableMutations } from '../support/table-mutations.ts';
import { readSet, writeSet } from '../support/tables.ts';

/** All that a load comes to know of a file, places in it aside. */
async function readOutcome({ format }: RegisterFixture, text: string): Promise<string> {
  const ofFile: [string, Issue | number | string][] = [];
  const context = {
    register: null,
    noteIssue: (issue: Issue) => void ofFile.push(['issue', issue]),
    noteNoRecords: () => void ofFile.push(['no records', 0]),
    noteFrontier: (instant: string) => void ofFile.push(['frontier', instant]),
  };
  try {
    const items = await listItems(format, text, context);
    const found = items.map((item) => (item.kind === 'record' ? [item.record, item.issues] : item.reason));
    return JSON.stringify([found, ofFile]);
  } catch (error) {
    return String(error);
  }
}

for (const fixture of REGISTER_FIXTURES) {
  test(`nothing that is done to a part of a record passes silently: ${fixture.title}`, async () => {
    const whole = await readOutcome(fixture, fixture.file);
    assert.match(whole, /^\[\[\[\{.*\},\[\]\]\],\[(\["frontier",[^\]]*\])?\]\]$/, 'the fixture itself raises no issue');
    const mutations = listMutations(fixture.file, fixture.record);
    assert.ok(mutations.length >= 60, `${mutations.length} mutations`);
    const silent: string[] = [];
    for (const { place, kind, text } of mutations) {
      if ((await readOutcome(fixture, text)) === whole) silent.push(`${place} ${kind}`);
    }
    const { silences = [] } = fixture;
    assert.deepEqual(
      silent.filter((mutation) => !silences.some(({ where }) => where.test(mutation))),
      [],
    );
    for (const { where } of silences) {
      assert.ok(
        silent.some((mutation) => where.test(mutation)),
        `${where} excuses nothing`,
      );
    }
  });
}

for (const { title, format, file, record } of REGISTER_FIXTURES) {
  test(`a record with too many combining marks in a row is rejected: ${title} [I-45]`, async () => {
    const start = file.indexOf(`<${record}`);
    const texts = [...file.slice(start).matchAll(/>[^<>]*[^<>\s][^<>]*(?=<\/)/gu)];
    const reasons = await Promise.all(
      texts.map(async ({ index, 0: text }) => {
        const end = start + index + text.length;
        const spoilt = `${file.slice(0, end)}${'\u0301\u0323'.repeat(2_000)}${file.slice(end)}`;
        // A spoilt code may cost the file.
        const items = await listItems(format, spoilt, { register: null }).catch(() => []);
        return items.map((item) => prepareItem(item)).find((item) => item.kind === 'reject')?.reason ?? '';
      }),
    );
    const told = reasons.filter((reason) => /^\w+ holds more than 30 combining marks in a row/.test(reason));
    assert.ok(told.length > 0, reasons.join(' | '));
  });
}

/** Cells that may change without a word, and why. */
const SILENT_CELLS: readonly (readonly [where: RegExp, why: string])[] = [
  [/ masterkosin_nitiji (emptied|moved)$/, 'of the days on which its tables were written the latest counts'],
];

async function readSetOutcome(files: Readonly<Record<string, string>>): Promise<string> {
  try {
    const { items, issues } = await readSet(files, ROOT);
    return JSON.stringify([items.map((item) => (item.kind === 'record' ? item.record : item.reason)), issues]);
  } catch (error) {
    return String(error);
  }
}

test('nothing that is done to a cell, a column or a row of a set passes silently: Japanese weekly set', async () => {
  const files = writeSet({ ...APPLICATION, ...REGISTRATION });
  const whole = await readSetOutcome(files);
  assert.match(whole, /^\[\[\{.*\}\],\[\]\]$/, 'the fixture itself raises no issue');
  const mutations = listTableMutations(files);
  assert.ok(mutations.length >= 100, `${mutations.length} mutations`);
  const silent: string[] = [];
  for (const { title, files: spoilt } of mutations) {
    if ((await readSetOutcome(spoilt)) === whole) silent.push(title);
  }
  // A declared column identifies a row or a right: it distinguishes rows in the database.
  const isDeclared = (title: string): boolean => isIgnored(title.split(' ')[1] ?? '');
  assert.deepEqual(
    silent.filter((title) => !isDeclared(title) && !SILENT_CELLS.some(([where]) => where.test(title))),
    [],
  );
});

test('rows state the same in whatever order a table has them: Japanese weekly set', async () => {
  const files = writeSet({ ...APPLICATION, ...REGISTRATION });
  const reordered = Object.entries(files).map(([fileName, text]) => {
    const [columns, ...rows] = text.replace(/\n$/, '').split('\n');
    return [fileName, `${[columns, ...rows.reverse()].join('\n')}\n`] as const;
  });
  assert.notDeepEqual(Object.fromEntries(reordered), files);
  assert.equal(await readSetOutcome(Object.fromEntries(reordered)), await readSetOutcome(files));
});

const DATES = Object.entries(CONTENT_FIELDS).flatMap(([field, { type }]) => (type === 'date' ? [field] : []));

const LINE: Readonly<Record<string, unknown>> = {
  ...{ jurisdiction_code: 'XA', uid: 'XA1', office: 'WO', application_number: '1', registration_number: '2' },
  ...{ mark_name: 'Quillfern', mark_name_variants: ['Fern'], status: 'Registered', tm5_status: 'Live' },
  ...{ kind_of_mark: 'Trademark', mark_feature: 'Word', nice_classes: [9], vienna_codes: ['05.03.11'] },
  ...Object.fromEntries(DATES.map((field, at) => [field, `20${20 + at}-01-02`])),
  ...{ owner_names: ['quillfern'], owner_countries: ['XA'], representative_names: ['penn'] },
  ...{ international_registration_numbers: ['1234567'], priority_numbers: ['P1'], designated_countries: ['XB'] },
  payload: { goods: [{ text: 'quills' }] },
};

test('nothing that is done to a field of a line passes silently: ndjson', async () => {
  const fixture = { title: 'a line', format: ndjsonFormat, file: JSON.stringify(LINE), record: '', number: '' };
  const whole = await readOutcome(fixture, fixture.file);
  const { payload, ...fields } = LINE;
  const silent: string[] = [];
  for (const name of Object.keys(fields)) {
    const { [name]: value, ...others } = LINE;
    const texts = {
      removed: JSON.stringify(others),
      doubled: `${fixture.file.slice(0, -1)},${JSON.stringify(name)}:"another"}`,
      emptied: JSON.stringify({ ...LINE, [name]: '' }),
      misspelt: JSON.stringify({ ...others, [`${name}x`]: value }),
      moved: JSON.stringify({ ...others, payload: { ...(payload as object), [name]: value } }),
    };
    for (const [kind, text] of Object.entries(texts)) {
      if ((await readOutcome(fixture, text)) === whole) silent.push(`${name} ${kind}`);
    }
  }
  assert.deepEqual(silent, []);
  assert.deepEqual(Object.keys(LINE).sort(), [...Object.keys(CONTENT_FIELDS), 'mark_name_variants', 'payload'].sort());
});
