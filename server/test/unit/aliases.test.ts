/** Names with "doing business as" and its relatives. Every name is invented. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordContent } from '@tmds/contract/record';
import { NAMES_OF } from '../../src/index/entry.ts';
import type { NormalizedDocument } from '../../src/load/formats/document.ts';
import { usptoApcFormat } from '../../src/load/formats/uspto-apc/adapter.ts';
import { readAlias, splitAliases } from '../../src/record/aliases.ts';
import { listDoubtful } from '../../src/record/findable.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { writeCase } from '../support/case-file.ts';
import { readOne } from '../support/formats.ts';

const SPLIT: Readonly<Record<string, readonly string[]>> = {
  'Acme, Inc. d/b/a Zenith': ['Acme, Inc.', 'Zenith'],
  'ACME, INC., D/B/A: ZENITH': ['ACME, INC.', 'ZENITH'],
  'Acme d.b.a. Zenith': ['Acme', 'Zenith'],
  'ACME LLC DBA THE ZENITH SHOP': ['ACME LLC', 'THE ZENITH SHOP'],
  'Acme; dba Zenith': ['Acme', 'Zenith'],
  'Acme doing business as Zenith': ['Acme', 'Zenith'],
  'Acme trading as Zenith': ['Acme', 'Zenith'],
  'Acme t/a Zenith': ['Acme', 'Zenith'],
  'Acme carrying on business as Zenith': ['Acme', 'Zenith'],
  'Ann Example a/k/a Ann Sample': ['Ann Example', 'Ann Sample'],
  'Ann Example aka Ann Sample': ['Ann Example', 'Ann Sample'],
  'ACME CORP. FKA ZENITH CORP.': ['ACME CORP.', 'ZENITH CORP.'],
  'Acme formerly known as Zenith': ['Acme', 'Zenith'],
  'Acme (dba Zenith) GmbH': ['Acme GmbH', 'Zenith'],
  'Acme dba Zenith dba Nadir': ['Acme', 'Zenith', 'Nadir'],
  'Müller OHG d/b/a Öl': ['Müller OHG', 'Öl'],
};

test('takes an alias off a name, of which both parts find the record [4.3, I-49]', () => {
  for (const [name, parts] of Object.entries(SPLIT)) assert.deepEqual(splitAliases(name), parts, name);
});

test("two forms of a firm's own name are a name and its alias [4.3, I-49]", () => {
  const whole = 'ACME KABUSHIKI KAISHA (ALSO TRADING AS ACME CORPORATION )';
  assert.deepEqual(splitAliases(whole), ['ACME KABUSHIKI KAISHA', 'ACME CORPORATION']);
});

test('leaves a name whole that only seems to contain an alias [4.3]', () => {
  for (const name of [
    'Aka Foods',
    'AKA FOODS LLC',
    'DBA Inc.',
    'DBA Systems, Inc.',
    'Acme DBA',
    'Acme DBA, Inc.',
    'Acme DBA LLC',
    'HOTEL AKA QUILLHAM',
    'Sandbanks Dbase Ltd',
    'Naka Foods FKAX Ltd',
    'Day trading as a service Ltd',
    'Trading As We Go Ltd',
    'Rat/Abc Ltd',
    'd/b/a',
    'T/A Zenith',
    '株式会社アカ',
    `Acme DBA Zenith${' , dba'.repeat(100_000)}`,
  ]) {
    assert.deepEqual(splitAliases(name), [name]);
  }
});

test('an alias that the office states on its own loses the words before it [4.3]', () => {
  for (const [text, alias] of [
    ['DBA ZENITH', 'ZENITH'],
    ['d/b/a Zenith', 'Zenith'],
    ['AKA ZENITH', 'ZENITH'],
    ['TA ZENITH', 'ZENITH'],
    ['Zenith', 'Zenith'],
    ['Taverna', 'Taverna'],
    ['DBA', 'DBA'],
    ['DBA INC.', 'DBA INC.'],
  ] as const) {
    assert.equal(readAlias(text), alias);
  }
});

test('the record has the name and the alias, its document what the office wrote [2.2, I-32]', async () => {
  const owner = (name: string, alias: string) =>
    [
      'case-file-owner',
      [
        ['entry-number', '1'],
        ['party-type', '10'],
        ['party-name', name],
        ['dba-aka-text', alias],
      ],
    ] as const;
  const { record } = await readOne(
    usptoApcFormat,
    writeCase({
      header: [['attorney-name', 'Ann Example a/k/a Ann Sample']],
      after: [['case-file-owners', [owner('Acme, Inc.  DBA Nadir', 'DBA ZENITH')]]],
    }),
  );
  const { owner_names, representative_names } = normalizeRecord(record);
  assert.deepEqual(owner_names, ['acme, inc.', 'nadir', 'zenith']);
  assert.deepEqual(representative_names, ['ann example', 'ann sample']);
  const { parties } = record.payload as unknown as NormalizedDocument;
  assert.deepEqual(parties?.[0]?.names, [
    { text: 'Acme, Inc.  DBA Nadir' },
    { text: 'DBA ZENITH', kind: 'trading_as' },
  ]);
});

test('names that an earlier version stored whole, or with hidden characters, are found too [I-49, I-12]', () => {
  const detail = { owner_names: ['acme dba zen\u200bith'], mark_name: null } as unknown as RecordContent;
  const entry = { stamp: 0, detail, markVariants: 'na\u200bdir' };
  assert.deepEqual(NAMES_OF.owner_name(entry), ['acme dba zenith', 'acme', 'zenith']);
  assert.deepEqual(NAMES_OF.mark_name(entry), ['nadir']);
});

test('a name of hidden characters alone is one that no filter finds [I-38]', async () => {
  const { record } = await readOne(usptoApcFormat, writeCase({ header: [['attorney-name', 'Ann Example']] }));
  const hidden = normalizeRecord({ ...record, mark_name: '\u200b', owner_names: ['\u2060', 'Acme'] });
  assert.deepEqual(
    listDoubtful(hidden).map(({ path }) => path),
    ['mark_name', 'owner_names'],
  );
});
