/** The Taiwanese reader over the office's own files, compared with what a plain search of their text says. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tipoFormat } from '../../src/load/formats/tipo/adapter.ts';
import type { Issue, SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { listItems, REAL_DATA, skipWithout } from '../support/formats.ts';

const skip = skipWithout('tipo');

async function readMarks(name: string): Promise<{ text: string; records: SourceRecord[]; issues: Issue[] }> {
  const text = readFileSync(join(REAL_DATA, 'tipo', name), 'utf8');
  const issues: Issue[] = [];
  const noteIssue = (issue: Issue): void => void issues.push(issue);
  const records = (await listItems(tipoFormat, text, { register: null, noteIssue }, name)).map((item) => {
    assert.ok(item.kind === 'record', `${name}: ${item.kind === 'reject' ? item.reason : ''}`);
    issues.push(...item.issues);
    buildRow(normalizeRecord(item.record));
    return item.record;
  });
  return { text, records, issues };
}

/** The texts of an element in each entry of a file, blank ones left out. */
function listStated(text: string, entry: string, element: string): string[][] {
  return [...text.matchAll(new RegExp(`<${entry} ?[^>]*>[\\s\\S]*?</${entry}>`, 'g'))].map(([source]) =>
    [...source.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))]
      .map(([, stated = '']) => stated.trim().replaceAll('&amp;', '&').replaceAll('&apos;', "'"))
      .filter((stated) => stated !== ''),
  );
}

test('reads all 2,434 registrations of the real gazette as its text says, without issues', { skip }, async () => {
  const { text, records, issues } = await readMarks('gazette-index.xml');
  assert.equal(records.length, 2434);
  assert.deepEqual(issues, []);
  const says = (element: string): string[][] => listStated(text, 'RegContent', element);
  const one = (value: string | null): string[] => (value === null ? [] : [value]);
  assert.deepEqual(
    records.map((record) => one(record.application_number)),
    says('CaseNo'),
  );
  assert.deepEqual(
    records.map((record) => one(record.registration_number)),
    says('RegisterNo'),
  );
  assert.deepEqual(
    records.map((record) => one(record.mark_name)),
    says('Trademark_Name'),
  );
  const republic = (date: string | null): string[] =>
    date === null ? [] : [date.replace(/^\d+/, (year) => String(Number(year) - 1911)).replaceAll('-', '.')];
  assert.deepEqual(
    records.map((record) => republic(record.application_date)),
    says('Filing_Date'),
  );
  assert.deepEqual(
    records.map((record) => republic(record.registration_date)),
    says('SDate'),
  );
  assert.deepEqual(
    records.map((record) => republic(record.expiry_date)),
    says('EDate'),
  );
  assert.deepEqual(
    records.map((record) => (record.nice_classes ?? []).map((number) => String(number).padStart(3, '0'))),
    says('Class').map((classes) => [...classes].sort()),
  );
  const latin = says('AEnglish');
  const owners = says('AChinese').map((names, index) => new Set([...names, ...(latin[index] ?? [])]));
  assert.deepEqual(
    records.map((record) => new Set(record.owner_names)),
    owners,
  );
  assert.equal(records.filter(({ mark_feature }) => mark_feature === 'Three-dimensional').length, 1);
});

test('reads the real application data as their text says', { skip }, async () => {
  for (const [name, count] of [
    ['tmarkappl-100000001.xml', 1],
    ['tmarkappl-api.xml', 25],
  ] as const) {
    const { text, records, issues } = await readMarks(name);
    assert.equal(records.length, count);
    assert.deepEqual(
      records.map(({ application_number }) => [application_number]),
      listStated(text, 'tmarkcontent', 'appl-no'),
    );
    assert.deepEqual(
      records.map(({ application_date }) => [application_date?.replaceAll('-', '/')]),
      listStated(text, 'tmarkcontent', 'appl-date'),
    );
    // The answer of the service is a sample, and says so.
    assert.deepEqual(
      issues.map(({ code }) => code),
      name === 'tmarkappl-api.xml' ? ['delivery_remark'] : [],
    );
  }
});
