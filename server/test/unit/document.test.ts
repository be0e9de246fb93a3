/**
 * The normalized document. That every reader builds it as its schema says is checked wherever a test reads a source
 * (`support/formats.ts`, `support/tables.ts`): fixtures, mutations of them and the offices' own files.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NormalizedDocument } from '@tmds/contract/document';
import { buildDocument, type StatedSource } from '../../src/load/formats/document.ts';
import { findScheme, findSchemeAmong, readMeanings } from '../../src/load/formats/meanings.ts';
import { st96Format } from '../../src/load/formats/st96/adapter.ts';
import { tipoFormat } from '../../src/load/formats/tipo/adapter.ts';
import { usptoApcFormat } from '../../src/load/formats/uspto-apc/adapter.ts';
import { type Element, writeCase } from '../support/case-file.ts';
import { listFaults } from '../support/document.ts';
import { readOne } from '../support/formats.ts';
import { writeTrademark, writeTransaction } from '../support/st96.ts';

const SOURCE: StatedSource = {
  format: 'x',
  status_code: null,
  status_text: null,
  kind_code: null,
  kind_text: null,
  feature_code: null,
  feature_text: null,
};

test('has every section, null where the register is silent [2.2.2]', () => {
  const document = buildDocument(SOURCE, { parties: [], mark: {} });
  assert.deepEqual(listFaults(document), []);
  const { source, ...sections } = document;
  assert.deepEqual(source, { format: 'x' });
  assert.deepEqual(new Set(Object.values(sections)), new Set([null]));
  assert.deepEqual(Object.keys(sections).slice(0, 3), ['parties', 'mark', 'goods_and_services']);
});

test('the schema rejects what is not a document', () => {
  const sound = buildDocument(SOURCE, { parties: [{ role: 'owner', names: [{ text: 'Acme' }] }] });
  assert.deepEqual(listFaults(sound), []);
  const { statements: _statements, ...short } = sound;
  const faulty: [object, RegExp][] = [
    [short, /required.*statements/],
    [{ ...sound, goods: [] }, /additional/],
    [{ ...sound, parties: [] }, /parties must NOT have fewer than 1 items/],
    [{ ...sound, parties: [{ role: 'friend' }] }, /parties\/0\/role/],
    [{ ...sound, parties: [{ role: 'owner', name: 'Acme' }] }, /parties\/0 must NOT have additional/],
    [{ ...sound, mark: { texts: [{ text: '' }] } }, /mark\/texts\/0\/text/],
    [{ ...sound, goods_and_services: [{ class: '25' }] }, /must have property scheme when property class is present/],
    [{ ...sound, source: {} }, /source must have required property 'format'/],
  ];
  for (const [document, fault] of faulty) assert.match(listFaults(document).join('\n'), fault);
});

test('the scheme of a class is the one that its office names', () => {
  assert.deepEqual(['Nice', 'NICE ', 'Domestic', 'National', null, 'Primary', 'Locarno'].map(findScheme), [
    ...['nice', 'nice', 'national', 'national', 'nice'],
    ...['unknown', 'unknown'],
  ]);
});

test('a class of an office with two schemes is meant by the one under which it is filed', () => {
  const classes = [
    { primary_code: '025', international_codes: ['006', '020'], national_codes: ['025'] },
    { primary_code: '009', international_codes: ['009'], national_codes: ['021', '009'] },
    { primary_code: '003', international_codes: ['018'], national_codes: ['003', '020'] },
  ];
  assert.equal(findSchemeAmong('025', classes), 'national', 'locks, not clothing');
  assert.equal(findSchemeAmong('009', classes), 'nice');
  assert.equal(findSchemeAmong('003', classes), 'national');
  assert.equal(findSchemeAmong('020', classes), 'nice', 'not the first of a class: any of them');
  assert.equal(findSchemeAmong('042', classes), 'unknown');
});

async function readDocument(...arguments_: Parameters<typeof readOne>): Promise<NormalizedDocument> {
  return (await readOne(...arguments_)).record.payload as unknown as NormalizedDocument;
}

test('American goods say whether their class is a Nice class or one of the older American ones [2.2.2]', async () => {
  const classified = (primary: string, international: string, national: string): Element => [
    'classification',
    [
      ['international-code', international],
      ['us-code', national],
      ['status-code', '6'],
      ['primary-code', primary],
    ],
  ];
  const statement = (code: string): Element => [
    'case-file-statement',
    [
      ['type-code', code],
      ['text', 'Goods'],
    ],
  ];
  const document = await readDocument(
    usptoApcFormat,
    writeCase({
      after: [
        ['case-file-statements', [statement('GS0251'), statement('GS0091')]],
        ['classifications', [classified('025', '006', '025'), classified('009', '009', '021')]],
      ],
    }),
  );
  const goods = document.goods_and_services?.map(({ scheme, class: number }) => [scheme, number]);
  assert.deepEqual(goods, [
    ['national', '025'],
    ['nice', '009'],
  ]);
  const classification = (kind: string, name: string, number: string): string =>
    `<GoodsServicesClassification><ClassificationKindCode>${kind}</ClassificationKindCode>
     <${name}>${number}</${name}></GoodsServicesClassification>`;
  const answer = await readDocument(
    st96Format,
    writeTransaction(
      writeTrademark({
        body: `<GoodsServicesBag><GoodsServices><GoodsServicesClassificationBag>
          ${classification('Primary', 'ClassNumber', '025')}${classification('Nice', 'ClassNumber', '006')}
          ${classification('Domestic', 'NationalClassNumber', '025')}</GoodsServicesClassificationBag>
          <ClassDescriptionBag><ClassDescription><ClassNumber>025</ClassNumber>
          <GoodsServicesDescriptionText>Locks</GoodsServicesDescriptionText></ClassDescription></ClassDescriptionBag>
          </GoodsServices></GoodsServicesBag>`,
      }),
    ),
  );
  assert.deepEqual(answer.goods_and_services, [{ scheme: 'national', class: '025', texts: [{ text: 'Locks' }] }]);
});

test("the office's own words for status, kind and feature are next to what they are mapped to [2.2]", async () => {
  const words = ({ source }: NormalizedDocument): unknown => {
    const { status_code, status_text, kind_code, kind_text, feature_code, feature_text } = source;
    return [status_code, status_text, kind_code, kind_text, feature_code, feature_text];
  };
  const flags: Element[] = [
    ['trademark-in', 'T'],
    ['service-mark-in', 'T'],
    ['mark-drawing-code', '5000'],
  ];
  assert.deepEqual(words(await readDocument(usptoApcFormat, writeCase({ header: flags }))), [
    ...['630', 'NEW APPLICATION - RECORD INITIALIZED NOT ASSIGNED TO EXAMINER'],
    ...['trademark, service_mark', undefined],
    ...['5000', undefined],
  ]);
  const body = `<MarkCategory>Trademark</MarkCategory><MarkCategory>Service mark</MarkCategory>
    <MarkRepresentation><MarkFeatureCategory>TYPESET WORD(S) /LETTER(S) /NUMBER(S)</MarkFeatureCategory>
    <MarkDescriptionBag><NationalMarkDescription><MarkFeatureCode>1</MarkFeatureCode></NationalMarkDescription>
    </MarkDescriptionBag></MarkRepresentation>`;
  assert.deepEqual(words(await readDocument(st96Format, writeTransaction(writeTrademark({ body })))), [
    ...['630', '630', undefined, 'Trademark, Service mark'],
    ...['1', 'TYPESET WORD(S) /LETTER(S) /NUMBER(S)'],
  ]);
  const application = `<tmarkappl><tmarkcontent><appl-no>110000001</appl-no><tmark-class>1</tmark-class>
    <tmark-class-desc>商標</tmark-class-desc><tmark-type>4</tmark-type><tmark-type-desc>立體</tmark-type-desc>
    </tmarkcontent></tmarkappl>`;
  assert.deepEqual(words(await readDocument(tipoFormat, application)), [
    ...[undefined, undefined],
    ...['1', '商標', '4', '立體'],
  ]);
});

test('a text has one meaning in a table of its office', () => {
  const read = readMeanings<'Word' | 'Other'>({ Word: 'word', Other: `\n  tracer | 3-d mark |\n  other` });
  assert.deepEqual(read, { word: 'Word', tracer: 'Other', '3-d mark': 'Other', other: 'Other' });
  assert.throws(() => readMeanings({ Word: 'word | sign', Other: 'sign' }), /"sign" means Word and Other/);
});
