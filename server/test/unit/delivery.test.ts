/**
 * What a file costs that is not what it should be, in every format: a member of an archive or of a folder costs only
 * itself, a file on its own costs the load. Nothing is skipped silently.
 */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crc32 as crcOf, deflateRawSync, gzipSync } from 'node:zlib';
import { OperatorError } from '../../src/base/errors.ts';
import type { Format } from '../../src/load/formats/format.ts';
import { FORMATS, findFormat } from '../../src/load/formats/registry.ts';
import { INFLATION_FREE_BYTES } from '../../src/load/sources/files.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { writeCase, writeDaily } from '../support/case-file.ts';
import { readWhole, type WholeDelivery } from '../support/deliveries.ts';
import { makeFolder } from '../support/folder.ts';
import { PROCESS, writeJournal } from '../support/inpi-br.ts';
import { FULL_CASE, writeSt66Answer, writeTransaction as writeSt96 } from '../support/st96.ts';
import { writeSet } from '../support/tables.ts';
import { openText } from '../support/texts.ts';
import { writeTransaction } from '../support/trade-mark.ts';
import { buildZip, type ZipMember } from '../support/zip.ts';

function formatOf(name: string): Format {
  const format = findFormat(name);
  if (format === null) throw new Error(`no format ${name}`);
  return format;
}

interface Fixture {
  /** A file with one record. */
  text: string;
  /** The element of the record; null where a record is a line. */
  record: string | null;
  /** How the name of a file ends. */
  ending: string;
}

const LINE = '{"jurisdiction_code":"XA","uid":"1","status":"Registered"}\n';
const KOREAN = `<response><body><items><TradeMarkInfo><ApplicationNumber>4020200012345</ApplicationNumber>
  </TradeMarkInfo></items></body></response>`;
const TAIWANESE = `<RegContentList><RegContent><CaseNo>110000001</CaseNo><RegisterNo>02200001</RegisterNo></RegContent>
  </RegContentList>`;
const ASSIGNMENT = `<trademark-assignments><assignment-information><assignment-entry><assignment><reel-no>1</reel-no>
  <frame-no>2</frame-no></assignment><properties><property><serial-no>97000001</serial-no></property></properties>
  </assignment-entry></assignment-information></trademark-assignments>`;
const PROCEEDING = `<ttab-proceedings><proceeding-information><proceeding-entry><number>91000001</number>
  <type-code>OPP</type-code></proceeding-entry></proceeding-information></ttab-proceedings>`;
const TABLE = Object.values(
  writeSet({ jiken_c_t: [{ yonpo_code: '4', shutugan_no: '2020001234', shutugan_bi: '20200105' }] }),
).join('');

const AUSTRALIAN = 'ip_right_type,application_number,status\ntrade_mark,2345678,filed\n';

/** Every format; a new one belongs here, too. */
const FIXTURES: Readonly<Record<string, Fixture>> = {
  ndjson: { text: LINE, record: null, ending: '.ndjson' },
  'uspto-apc': { text: writeDaily(writeCase()), record: 'case-file', ending: '.xml' },
  'uspto-tsdr': { text: writeSt66Answer(), record: 'TradeMark', ending: '.xml' },
  euipo: { text: writeTransaction(), record: 'TradeMark', ending: '.xml' },
  st66: { text: writeTransaction(), record: 'TradeMark', ending: '.xml' },
  st96: { text: writeSt96(FULL_CASE), record: 'Trademark', ending: '.xml' },
  kipris: { text: KOREAN, record: 'TradeMarkInfo', ending: '.xml' },
  tipo: { text: TAIWANESE, record: 'RegContent', ending: '.xml' },
  jpo: { text: TABLE, record: null, ending: '/upd_jiken_c_t.tsv' },
  'ip-australia': { text: AUSTRALIAN, record: null, ending: '/application.csv' },
  'inpi-br': { text: writeJournal('2617', '02/03/2021', PROCESS), record: 'processo', ending: '.xml' },
  'uspto-assignments': { text: ASSIGNMENT, record: 'assignment-entry', ending: '.xml' },
  'uspto-ttab': { text: PROCEEDING, record: 'proceeding-entry', ending: '.xml' },
};
const XML_FIXTURES = Object.entries(FIXTURES).filter(([, { ending }]) => ending === '.xml');

test('every format has a fixture here', () => {
  assert.deepEqual(Object.keys(FIXTURES).sort(), FORMATS.map(({ name }) => name).sort());
});

async function readArchive(
  t: TestContext,
  format: string,
  members: readonly ZipMember[],
  options: { register?: string; allowEmpty?: boolean } = {},
): Promise<WholeDelivery> {
  const path = join(makeFolder(t), 'day.zip');
  writeFileSync(path, buildZip(members));
  return await readWhole(formatOf(format), [await openSource(path)], options);
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    (value) => new Error(`expected a refusal, not ${JSON.stringify(value)}`),
    (failure: unknown) => failure,
  );
  assert.ok(error instanceof OperatorError, String(error));
  assert.equal(error.exitStatus, 1);
  assert.equal(error.message.includes('\n'), false, 'one sentence');
  return error.message;
}

/** Files that are of no format, and what their refusal says. */
const WRONG: readonly (readonly [text: string, reason: RegExp])[] = [
  ['', /^the file is empty/],
  ['<!DOCTYPE html><html><body>Sorry</body></html>', /looks like a web page, perhaps an error page/],
  ['<catalogue><book/></catalogue>', /looks like XML of an unknown kind; no format reads that$/],
  ['[{"a":1}]\n', /looks like JSON; no format reads that$/],
  ['%PDF-1.7\n%x\n', /looks like a PDF document; no format reads that$/],
  ['PK\u0003\u0004 and so on\n', /looks like a zip archive; no format reads that: unpack it/],
  ['<HitList HitCount="3"><Entries/></HitList>', /looks like the hits of a search/],
];

for (const [name, { text, ending }] of Object.entries(FIXTURES)) {
  test(`${name}: a wrong member of an archive is rejected with its reason, and the rest loads`, async (t) => {
    for (const [wrong, reason] of WRONG) {
      const members = [text, wrong, text].map((each, at) => ({ name: `${at}${ending}`, text: each }));
      const { records, rejects } = await readArchive(t, name, members);
      assert.deepEqual([records, rejects.length], [2, 1], wrong);
      assert.equal(rejects[0]?.position, `day.zip/1${ending}`);
      assert.match(rejects[0]?.reason ?? '', name === 'jpo' && wrong !== '' ? /has no column|twice/ : reason);
      assert.equal(String(rejects[0]?.raw), wrong);
    }
  });

  test(`${name}: a wrong file on its own ends the load`, async (t) => {
    const folder = makeFolder(t);
    for (const [wrong] of WRONG) {
      const path = join(folder, `wrong${ending.replace('/', '-')}`);
      writeFileSync(path, wrong);
      const message = await refusalOf(openSource(path).then((source) => readWhole(formatOf(name), [source])));
      assert.match(message, /wrong/);
    }
  });
}

for (const [name, { text, record }] of XML_FIXTURES) {
  test(`${name}: a broken member of an archive is rejected, where a file on its own fails`, async (t) => {
    const start = text.search(/<[a-zA-Z]/);
    const broken: readonly (readonly [text: string, reason: RegExp])[] = [
      [text.slice(0, text.indexOf(`</${record}`)), /^line \d+: the file ends inside .*truncated$/],
      [text.slice(0, -3), /^line \d+: the file ends inside .*truncated$/],
      [text.replace(`</${record}>`, '</other>'), /^line \d+: the file is not well-formed XML/],
      [`<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${text.slice(start)}`, /declares an external entity/],
      [
        `<!DOCTYPE a [<!ENTITY own "x">]>${text.slice(start).replace(`</${record}>`, `&own;</${record}>`)}`,
        /declared entities are refused/,
      ],
      [`<?xml version="1.0" encoding="latin1"?>${text.slice(start)}`, /declares the encoding latin1/],
    ];
    for (const [wrong, reason] of broken) {
      const { records, rejects } = await readArchive(t, name, [
        { name: 'a.xml', text },
        { name: 'b.xml', text: wrong },
        { name: 'c.xml', text },
      ]);
      assert.deepEqual([records, rejects.length], [2, 1], wrong);
      assert.match(rejects[0]?.reason ?? '', reason);
      assert.equal(String(rejects[0]?.raw), wrong);
      await refusalOf(readWhole(formatOf(name), [openText('b.xml', [wrong])]));
    }
  });

  test(`${name}: a character or a reference that XML forbids costs its record, not the file`, async () => {
    const marks = text.slice(
      text.search(new RegExp(`<${record}[ >]`)),
      text.lastIndexOf(`</${record}>`) + `</${record}>`.length,
    );
    for (const bad of ['\u0001', '&#x0;', '\ufffe', '&lost;']) {
      const spoilt = marks.replace('>', `>${bad}`);
      const { records, rejects } = await readWhole(formatOf(name), [
        openText('day.xml', [text.replace(marks, `${marks}${spoilt}${marks}`)]),
      ]);
      assert.deepEqual([records, rejects.length], [2, 1]);
      assert.match(
        rejects[0]?.reason ?? '',
        /which XML forbids$|that XML forbids$|the reference &lost;, which XML does not define$/,
      );
      assert.equal(rejects[0]?.raw, spoilt);
    }
  });
}

test('when a member breaks off half way, the records before the break are read, and the reject counts them', async (t) => {
  const cases = [1, 2, 3, 4].map((at) => writeCase({ serial: `9700000${at}` }));
  const day = writeDaily(cases.join(''));
  const cut = day.slice(0, day.lastIndexOf('<serial-number>'));
  const { records, rejects } = await readArchive(t, 'uspto-apc', [{ name: 'a.xml', text: cut }]);
  assert.equal(records, 2);
  assert.match(rejects[0]?.reason ?? '', /^line \d+: .*truncated; the first 2 records of it are loaded, no more$/);
});

test('a member of another office or of another right is rejected; a file of nothing else fails, and says which format', async (t) => {
  const british = writeTransaction({ office: 'GB', number: 'UK00003000001' });
  const hint = 'the mark is of the register GB; euipo reads EM; it looks like ST.66 XML: try the format st66';
  const members = [writeTransaction(), british].map((text, at) => ({ name: `${at}.xml`, text }));
  const { records, rejects } = await readArchive(t, 'euipo', members);
  assert.deepEqual([records, rejects.map(({ reason }) => reason)], [1, [hint]]);
  assert.equal(await refusalOf(readWhole(formatOf('euipo'), [openText('a.xml', [british])])), `a.xml: ${hint}`);
  assert.match(
    await refusalOf(readArchive(t, 'euipo', members.slice(1))),
    /day\.zip holds nothing that can be loaded: its only file is refused, day\.zip\/1\.xml: the mark .* format st66$/,
  );
  const design = KOREAN.replace('4020200012345', '3020200012345');
  assert.match(
    await refusalOf(readWhole(formatOf('kipris'), [openText('a.xml', [design])])),
    /is the number of a design/,
  );
  const mixed = [KOREAN, design].map((text, at) => ({ name: `${at}.xml`, text }));
  assert.equal((await readArchive(t, 'kipris', mixed)).rejects.length, 1);
});

test('a US mark in ST.66 is sent to the format that reads it, whatever surrounds it', async () => {
  const american = writeTransaction({ office: 'US', number: '97000001' });
  assert.match(
    await refusalOf(readWhole(formatOf('st66'), [openText('a.xml', [american])])),
    /of the register US; .*; it looks like a US mark in ST\.66: try the format uspto-tsdr$/,
  );
  const read = (text: string): Promise<WholeDelivery> => readWhole(formatOf('uspto-tsdr'), [openText('a.xml', [text])]);
  assert.equal((await read(american)).records, 1);
  const nameless = american.replace('<RegistrationOfficeCode>US</RegistrationOfficeCode>', '');
  assert.match(
    await refusalOf(read(nameless)),
    /neither the mark nor the file says that it is of the office US; it looks/,
  );
  assert.match(await refusalOf(read(writeTransaction({ office: 'GB' }))), /of the office GB; .*try the format st66$/);
});

test('a file of another register than the operator says is refused, whatever the format', async (t) => {
  for (const [name, { text, ending }] of Object.entries(FIXTURES)) {
    // Each line of ndjson says its register, and is rejected separately.
    if (name === 'ndjson') continue;
    const path = join(makeFolder(t), `day${ending.replace('/', '-')}`);
    writeFileSync(path, text);
    const message = await refusalOf(
      openSource(path).then((source) => readWhole(formatOf(name), [source], { register: 'QQ' })),
    );
    assert.match(message, /QQ/, name);
  }
  const german = writeTransaction({ office: 'DE', number: '302020000001' });
  const members = [writeTransaction(), german].map((text, at) => ({ name: `${at}.xml`, text }));
  const { records, rejects } = await readArchive(t, 'st66', members, { register: 'DE' });
  assert.deepEqual([records, rejects.length], [1, 1]);
});

test('files that the format does not read are counted by kind, except files of the system', async (t) => {
  const { text } = FIXTURES.euipo as Fixture;
  const names = [
    'README.TXT',
    'a/note.txt',
    'style.css',
    'LICENSE',
    '__MACOSX/._a.xml',
    '.DS_Store',
    'a/',
    'b/Thumbs.db',
  ];
  const { issues } = await readArchive(t, 'euipo', [
    { name: 'a.xml', text },
    ...names.map((name) => ({ name, text: '' })),
  ]);
  assert.deepEqual(issues, [
    { code: 'unread_file', path: '*.txt', value: 'README.TXT', times: 2 },
    { code: 'unread_file', path: '*.css', value: 'style.css', times: 1 },
    { code: 'unread_file', path: 'no ending', value: 'LICENSE', times: 1 },
  ]);
});

test('an archive inside an archive is rejected, never skipped', async (t) => {
  const { text } = FIXTURES.euipo as Fixture;
  const data = buildZip([{ name: 'b.xml', text }]);
  const inner = { name: 'more.zip', data: deflateRawSync(data), crc: crcOf(data), size: data.length };
  const packed = gzipSync(text);
  const gz = { name: 'c.xml.gz', data: deflateRawSync(packed), crc: crcOf(packed), size: packed.length };
  const { records, rejects } = await readArchive(t, 'euipo', [{ name: 'a.xml', text }, inner, gz]);
  assert.equal(records, 1);
  assert.match(rejects[0]?.reason ?? '', /looks like a zip archive; .*: unpack it and load its contents$/);
  assert.match(rejects[1]?.reason ?? '', /looks like a gzip file; .*: unpack it and load its contents$/);
});

test('a member in which nothing is found is an issue that names it and what it looks like', async (t) => {
  const { text } = FIXTURES.euipo as Fixture;
  const empty = '<Transaction><TransactionHeader/></Transaction>';
  const { records, rejects, issues } = await readArchive(t, 'euipo', [
    { name: 'a.xml', text },
    { name: 'b.xml', text: empty.replace('EM', 'EM') },
  ]);
  assert.deepEqual([records, rejects.length], [1, 1]);
  assert.match(rejects[0]?.reason ?? '', /is not EUIPO open data XML; it looks like ST\.66 XML: try the format st66$/);
  assert.deepEqual(issues, []);
  const answer = await readArchive(t, 'st66', [
    { name: 'a.xml', text },
    { name: 'b.xml', text: empty },
  ]);
  assert.deepEqual(answer.issues, [
    {
      code: 'recordless_file',
      path: 'ST.66 XML with the root element Transaction',
      value: 'day.zip/b.xml',
      times: 1,
    },
  ]);
});

test('an archive of another format is refused after a thousand files, not read to its end', async (t) => {
  const wrong = Array.from({ length: 1_200 }, (_, at) => ({ name: `${at}.xml`, text: '<catalogue/>' }));
  const first = { name: 'first.xml', text: (FIXTURES.euipo as Fixture).text };
  assert.match(
    await refusalOf(readArchive(t, 'euipo', [...wrong, first])),
    /day\.zip is not EUIPO open data XML: its first 1000 files are refused, day\.zip\/0\.xml: .*no format reads that$/,
  );
  const { records, rejects } = await readArchive(t, 'euipo', [first, ...wrong]);
  assert.deepEqual([records, rejects.length], [1, 1_200]);
});

test('a load in which nothing is found fails, and says what was read and what was expected', async (t) => {
  const nothing = '<Transaction><TransactionHeader/></Transaction>';
  assert.equal(
    await refusalOf(readWhole(formatOf('st66'), [openText('a.xml', [nothing])])),
    'a.xml holds no records and does not say that this is intended: it has 47 bytes in one file: ST.66 XML with ' +
      `the root element Transaction; st66 reads: ${formatOf('st66').title}; add --allow-empty to load it anyway`,
  );
  assert.match(
    await refusalOf(readArchive(t, 'jpo', [{ name: 'EM.xml', text: writeTransaction() }])),
    /holds no file that jpo reads; it holds EM\.xml; it looks like an EU mark in ST\.66: try the format euipo$/,
  );
});

test('a member that is encrypted, oddly packed or a bomb is rejected; a damaged archive fails', async (t) => {
  const { text } = FIXTURES.euipo as Fixture;
  const good = { name: 'a.xml', text };
  const bomb = Buffer.alloc(INFLATION_FREE_BYTES + 1, ' ');
  const data = deflateRawSync(bomb);
  const { rejects, records } = await readArchive(t, 'euipo', [
    good,
    { name: 'b.xml', data, crc: crcOf(bomb), size: bomb.length },
  ]);
  assert.equal(records, 1);
  assert.match(rejects[0]?.reason ?? '', /^the file inflates more than 500 times: refused as a compression bomb$/);
  assert.match(
    await refusalOf(
      readArchive(t, 'euipo', [
        good,
        { name: 'b.xml', data: deflateRawSync(text), crc: 1, size: Buffer.byteLength(text) },
      ]),
    ),
    /^cannot read day\.zip\/b\.xml: its checksum is wrong$/,
  );
});

test('the files of a folder are read in the order of their names, like the members of an archive', async (t) => {
  const folder = join(makeFolder(t), 'week');
  mkdirSync(join(folder, '2'), { recursive: true });
  const write = (name: string, bytes: string | Buffer): void => writeFileSync(join(folder, name), bytes);
  write('1.ndjson', LINE);
  write('2/a.ndjson.gz', gzipSync(LINE));
  write('2/b.ndjson', '<html>\n</html>\n');
  write('3.zip', buildZip([{ name: 'c.ndjson', text: `${LINE}wrong\n` }]));
  write('notes.txt', 'none');
  symlinkSync(join(folder, '1.ndjson'), join(folder, '4.ndjson'));
  const { records, rejects, issues } = await readWhole(formatOf('ndjson'), [await openSource(folder)]);
  assert.equal(records, 4);
  assert.deepEqual(
    rejects.map(({ position }) => position),
    ['week/2/b.ndjson', 'week/3.zip/c.ndjson, line 2'],
  );
  assert.deepEqual(issues, [{ code: 'unread_file', path: '*.txt', value: 'notes.txt', times: 1 }]);
  const set = join(makeFolder(t), 'set');
  mkdirSync(set);
  writeFileSync(join(set, 'upd_jiken_c_t.tsv'), TABLE);
  assert.equal((await readWhole(formatOf('jpo'), [await openSource(set)])).records, 1);
});
