/** A spoilt file is never read as if it were whole: the record says so, or an issue, a reject or a refusal does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIgnored } from '../../src/load/formats/jpo/columns.ts';
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
  test(`nothing that is done to a part of a record passes in silence: ${fixture.title}`, async () => {
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

test('nothing that is done to a cell, a column or a row of a set passes in silence: Japanese weekly set', async () => {
  const files = writeSet({ ...APPLICATION, ...REGISTRATION });
  const whole = await readSetOutcome(files);
  assert.match(whole, /^\[\[\{.*\}\],\[\]\]$/, 'the fixture itself raises no issue');
  const mutations = listTableMutations(files);
  assert.ok(mutations.length >= 100, `${mutations.length} mutations`);
  const silent: string[] = [];
  for (const { title, files: spoilt } of mutations) {
    if ((await readSetOutcome(spoilt)) === whole) silent.push(title);
  }
  // A declared column identifies a row or a right: rows are told apart by it in the database.
  const isDeclared = (title: string): boolean => isIgnored(title.split(' ')[1] ?? '');
  assert.deepEqual(
    silent.filter((title) => !isDeclared(title) && !SILENT_CELLS.some(([where]) => where.test(title))),
    [],
  );
});
