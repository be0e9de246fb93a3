/** The benches, as small as they go: what they measure is of no account here, but that they still run to their end. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDataFolder } from '../support/process.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RUN = ['--conditions=tmds-source', '--import', 'tsx', 'bench/run.ts'];
const RECORDS = 2_000;

/** Those that keep a table, and its first line. One that shares the folder of another finds it filled. */
const BENCHES = [
  { name: 'portal', words: [], file: `portal-${RECORDS}.md`, heading: /^# Pages of the portal: 2000 records/ },
  {
    name: 'fair',
    words: ['--rounds', '1', '--seconds', '0.2', '--queries', '20', '--connections', '4'],
    file: `fair-${RECORDS}.md`,
    heading: /^# Fair: 2000 records/,
  },
  { name: 'replica', words: [], file: `replica-${RECORDS}.md`, heading: /^# Replica: 2000 records into SQLite/ },
];

async function runBench(words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...RUN, ...words], { cwd: ROOT });
  return stdout;
}

test('every bench runs to its end and writes its table to the given place', { timeout: 300_000 }, async (t) => {
  const data = await createDataFolder(t);
  const results = join(data, 'results');
  for (const { name, words, file, heading } of BENCHES) {
    await t.test(name, async () => {
      const where = ['--records', String(RECORDS), '--data', data, '--results', results];
      const printed = await runBench([name, ...where, ...words]);
      assert.match(printed, new RegExp(heading.source, 'm'));
      assert.match(await readFile(join(results, file), 'utf8'), heading);
    });
  }
  await t.test('search, of which some kinds need more records', async () => {
    // The others fill their folder without the records of the peer.
    const few = ['--only', 'status', '--calls', '5', '--seconds', '0.1', '--warm-up', '10'];
    const printed = await runBench(['search', '--records', String(RECORDS), '--data', join(data, 'search'), ...few]);
    assert.match(printed, /^# Search: 2,000 generated records/m);
    assert.match(printed, /^\| facet \| status, newest change \| \d+ \|/m);
  });
  await t.test('kept', async () => {
    const printed = await runBench(['kept', '--records', '500', '--results', results]);
    assert.match(printed, /^# Kept: 500 records with payloads/m);
    assert.match(printed, /^\| restore \| \d+\.\d \|/m);
  });
  await t.test('documents', async () => {
    const printed = await runBench(['documents', '--records', '500', '--results', results]);
    assert.match(printed, /^# Payloads: 500 generated records/m);
    assert.match(printed, /^\| move from packed to text \| \d+\.\d \|/m);
  });
  await t.test('history', async () => {
    const printed = await runBench(['history', '--records', '300', '--rounds', '2', '--results', results]);
    assert.match(printed, /^# History: 300 records, each changed 2 times/m);
    assert.match(printed, /^\| with payload, both change \| \d+ \| \d+ \| \d\.\d\d \|/m);
  });
  await t.test('processes', async () => {
    const printed = await runBench([
      'processes',
      '--seconds',
      '0.2',
      '--data',
      join(data, 'processes'),
      '--results',
      results,
    ]);
    assert.match(printed, /^\| 5 ms a flush \| 32 \| \d+ \| \d+\.\d \|/m);
  });
  await t.test('versions, of this checkout and itself', async () => {
    const few = ['--records', String(RECORDS), '--seconds', '0.2', '--rounds', '1', '--results', results];
    const printed = await runBench(['versions', ROOT, ROOT, ...few]);
    assert.match(printed, /^# Versions: OLD \S+, NEW \S+$/m);
    assert.match(printed, /^\| page of the feed of 5,000 \| 8 \| \d+\/s \| \d+\/s \|/m);
  });
  await t.test('changes', async () => {
    const printed = await runBench(['changes', '--records', '2000', '--payloads', '5', '--rounds', '1']);
    assert.match(printed, /^round 1: service \d+ records\/s, bare \d+ records\/s, copy \d+ records\/s/m);
  });
});

test('a bench with wrong usage shows the right usage, with status 2', async (t) => {
  for (const words of [
    [],
    ['nonsense'],
    ['search', '--records', 'many'],
    ['hunt', '--queries', '0'],
    ['load', '--no'],
    ['versions', ROOT],
  ]) {
    await t.test(`"${words.join(' ')}"`, async () => {
      await assert.rejects(runBench(words), (error: Error & { code: number; stderr: string }) => {
        assert.equal(error.code, 2, error.stderr);
        assert.match(error.stderr, /--help/);
        return true;
      });
    });
  }
});
