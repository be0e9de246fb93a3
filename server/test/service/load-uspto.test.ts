/** American cases through the whole pipeline: by which words they are found, and damaged or odd files. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import { openSource, type Source } from '../../src/load/sources/source.ts';
import { type Element, writeCase, writeDaily } from '../support/case-file.ts';
import { createTestDatabase } from '../support/database.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';
import { countsOf, loadSources } from '../support/loads.ts';
import { startWithKey } from '../support/service.ts';
import { writeTrademark, writeTransaction } from '../support/st96.ts';
import { openText } from '../support/texts.ts';

type Found = { application_number: string; mark_name: string | null; owner_names: string[] | null }[];

interface Register {
  load(format: string, source: Source): Promise<LoadReport>;
  search(query: string): Promise<Found>;
}

async function openRegister(t: TestContext): Promise<Register> {
  const database = await createTestDatabase(t);
  return {
    load: async (name, source) => {
      const format = findFormat(name);
      assert.ok(format !== null);
      return await loadSources(database.db, { sources: [source], format });
    },
    search: async (query) => {
      const { key, ...service } = await startWithKey(t, { database });
      const { status, body } = await service.call(`/v1/US/trademarks?${query}`, { key });
      assert.equal(status, 200, query);
      return (body as { items: Found }).items;
    },
  };
}

const statement = (code: string, text: string): Element => [
  'case-file-statement',
  [
    ['type-code', code],
    ['text', text],
  ],
];

test('a case is found by its overflow, translations and transliterations, not by pseudo marks [I-48, I-12]', async (t) => {
  const { load, search } = await openRegister(t);
  const caseFile = writeCase({
    header: [['mark-identification', 'FARO']],
    after: [
      [
        'case-file-statements',
        [
          statement('MK0000', 'OF QUILL HARBOR'),
          statement('TR0000', 'The English translation of "FARO" in the mark is "lighthouse".'),
          statement('TLIT00', 'The non-Latin characters in the mark transliterate to "kasa".'),
          statement('PM0001', 'PHAROS'),
        ],
      ],
    ],
  });
  const report = await load('uspto-apc', openText('apc.xml', [writeDaily(caseFile)]));
  assert.deepEqual(report.issues, {});
  const sentence = 'The wording &quot;MARE&quot; means &quot;sea&quot; in English.';
  const words = `<MarkRepresentation><MarkReproduction><WordMarkSpecification>
    <MarkVerbalElementText>MARE PENS</MarkVerbalElementText><MarkTranslationText>${sentence}</MarkTranslationText>
    </WordMarkSpecification></MarkReproduction></MarkRepresentation>`;
  const answer = writeTransaction(
    writeTrademark({ number: '<ApplicationNumberText>97000002</ApplicationNumberText>', body: words }),
  );
  assert.deepEqual((await load('uspto-tsdr', openText('answer.xml', [answer]))).issues, {});
  const found = async (query: string): Promise<string[]> =>
    (await search(query)).map(({ application_number: number }) => number);
  for (const query of [
    'mark_name=faro+of+quill+harbor',
    'mark_name=lighthouse+of+quill+harbor',
    'mark_name=kasa',
    'mark_name_contains=quill+harbor',
    'mark_name_contains=house+of',
    'mark_name_startswith=lighthouse',
  ]) {
    assert.deepEqual(await found(query), ['97000001'], query);
  }
  assert.deepEqual(await found('mark_name=sea+pens'), ['97000002']);
  assert.deepEqual(await found('mark_name=pharos'), []);
});

const MADE = 'trial-inputs';
const made = (name: string): Promise<Source> => openSource(join(REAL_DATA, MADE, name));

test('a mark that runs over is found by its end [I-48]', { skip: skipWithout(MADE) }, async (t) => {
  const { load, search } = await openRegister(t);
  const report = await load('uspto-apc', await made('W2-uspto-mark-overflow.xml'));
  assert.deepEqual([countsOf(report), report.issues], [[1, 1, 0, 0, 0], {}]);
  const [record] = await search('mark_name_contains=keeps+going+to+the+end');
  assert.match(record?.mark_name ?? '', / LANTERNS AND KEEPS GOING TO THE END$/);
});

test('an undeclared entity, or a number of zeros, costs its record alone', { skip: skipWithout(MADE) }, async (t) => {
  const { load, search } = await openRegister(t);
  const report = await load('uspto-apc', await made('D14-uspto-entity.xml'));
  assert.deepEqual([report.new, report.rejected], [2, 1]);
  assert.deepEqual((await search('status=Pending')).length, 2);
  const errors = await load('uspto-apc', await made('D10-uspto-error-records.xml'));
  assert.equal(errors.rejected, 3);
});

test('an older layout yields its owner, whose name is cut inside a word', { skip: skipWithout(MADE) }, async (t) => {
  const { load, search } = await openRegister(t);
  assert.deepEqual((await load('uspto-apc', await made('D11-uspto-name-1.xml'))).issues, {});
  const [record] = await search('status=Pending');
  assert.match(record?.owner_names?.[0] ?? '', /, through its cedar/);
});

test('a proceeding without a mark is named by an issue', { skip: skipWithout(MADE) }, async (t) => {
  const { load } = await openRegister(t);
  const { issues } = await load('uspto-ttab', await made('W6-ttab-no-property.xml'));
  assert.deepEqual(issues, { unfindable_mark: 1, waiting_supplement: 1 });
});

test('two spellings of Korean numbers are one record that does not change [I-50]', {
  skip: skipWithout(MADE),
}, async (t) => {
  const { load } = await openRegister(t);
  const first = await load('kipris', await made('D5-kipris-hyphens-a.xml'));
  const second = await load('kipris', await made('D5-kipris-hyphens-b.xml'));
  assert.deepEqual([first.new, second.changed, second.unchanged], [1, 0, 1]);
});
