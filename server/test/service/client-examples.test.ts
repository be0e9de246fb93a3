/** The client's examples, run as a reader would, against the real service. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TrademarkClient } from '../../../client/src/main.ts';
import { openSqliteSink, replicate } from '../../../client/src/replica/main.ts';
import { makeFolder } from '../support/folder.ts';
import { startWithKey, type TestService } from '../support/service.ts';
import { publishRecords, type SourceFields } from '../torture/publish.ts';

type Example = Record<string, (...args: unknown[]) => Promise<unknown>>;

async function loadExample(name: string): Promise<Example> {
  return (await import(new URL(`../../../client/examples/${name}.js`, import.meta.url).href)) as Example;
}

function mark(uid: string, fields: SourceFields = {}): SourceFields {
  const application_date = '2026-02-03';
  return { jurisdiction_code: 'US', uid, owner_names: ['Acme Inc.'], status: 'Pending', application_date, ...fields };
}

async function start(t: TestContext): Promise<{ service: TestService; client: TrademarkClient; folder: string }> {
  const { key, ...service } = await startWithKey(t);
  const folder = makeFolder(t);
  return { service, client: new TrademarkClient({ apiKey: key, baseUrl: service.url }), folder };
}

test('watch-owner prints the portfolio once, then only what is new or changed [4.3]', async (t) => {
  const { service, client, folder } = await start(t);
  const { watchOwner } = await loadExample('watch-owner');
  const watch = async (): Promise<string[]> => {
    const lines: string[] = [];
    await watchOwner!(client, 'ACME inc.', join(folder, 'acme.json'), (line: string) => lines.push(line));
    return lines.sort();
  };
  await publishRecords(service.db, [
    mark('1', { mark_name: 'ONE' }),
    mark('2', { mark_name: 'TWO' }),
    mark('3', { owner_names: ['other'] }),
  ]);
  assert.deepEqual(await watch(), ['new\tUS/1\tPending\tONE', 'new\tUS/2\tPending\tTWO']);
  assert.deepEqual(await watch(), []);
  await publishRecords(service.db, [
    mark('2', { mark_name: 'TWO', status: 'Registered' }),
    mark('4', { mark_name: null }),
  ]);
  assert.deepEqual(await watch(), ['changed\tUS/2\tRegistered\tTWO', 'new\tUS/4\tPending\t(no text)']);
});

test('opposition-deadlines lists what ends within the weeks in the classes asked for, from a replica', async (t) => {
  const { service, client, folder } = await start(t);
  const { listDeadlines } = await loadExample('opposition-deadlines');
  const ends = (uid: string, opposition_period_end: string | null, nice_classes: number[] | null): SourceFields =>
    mark(uid, { mark_name: `M${uid}`, opposition_period_end, nice_classes });
  await publishRecords(service.db, [
    ends('in', '2026-03-20', [9, 35]),
    ends('first', '2026-03-01', [42]),
    ends('last', '2026-03-29', [9]),
    ends('late', '2026-03-30', [9]),
    ends('past', '2026-02-28', [9]),
    ends('class', '2026-03-20', [35]),
    ends('none', '2026-03-20', null),
    ends('open', null, [9]),
  ]);
  const file = join(folder, 'marks.db');
  const sink = await openSqliteSink(file);
  await replicate({ client, sink });
  await sink.close();
  const found = (await listDeadlines!(file, '2026-03-01', 4, [9, 42])) as object[];
  assert.deepEqual(
    found.map((row) => ({ ...row })),
    [
      { jurisdiction_code: 'US', uid: 'first', mark_name: 'Mfirst', opposition_period_end: '2026-03-01' },
      { jurisdiction_code: 'US', uid: 'in', mark_name: 'Min', opposition_period_end: '2026-03-20' },
      { jurisdiction_code: 'US', uid: 'last', mark_name: 'Mlast', opposition_period_end: '2026-03-29' },
    ],
  );
});

test('new-marks lists the applications in a class whose mark contains the word, newest first [4.3]', async (t) => {
  const { service, client } = await start(t);
  const { listNewMarks } = await loadExample('new-marks');
  const filed = (uid: string, mark_name: string, application_date: string, nice_classes = [9]): SourceFields =>
    mark(uid, { mark_name, application_date, nice_classes });
  await publishRecords(service.db, [
    filed('1', 'Supernova', '2026-02-01'),
    filed('2', 'NOVA', '2026-03-01', [9, 42]),
    filed('3', 'NOVA', '2025-12-31'),
    filed('4', 'NOVA', '2026-03-01', [42]),
    filed('5', 'Other', '2026-03-01'),
  ]);
  const lines: string[] = [];
  await listNewMarks!(client, 'nova', 9, ['US', 'EM'], '2026-01-01', (line: string) => lines.push(line));
  assert.deepEqual(lines, ['2026-03-01\tUS/2\tNOVA\tacme inc.', '2026-02-01\tUS/1\tSupernova\tacme inc.']);
});
