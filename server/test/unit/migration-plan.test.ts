import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planMigration } from '../../src/database/schema/steps.ts';

function plan(text: string, number = 7): ReturnType<typeof planMigration> {
  return planMigration({ number, name: '0007_seven.sql', text });
}

test('a file without step lines is one step in one transaction, and only new programs work with it', () => {
  const text = '-- Adds a table.\ncreate table one (value int);\n';
  assert.deepEqual(plan(text), {
    worksSince: null,
    takesOverFrom: null,
    steps: [{ kind: 'transaction', words: '0007_seven.sql', text, builds: null }],
  });
  assert.equal(plan(`-- works with programs since 0003\n${text}`).worksSince, 3);
});

test('a baseline names the last migration before it', () => {
  const { takesOverFrom, worksSince } = plan(
    '-- works with programs since 0006\n-- takes over from 0006_six.sql\nselect 1;',
  );
  assert.deepEqual([takesOverFrom, worksSince], ['0006_six.sql', 6]);
});

test('step lines part a file into steps of three kinds', () => {
  const { worksSince, steps } = plan(`
-- Sizes of records.
-- works with programs since 0001
-- step: add the column
alter table record add column size int;
-- step (batches): fill it
update record set size = 1 where uid in (select uid from record where size is null limit 2000);
-- step (alone): find records by it
create index concurrently record_size
  on record (size) where size > 0;
-- step (alone): drop the old one
drop index concurrently if exists record_old;
`);
  assert.equal(worksSince, 1);
  assert.deepEqual(
    steps.map(({ kind, words, builds }) => [kind, words, builds]),
    [
      ['transaction', 'add the column', null],
      ['batches', 'fill it', null],
      ['alone', 'find records by it', 'record_size'],
      ['alone', 'drop the old one', null],
    ],
  );
});

test('a file whose steps could not be repeated after a kill is refused', () => {
  const since = '-- works with programs since 0001\n';
  const faults: Record<string, RegExp> = {
    '-- step: one\nselect 1;': /says "works with programs since"/,
    '-- works with programs since 0007\n-- step: one\nselect 1;': /says "works with programs since"/,
    [`${since}select 1;\n-- step: one\nselect 1;`]: /a statement stands before the first step/,
    [`${since}-- step: one\n-- nothing\n`]: /the step "one" has no statement/,
    [`${since}-- step (alone): one\ncreate index one on record (uid);`]: /neither "create index concurrently …"/,
    [`${since}-- step (alone): one\nvacuum record;`]: /neither "create index concurrently …"/,
    [`${since}-- step (alone): one\ncreate index concurrently one on record (uid); drop table record;`]: /neither/,
  };
  for (const [text, reason] of Object.entries(faults)) assert.throws(() => plan(text), reason, text);
});
