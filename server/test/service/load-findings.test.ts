/** The place of an issue is kept with it: in a record, in a file, or in records that were skipped. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kiprisFormat } from '../../src/load/formats/kipris/adapter.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import { openInspection } from '../../src/load/inspection/inspect.ts';
import { type CountedIssue, closeRejects, listIssues, listOpenRejects } from '../../src/store/publish/findings.ts';
import { listRegisterFacts } from '../../src/store/records/registers.ts';
import { createTestDatabase } from '../support/database.ts';
import { loadRecords, loadSources, loadText, UNLIMITED } from '../support/loads.ts';
import { openText } from '../support/texts.ts';

const ODD = { jurisdiction_code: 'XA', uid: '1', status: 'Pending', vienna_codes: ['1-2'] };

test('an issue names the records it came in, when they are loaded again unchanged too', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  for (const round of ['first', 'second']) {
    const { load_id } = await loadRecords(db, [ODD, { ...ODD, uid: '2', vienna_codes: null }, { ...ODD, uid: '3' }]);
    const [issue] = await listIssues(db, {
      loadId: load_id,
      limitMax: 9,
      code: 'unfindable_value',
      pathPart: 'VIENNA',
    });
    assert.deepEqual(
      [issue?.count, issue?.examples],
      [
        2,
        [
          { jurisdiction_code: 'XA', uid: '1', position: 'test.ndjson, line 1' },
          { jurisdiction_code: 'XA', uid: '3', position: 'test.ndjson, line 3' },
        ],
      ],
      round,
    );
  }
});

test('a superseded version names its record, and an issue of a file the file', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const all = { limitMax: 9, code: null, pathPart: null };
  const repeated = await loadRecords(db, [ODD, { ...ODD, vienna_codes: null }, { ...ODD, vienna_codes: null }]);
  const superseded = await listIssues(db, { loadId: repeated.load_id, ...all, code: 'superseded' });
  const example = { jurisdiction_code: 'XA', uid: '1', position: null };
  assert.deepEqual(
    superseded.map(({ count, examples }) => [count, examples]),
    [[2, [example, example]]],
  );
  const mark = '<TradeMarkInfo><ApplicationNumber>4020190000011</ApplicationNumber></TradeMarkInfo>';
  const answer = `<response><body><items><TotalSearchCount>5</TotalSearchCount>${mark}</items></body></response>`;
  const page = await loadSources(db, { sources: [openText('page.xml', [answer])], format: kiprisFormat });
  const [counted] = await listIssues(db, { loadId: page.load_id, ...all, code: 'count_differs' });
  assert.deepEqual(counted?.examples, [{ jurisdiction_code: null, uid: null, position: 'page.xml' }]);
});

const CASES = `<trademark-applications-daily><creation-datetime>202601312208</creation-datetime>
<case-file><serial-number>97000001</serial-number><odd>1</odd>
<case-file-header><status-code>999</status-code></case-file-header></case-file>
<case-file><serial-number>no number</serial-number></case-file></trademark-applications-daily>`;

test('an inspection finds what a load of the same file finds', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const cases: readonly (readonly [format: string, text: string])[] = [
    ['ndjson', `${JSON.stringify(ODD)}\n{"uid":"2"}\n${JSON.stringify({ ...ODD, uid: '3' })}\n`],
    ['uspto-apc', CASES],
  ];
  for (const [name, text] of cases) {
    const format = findFormat(name);
    assert.ok(format !== null);
    const report = await loadSources(db, { sources: [openText('a', [text])], format });
    const source = openText('a', [text]);
    const found = await openInspection({ source, format, choice: null, register: null }).run();
    assert.deepEqual([found.records + found.rejected, found.rejected], [report.read, report.rejected], name);
    assert.ok(found.rejected > 0 && found.issues.length > 0, name);
    const stored = await listIssues(db, { loadId: report.load_id, limitMax: 99, code: null, pathPart: null });
    const inOrder = (issues: readonly CountedIssue[]): string[] => issues.map((issue) => JSON.stringify(issue)).sort();
    assert.deepEqual(inOrder(found.issues.map(sortKeys)), inOrder(stored.map(sortKeys)), name);
  }
});

function sortKeys({ code, path, value, count, examples }: CountedIssue): CountedIssue {
  const places = examples.map(({ jurisdiction_code, uid, position }) => ({ jurisdiction_code, uid, position }));
  return { code, path, value, count, examples: places };
}

const good = (uid: string): object => ({ jurisdiction_code: 'XA', uid, status: 'Pending' });
const bad = (uid: string): object => ({ jurisdiction_code: 'XA', uid, status: 'Pending', odd: 1 });

test('a reject stays open until its record is stored, is rejected again by another load, or is closed [I-37]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const countOpen = async (): Promise<number[]> => {
    const [facts] = await listRegisterFacts(db, { register: 'XA', nowMs: 0 });
    const loads = await listOpenRejects(db, { register: 'XA', limitMax: 9 });
    return [facts?.open_rejects ?? -1, ...loads.map(({ open }) => open)];
  };
  await loadRecords(db, [good('1'), good('2')]);
  const { load_id: first } = await loadText(
    db,
    `${[bad('1'), bad('2'), bad('3')].map((each) => JSON.stringify(each)).join('\n')}\nno line\n`,
  );
  assert.deepEqual(await countOpen(), [4, 4]);
  await loadRecords(db, [good('4')], { currentThrough: '2026-11-01T00:00:00.000000Z' });
  assert.deepEqual(await countOpen(), [4, 4], 'the last load was clean');
  await loadRecords(db, [good('1')]);
  assert.deepEqual(await countOpen(), [3, 3], 'stated again without a change');
  await loadRecords(db, [bad('2')]);
  assert.deepEqual(await countOpen(), [3, 1, 2], 'rejected again: one of both is open');
  await loadText(db, 'no line\n{"jurisdiction_code":"XA","uid":"5","status":"Pending"}\n');
  assert.deepEqual(await countOpen(), [3, 1, 1, 1], 'the same line');
  assert.equal(await closeRejects(db, { loadId: first, ordinals: [3], actor: 'ada' }), 1);
  assert.equal(await closeRejects(db, { loadId: first, ordinals: null, actor: 'ada' }), 0);
  assert.deepEqual(await countOpen(), [2, 1, 1]);
});
