/** The sample looks like registers do: valid records, the specification's nulls, every value, several scripts. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { NormalizedDocument } from '@tmds/contract/document';
import { KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import { CONTENT_FIELDS, type ContentField } from '@tmds/contract/record';
import { generateLines, generateRecords } from '../../src/generator/generate.ts';
import { language } from '../../src/generator/lexicon/language.ts';
import { readShares } from '../../src/generator/random.ts';
import type { SampleRecord } from '../../src/generator/record.ts';
import { REGISTERS } from '../../src/generator/registers.ts';
import { isRegisterDate } from '../../src/record/dates.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { checkDocument, checkFindable } from '../support/document.ts';

const RECORDS = 200_000;
const UNIQUE_RECORDS = 300_000;

const SCRIPTS: Record<string, RegExp> = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Han: /\p{Script=Han}/u,
  Hiragana: /\p{Script=Hiragana}/u,
  Katakana: /\p{Script=Katakana}/u,
  Hangul: /\p{Script=Hangul}/u,
  Hebrew: /\p{Script=Hebrew}/u,
  Arabic: /\p{Script=Arabic}/u,
  Devanagari: /\p{Script=Devanagari}/u,
  Thai: /\p{Script=Thai}/u,
  'Turkish letters': /İ.*[ıI]|[ıI].*İ/u,
  'combining forms': /[a-zA-Z]\p{Mn}/u,
};

interface Census {
  nulls: Map<string, number>;
  values: Map<string, Set<string | null>>;
  markScripts: Set<string>;
  ownerScripts: Set<string>;
  identities: Set<string>;
  registers: Map<string, number>;
  owners: Map<string, number>;
  madrid: number;
  oppositionsAhead: number;
  disordered: string[];
}

const ENUMS = ['status', 'kind_of_mark', 'mark_feature'] as const;

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function noteScripts(found: Set<string>, text: string): void {
  for (const [name, pattern] of Object.entries(SCRIPTS)) if (!found.has(name) && pattern.test(text)) found.add(name);
}

function isOrdered(record: SampleRecord): boolean {
  const inOrder = [record.application_date, record.publication_date, record.registration_date, record.renewal_date];
  const stated = inOrder.filter((date) => date !== null);
  const last = stated.at(-1) ?? '';
  return (
    stated.every((date, i) => i === 0 || (stated[i - 1] as string) <= date) &&
    (record.termination_date === null || record.termination_date >= last) &&
    (record.opposition_period_end === null || record.opposition_period_end > (record.publication_date as string)) &&
    (record.status === 'Pending' || record.status === 'Abandoned' ? record.registration_date === null : true) &&
    (record.status === 'Registered' ? record.registration_date !== null && record.termination_date === null : true)
  );
}

function takeCensus(): Census {
  const census: Census = {
    nulls: new Map(),
    values: new Map(ENUMS.map((field) => [field, new Set()])),
    markScripts: new Set(),
    ownerScripts: new Set(),
    identities: new Set(),
    registers: new Map(),
    owners: new Map(),
    madrid: 0,
    oppositionsAhead: 0,
    disordered: [],
  };
  let index = 0;
  for (const record of generateRecords({ records: UNIQUE_RECORDS, seed: 11, payload: 'none' })) {
    census.identities.add(`${record.jurisdiction_code} ${record.uid}`);
    index += 1;
    if (index > RECORDS) continue;
    increase(census.registers, record.jurisdiction_code);
    for (const field of Object.keys(CONTENT_FIELDS)) {
      if (record[field as ContentField] === null) increase(census.nulls, field);
    }
    for (const field of ENUMS) census.values.get(field)?.add(record[field]);
    if (record.mark_name !== null) noteScripts(census.markScripts, record.mark_name);
    for (const name of record.owner_names ?? []) noteScripts(census.ownerScripts, name);
    if (record.owner_names !== null) increase(census.owners, record.owner_names[0] as string);
    if (record.office === 'WO' && record.jurisdiction_code !== 'WO') census.madrid += 1;
    if ((record.opposition_period_end ?? '') > '2026-11-01') census.oppositionsAhead += 1;
    if (!isOrdered(record)) census.disordered.push(record.uid);
  }
  return census;
}

describe('a large sample', () => {
  let census: Census;
  before(() => {
    census = takeCensus();
  });
  const share = (field: string) => (census.nulls.get(field) ?? 0) / RECORDS;

  test('no two records of one register share a uid', () => {
    assert.equal(census.identities.size, UNIQUE_RECORDS);
  });

  test('about 13 % of the records lack a registration number and about 36 % an expiry date', () => {
    assert.ok(Math.abs(share('registration_number') - 0.13) < 0.01, String(share('registration_number')));
    assert.ok(Math.abs(share('expiry_date') - 0.36) < 0.015, String(share('expiry_date')));
  });

  test('every nullable field is null somewhere and stated somewhere, the required ones always stated', () => {
    for (const [field, { nullable }] of Object.entries(CONTENT_FIELDS)) {
      if (field === 'office') continue;
      assert.equal(share(field) > 0, nullable, field);
      assert.ok(share(field) < 0.98, field);
    }
  });

  test('every status, kind and feature occurs within 200,000 records', () => {
    const values = (field: string) => [...(census.values.get(field) ?? [])].sort();
    assert.deepEqual(values('status'), [...STATUSES].sort());
    assert.deepEqual(values('kind_of_mark'), [...KINDS_OF_MARK, null].sort());
    assert.deepEqual(values('mark_feature'), [...MARK_FEATURES, null].sort());
  });

  test('marks and owners come in every script, combining forms included', () => {
    const scripts = Object.keys(SCRIPTS).sort();
    assert.deepEqual([...census.markScripts].sort(), scripts);
    const kept = scripts.filter((script) => script !== 'combining forms');
    assert.deepEqual(
      kept.filter((script) => !census.ownerScripts.has(script)),
      [],
    );
  });

  test('registers differ in size and each has its share', () => {
    for (const { code, size } of REGISTERS) assert.equal(census.registers.get(code), size * (RECORDS / 1000), code);
    assert.ok(REGISTERS.length >= 16);
  });

  test('dates of one record agree with each other and with its status', () => {
    assert.deepEqual(census.disordered, []);
  });

  test('national registers hold international records, and some oppositions end in the coming weeks', () => {
    assert.ok(census.madrid > 0);
    assert.ok(census.oppositionsAhead > 0);
  });

  test('owners hold portfolios: a few have many marks, most have few', () => {
    const sizes = [...census.owners.values()].sort((a, b) => b - a);
    assert.ok((sizes[0] as number) > 50, String(sizes[0]));
    assert.ok((sizes[0] as number) < RECORDS / 100, String(sizes[0]));
    assert.ok(sizes.filter((size) => size === 1).length > sizes.length / 2);
  });
});

test('every line is a complete record of the ndjson format, in its one key order [2.2, I-31, I-32]', () => {
  const keys = [...Object.keys(CONTENT_FIELDS), 'mark_name_variants', 'payload'];
  for (const line of generateLines({ records: 10_000, seed: 21, payload: 'small' })) {
    assert.ok(line.endsWith('}\n') && line.indexOf('\n') === line.length - 1);
    const record = JSON.parse(line) as SampleRecord;
    assert.deepEqual(Object.keys(record), keys);
    const normalized = normalizeRecord({ ...record, source_version: null });
    for (const [field, { type }] of Object.entries(CONTENT_FIELDS)) {
      const value = record[field as ContentField];
      if (type === 'date' && value !== null) assert.ok(isRegisterDate(value as string), `${field} ${value}`);
      if (type !== 'names') assert.deepEqual(normalized[field as ContentField], value, field);
      assert.equal(normalized[field as ContentField] === null, value === null, field);
    }
  }
});

test('the sample keeps every rule that a reader keeps: what a document shows is found [2.2.2, I-12]', () => {
  for (const record of generateRecords({ records: 3000, seed: 4 })) checkDocument({ ...record, source_version: null });
  for (const { payload, ...record } of generateRecords({ records: 1000, seed: 4, payload: 'small' })) {
    checkFindable({ ...record, payload, source_version: null }, payload as unknown as NormalizedDocument);
  }
});

test('payloads run from 1 KB to about 1 MB, most of them 1 to 3 KB', () => {
  const sizes: number[] = [];
  let images = 0;
  for (const { payload } of generateRecords({ records: 20_000, seed: 4 })) {
    const text = JSON.stringify(payload);
    sizes.push(Buffer.byteLength(text));
    if (Array.isArray(payload?.images)) images += 1;
    for (const section of [
      'parties',
      'goods_and_services',
      'publications',
      'priorities',
      'events',
      'images',
      'source',
    ]) {
      assert.ok(payload !== null && section in payload, section);
    }
  }
  sizes.sort((a, b) => a - b);
  const usual = sizes.filter((size) => size >= 1000 && size <= 3500).length;
  assert.ok(usual / sizes.length > 0.9, String(usual));
  assert.ok((sizes[0] as number) > 400, String(sizes[0]));
  const largest = sizes.at(-1) as number;
  assert.ok(largest > 450_000 && largest < 1_100_000, String(largest));
  assert.ok(images > 0);
});

test('a small payload holds the parties and the goods, none is null', () => {
  for (const { payload } of generateRecords({ records: 300, seed: 4, payload: 'small' })) {
    assert.deepEqual(Object.keys(payload ?? {}), ['parties', 'goods_and_services', 'source']);
  }
  for (const { payload } of generateRecords({ records: 300, seed: 4, payload: 'none' })) assert.equal(payload, null);
});

test('a table of shares has known values only, and a vocabulary all of its lists', () => {
  const read = readShares(MARK_FEATURES);
  assert.deepEqual(read('Word 1_000,\n  Stylized characters 0.5'), [
    ['Word', 1000],
    ['Stylized characters', 0.5],
  ]);
  assert.throws(() => read('Word 3, Wrod 2'), /not a share of a known value: " Wrod 2"/);
  assert.throws(() => read('Word'), /not a share/);
  const open = language('xx', 'Latn', { joint: ' ' });
  const lists = 'second: b_c\n  syllables: d endings: e surnames: f givenNames: g trades: h|i|j k';
  assert.throws(() => open(lists), /the language xx has no first/);
  const { first, second, trades } = open(`first: a\n  ${lists}`);
  assert.deepEqual(
    [first, second, trades].map((words) => words.map(({ text }) => text)),
    [['a'], ['b c'], ['h', 'k']],
  );
});
