/**
 * Files of any size for every format: the records of the tests' fixtures, repeated under new numbers. They are written
 * as a stream, because the point is that nothing holds them.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import {
  AUSTRALIAN_MARK,
  NUMBER as AUSTRALIAN_NUMBER,
  writeAustralianSet,
} from '../../server/test/support/australian-rows.ts';
import { PROCESS, NUMBER as PROCESS_NUMBER, writeJournal } from '../../server/test/support/inpi-br.ts';
import { APPLICATION, NUMBER, REGISTRATION, RIGHT } from '../../server/test/support/japanese-rows.ts';
import { REGISTER_FIXTURES } from '../../server/test/support/register-fixtures.ts';
import { writeSet } from '../../server/test/support/tables.ts';
import {
  FULL_ASSIGNMENT,
  FULL_PROCEEDING,
  writeAssignments,
  writeProceedings,
} from '../../server/test/support/uspto-events.ts';

interface Part {
  readonly fileName: string;
  readonly head: string;
  /** Repeated, each time under other numbers. */
  readonly record: string;
  readonly tail: string;
}

export interface LargeDelivery {
  readonly format: string;
  /** Whether it states events of records of other files, which are not held here. */
  readonly isEvents?: boolean;
  readonly title: string;
  readonly parts: readonly Part[];
  /** What distinguishes one record from another, wherever the record has it: digits only. */
  readonly numbers: readonly string[];
}

const NDJSON_NUMBER = '900000001';
const NDJSON_LINE = JSON.stringify({
  ...{ jurisdiction_code: 'XA', uid: `XA50${NDJSON_NUMBER}`, office: 'XA', application_number: NDJSON_NUMBER },
  ...{ status: 'Registered', mark_name: 'Quillfern', nice_classes: [9, 42], owner_names: ['quillfern cooperative'] },
  payload: {
    goods_and_services: [{ class: '9', texts: [{ text: 'quill pens and ferns; '.repeat(80), language: 'en' }] }],
  },
});

/** The shapes that put many records into one file. */
const XML_TITLES: readonly string[] = [
  'USPTO daily file',
  'TSDR answer in ST.96',
  'EUIPO file',
  'German ST.66',
  'Canadian ST.96',
  'Korean answer',
  'Taiwanese gazette',
  'Taiwanese applications',
];

export function listDeliveries(): LargeDelivery[] {
  const xml = REGISTER_FIXTURES.filter(({ title }) => XML_TITLES.includes(title));
  return [
    {
      ...{ format: 'ndjson', title: 'lines with a payload', numbers: [NDJSON_NUMBER] },
      parts: [{ fileName: 'large.ndjson', head: '', record: `${NDJSON_LINE}\n`, tail: '' }],
    },
    ...xml.map(({ format, title, file, record, number }) => {
      const start = file.search(new RegExp(`<${record}[\\s>]`));
      const end = file.lastIndexOf(`</${record}>`) + `</${record}>`.length;
      return { format: format.name, title, parts: [cutAt(file, file.slice(start, end))], numbers: [number] };
    }),
    {
      ...{ format: 'inpi-br', title: 'Brazilian journal', numbers: [PROCESS_NUMBER] },
      parts: [cutAt(writeJournal('2900', '04/08/2026', PROCESS), PROCESS)],
    },
    {
      // Each of its events waits for another record.
      ...{ format: 'uspto-assignments', title: 'assignments of a year', isEvents: true },
      numbers: ['8001', '97000001'],
      parts: [cutAt(writeAssignments(FULL_ASSIGNMENT), FULL_ASSIGNMENT)],
    },
    {
      ...{ format: 'uspto-ttab', title: 'proceedings of a year', isEvents: true },
      numbers: ['91300001', '97000001', '96000001'],
      parts: [cutAt(writeProceedings(FULL_PROCEEDING), FULL_PROCEEDING)],
    },
    {
      ...{ format: 'jpo', title: 'Japanese weekly set', numbers: [NUMBER, RIGHT.reg_num] },
      parts: cutTables(writeSet({ ...APPLICATION, ...REGISTRATION })),
    },
    {
      ...{ format: 'ip-australia', title: 'Australian weekly set', numbers: [AUSTRALIAN_NUMBER] },
      parts: cutTables(writeAustralianSet(AUSTRALIAN_MARK)),
    },
  ];
}

/** The columns are the head of a table, its rows the record. */
function cutTables(files: Readonly<Record<string, string>>): Part[] {
  return Object.entries(files).map(([fileName, text]) => {
    const rows = text.indexOf('\n') + 1;
    return { fileName, head: text.slice(0, rows), record: text.slice(rows), tail: '' };
  });
}

/** `record` stands in the file once. */
function cutAt(file: string, record: string): Part {
  const [head = '', tail = ''] = file.split(record);
  return { fileName: 'large.xml', head, record: `${record}\n`, tail };
}

const CHUNK_CHARACTERS = 1024 * 1024;

/** Writes files of that size together into the folder. Resolves to their paths and the number of records. */
export async function writeDelivery(
  { parts, numbers }: LargeDelivery,
  bytes: number,
  folder: string,
): Promise<{ files: string[]; records: number }> {
  const recordBytes = parts.reduce((sum, { record }) => sum + Buffer.byteLength(record), 0);
  const records = Math.ceil(bytes / recordBytes);
  const files: string[] = [];
  for (const { fileName, head, record, tail } of parts) {
    const path = join(folder, fileName);
    const stream = createWriteStream(path);
    let text = head;
    for (let index = 1; index <= records; index += 1) {
      text += numbers.reduce(
        (copy, number) => copy.replaceAll(number, String(index).padStart(number.length, '0')),
        record,
      );
      if (text.length < CHUNK_CHARACTERS) continue;
      if (!stream.write(text)) await once(stream, 'drain');
      text = '';
    }
    stream.end(text + tail);
    await once(stream, 'close');
    files.push(path);
  }
  return { files, records };
}
