/** Files of applicants and representatives: one statement for each party, under the key by which marks name it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { Format } from '../../src/load/formats/format.ts';
import { euipoFormat, st66Format } from '../../src/load/formats/st66/adapter.ts';
import type { SupplementRow } from '../../src/load/kept/kept.ts';
import { REAL_DATA, readAll, skipWithout } from '../support/formats.ts';
import { listMutations } from '../support/mutations.ts';
import { writePartyFile } from '../support/party-file.ts';
import { writeMark } from '../support/trade-mark.ts';

/** The statements of a file that holds nothing else and raises no issue. */
async function readRows(format: Format, xml: string, register: string | null = null): Promise<SupplementRow[]> {
  const { items, supplements } = await readAll(format, xml, { register });
  assert.deepEqual(items, []);
  assert.deepEqual(
    supplements.flatMap(({ issues }) => issues),
    [],
  );
  return supplements.flatMap(({ rows }) => rows);
}

const PLENTY = `<ApplicantLegalEntity>Legal entity</ApplicantLegalEntity>
  <ApplicantNationalityCode>FR</ApplicantNationalityCode>
  <ApplicantIncorporationCountryCode>ES</ApplicantIncorporationCountryCode>
  <ApplicantIncorporationState>Galicia</ApplicantIncorporationState>
  <ApplicantAddressBook><FormattedNameAddress><Name><FormattedName><FirstName>Ana</FirstName>
  <LastName>Muster</LastName></FormattedName></Name><Address><AddressCountryCode>PT</AddressCountryCode>
  <FormattedAddress><AddressStreet>Rua 1</AddressStreet><AddressCity>Porto</AddressCity>
  <AddressPostcode>4000</AddressPostcode></FormattedAddress></Address></FormattedNameAddress>
  <ContactInformationDetails><Phone>1</Phone></ContactInformationDetails></ApplicantAddressBook>`;

test('reads applicants and representatives with all that they state, under their keys', async () => {
  const xml = writePartyFile({
    applicants: [{ key: '0042', name: null, country: null, body: PLENTY }, { key: '43' }],
    representatives: [{ key: '42', name: 'Rat', country: null, operation: 'Update' }],
  });
  const version = '2026-01-02T03:04:05.000000000Z';
  assert.deepEqual(await readRows(euipoFormat, xml), [
    {
      kind: 'party',
      key: 'EM applicant 42',
      part: 'EM applicant 42',
      link: null,
      version,
      body: {
        names: [{ text: 'Ana Muster', kind: 'person' }],
        entity: { text: 'Legal entity' },
        nationality: { country: 'FR' },
        incorporation: { country: 'ES', state: 'Galicia' },
        address: { lines: ['Rua 1'], city: 'Porto', postcode: '4000', country: 'PT' },
        details: { ApplicantAddressBook: { ContactInformationDetails: { Phone: '1' } } },
      },
    },
    {
      kind: 'party',
      key: 'EM applicant 43',
      part: 'EM applicant 43',
      link: null,
      version,
      body: { names: [{ text: 'Nordwind GmbH', kind: 'organization' }], address: { country: 'DE' } },
    },
    {
      kind: 'party',
      key: 'EM representative 42',
      part: 'EM representative 42',
      link: null,
      version,
      body: { names: [{ text: 'Rat', kind: 'organization' }] },
    },
  ]);
});

test('the office of a party is the one that its envelope names, or --register', async () => {
  const parts = (xml: Promise<SupplementRow[]>): Promise<string[]> => xml.then((rows) => rows.map(({ part }) => part));
  const [applicants, code, namespace] = [[{ key: '1' }], 'X', 'urn:x'];
  const british = 'http://gb.tmview.europa.eu/trademark/applicant';
  const cases: [Format, Parameters<typeof writePartyFile>[0], string | null, string][] = [
    [st66Format, { code: 'GB-TM-Search Applicant', namespace }, null, 'GB applicant 1'],
    [st66Format, { code, namespace: british }, null, 'GB applicant 1'],
    [st66Format, { code: 'SE-Applicant', namespace: british }, null, 'SE applicant 1'],
    [st66Format, { code }, null, 'EM applicant 1'],
    [st66Format, { code, namespace }, 'RO', 'RO applicant 1'],
    [euipoFormat, { code, namespace }, null, 'EM applicant 1'],
  ];
  for (const [format, file, register, part] of cases) {
    assert.deepEqual(await parts(readRows(format, writePartyFile({ applicants, ...file }), register)), [part]);
  }
  const refusals: [Format, Parameters<typeof writePartyFile>[0], string | null, RegExp][] = [
    [st66Format, { code, namespace }, null, /no office is named around the party; say by --register which of EM, /],
    [euipoFormat, { code: 'GB-TM-Search Applicant' }, null, /the party is of the register GB; euipo reads EM$/],
    [st66Format, { code: 'GB-Applicant' }, 'EM', /the party is of the register GB, not of EM as --register says/],
  ];
  for (const [format, file, register, message] of refusals) {
    await assert.rejects(
      readRows(format, writePartyFile({ applicants, ...file }), register),
      (error) => error instanceof OperatorError && message.test(error.message),
    );
  }
});

test('a party without a key or a name is rejected, and the rest of the file is read [I-45]', async () => {
  const xml = writePartyFile({
    applicants: [
      { key: '' },
      { key: '1', name: null },
      { key: 'k'.repeat(201) },
      { key: '2', name: 'n'.repeat(100_001) },
      { key: '2', name: `n${'\u0301\u0323'.repeat(20_000)}` },
      { key: '3' },
    ],
  });
  const { items, supplements } = await readAll(euipoFormat, xml);
  assert.deepEqual(
    items.map((item) => (item.kind === 'reject' ? [item.reason, item.raw.includes('<Applicant')] : null)),
    [
      ['the applicant has no ApplicantIdentifier', true],
      ['the applicant 1 has no name', true],
      ['the applicant has a key of more than 200 characters', true],
      ['a name is longer than 100000 characters', true],
      ['what it states holds more than 30 combining marks in a row, the most that a text may have', true],
    ],
  );
  assert.deepEqual(
    supplements.flatMap(({ rows }) => rows.map(({ key }) => key)),
    ['EM applicant 3'],
  );
});

test('a removal keeps what it states and raises an issue; without a name there is nothing to keep', async () => {
  const operation = 'Delete';
  const xml = writePartyFile({
    applicants: [
      { key: '1', name: null, operation },
      { key: '2', operation },
    ],
  });
  const { supplements } = await readAll(euipoFormat, xml);
  assert.deepEqual(
    supplements.map(({ rows, issues }) => [rows.map(({ key }) => key), issues.map(({ code, value }) => [code, value])]),
    [
      [[], [['removed_party', '1']]],
      [['EM applicant 2'], [['removed_party', '2']]],
    ],
  );
});

test('marks and parties in one file are distinguished by what they are', async () => {
  const xml = writePartyFile({ applicants: [{ key: '1' }] }).replace(
    '<ApplicantDetails>',
    `<TradeMarkDetails>${writeMark()}</TradeMarkDetails><ApplicantDetails>`,
  );
  const { items, supplements } = await readAll(euipoFormat, xml);
  assert.deepEqual([items.map(({ kind }) => kind), supplements.length], [['record'], 1]);
});

test('no spoilt element of a party passes silently', async () => {
  const outcome = async (text: string): Promise<string> => {
    try {
      return JSON.stringify(await readAll(euipoFormat, text));
    } catch (error) {
      return String(error);
    }
  };
  const fixture = writePartyFile({ applicants: [{ key: '42', name: null, country: null, body: PLENTY }] });
  const whole = await outcome(fixture);
  const mutations = listMutations(fixture, 'Applicant');
  assert.ok(mutations.length > 40);
  const silent: string[] = [];
  for (const { place, kind, text } of mutations) {
    if ((await outcome(text)) === whole) silent.push(`${place} ${kind}`);
  }
  // Only a removal says something; any other operation states the party.
  assert.deepEqual(
    silent.filter((mutation) => !mutation.startsWith('@operationCode ')),
    [],
  );
});

test('the British answers state the applicant and the representative of the mark held', {
  skip: skipWithout('ukipo'),
}, async () => {
  const read = (file: string): string => readFileSync(join(REAL_DATA, 'ukipo', file), 'utf8');
  const mark = await readAll(st66Format, read('gb-tm-UK00003289573-data.xml'));
  const [item] = mark.items;
  assert.ok(item?.kind === 'record');
  assert.deepEqual(item.record.named_parts, ['GB applicant 507772', 'GB representative 9865']);
  for (const [file, part, lines] of [
    ['gb-applicant-507772.xml', 'GB applicant 507772', 4],
    ['gb-representative-9865.xml', 'GB representative 9865', 3],
  ] as const) {
    const source = read(file);
    const [row, ...others] = await readRows(st66Format, source);
    assert.deepEqual([row?.part, others], [part, []]);
    const body = row?.body as { names: { text: string }[]; address: { lines: string[]; country: string } };
    assert.deepEqual(
      body.names.map(({ text }) => text),
      [...source.matchAll(/<FreeFormatNameLine>([^<]+)/g)].map(([, name]) => name),
    );
    assert.deepEqual([body.address.lines.length, body.address.country], [lines, 'GB']);
    const producedAt = /<RequestProducerDateTime>([^<Z]+)/.exec(source)?.[1] ?? 'none';
    assert.ok(row?.version?.startsWith(producedAt), 'it orders the statements of the party');
  }
});
