/** How the dialect of an ST.66 mark is found, what identifies the mark, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { euipoFormat, st66Format } from '../../src/load/formats/st66/adapter.ts';
import { ST66_OFFICES } from '../../src/load/formats/st66/dialects.ts';
import { usptoApcFormat } from '../../src/load/formats/uspto-apc/adapter.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { listItems, type ReadResult, readOne } from '../support/formats.ts';
import { type MarkParts, writeMark, writeTransaction } from '../support/trade-mark.ts';

const OFFICES = 'EM, GB, SE, DE, FR, RO, WO';

const readMark = (parts: MarkParts): Promise<ReadResult> => readOne(st66Format, writeTransaction(parts));

const code = (status: string): string => `<MarkCurrentStatusCode>${status}</MarkCurrentStatusCode>`;

test('reads each mark in the dialect of the office it names, into the register of that office [2.1]', async () => {
  const marks = [
    { office: 'GB', number: 'UK00003000001', status: code('Registered') },
    { office: 'de', number: '3020261000001', status: code('Marke eingetragen') },
    { office: 'FR', number: '5000001', status: code('Marque enregistrée') },
  ];
  const source = writeTransaction(marks[0]).replace('</TradeMark>', `</TradeMark>${marks.slice(1).map(writeMark)}`);
  const items = await listItems(st66Format, source);
  assert.deepEqual(
    items.map((item) => item.kind === 'record' && [item.record.jurisdiction_code, item.record.uid, item.record.status]),
    [
      ['GB', 'GB500000003000001', 'Registered'],
      ['DE', 'DE503020261000001', 'Registered'],
      ['FR', 'FR500000005000001', 'Registered'],
    ],
  );
});

test('identifies marks as ST.13 does, keeping the application number as stated [2.1, 2.2]', async () => {
  for (const [office, number, uid] of [
    ['EM', '018000001', 'EM500000018000001'],
    ['EM', 'W01234567', 'EM500000W01234567'],
    ['GB', 'UK00003000001', 'GB500000003000001'],
    ['GB', 'UK00003000001A', 'GB50000003000001A'],
    ['GB', 'WO0000001234567', 'GB50WO0000001234567'],
    ['SE', '1900-62281', 'SE501900000062281'],
    ['SE', '62281', 'SE500000000062281'],
    ['RO', 'M 2012 00091', 'RO502012000000091'],
    ['RO', 'M201200091', 'RO502012000000091'],
    ['DE', 'E17341', 'DE500000000E17341'],
    ['FR', '5000001', 'FR500000005000001'],
    ['WO', '1700000', 'WO500000001700000'],
  ] as const) {
    const { record } = await readMark({ office, number });
    assert.deepEqual([record.uid, record.application_number], [uid, number]);
  }
});

test('the record of an EU mark is the same by either command', async () => {
  const source = writeTransaction({
    body: '<RegistrationDate>2020-07-28</RegistrationDate><KindMark>EU Collective</KindMark>',
  });
  assert.deepEqual(await readOne(st66Format, source), await readOne(euipoFormat, source));
});

test('refuses a file of an office it does not know, with the offices it reads', async () => {
  await assert.rejects(
    listItems(st66Format, writeTransaction({ office: 'XX' })),
    new OperatorError(`fixture.xml: the mark is of the register XX; st66 reads ${OFFICES}`),
  );
  assert.equal(ST66_OFFICES.map(({ office }) => office).join(', '), OFFICES);
  const mixed = writeTransaction().replace('</TradeMark>', `</TradeMark>${writeMark({ office: 'XX' })}`);
  const [, reject] = await listItems(st66Format, mixed);
  assert.equal(reject?.kind === 'reject' && reject.reason, `the mark is of the register XX; st66 reads ${OFFICES}`);
});

test('refuses a file of another register than the operator says', async () => {
  const read = async (register: string | null, source: string): Promise<(SourceRecord | string)[]> =>
    (await listItems(st66Format, source, { register })).map((item) =>
      item.kind === 'record' ? item.record : item.reason,
    );
  const german = writeTransaction({ office: 'DE', status: code('Marke eingetragen') });
  await assert.rejects(
    read('FR', german),
    new OperatorError('fixture.xml: the mark is of the register DE, not of FR as --register says'),
  );
  assert.deepEqual(await read('DE', german), await read(null, german));
  const silent = german.replace('<RegistrationOfficeCode>DE</RegistrationOfficeCode>', '');
  await assert.rejects(
    read(null, silent),
    new OperatorError(
      `fixture.xml: the mark has no RegistrationOfficeCode; say by --register which of ${OFFICES} it is of`,
    ),
  );
  const [record] = (await read('DE', silent)) as SourceRecord[];
  assert.deepEqual([record?.uid, record?.office], ['DE500000018000001', null]);
});

test('refuses hits of searches and answers of errors, and says what to load', async () => {
  const error = writeTransaction().replace(
    /<TradeMarkDetails>.*<\/TradeMarkDetails>/s,
    '<TransactionErrorDetails><TransactionError/></TransactionErrorDetails>',
  );
  await assert.rejects(
    listItems(st66Format, error),
    new OperatorError(
      `fixture.xml is not ${st66Format.title}; it looks like an ST.66 answer that reports an error; ` +
        'no format reads that: ask the service again',
    ),
  );
  for (const [root, hint] of [
    [
      'HitList',
      'the hits of a search at the DPMA, which are not full records; no format reads that: load the record of each mark',
    ],
    [
      'trademarkSearch',
      'the hits of a search at the INPI, which are not full records; no format reads that: load the notice of each mark',
    ],
  ]) {
    for (const format of [st66Format, euipoFormat, usptoApcFormat]) {
      await assert.rejects(
        listItems(format, `<${root}><Entries/></${root}>`),
        new OperatorError(`fixture.xml is not ${format.title}: its root element is ${root}; it looks like ${hint}`),
      );
    }
  }
});
