/** Register files that unpack to much more, or whose texts cost the most; read by `tmds inspect` and `tmds load`. */
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, deflateRawSync } from 'node:zlib';
import { buildZip } from '../../support/zip.ts';
import type { FileCase } from './hostile-case.ts';
import { WORST_TEXTS } from './texts.ts';

const PIECE = 1024 * 1024;
const PIECES = 300;

const INSPECT = ['inspect', '--format', 'ndjson'];
const LOAD = ['load', 'ndjson'];

/** So many megabytes of one character, packed. */
async function writePacked(path: string, character: string): Promise<void> {
  const pieces = Readable.from(Array.from({ length: PIECES }, () => Buffer.alloc(PIECE, character)));
  await pipeline(pieces, createGzip({ level: 1 }), createWriteStream(path));
}

async function writeZipped(path: string, character: string): Promise<void> {
  await writeFile(
    path,
    buildZip([{ name: 'a.ndjson', data: deflateRawSync(Buffer.alloc(PIECES * PIECE, character)) }]),
  );
}

const record = (fields: object): string =>
  JSON.stringify({ jurisdiction_code: 'XA', uid: '1', status: 'Pending', mark_name: 'a', payload: {}, ...fields });

/** In the wrong order, so that they have to be put in order. */
const MARKS = '\u0301\u0323'.repeat(20_000);

/** A record for each text, under each kind of field. */
function writeTexts(path: string): Promise<void> {
  const lines = WORST_TEXTS.flatMap((text, place) => {
    const value = text.build(20_000).toWellFormed();
    return [
      record({ uid: `m${place}`, mark_name: value }),
      record({ uid: `o${place}`, owner_names: [value], owner_countries: [value] }),
      record({ uid: `n${place}`, application_number: value, vienna_codes: [value], filing_date: value }),
      record({ uid: `p${place}`, payload: { parties: [{ name: value, role: 'owner' }] } }),
      record({ uid: value }),
    ];
  });
  return writeFile(path, `${lines.join('\n')}\n`);
}

const NESTED = `{"jurisdiction_code":"XA","uid":"1","payload":${'['.repeat(500_000)}${']'.repeat(500_000)}}\n`;
const MEMBERS = `{"jurisdiction_code":"XA","uid":"1","payload":{${Array.from({ length: 200_000 }, (_, at) => `"a${at}":1`).join(',')}}}\n`;

interface File {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly write: (path: string) => Promise<void>;
  readonly commands?: FileCase['commands'];
}

const FILES: readonly File[] = [
  {
    name: 'gzip-lines',
    title: '300 MB of ends of lines as gzip',
    file: 'a.ndjson.gz',
    write: (path) => writePacked(path, '\n'),
  },
  {
    name: 'zip-lines',
    title: '300 MB of ends of lines as zip',
    file: 'a.ndjson.zip',
    write: (path) => writeZipped(path, '\n'),
  },
  {
    name: 'gzip-one-line',
    title: 'a line of 300 MB as gzip',
    file: 'a.ndjson.gz',
    write: (path) => writePacked(path, 'a'),
  },
  {
    name: 'gzip-blanks',
    title: '300 MB of blanks as gzip',
    file: 'a.ndjson.gz',
    write: (path) => writePacked(path, ' '),
  },
  {
    name: 'marks-in-a-line',
    title: 'a line with 80 KB of combining marks',
    file: 'a.ndjson',
    write: (path) => writeFile(path, `${record({ mark_name: `a${MARKS}` })}\n`),
  },
  {
    name: 'marks-in-an-owner',
    title: 'an owner with 80 KB of combining marks',
    file: 'a.ndjson',
    write: (path) => writeFile(path, `${record({ owner_names: [`a${MARKS}`] })}\n`),
  },
  {
    name: 'marks-in-a-payload',
    title: 'a payload with 80 KB of combining marks',
    file: 'a.ndjson',
    write: (path) => writeFile(path, `${record({ payload: { parties: [{ name: `a${MARKS}`, role: 'owner' }] } })}\n`),
  },
  { name: 'worst-lines', title: 'records with the worst texts in every field', file: 'a.ndjson', write: writeTexts },
  {
    name: 'nested-line',
    title: 'a payload that is nested 500,000 deep',
    file: 'a.ndjson',
    write: (path) => writeFile(path, NESTED),
  },
  {
    name: 'many-members',
    title: 'a payload with 200,000 members',
    file: 'a.ndjson',
    write: (path) => writeFile(path, MEMBERS),
  },
  {
    name: 'gzip-blank-xml',
    title: '300 MB of blanks, to be recognized',
    file: 'a.xml.gz',
    write: (path) => writePacked(path, ' '),
    commands: [['inspect']],
  },
  {
    name: 'deep-xml',
    title: 'XML that is nested a million deep',
    file: 'a.xml',
    write: (path) =>
      writeFile(path, `<Transaction xmlns="http://tmview.europa.eu/trademark/data">${'<a>'.repeat(1_000_000)}`),
    commands: [['inspect']],
  },
  {
    name: 'many-files',
    title: 'a zip with 65,000 files',
    file: 'a.zip',
    write: (path) =>
      writeFile(path, buildZip(Array.from({ length: 65_000 }, (_, at) => ({ name: `${at}.xml`, text: '' })))),
    commands: [['inspect']],
  },
];

export const FILE_CASES: readonly FileCase[] = FILES.map(({ commands = [INSPECT, LOAD], ...rest }) => ({
  ...rest,
  name: `file-${rest.name}`,
  commands,
}));
