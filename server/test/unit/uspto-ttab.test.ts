/** Files of the trial and appeal board: each proceeding says which marks it is about and which are relied upon. */
import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { NamedMark } from '../../src/load/formats/document.ts';
import { usptoTtabFormat } from '../../src/load/formats/uspto-events/ttab.ts';
import { listDefined, listSilent, readStatement, readStatements } from '../support/event-statements.ts';
import { listItems, REAL_DATA, readAll, skipWithout } from '../support/formats.ts';
import { FULL_PROCEEDING, type ProceedingParts, writeProceeding, writeProceedings } from '../support/uspto-events.ts';

const readOne = (entry: string, deliveredOn?: string | null): ReturnType<typeof readStatement> =>
  readStatement(usptoTtabFormat, writeProceedings(entry, deliveredOn));

const read = (parts: ProceedingParts): ReturnType<typeof readStatement> => readOne(writeProceeding(parts));

/** What each case is in the proceeding. */
function rolesOf({ cases }: Awaited<ReturnType<typeof read>>): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(cases).map(([part, marks]) => [part.slice(-8), marks.map((mark) => (mark as NamedMark).role)]),
  );
}

test('reads every element of the type definition into the event', async () => {
  const { body, issues, key, cases } = await readOne(FULL_PROCEEDING);
  assert.deepEqual(issues, []);
  assert.equal(key, 'OPP 91300001');
  const plaintiffMark = { role: 'relied_upon', identifier: '21', number: '96000001', text: 'HARBOUR LIGHT' };
  const defendantMark = {
    role: 'subject',
    identifier: '22',
    number: '97000001',
    registration_number: '700001',
    text: 'HARBOR',
    details: [{ proceeding_number: '2025-100001', proceeding_type_code: 'R' }],
  };
  assert.deepEqual(body.event, {
    kind: 'opposition',
    source: 'uspto-ttab',
    type: 'OPP',
    text: 'Opposition',
    status: '2',
    status_date: '2026-02-03',
    date: '2025-09-18',
    number: '91300001',
    parties: [
      {
        role: 'plaintiff',
        office_role: 'P',
        identifier: '11',
        names: [{ text: 'Lighthouse Ltd.' }],
        marks: [plaintiffMark],
        contacts: [
          {
            role: 'correspondent',
            office_role: 'C',
            identifier: '31',
            names: [{ text: 'V. COUNSEL' }, { text: 'COUNSEL LLP', kind: 'organization' }],
            address: { lines: ['4 QUAY'], city: 'BATH', region: 'ME', postcode: '04531', country: 'US' },
          },
        ],
      },
      {
        role: 'defendant',
        office_role: 'D',
        identifier: '12',
        names: [{ text: 'New Harbor Inc.' }, { text: 'Harbor Group', kind: 'organization' }],
        marks: [defendantMark],
      },
    ],
    history: [
      { kind: 'history', code: '125', type: 'X', text: 'PENDING, INSTITUTED', date: '2026-02-03', number: '2' },
      {
        kind: 'history',
        code: '110',
        type: 'F',
        text: 'FILED AND FEE',
        date: '2025-09-18',
        number: '1',
        details: { due_date: '2025-10-28' },
      },
    ],
    details: {
      employee_number: '70001',
      interlocutory_attorney_name: 'T. BENCH',
      location_code: '845',
      location_date: '2025-09-19',
      charged_location_code: '846',
      charged_employee_name: 'U. BENCH',
    },
  });
  assert.deepEqual(cases, {
    'US mark US500000096000001': [plaintiffMark],
    'US mark US500000097000001': [defendantMark],
  });
});

test('distinguishes the mark that a proceeding is about from those relied upon', async () => {
  const roles = async (type: string, number: string): Promise<unknown> => {
    const statement = await read({ type, number });
    const { kind, text } = statement.body.event;
    return [kind, text, rolesOf(statement)];
  };
  const attacked = { 96000001: ['relied_upon'], 97000001: ['subject'] };
  assert.deepEqual(await roles('OPP', '91300001'), ['opposition', 'Opposition', attacked]);
  assert.deepEqual(await roles('CAN', '92000001'), ['cancellation', 'Cancellation', attacked]);
  assert.deepEqual(await roles('EXT', '97000001'), ['opposition', 'Extension of Time', attacked]);
  assert.deepEqual(await roles('CNU', '94000001'), [
    'proceeding',
    'Concurrent Use',
    { 96000001: ['named'], 97000001: ['named'] },
  ]);
});

test('takes the number of an appeal or an extension as the case it is about', async () => {
  const named = await read({ type: 'EXA', number: '97000001', plaintiff: ['97000001'], defendant: [] });
  assert.deepEqual(rolesOf(named), { 97000001: ['subject'] });
  for (const type of ['EXA', 'EXT']) {
    const bare = await read({ type, number: '97000001', plaintiff: [], defendant: [] });
    assert.deepEqual(bare.cases, { 'US mark US500000097000001': [{ role: 'subject', number: '97000001' }] }, type);
  }
  const opposition = await read({ type: 'OPP', number: '91300001', plaintiff: [], defendant: [] });
  assert.deepEqual(opposition.cases, {});
  assert.deepEqual(opposition.issues, [
    { code: 'unfindable_mark', path: 'proceeding-entry/number', value: '91300001' },
  ]);
});

test('distinguishes an appeal from an extension of time about the same case, which has the same number', async () => {
  const keys = ['EXA', 'EXT'].map(async (type) => (await read({ type, number: '97000001' })).rows[0]?.part);
  assert.deepEqual(await Promise.all(keys), ['US uspto-ttab EXA 97000001', 'US uspto-ttab EXT 97000001']);
});

test('keeps a proceeding of an unknown type or party, and says so', async () => {
  const strange = await read({ type: 'ZZZ' });
  assert.deepEqual([strange.body.event.kind, strange.body.event.type], ['proceeding', 'ZZZ']);
  assert.deepEqual(rolesOf(strange), { 96000001: ['named'], 97000001: ['named'] });
  const other = await readOne(writeProceeding().replace('<role-code>P', '<role-code>I'));
  assert.deepEqual(rolesOf(other), { 97000001: ['subject'], 96000001: ['named'] });
  const issues = [...strange.issues, ...other.issues].map(({ code, path, value }) => [code, path, value]);
  assert.deepEqual(issues, [
    ['unmapped_proceeding', 'type-code', 'ZZZ'],
    ['unmapped_party_type', 'party-information/party/role-code', 'I'],
  ]);
});

test('orders the versions by the latest thing that happened, then by the delivery', async () => {
  const bare = '<proceeding-entry><number>91300001</number></proceeding-entry>';
  const versions = [
    (await readOne(bare, null)).version,
    (await read({ updated: '20251231' })).version,
    (await readOne(writeProceeding(), null)).version,
    (await readOne(writeProceeding(), '20260807')).version,
    (await readOne(writeProceeding(), '20260808')).version,
    (await readOne(writeProceeding({ updated: '20260301' }), '20260302')).version,
  ];
  assert.deepEqual([...versions].sort(), versions);
  assert.equal(new Set(versions).size, versions.length);
  // Due on 2025-10-28, last entry of 2026-02-03.
  assert.equal((await readOne(FULL_PROCEEDING, '20260204')).version, '20260203.20260204');
});

test('reads the same whatever the order of parties, marks and entries in the file', async () => {
  const shuffled = FULL_PROCEEDING.replace(
    /(<party>[\s\S]*?<\/party>)([\s\S]*?)(<party>[\s\S]*<\/party>)/,
    '$3$2$1',
  ).replace(
    /(<prosecution-entry>[\s\S]*?<\/prosecution-entry>)\s*(<prosecution-entry>[\s\S]*<\/prosecution-entry>)/,
    '$2$1',
  );
  assert.notEqual(shuffled, FULL_PROCEEDING);
  assert.deepEqual((await readOne(shuffled)).rows, (await readOne(FULL_PROCEEDING)).rows);
});

test('rejects a proceeding without a number, and refuses an answer of another service', async () => {
  const { items, supplements } = await readAll(
    usptoTtabFormat,
    writeProceedings(
      `<proceeding-entry><type-code>OPP</type-code></proceeding-entry>${[
        { number: '91/1' },
        { number: '00000000' },
        { type: 'OPP '.repeat(50) },
        {},
      ]
        .map(writeProceeding)
        .join('')}`,
    ),
  );
  assert.deepEqual(
    items.map((item) => item.kind === 'reject' && item.reason),
    [
      'proceeding-entry has no number',
      'number must be digits, not "91/1"',
      'number 00000000 is zeros, which say that there is no number',
      `type-code must be a short code, not ${JSON.stringify('OPP '.repeat(25))}`,
    ],
  );
  assert.equal(supplements.length, 1);
  await assert.rejects(listItems(usptoTtabFormat, '<uspto-ttabvue-document/>'), /an answer of USPTO TTABVUE/);
});

const DAILY = 'uspto/ttab/bulk-daily-79412016.xml';
const HISTORICAL = 'uspto/ttab/bulk-historical-97658985.xml';

test('reads the real proceedings unchanged', { skip: skipWithout(DAILY) }, async () => {
  const text = readFileSync(join(REAL_DATA, DAILY), 'utf8');
  const [daily] = await readStatements(usptoTtabFormat, text, DAILY);
  const [old] = await readStatements(usptoTtabFormat, createReadStream(join(REAL_DATA, HISTORICAL)), HISTORICAL);
  assert.deepEqual([daily?.issues, old?.issues], [[], []]);
  const { parties, ...event } = daily?.body.event ?? {};
  // <number>79412016</number><type-code>EXA</type-code><filing-date>20260414</filing-date> … <status-code>2
  assert.deepEqual(event, {
    kind: 'appeal',
    source: 'uspto-ttab',
    type: 'EXA',
    text: 'Ex Parte Appeal',
    status: '2',
    status_date: '2026-06-10',
    date: '2026-04-14',
    number: '79412016',
    history: [{ kind: 'history', code: '158', type: 'X', text: 'APPEAL TO BOARD', date: '2026-04-14', number: '1' }],
    details: { location_code: '845', location_date: '2026-04-14' },
  });
  const names = [...text.matchAll(/<name>([^<]*)</g)].map(([, name]) => ({ text: name }));
  const [firm] = [...text.matchAll(/<orgname>([^<]*)</g)].map(([, name]) => name?.replace('&amp;', '&'));
  // <role-code>P</role-code>, <mark-text>OEGEN</mark-text>, <state>IN</state><country>US</country>
  assert.deepEqual(parties, [
    {
      role: 'plaintiff',
      office_role: 'P',
      identifier: '1248285',
      names: [names[0]],
      marks: [{ role: 'subject', identifier: '1691989', number: '79412016', text: 'OEGEN' }],
      contacts: [
        {
          role: 'correspondent',
          office_role: 'C',
          identifier: '2284247',
          names: [names[1], { text: firm, kind: 'organization' }],
          address: {
            lines: ['11 S. MERIDIAN ST'],
            city: 'INDIANAPOLIS',
            region: 'IN',
            postcode: '46204-3535',
            country: 'US',
          },
        },
      ],
    },
  ]);
  assert.deepEqual(Object.keys(daily?.cases ?? {}), ['US mark US500000079412016']);
  // <registration-number>7220244</registration-number><mark-text>BAIA</mark-text>
  // <tma-proceeding><proceeding-number>2024-101552</proceeding-number><proceeding-type-code>R</proceeding-type-code>
  assert.deepEqual(old?.cases, {
    'US mark US500000097658985': [
      {
        role: 'subject',
        identifier: '1613341',
        number: '97658985',
        registration_number: '7220244',
        text: 'BAIA',
        details: [{ proceeding_number: '2024-101552', proceeding_type_code: 'R' }],
      },
    ],
  });
  assert.deepEqual([daily?.version, old?.version], ['20260610.00000000', '20251222.00000000']);
});

const DEFINITION = 'uspto/dtd/trademark_trials_appeals.dtd';

test('the fixture has every element of the real type definition', { skip: skipWithout(DEFINITION) }, () => {
  const found = new Set([...writeProceedings(FULL_PROCEEDING).matchAll(/<([a-z][\w-]*)/g)].map(([, name]) => name));
  const missing = listDefined(readFileSync(join(REAL_DATA, DEFINITION), 'utf8')).filter((name) => !found.has(name));
  assert.deepEqual(missing, ['data-available-code']);
});

test('no spoilt element of a proceeding passes silently', async () => {
  assert.deepEqual(await listSilent(usptoTtabFormat, writeProceedings(FULL_PROCEEDING), 'proceeding-entry'), []);
});
