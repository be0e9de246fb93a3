/** Assignment files: each entry is one statement, which names the cases that it is an event of. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ReadContext } from '../../src/load/formats/format.ts';
import { usptoAssignmentsFormat } from '../../src/load/formats/uspto-events/assignments.ts';
import { listDefined, listSilent, readStatement, readStatements } from '../support/event-statements.ts';
import { listItems, REAL_DATA, readAll, skipWithout } from '../support/formats.ts';
import { FULL_ASSIGNMENT, writeAssignment, writeAssignments } from '../support/uspto-events.ts';

const readOne = (entry: string, deliveredOn?: string | null): ReturnType<typeof readStatement> =>
  readStatement(usptoAssignmentsFormat, writeAssignments(entry, deliveredOn));

test('reads every element of the type definition into the event', async () => {
  const { body, issues, cases } = await readOne(FULL_ASSIGNMENT);
  assert.deepEqual(issues, []);
  assert.deepEqual(body.event, {
    kind: 'record',
    source: 'uspto-assignments',
    type: 'assignment',
    text: 'ASSIGNS THE ENTIRE INTEREST',
    date: '2026-04-01',
    number: '8001/0123',
    parties: [
      {
        role: 'assignor',
        names: [{ text: 'OLD HARBOR CO.' }],
        statements: [
          { code: 'formerly', text: 'FORMERLY ANCIENT HARBOR CO.' },
          { code: 'trading_as', text: 'DBA HARBOR' },
          { code: 'composed_of', text: 'COMPOSED OF' },
        ],
        members: [
          {
            name: 'A. PIER',
            entity: { code: '01', text: 'INDIVIDUAL' },
            region: { code: 'ME', text: 'MAINE' },
            members: [
              {
                name: 'B. JETTY',
                entity: { code: '03', text: 'CORPORATION' },
                region: { code: 'DK', text: 'DENMARK' },
              },
            ],
          },
        ],
        entity: { text: 'PARTNERSHIP' },
        nationality: { other: 'SWEDEN' },
        address: {
          lines: ['2 QUAY', 'FLOOR 4'],
          city: 'AARHUS',
          region: 'JUTLAND',
          postcode: '8000',
          country: 'DENMARK',
        },
        execution_date: '2026-03-01',
        acknowledgment_date: '2026-03-02',
      },
      {
        role: 'assignee',
        names: [{ text: 'NEW HARBOR INC.' }],
        statements: [
          { code: 'formerly', text: 'FORMERLY NOVA HARBOR' },
          { code: 'trading_as', text: 'TA NEW H' },
          { code: 'composed_of', text: 'COMPOSED OF C. DOCK' },
        ],
        entity: { text: 'LIMITED COMPANY' },
        nationality: { other: 'NEW YORK' },
        address: {
          lines: ['3 QUAY', 'FLOOR 5'],
          city: 'BATH',
          region: 'MAINE',
          postcode: '04530',
          country: 'UNITED STATES',
        },
      },
      {
        role: 'correspondent',
        names: [{ text: 'HARBOR LEGAL LLP' }],
        address: { lines: ['1 QUAY', 'FLOOR 2', 'DEPT. 3', 'PORTLAND, ME 04101'] },
      },
    ],
    details: { page_count: '7', marks: 1 },
  });
  assert.deepEqual(cases, {
    'US mark US500000097000001': [
      {
        number: '97000001',
        registration_number: '700001',
        international_registration_number: '1000001',
        text: 'HARBOR',
        description: 'A BLUE ANCHOR',
      },
    ],
  });
});

test('compares reel and frame as numbers, whatever their padding', async () => {
  const keys = await Promise.all(
    [
      ['1', '58'],
      ['01', '0058'],
      ['000001', '058'],
    ].map(async ([reel = '', frame = '']) => (await readOne(writeAssignment({ reel, frame }))).key),
  );
  assert.deepEqual(keys, ['1/0058', '1/0058', '1/0058']);
  assert.notEqual((await readOne(writeAssignment({ reel: '10', frame: '58' }))).key, '1/0058');
});

test('orders the versions by the last update, then by the delivery', async () => {
  const version = async (updated: string, deliveredOn?: string | null): Promise<string | null> =>
    (await readOne(writeAssignment({ updated }), deliveredOn)).version;
  const versions = [
    await version('', null),
    await version('20260409', null),
    await version('20260409', '20260413'),
    await version('20260410', '20260410'),
  ];
  assert.deepEqual([...versions].sort(), versions);
  assert.equal(new Set(versions).size, 4);
  assert.equal(await version('20990101', '20260413'), await version('', '20260413'), 'a date that has not come yet');
});

test('keeps the statement once, with one row for each case that it names', async () => {
  const serials = Array.from({ length: 300 }, (_, index) => String(97000001 + index));
  const { rows, body } = await readOne(writeAssignment({ serials: [...serials, '97000005'] }));
  assert.equal(rows.length, 301);
  assert.ok(rows.slice(1).every((row) => row.link === rows[0]?.part && JSON.stringify(row).length < 250));
  assert.ok(JSON.stringify(rows[0]).length < 1_000, 'the statement does not grow with the cases');
  assert.equal(new Set(rows.map((row) => row.key)).size, 301);
  assert.deepEqual(body.event.details, { marks: 301 });
});

test('finds a case by its serial number, else by its registration number, and says when by neither', async () => {
  const { body, cases, issues } = await readOne(
    writeAssignment({
      serials: ['00000000'],
      properties: [
        [
          'property',
          [
            ['serial-no', '97000002'],
            ['registration-no', '0700002'],
          ],
        ],
        ['property', [['serial-number', '97000003']]],
        [
          'property',
          [
            ['serial-no', ''],
            ['registration-no', '0700004'],
          ],
        ],
        ['property', [['intl-reg-no', '1000005']]],
        ['property', [['serial-no', '97/000006']]],
      ],
    }),
  );
  assert.deepEqual(Object.keys(cases), [
    'US mark US500000097000002',
    'US mark US500000097000003',
    'US registration 700004',
  ]);
  assert.deepEqual(body.event.details, {
    marks: 6,
    unfindable_marks: [{}, { international_registration_number: '1000005' }, { number: '97/000006' }],
  });
  assert.deepEqual(
    issues.map(({ code, value }) => [code, value]),
    [
      ['unfindable_mark', '{}'],
      ['unfindable_mark', '{"international_registration_number":"1000005"}'],
      ['unfindable_mark', '{"number":"97/000006"}'],
    ],
  );
});

test('an assignment that names no mark raises an issue with its number', async () => {
  const { issues, cases } = await readOne(writeAssignment({ serials: [] }));
  assert.deepEqual(cases, {});
  assert.deepEqual(issues, [{ code: 'unfindable_mark', path: 'assignment-entry', value: '8001/0123' }]);
});

test('says that an assignment was removed, and keeps what was stated of it', async () => {
  const { body, key, rows } = await readOne(writeAssignment({ purge: 'Y' }));
  assert.deepEqual([body.removed, body.partial, key, rows.length], [true, undefined, '8001/0123', 2]);
  const bare = `<assignment-entry><assignment><reel-no>8001</reel-no><frame-no>123</frame-no>
    <last-update-date>20260411</last-update-date><purge-indicator>Y</purge-indicator></assignment></assignment-entry>`;
  const removal = await readOne(bare);
  assert.deepEqual(removal.issues, []);
  assert.deepEqual(
    [removal.body.removed, removal.body.partial, removal.key],
    [true, true, '8001/0123 removal'],
    'in addition to the last full statement, not in its place',
  );
  assert.equal(removal.rows[0]?.part, (await readOne(writeAssignment())).rows[0]?.part);
  assert.deepEqual(
    (await readOne(writeAssignment({ purge: '?' }))).issues.map(({ code, value }) => [code, value]),
    [['unmapped_indicator', '?']],
  );
});

test('rejects an entry without reel and frame, and reads on', async () => {
  const entries = [{ reel: '' }, { frame: 'A1' }, { frame: '7' }].map(writeAssignment).join('');
  const { items, supplements } = await readAll(usptoAssignmentsFormat, writeAssignments(entries));
  assert.deepEqual(
    items.map((item) => item.kind === 'reject' && item.reason),
    ['assignment-entry has no reel-no', 'frame-no must be digits, not "A1"'],
  );
  assert.equal(supplements.length, 1);
  assert.match(String(items[0]?.kind === 'reject' && items[0].raw), /^<assignment-entry>[\s\S]*<\/assignment-entry>$/);
});

test('a file without data says so; another register is refused', async () => {
  const none = writeAssignments('<data-available-code>N</data-available-code>');
  let saysNone = 0;
  const context: ReadContext = { register: null, noteNoRecords: () => void saysNone++ };
  assert.deepEqual(await listItems(usptoAssignmentsFormat, none, context), []);
  assert.equal(saysNone, 1);
  await assert.rejects(
    listItems(usptoAssignmentsFormat, none, { register: 'EM' }),
    /--register says EM, but uspto-assignments reads files of the register US/,
  );
  await assert.rejects(
    listItems(usptoAssignmentsFormat, '<ttab-proceedings/>'),
    /it looks like USPTO TTAB proceedings: try the format uspto-ttab/,
  );
});

const REAL = 'uspto/assignments/bulk-two-entries.xml';

test('reads the real entries unchanged', { skip: skipWithout(REAL) }, async () => {
  const text = readFileSync(join(REAL_DATA, REAL), 'utf8');
  const items = await readStatements(usptoAssignmentsFormat, text, REAL);
  assert.deepEqual(
    items.map(({ issues }) => issues),
    [[], []],
  );
  const [first, second] = items.map(({ body, cases }) => ({ ...body, cases }));
  const names = [...text.matchAll(/<person-or-organization-name>([^<]*)</g)].map(([, name]) => [{ text: name }]);
  // <reel-no>1</reel-no><frame-no>0058</frame-no> … <date-recorded>19550105</date-recorded><page-count>0</page-count>
  // <date-acknowledged>19540616</date-acknowledged> … <nationality>NEW YORK</nationality>
  assert.deepEqual(first?.event, {
    kind: 'record',
    source: 'uspto-assignments',
    type: 'assignment',
    text: 'ASSIGNS THE ENTIRE INTEREST AND THE GOODWILL',
    date: '1955-01-05',
    number: '1/0058',
    parties: [
      {
        role: 'assignor',
        names: names[0],
        entity: { text: 'CORPORATION' },
        nationality: { other: 'DENMARK' },
        address: { country: 'DENMARK' },
        acknowledgment_date: '1954-06-16',
      },
      { role: 'assignee', names: names[1], entity: { text: 'CORPORATION' }, nationality: { other: 'NEW YORK' } },
    ],
    details: { page_count: '0', marks: 1 },
  });
  // <serial-no>71614627</serial-no><registration-no>563392</registration-no>
  assert.deepEqual(first?.cases, {
    'US mark US500000071614627': [{ number: '71614627', registration_number: '563392' }],
  });
  const parties = second?.event.parties as Record<string, unknown>[];
  const composed = /<composed-of-statement>([^<]*)</.exec(text)?.[1]?.replace('&amp;', '&');
  assert.deepEqual(
    parties.map((party) => [party.names, party.statements]),
    [
      [names[2], [{ code: 'trading_as', text: 'DBA HANDY ROLL CO.' }]],
      [names[3], [{ code: 'composed_of', text: composed }]],
    ],
  );
  // <last-update-date>20260409</last-update-date>, and no transaction date
  assert.deepEqual(
    items.map(({ key, version }) => [key, version]),
    [
      ['1/0058', '20260409.00000000'],
      ['1/0438', '20260409.00000000'],
    ],
  );
});

const DEFINITION = 'uspto/dtd/trademark_assignments.dtd';

test('the fixture has every element of the real type definition', { skip: skipWithout(DEFINITION) }, () => {
  const found = new Set([...writeAssignments(FULL_ASSIGNMENT).matchAll(/<([a-z][\w-]*)/g)].map(([, name]) => name));
  const missing = listDefined(readFileSync(join(REAL_DATA, DEFINITION), 'utf8')).filter((name) => !found.has(name));
  assert.deepEqual(missing, ['data-available-code']);
});

test('no spoilt element of an entry passes silently', async () => {
  assert.deepEqual(await listSilent(usptoAssignmentsFormat, writeAssignments(FULL_ASSIGNMENT), 'assignment-entry'), []);
});
