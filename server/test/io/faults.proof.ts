/** A fault of docs/faults.md on a whole service; `npm run faults` plays all of them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { FAULTS } from '../trials/faults/faults.ts';
import { playFault } from '../trials/faults/play.ts';

const PLAYED = ['connections-cut'];

for (const name of PLAYED) {
  test(`${name}: callers see 200 and 503 alone, and nothing is lost [4.6.1, I-9, I-19, I-29, I-35]`, {
    timeout: 300_000,
    skip: process.platform === 'linux' ? false : 'finds the processes of PostgreSQL below /proc',
  }, async (t) => {
    const outcome = await playFault(FAULTS.find((fault) => fault.name === name)!, 1);
    t.diagnostic(`${[...outcome.ends].map(([end, count]) => `${end}: ${count}`)}`);
    assert.deepEqual(outcome.losses, []);
    assert.ok((outcome.ends.get('200') ?? 0) > 0 && outcome.published > 0 && outcome.delivered > 0);
    assert.ok(outcome.units >= outcome.served && outcome.served > 0);
  });
}

test('the table of faults has every fault, and lost nothing', async () => {
  const page = await readFile(new URL('../../../docs/faults.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('<!-- faults -->'), page.indexOf('<!-- /faults -->'));
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  assert.deepEqual(
    rows.map((row) => /^\| `([^`]+)`/.exec(row)![1]),
    FAULTS.map(({ name }) => name),
  );
  assert.deepEqual(
    rows.filter((row) => !row.endsWith('| nothing |') && !row.includes('| skipped: ')),
    [],
  );
});
