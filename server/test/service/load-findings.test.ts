/** Where an issue came is kept with it: in a record, in a file, or in records that were passed over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kiprisFormat } from '../../src/load/formats/kipris/adapter.ts';
import { openText } from '../../src/load/source.ts';
import { listIssues } from '../../src/store/publish/findings.ts';
import { createTestDatabase } from '../support/database.ts';
import { loadRecords, loadSources, UNLIMITED } from '../support/loads.ts';

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
