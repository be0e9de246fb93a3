/** The EUIPO reader over the office's own files, compared with what a plain search of their text says. */
import assert from 'node:assert/strict';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type Entry, type Options, open, type ZipFile } from 'yauzl';
import { euipoFormat } from '../../src/load/formats/st66/adapter.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { isFull } from '../support/depth.ts';
import { listItems, REAL_DATA, skipWithout } from '../support/formats.ts';

/** Every day the first of them. */
const MARKS = isFull ? 586 : 60;
const ZIP = 'euipo/EUTM-sample.zip';
const openZip = promisify<string, Options, ZipFile>(open);

/** The texts of the members of the zip, one at a time. */
async function* readMembers(path: string): AsyncGenerator<{ name: string; source: string }> {
  const zip = await openZip(path, { lazyEntries: true });
  const openMember = promisify<Entry, Readable>(zip.openReadStream.bind(zip));
  try {
    for (let index = 0; index < zip.entryCount; index++) {
      const entry = await new Promise<Entry>((resolve, reject) => {
        zip.once('entry', resolve).once('error', reject);
        zip.readEntry();
      });
      zip.removeAllListeners();
      yield { name: entry.fileName, source: await text(await openMember(entry)) };
    }
  } finally {
    zip.close();
  }
}

async function readMark(name: string, source: string | Readable): Promise<SourceRecord> {
  const [item, ...others] = await listItems(euipoFormat, source, { register: null }, name);
  assert.ok(item?.kind === 'record', `${name}: ${item?.kind === 'reject' ? item.reason : 'no record'}`);
  assert.deepEqual([item.issues, others], [[], []], name);
  buildRow(normalizeRecord(item.record));
  return item.record;
}

/** Our reading of the office's texts in these files, written down apart from the reader's own table. */
const STATUS_OF: Readonly<Record<string, string>> = {
  Registered: 'Registered',
  'Registration cancellation pending': 'Registered',
  'Application filed': 'Pending',
  'Application under examination': 'Pending',
  'Application published': 'Pending',
  'Application opposed': 'Pending',
  'Appeal pending': 'Pending',
  'Application withdrawn': 'Abandoned',
  'Application refused': 'Abandoned',
};

/** The first text of an element in the part of a source before the marks and parties of others. */
function findStated(source: string, element: string): string | null {
  const own = source
    .replace(/<(MarkRecordDetails|OppositionDetails|SeniorityDetails|AppealDetails)>[\s\S]*?<\/\1>/g, '')
    .replace(/[\s\S]*?<TradeMark /, '');
  const found = new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`).exec(own)?.[1]?.trim();
  return found === undefined || found === '' ? null : unescapeText(found);
}

function unescapeText(value: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return value
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => entities[name] ?? '');
}

test('reads the real marks of the zip as their text says, without issues', { skip: skipWithout(ZIP) }, async () => {
  const counts = { records: {} as Record<string, number>, source: {} as Record<string, number> };
  let marks = 0;
  for await (const { name, source } of readMembers(join(REAL_DATA, ZIP))) {
    if (marks === MARKS) break;
    assert.equal(euipoFormat.accepts(name), true, name);
    const record = await readMark(name, source);
    marks++;
    counts.records[record.status] = (counts.records[record.status] ?? 0) + 1;
    const status = STATUS_OF[findStated(source, 'MarkCurrentStatusCode') ?? ''] ?? 'not in the table';
    counts.source[status] = (counts.source[status] ?? 0) + 1;
    assert.deepEqual(
      {
        application_number: record.application_number,
        mark_name: record.mark_name,
        application_date: record.application_date,
        registration_date: record.registration_date,
        expiry_date: record.expiry_date,
        status_date: record.status_date,
        tm5_status: record.tm5_status,
      },
      {
        application_number: findStated(source, 'ApplicationNumber'),
        mark_name: findStated(source, 'MarkVerbalElementText'),
        application_date: findStated(source, 'ApplicationDate'),
        registration_date: findStated(source, 'RegistrationDate'),
        expiry_date: findStated(source, 'ExpiryDate'),
        status_date: findStated(source, 'MarkCurrentStatusDate'),
        tm5_status: findStated(source, 'MarkCurrentStatusCode'),
      },
      name,
    );
    const classes = [...source.matchAll(/<ClassNumber>\s*(\d+)\s*</g)].map(([, number]) => Number(number));
    assert.deepEqual(
      record.nice_classes,
      [...new Set(classes)].sort((a, b) => a - b),
      name,
    );
    const codes = [...source.matchAll(/<CategoryCode>\s*([\d.]+)\s*</g)].map(([, code]) => code);
    assert.deepEqual(record.vienna_codes, codes.length === 0 ? null : [...new Set(codes)], name);
    assert.deepEqual([record.owner_names, record.designated_countries], [null, null], name);
  }
  assert.equal(marks, MARKS);
  assert.deepEqual(counts.records, counts.source);
  if (isFull) assert.deepEqual(counts.records, { Registered: 472, Pending: 104, Abandoned: 10 });
});

test('reads the unpacked real marks, the largest of them 1.1 MB', { skip: skipWithout('euipo') }, async () => {
  const names = readdirSync(join(REAL_DATA, 'euipo')).filter((name) => euipoFormat.accepts(name));
  assert.equal(names.length, 5);
  for (const name of names) {
    const record = await readMark(name, createReadStream(join(REAL_DATA, 'euipo', name)));
    assert.equal(record.uid, `EM500000${name.replace('.xml', '')}`);
  }
});
