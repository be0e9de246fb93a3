/** Writing the sample: as fast as the reader takes it, whole or not at all. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Command } from 'commander';
import type { Clock } from '../../src/base/clock.ts';
import { OperatorError } from '../../src/base/errors.ts';
import type { CommandContext } from '../../src/cli/context.ts';
import { registerSampleCommand } from '../../src/cli/sample.ts';
import { generateLines, generateRecords } from '../../src/generator/generate.ts';
import { DEMONSTRATION_RECORDS, type SampleOptions } from '../../src/generator/options.ts';
import { buildProgress } from '../../src/generator/progress.ts';
import { writeFileOfLines, writeLines } from '../../src/generator/write.ts';
import { makeFolder } from '../support/folder.ts';

function* countedLines(count: number, seen: { pulled: number }): Generator<string> {
  for (let i = 0; i < count; i += 1) {
    seen.pulled += 1;
    yield `${'x'.repeat(999)}\n`;
  }
}

test('a slow reader holds the generator back: at most one part beyond what it took', async () => {
  const seen = { pulled: 0 };
  let taken = 0;
  let ahead = 0;
  const slow = new Writable({
    highWaterMark: 1000,
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      ahead = Math.max(ahead, seen.pulled * 1000 - taken);
      taken += chunk.length;
      setImmediate(done);
    },
  });
  const report = await writeLines(countedLines(20_000, seen), slow);
  assert.deepEqual(report, { lines: 20_000, isWhole: true });
  assert.equal(taken, 20_000_000);
  assert.ok(ahead < 3 * 66_000, `${ahead} bytes ahead`);
});

test('a reader that goes away ends the writing quietly', async () => {
  const seen = { pulled: 0 };
  let pieces = 0;
  const leaving = new Writable({
    highWaterMark: 1000,
    write(_chunk, _encoding, done) {
      pieces += 1;
      done(pieces === 3 ? Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) : null);
    },
  });
  const report = await writeLines(countedLines(1_000_000, seen), leaving);
  assert.equal(report.isWhole, false);
  assert.ok(seen.pulled < 1000, String(seen.pulled));
  const closed = new PassThrough();
  setImmediate(() => closed.destroy());
  assert.equal((await writeLines(countedLines(1_000_000, seen), closed)).isWhole, false);
  assert.equal((await writeLines(countedLines(1_000_000, seen), closed)).isWhole, false);
});

test('any other failure of the stream is thrown', async () => {
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) });
  await assert.rejects(writeLines(countedLines(10_000, { pulled: 0 }), broken), /disk full/);
});

test('a file appears whole under its name and replaces the old one, compressed when it ends in .gz', async (t) => {
  const folder = makeFolder(t);
  const options = { records: 3000, seed: 77, payload: 'none' } as const;
  const expected = [...generateLines(options)].join('');
  const plain = join(folder, 'sample.ndjson');
  writeFileSync(plain, 'old');
  assert.deepEqual(await writeFileOfLines(generateLines(options), plain), { lines: 3000, isWhole: true });
  assert.equal(readFileSync(plain, 'utf8'), expected);
  await writeFileOfLines(generateLines(options), `${plain}.gz`);
  assert.equal(gunzipSync(readFileSync(`${plain}.gz`)).toString(), expected);
  assert.deepEqual(readdirSync(folder).sort(), ['sample.ndjson', 'sample.ndjson.gz']);
});

test('a pipe is written to and stays a pipe, a link keeps pointing at its file', async (t) => {
  const folder = makeFolder(t);
  const options = { records: 50, seed: 3, payload: 'none' } as const;
  const expected = [...generateLines(options)].join('');
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [read] = await Promise.all([readFile(pipe, 'utf8'), writeFileOfLines(generateLines(options), pipe)]);
  assert.equal(read, expected);
  assert.ok(lstatSync(pipe).isFIFO());
  const file = join(folder, 'file');
  const link = join(folder, 'link');
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  await writeFileOfLines(generateLines(options), link);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readFileSync(file, 'utf8'), expected);
  await assert.rejects(writeFileOfLines(generateLines(options), folder), /^OperatorError: cannot write .*EISDIR/);
  assert.deepEqual(readdirSync(folder).sort(), ['file', 'link', 'pipe']);
});

test('an interrupted file leaves the old one and nothing else', async (t) => {
  const folder = makeFolder(t);
  for (const name of ['sample.ndjson', 'sample.ndjson.gz']) {
    const path = join(folder, name);
    writeFileSync(path, 'old');
    const controller = new AbortController();
    const options = {
      signal: controller.signal,
      onWritten: (lines: number) => {
        if (lines > 500) controller.abort(new OperatorError('interrupted'));
      },
    };
    const lines = generateLines({ records: 100_000, seed: 1, payload: 'none' });
    await assert.rejects(writeFileOfLines(lines, path, options), { message: 'interrupted' });
    assert.equal(readFileSync(path, 'utf8'), 'old');
  }
  assert.deepEqual(readdirSync(folder).sort(), ['sample.ndjson', 'sample.ndjson.gz']);
});

test('a folder that does not exist is one clear sentence', async (t) => {
  const path = join(makeFolder(t), 'missing', 'sample.ndjson');
  await assert.rejects(writeFileOfLines(generateLines({ records: 1, seed: 1 }), path), (error) => {
    assert.ok(error instanceof OperatorError);
    assert.equal(error.exitStatus, 1);
    return error.message.startsWith(`cannot write ${path}: ENOENT`);
  });
});

function buildClock(): Clock & { nowMs: () => number; move(ms: number): void } {
  let ms = 0;
  const move = (by: number) => {
    ms += by;
  };
  return {
    nowMs: () => ms,
    monotonicMs: () => ms,
    sleep: async () => undefined,
    callAfter: () => () => undefined,
    move,
  };
}

test('away from a terminal progress is a line every five seconds and one at the end', () => {
  const clock = buildClock();
  const screen = new PassThrough();
  const progress = buildProgress(1_000_000, screen, clock);
  for (const [count, ms] of [
    [1000, 1000],
    [60_000, 4000],
    [61_000, 10],
    [120_000, 4990],
    [1_000_000, 4000],
  ] as const) {
    clock.move(ms);
    progress.advance(count);
  }
  progress.finish(1_000_000);
  assert.equal(
    screen.read().toString(),
    '60,000 of 1,000,000 records, 6 %, 12,000 records/s, 1 min 19 s left\n' +
      '120,000 of 1,000,000 records, 12 %, 12,000 records/s, 1 min 14 s left\n' +
      '1,000,000 records in 14 s, 71,429 records/s\n',
  );
});

test('on a terminal progress is one line, redrawn, with rate and remaining time', () => {
  const clock = buildClock();
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 90 });
  const progress = buildProgress(1000, screen, clock);
  progress.advance(10);
  clock.move(2000);
  progress.advance(500);
  clock.move(99);
  progress.advance(600);
  clock.move(1);
  progress.finish(1000);
  const clear = '\r\u001b[2K';
  const bar = '█'.repeat(12) + '░'.repeat(12);
  assert.equal(
    screen.read().toString(),
    `${clear}${bar} 500 of 1,000 records, 50 %, 250 records/s, 2 s left${clear}1,000 records in 2.1 s, 476 records/s\n`,
  );
});

async function runCommand(words: string[]): Promise<void> {
  const program = new Command('tmds').exitOverride().configureOutput({ writeErr: () => undefined });
  registerSampleCommand(program, { clock: buildClock() } as unknown as CommandContext);
  for (const command of program.commands) command.copyInheritedSettings(program);
  await program.parseAsync(['sample', ...words], { from: 'user' });
}

test('tmds sample writes what the generator gives for the same options', async (t) => {
  const path = join(makeFolder(t), 'sample.ndjson');
  const words = [
    '--records',
    '200',
    '--seed',
    's1',
    '--registers',
    'us,WO',
    '--as-of',
    '2020-01-31',
    '--out',
    path,
    '--quiet',
  ];
  await runCommand(words);
  const options = {
    records: 200,
    seed: 's1',
    registers: ['US', 'WO'],
    asOf: '2020-01-31',
    first: DEMONSTRATION_RECORDS,
  };
  assert.equal(readFileSync(path, 'utf8'), [...generateLines(options)].join(''));
});

test('tmds sample gives records that differ from those of a demonstration, whatever seed and registers', () => {
  const identitiesOf = (options: Omit<SampleOptions, 'payload'>): string[] =>
    [...generateRecords({ ...options, payload: 'none' })].map((record) => `${record.jurisdiction_code} ${record.uid}`);
  const shown = new Set(identitiesOf({ records: DEMONSTRATION_RECORDS, seed: 'tmds' }));
  for (const seed of ['tmds', '1', 'other']) {
    for (const registers of [undefined, ['US', 'EM'], ['VN']]) {
      const which = registers === undefined ? {} : { registers };
      const given = identitiesOf({ records: 2000, seed, first: DEMONSTRATION_RECORDS, ...which });
      assert.deepEqual(
        given.filter((identity) => shown.has(identity)),
        [],
        seed,
      );
    }
  }
});

test('tmds sample refuses wrong usage before it opens a file', async (t) => {
  const folder = makeFolder(t);
  const out = ['--out', join(folder, 'sample.ndjson'), '--quiet'];
  await assert.rejects(runCommand(['--records', 'many', ...out]), {
    exitStatus: 2,
    message: /--records takes a whole/,
  });
  await assert.rejects(runCommand(['--records', '5', '--as-of', 'today', ...out]), { exitStatus: 2 });
  await assert.rejects(runCommand(['--records', '5', '--format', 'xml', ...out]), {
    code: 'commander.invalidArgument',
  });
  await assert.rejects(runCommand(out), { code: 'commander.missingMandatoryOptionValue' });
  assert.deepEqual(readdirSync(folder), []);
});
