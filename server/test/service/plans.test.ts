/**
 * The plans of the statements that touch records, as they are committed in docs/plans.md. `npm run plans -- --citus URL`
 * writes the file anew, with the plans of a Citus cluster beside those of one database.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findReadingOptions } from '../../src/store/distributed/distribution.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { describePlans, fillForPlans, type TaskPlans } from '../support/plans.ts';

const FILE = fileURLToPath(new URL('../../../docs/plans.md', import.meta.url));

async function planOn(t: { after(work: () => Promise<void>): void }, isSingle: boolean): Promise<TaskPlans[]> {
  const { db, url } = await createTestDatabase(t, { isSingle });
  await fillForPlans(db);
  const reading = await connectTestDatabase(url, { poolMax: 4, ...(await findReadingOptions(db)) });
  return await describePlans(reading).finally(() => reading.close());
}

const fence = (plan: string): string => `\`\`\`text\n${plan}\n\`\`\`\n`;

function render(single: readonly TaskPlans[], several: readonly TaskPlans[]): string {
  const parts = single.map(({ task, plans }, index) =>
    [
      `## ${task}\n`,
      'On one database:\n',
      ...plans.map(fence),
      'On a coordinator with two workers:\n',
      ...several[index]!.plans.map(fence),
    ].join('\n'),
  );
  const head = `# Plans

Written by \`npm run plans -- --citus URL\`. Each statement that touches records, as the server plans it for the
sessions that answer calls, with 10,000 records; on several nodes, 4 shards. Rows flow from the inside out. On several
nodes a *task* runs on one shard: *Task Count* says how many shards are asked, and a *Distributed Subplan* is a named
part that runs before what uses it. *Could not get remote plan* stands where the part reads the result of an earlier
one, which is not there until the statement runs.
`;
  return `${head}\n${parts.join('\n')}`;
}

test('the plans of one database are those in docs/plans.md', { timeout: 120_000 }, async (t) => {
  const single = await planOn(t, true);
  if (process.env.TMDS_WRITE_PLANS === '1') {
    await writeFile(FILE, render(single, await planOn(t, false)));
    return;
  }
  const committed = await readFile(FILE, 'utf8');
  for (const { task, plans } of single) {
    const start = committed.indexOf(`## ${task}\n`);
    const section = committed.slice(start, committed.indexOf('On a coordinator', start));
    assert.deepEqual(section, [`## ${task}\n`, 'On one database:\n', ...plans.map(fence), ''].join('\n'), task);
  }
});
