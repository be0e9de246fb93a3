/** The TSDR reader over the office's own answers, compared with what their text says. */
import assert from 'node:assert/strict';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compactDate } from '../../src/load/formats/dates.ts';
import type { NormalizedDocument } from '../../src/load/formats/document.ts';
import { CASE_STATUSES } from '../../src/load/formats/uspto-apc/statuses.ts';
import { usptoTsdrFormat } from '../../src/load/formats/uspto-tsdr/adapter.ts';
import type { NormalizedRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { listItems, REAL_DATA, skipWithout } from '../support/formats.ts';

const TSDR = 'uspto/tsdr';
const skip = skipWithout(TSDR);

const listAnswers = (): string[] =>
  skip === false ? readdirSync(join(REAL_DATA, TSDR)).filter((name) => name.endsWith('.xml')) : [];

const textOf = (name: string): string => readFileSync(join(REAL_DATA, TSDR, name), 'utf8');

/** The only record of an answer; a reject or an issue fails the test. */
async function readAnswer(name: string): Promise<NormalizedRecord> {
  const stream = createReadStream(join(REAL_DATA, TSDR, name));
  const [item, ...others] = await listItems(usptoTsdrFormat, stream, { register: null }, name);
  assert.ok(item?.kind === 'record', `${name}: ${item?.kind === 'reject' ? item.reason : 'no record'}`);
  assert.deepEqual([item.issues, others], [[], []], name);
  const record = normalizeRecord(item.record);
  buildRow(record);
  return record;
}

/** The mark itself, without the proceedings and assignments that name other marks. */
const ownPart = (source: string): string =>
  source.replace(/<(?:\w+:)?(LegalProceedingsBag|AssignmentBag|AssignmentBagExt)>[\s\S]*?<\/(?:\w+:)?\1>/g, '');

/** The texts of an element, whatever its prefix. */
const listStated = (source: string, element: string): string[] =>
  [...ownPart(source).matchAll(new RegExp(`<(?:\\w+:)?${element}(?: [^>]*)?>([^<]+)</`, 'g'))].map(([, text]) =>
    (text ?? '').trim().replaceAll('&amp;', '&').replaceAll('&apos;', "'").replaceAll('&quot;', '"'),
  );

const firstDay = (source: string, element: string): string | null =>
  listStated(source, element)[0]?.slice(0, 10) ?? null;

for (const name of listAnswers()) {
  test(`reads ${name} whole, as its text says, with every path explained`, async () => {
    const source = textOf(name);
    const record = await readAnswer(name);
    const document = record.payload as unknown as NormalizedDocument;
    const code = listStated(source, 'MarkCurrentStatusCode')[0] ?? '';
    assert.deepEqual(
      {
        application_number: record.application_number,
        registration_number: record.registration_number,
        mark_name: record.mark_name,
        status: record.status,
        tm5_status: record.tm5_status,
        application_date: record.application_date,
        registration_date: record.registration_date,
        publication_date: record.publication_date,
        renewal_date: record.renewal_date,
        status_date: record.status_date,
      },
      {
        application_number: listStated(source, '(?:ApplicationNumberText|ApplicationNumber)')[0],
        registration_number: listStated(source, 'RegistrationNumber')[0],
        mark_name: listStated(source, 'MarkVerbalElementText')[0] ?? null,
        status: CASE_STATUSES[code]?.[0],
        tm5_status: listStated(source, 'MarkCurrentStatusExternalDescriptionText')[0],
        application_date: firstDay(source, 'ApplicationDate'),
        registration_date: firstDay(source, 'RegistrationDate'),
        publication_date: firstDay(source, 'PublicationDate'),
        renewal_date: firstDay(source, 'RenewalDate'),
        status_date: firstDay(source, 'MarkCurrentStatusDate'),
      },
    );
    const classes = listStated(source, 'ClassNumber').map(Number);
    assert.deepEqual(
      record.nice_classes,
      [...new Set(classes)].sort((a, b) => a - b),
    );
    assert.equal(
      (document.events ?? []).filter(({ kind }) => kind === 'history').length,
      listStated(source, 'MarkEventDate').length,
    );
    const stages = [...source.matchAll(/<(?:\w+:)?Applicant (?:\w+:)?sequenceNumber="(\d+)"|PartyTypeCode>(\d+)</g)];
    assert.deepEqual(
      (document.parties ?? []).flatMap(({ office_role }) => office_role ?? []),
      stages.map(([, newer, older]) => newer ?? older).sort((a, b) => Number(b) - Number(a)),
    );
    const happened = ['MarkCurrentStatusDate', 'MarkEventDate', 'CurrentLocationDate'].flatMap((element) =>
      listStated(source, element).map((date) => date.slice(0, 10).replaceAll('-', '')),
    );
    assert.equal(record.source_version, `${happened.sort().at(-1)}.1`);
  });
}

/** What the source says, word for word, and what it has become. */
type Quotes = Partial<Record<keyof NormalizedRecord, [source: string, value: unknown]>>;

const JAVA: Quotes = {
  application_number: ['<com:ApplicationNumberText>74631225</com:ApplicationNumberText>', '74631225'],
  registration_number: ['<com:RegistrationNumber>2178784</com:RegistrationNumber>', '2178784'],
  application_date: ['<tmk:ApplicationDate>1995-02-07-05:00</tmk:ApplicationDate>', '1995-02-07'],
  registration_date: ['<com:RegistrationDate>1998-08-04</com:RegistrationDate>', '1998-08-04'],
  status: ['<tmk:MarkCurrentStatusCode>800</tmk:MarkCurrentStatusCode>', 'Registered'],
  status_date: ['<tmk:MarkCurrentStatusDate>2008-08-11</tmk:MarkCurrentStatusDate>', '2008-08-11'],
  renewal_date: ['<tmk:RenewalDate>2008-08-04</tmk:RenewalDate>', '2008-08-04'],
  publication_date: ['<com:PublicationDate>1996-10-08</com:PublicationDate>', '1996-10-08'],
  mark_name: ['<tmk:MarkVerbalElementText>JAVA</tmk:MarkVerbalElementText>', 'JAVA'],
  mark_feature: ['<tmk:MarkFeatureCode>1</tmk:MarkFeatureCode>', 'Word'],
  kind_of_mark: ['<tmk:MarkCategory>Trademark</tmk:MarkCategory>', 'Trademark'],
  nice_classes: ['<tmk:ClassNumber>009</tmk:ClassNumber>', [9]],
  office: ['<com:RegistrationOfficeCode>US</com:RegistrationOfficeCode>', 'US'],
  owner_countries: ['<com:CountryCode>US</com:CountryCode>', ['US']],
};

const renamed = (quotes: Quotes, ...names: [from: string, to: string][]): Quotes =>
  Object.fromEntries(
    Object.entries(quotes).map(([field, [source, value]]) => [
      field,
      [names.reduce((text, [from, to]) => text.replaceAll(from, to), source), value],
    ]),
  );

/** Three records of each edition, where that many are held; by hand. */
const CHECKED: Readonly<Record<string, Quotes>> = {
  'rn2178784-ST-961_D3.xml': JAVA,
  'rn2178784-ST96-old.xml': JAVA,
  'rn2178784-ST-962.2.1.xml': renamed(JAVA, ['com:', 'ns1:'], ['tmk:', 'ns2:']),
  'rn2713476-ST96-old.xml': {
    registration_number: ['<com:RegistrationNumber>2713476</com:RegistrationNumber>', '2713476'],
    application_date: ['<tmk:ApplicationDate>2000-04-03-04:00</tmk:ApplicationDate>', '2000-04-03'],
    renewal_date: ['<tmk:RenewalDate>2013-05-06</tmk:RenewalDate>', '2013-05-06'],
    mark_name: ['<tmk:MarkSignificantVerbalElementText>MYSQL</tmk:MarkSignificantVerbalElementText>', 'MYSQL'],
    // The latest entry of its history is of 2013-07-02.
    source_version: ['<tmk:MarkEventDate>2013-07-02</tmk:MarkEventDate>', '20130702.1'],
  },
  'rn2713476-ST96.xml': {
    application_number: ['<ns1:ApplicationNumberText>78002299</ns1:ApplicationNumberText>', '78002299'],
    status_date: ['<ns2:MarkCurrentStatusDate>2013-03-23</ns2:MarkCurrentStatusDate>', '2013-03-23'],
    publication_date: ['<ns1:PublicationDate>2003-02-11</ns1:PublicationDate>', '2003-02-11'],
    nice_classes: ['<ns2:ClassNumber>009</ns2:ClassNumber>', [9]],
    owner_countries: ['<ns1:CountryCode>SE</ns1:CountryCode>', ['SE']],
    source_version: ['<ns2:MarkEventDate>2014-12-04</ns2:MarkEventDate>', '20141204.1'],
  },
  'sn76044902-ST96.xml': {
    status: ['<ns2:MarkCurrentStatusCode>800</ns2:MarkCurrentStatusCode>', 'Registered'],
    // Next to it is <ns2:MarkCategory>Service mark</ns2:MarkCategory>.
    kind_of_mark: ['<ns2:MarkCategory>Trademark</ns2:MarkCategory>', 'Trademark'],
    mark_name: ['<ns2:MarkVerbalElementText>PYTHON</ns2:MarkVerbalElementText>', 'PYTHON'],
    nice_classes: ['<ns2:ClassNumber>042</ns2:ClassNumber>', [9, 42]],
    source_version: ['<ns2:CurrentLocationDate>2014-02-10-05:00</ns2:CurrentLocationDate>', '20140210.1'],
  },
  'sn77478018-ST96.xml': {
    mark_name: ['<ns2:MarkVerbalElementText/>', null],
    mark_feature: ['<ns2:MarkFeatureCode>2</ns2:MarkFeatureCode>', 'Figurative'],
    // A code of the office's own designs, not of Vienna.
    vienna_codes: ['<ns2:NationalDesignCode>03.01.08</ns2:NationalDesignCode>', null],
    tm5_status: [
      '>A Section 8 declaration has been accepted.</ns2:MarkCurrentStatusExternalDescriptionText>',
      'A Section 8 declaration has been accepted.',
    ],
    nice_classes: ['<ns2:ClassNumber>030</ns2:ClassNumber>', [14, 25, 30]],
  },
  'rn2178784-ST66.xml': {
    application_date: ['<ApplicationDate>1995-02-07-05:00</ApplicationDate>', '1995-02-07'],
    registration_number: ['<RegistrationNumber>2178784</RegistrationNumber>', '2178784'],
    mark_feature: ['<ns2:MarkFeatureCode>1</ns2:MarkFeatureCode>', 'Word'],
    renewal_date: ['<ns2:RenewalDate>2008-08-04-04:00</ns2:RenewalDate>', '2008-08-04'],
    source_version: ['<MarkEventDate>2011-12-29-05:00</MarkEventDate>', '20111229.1'],
  },
  'sn76044902-ST66.xml': {
    status: ['<MarkCurrentStatusCode>702</MarkCurrentStatusCode>', 'Registered'],
    status_date: ['<MarkCurrentStatusDate>2010-09-08-04:00</MarkCurrentStatusDate>', '2010-09-08'],
    kind_of_mark: ['<KindMark>Trademark, Service Mark</KindMark>', 'Trademark'],
    nice_classes: ['<ClassNumber>042</ClassNumber>', [9, 42]],
    owner_countries: ['<FormattedAddressCountryCode>US</FormattedAddressCountryCode>', ['US']],
  },
  'sn77478018-ST66.xml': {
    mark_name: ['<MarkVerbalElementText/>', null],
    mark_feature: ['<ns2:MarkFeatureCode>2</ns2:MarkFeatureCode>', 'Figurative'],
    vienna_codes: ['<ns2:DesignSearchCode>03.01.08</ns2:DesignSearchCode>', null],
    publication_date: ['<PublicationDate>2009-09-15-04:00</PublicationDate>', '2009-09-15'],
    status_date: ['<MarkCurrentStatusDate>2015-04-14-04:00</MarkCurrentStatusDate>', '2015-04-14'],
  },
};

for (const [name, quotes] of Object.entries(CHECKED)) {
  test(`reads ${name} as it was read by hand, word by word [2.2]`, { skip: skipWithout(TSDR, name) }, async () => {
    const source = textOf(name);
    const record = await readAnswer(name);
    for (const [field, [quote, value]] of Object.entries(quotes)) {
      assert.ok(source.includes(quote), `${name} does not say ${quote}`);
      assert.deepEqual(record[field as keyof NormalizedRecord], value, field);
    }
  });
}

test('one case reads the same from four forms of its answer', { skip }, async () => {
  const fields = async (name: string): Promise<unknown> => {
    const { payload, ...rest } = await readAnswer(name);
    return rest;
  };
  const expected = await fields('rn2178784-ST96.xml');
  for (const form of ['ST-961_D3', 'ST-962.2.1', 'ST96-old', 'ST66']) {
    assert.deepEqual(await fields(`rn2178784-${form}.xml`), expected, form);
  }
});

/** Names of the publisher of the answers for the values it has read off them. */
const PUBLISHED: Readonly<Record<string, keyof NormalizedRecord>> = {
  ApplicationNumber: 'application_number',
  ApplicationDateTruncated: 'application_date',
  RegistrationNumber: 'registration_number',
  RegistrationDateTruncated: 'registration_date',
  RenewalDateTruncated: 'renewal_date',
};

test('agrees with the values that the publisher of the answers read off them', {
  skip: skipWithout(TSDR, 'expected'),
}, async () => {
  let compared = 0;
  for (const file of readdirSync(join(REAL_DATA, TSDR, 'expected'))) {
    const name = `${/[rs]n\d+/.exec(file)?.[0]}-ST96.xml`;
    if (!existsSync(join(REAL_DATA, TSDR, name))) continue;
    const record = await readAnswer(name);
    const lines = readFileSync(join(REAL_DATA, TSDR, 'expected', file), 'utf8').matchAll(/^(\w+),"(.*)"$/gm);
    for (const [, key = '', value = ''] of lines) {
      const field = PUBLISHED[key];
      if (field === undefined) continue;
      assert.equal(record[field], value, `${file}: ${key}`);
      compared++;
    }
  }
  assert.ok(compared > 0);
});

test('the daily files date a case no earlier than anything they say has happened: dates of both sources compare', {
  skip: skipWithout('uspto/apc'),
}, () => {
  let cases = 0;
  for (const file of readdirSync(join(REAL_DATA, 'uspto/apc'))) {
    const source = readFileSync(join(REAL_DATA, 'uspto/apc', file), 'utf8');
    for (const [text] of source.matchAll(/<case-file>[\s\S]*?<\/case-file>/g)) {
      const transaction = /<transaction-date>(\d{8})</.exec(text)?.[1] ?? '';
      assert.notEqual(compactDate(transaction), null, file);
      const happened = [
        ...text.matchAll(/<(?:status-date|location-date)>(\d{8})</g),
        ...text.matchAll(/<case-file-event-statement>[\s\S]*?<date>(\d{8})</g),
      ].map(([, date]) => date ?? '');
      const classes = [...text.matchAll(/<classification>[\s\S]*?<status-date>(\d{8})</g)].map(
        ([, date]) => date ?? '',
      );
      assert.ok(
        [...happened, ...classes].every((date) => date <= transaction),
        `${file}: ${transaction}`,
      );
      cases++;
    }
  }
  assert.ok(cases >= 20, String(cases));
});
