/** The Brazilian reader over the office's own words, compared by hand with what they say. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inpiBrFormat } from '../../src/load/formats/inpi-br/adapter.ts';
import type { Issue, SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { tighten } from '../support/checked.ts';
import { listItems, REAL_DATA, skipWithout } from '../support/formats.ts';

const skip = skipWithout('inpi-br');

test('reads every process of the real files, and leaves no path of them unread', { skip }, async () => {
  const files = readdirSync(join(REAL_DATA, 'inpi-br')).filter((name) => name.endsWith('.xml'));
  for (const name of files) {
    const text = readFileSync(join(REAL_DATA, 'inpi-br', name), 'utf8');
    const issues: Issue[] = [];
    const noteIssue = (issue: Issue): void => void issues.push(issue);
    const items = await listItems(inpiBrFormat, text, { register: null, noteIssue }, name);
    const numbers = items.map((item) => {
      assert.ok(item.kind === 'record', `${name}: ${item.kind === 'reject' ? item.reason : ''}`);
      issues.push(...item.issues);
      buildRow(normalizeRecord(item.record));
      return item.record.application_number;
    });
    assert.deepEqual(issues, [], name);
    assert.deepEqual(
      numbers,
      [...text.matchAll(/<processo [^>]*?numero="(\d+)"/g)].map(([, number]) => number),
      name,
    );
  }
});

interface Comparison {
  file: string;
  /** Words of the source, spaces between elements aside. */
  source: readonly string[];
  record: Partial<SourceRecord> & Pick<SourceRecord, 'application_number'>;
}

const BY_HAND: readonly Comparison[] = [
  {
    file: 'inpi-br/revista-2240.xml',
    source: [
      '<processo numero="840233841" data-deposito="15/08/2012">',
      '<despacho codigo="IPAS009" nome="Publicação de pedido de registro para oposição">',
      '<marca apresentacao="Mista" natureza="De Serviço"><nome>ELITE</nome>',
      '<classe-vienna codigo="26.4.7"/><classe-vienna codigo="27.5.1"/>',
      '<classe-nice codigo="35">',
    ],
    // The journal has data="10/12/2013".
    record: {
      uid: 'BR500000840233841',
      office: 'BR',
      application_number: '840233841',
      mark_name: 'ELITE',
      status: 'Pending',
      tm5_status: 'Publicação de pedido de registro para oposição',
      kind_of_mark: 'Service',
      mark_feature: 'Combined',
      application_date: '2012-08-15',
      publication_date: '2013-12-10',
      status_date: '2013-12-10',
      nice_classes: [35],
      vienna_codes: ['26.04.07', '27.05.01'],
      owner_countries: ['BR'],
      source_version: '2013-12-10',
      is_partial: true,
    },
  },
  {
    file: 'inpi-br/processo-829825584.xml',
    source: [
      '<processo data-deposito="25/08/2008" numero="829825584">',
      '<despacho codigo="IPAS421" nome="Republicação de pedido para oposição">',
      '<classe-vienna codigo="27.5.1"/><classe-vienna codigo="27.7.1"/>',
      '<classe-nice codigo="35" edicao="10">',
      '<prioridade data="15/02/2012" numero="CTM 010645091" pais="IT"/>',
    ],
    record: {
      application_number: '829825584',
      status: 'Pending',
      application_date: '2008-08-25',
      publication_date: null,
      nice_classes: [35],
      vienna_codes: ['27.05.01', '27.07.01'],
      priority_numbers: ['CTM 010645091'],
      international_registration_numbers: null,
      source_version: null,
    },
  },
  {
    file: 'inpi-br/processo-902488309.xml',
    source: [
      '<processo data-concessao="10/05/2013" data-deposito="12/04/2010" data-vigencia="10/05/2023" numero="902488309">',
      '<despacho codigo="IPAS158" nome="Concessão de registro">',
    ],
    record: {
      uid: 'BR500000902488309',
      application_number: '902488309',
      registration_number: null,
      mark_name: null,
      status: 'Registered',
      application_date: '2010-04-12',
      registration_date: '2013-05-10',
      expiry_date: '2023-05-10',
      nice_classes: null,
      owner_names: null,
    },
  },
];

for (const comparison of BY_HAND) {
  test(`says of ${comparison.record.application_number} what its file says`, { skip }, async () => {
    const { file, source, record } = comparison;
    const text = readFileSync(join(REAL_DATA, file), 'utf8');
    const found = (await listItems(inpiBrFormat, text, { register: null }, file)).filter(
      (item) => item.kind === 'record' && item.record.application_number === record.application_number,
    );
    const [item] = found;
    assert.ok(item?.kind === 'record' && found.length === 1, `${file} holds it once`);
    const words = tighten(String(item.raw?.()));
    for (const quote of source) assert.ok(words.includes(quote), `the source says ${quote}`);
    const fields = Object.keys(record) as (keyof SourceRecord)[];
    assert.deepEqual(Object.fromEntries(fields.map((field) => [field, item.record[field]])), record);
  });
}
