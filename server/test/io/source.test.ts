/** Files, archives and pipes: opened by their content, and otherwise refused with one sentence. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { OperatorError } from '../../src/base/errors.ts';
import { INFLATION_FREE_BYTES } from '../../src/load/sources/files.ts';
import { openSource, type Source } from '../../src/load/sources/source.ts';
import { makeFolder } from '../support/folder.ts';
import { openText } from '../support/texts.ts';
import { buildZip } from '../support/zip.ts';

const TEXT = `${'{"uid":"1"}\n'.repeat(2000)}end`;

async function readSource(source: Source, accepts = (_name: string): boolean => true): Promise<[string, string][]> {
  const entries: [string, string][] = [];
  for await (const entry of source.entries(accepts)) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry.stream) chunks.push(chunk as Buffer);
    entries.push([entry.name, Buffer.concat(chunks).toString()]);
  }
  return entries;
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  assert.ok(error instanceof OperatorError, String(error));
  assert.equal(error.exitStatus, 1);
  return error.message;
}

test('a file is opened by its content, whatever its name', async (t) => {
  const folder = makeFolder(t);
  const files: Record<string, Buffer> = {
    'plain.ndjson': Buffer.from(TEXT),
    'packed.gz': gzipSync(TEXT),
    'packed-without-a-name': gzipSync(TEXT),
    'two-members.gz': Buffer.concat([gzipSync(TEXT.slice(0, 5000)), gzipSync(TEXT.slice(5000))]),
    empty: Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(folder, name), bytes);
    const source = await openSource(join(folder, name));
    assert.deepEqual(await readSource(source), [[name, name === 'empty' ? '' : TEXT]], name);
    assert.deepEqual([source.totalBytes, source.readBytes()], [bytes.length, bytes.length], name);
  }
});

interface NotedFile {
  name: string;
  bytes: number;
  digest: string;
}

function describe(name: string, content: Buffer | string): NotedFile {
  return { name, bytes: Buffer.byteLength(content), digest: createHash('sha256').update(content).digest('hex') };
}

/** `readMax`: how many chunks are read of each entry. */
async function noteFiles(source: Source, readMax: number, accepts = (_name: string): boolean => true) {
  const files: NotedFile[] = [];
  for await (const entry of source.entries(accepts, async (file) => void files.push(file))) {
    let chunks = 0;
    for await (const _ of entry.stream) {
      chunks += 1;
      if (chunks >= readMax) break;
    }
  }
  return files;
}

test('each file is noted with its digest as it was delivered, however little of it was read', async (t) => {
  const folder = makeFolder(t);
  const long = randomBytes(3_000_000).toString('hex');
  const archive = buildZip([1, 2, 3].map((at) => ({ name: `${at}.xml`, text: `${at}${TEXT}` })));
  const files: Record<string, Buffer> = {
    'a.xml': Buffer.from(long),
    'b.xml.gz': gzipSync(long),
    'c.zip': archive,
    'd.xml': Buffer.alloc(0),
    'e.txt': Buffer.from('not read'),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const accepts = (name: string): boolean => name.endsWith('.xml');
  const read = Object.entries(files).slice(0, 4);
  for (const readMax of [1, Number.POSITIVE_INFINITY]) {
    for (const [name, bytes] of read) {
      const noted = await noteFiles(await openSource(join(folder, name)), readMax, accepts);
      assert.deepEqual(noted, [describe(name, bytes)], `${name}, ${readMax}`);
    }
    const inside = read.map(([name, bytes]) => describe(`${basename(folder)}/${name}`, bytes));
    assert.deepEqual(await noteFiles(await openSource(folder), readMax, accepts), inside);
  }
});

test('an input that cannot be opened again is noted only if it was read to its end', async () => {
  const packed = gzipSync(TEXT);
  const pipe = async (): Promise<Source> => await openSource('-', Readable.from([packed], { objectMode: false }));
  assert.deepEqual(await noteFiles(await pipe(), Number.POSITIVE_INFINITY), [describe('standard input', packed)]);
  const endless = async function* (): AsyncGenerator<string> {
    for (;;) yield TEXT;
  };
  assert.deepEqual(await noteFiles(openText('made', endless()), 1), []);
  assert.deepEqual(await noteFiles(openText('made', [TEXT, 'x']), 9), [describe('made', `${TEXT}x`)]);
});

test('the members of an archive that the format reads come one by one, in order', async (t) => {
  const path = join(makeFolder(t), 'marks.zip');
  const members = Array.from({ length: 300 }, (_, at) => ({ name: `0${at % 7}/mark-${at}.xml`, text: `<m>${at}</m>` }));
  writeFileSync(path, buildZip([{ name: 'README.txt', text: 'no' }, { name: 'folder/', text: '' }, ...members]));
  const source = await openSource(path);
  assert.deepEqual(
    await readSource(source, (name) => name.endsWith('.xml')),
    members.map(({ name, text }) => [`marks.zip/${name}`, text]),
  );
});

test('an archive may be left half way, and a reader that stops early leaves nothing open', async (t) => {
  const path = join(makeFolder(t), 'marks.zip');
  writeFileSync(path, buildZip([1, 2, 3].map((at) => ({ name: `${at}.xml`, text: TEXT }))));
  const source = await openSource(path);
  for await (const entry of source.entries(() => true)) {
    for await (const _chunk of entry.stream) break;
    if (entry.name.endsWith('2.xml')) break;
  }
  assert.equal((await readSource(await openSource(path))).length, 3);
});

test('standard input may be packed, and may come in pieces of one byte', async () => {
  for (const bytes of [Buffer.from(TEXT), gzipSync(TEXT), Buffer.from('{}')]) {
    const pieces = bytes.length > 3000 ? [bytes] : Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    const source = await openSource('-', Readable.from(pieces));
    const expected = bytes.length === 2 ? '{}' : TEXT;
    assert.deepEqual(await readSource(source), [['standard input', expected]]);
    assert.equal(source.totalBytes, null);
  }
});

test('a named pipe is read to its end, even if its writer has gone by then', { timeout: 300_000 }, async (t) => {
  const pipe = join(makeFolder(t), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', `printf '%s' '${TEXT.slice(0, 1000)}' > '${pipe}'`]);
  const gone = once(writer, 'exit');
  const source = await openSource(pipe);
  await gone;
  assert.deepEqual(await readSource(source), [['pipe', TEXT.slice(0, 1000)]]);
});

test('what cannot be opened is refused with one sentence that names the file', async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, 'text.zip'), 'plain text');
  writeFileSync(join(folder, 'text.gz'), 'plain text');
  const zip = buildZip([{ name: 'a.xml', text: TEXT }]);
  writeFileSync(join(folder, 'cut.zip'), zip.subarray(0, zip.length - 30));
  const refusals: Record<string, RegExp> = {
    missing: /^cannot read .*missing: there is no such file$/,
    'text.zip': /text\.zip is not a zip archive$/,
    'text.gz': /text\.gz is not gzip-compressed$/,
    'cut.zip': /cut\.zip is truncated or damaged: /,
  };
  for (const [name, message] of Object.entries(refusals)) {
    const work = openSource(join(folder, name)).then((source) => readSource(source));
    assert.match(await failureOf(work), message);
  }
  const linked = makeFolder(t);
  symlinkSync('gone', join(linked, 'link.xml'));
  assert.match(
    await failureOf(openSource(linked).then((source) => readSource(source))),
    /^cannot read .*link\.xml: there is no such file$/,
  );
  const piped = openSource('-', Readable.from([zip]));
  assert.match(
    await failureOf(piped),
    /^standard input is a zip archive, whose table of contents is at its end; save it to a file/,
  );
});

test('a compressed file that is cut or damaged fails where it breaks, and says so', async (t) => {
  const folder = makeFolder(t);
  const packed = gzipSync(TEXT.repeat(20), { level: 0 });
  writeFileSync(join(folder, 'cut.gz'), packed.subarray(0, packed.length - 1000));
  const damaged = Buffer.from(packed);
  damaged.fill(0x5a, 400_000, 400_200);
  writeFileSync(join(folder, 'damaged.gz'), damaged);
  const zip = buildZip([{ name: 'a.xml', text: TEXT }]);
  const offset = zip.indexOf('a.xml') + 5;
  zip.fill(0xff, offset, offset + 20);
  writeFileSync(join(folder, 'damaged.zip'), zip);
  const read = async (name: string): Promise<string> =>
    await failureOf(openSource(join(folder, name)).then((source) => readSource(source)));
  assert.equal(await read('cut.gz'), `cannot read ${folder}/cut.gz: it is truncated`);
  assert.equal(await read('damaged.gz'), `cannot read ${folder}/damaged.gz: its compressed data is damaged`);
  assert.equal(await read('damaged.zip'), 'cannot read damaged.zip/a.xml: its compressed data is damaged');
});

test('a file that inflates out of all proportion is refused before it fills anything', async (t) => {
  const folder = makeFolder(t);
  const blank = Buffer.alloc(INFLATION_FREE_BYTES + 1024 * 1024, ' ');
  writeFileSync(join(folder, 'bomb.gz'), gzipSync(blank));
  // Before anything of it is read, as of a zip: alone, and in a folder.
  for (const path of [join(folder, 'bomb.gz'), folder]) {
    let bytes = 0;
    const read = async (): Promise<void> => {
      for await (const { stream } of (await openSource(path)).entries(() => true)) {
        for await (const chunk of stream) bytes += (chunk as Buffer).length;
      }
    };
    assert.match(await failureOf(read()), /bomb\.gz inflates more than 500 times: refused as a compression bomb$/);
    assert.equal(bytes, 0);
  }
  // The largest real files inflate 137 times.
  const large = Array.from({ length: 24_000 }, (_, at) => `${at * 7919}${'x'.repeat(3_000)}\n`).join('');
  const packed = gzipSync(large);
  assert.ok(large.length > INFLATION_FREE_BYTES && large.length > 137 * packed.length);
  writeFileSync(join(folder, 'large.gz'), packed);
  const [[, text] = []] = await readSource(await openSource(join(folder, 'large.gz')));
  assert.equal(text?.length, large.length);
  assert.ok(readFileSync(join(folder, 'bomb.gz')).length < blank.length / 500);
});
