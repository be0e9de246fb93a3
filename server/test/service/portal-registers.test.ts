/** The pages of the registers say what the API and the command say, for customers and for operators. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoverageReport } from '@tmds/contract/coverage';
import { AUDIT_FIGURES } from '../../src/portal/registers/audit-figures.ts';
import { storeSourceCheck } from '../../src/store/sync/source-checks.ts';
import { changeSourceFile, noteSeenFiles } from '../../src/store/sync/source-files.ts';
import { createTestDatabase } from '../support/database.ts';
import { loadRecords, UNLIMITED } from '../support/loads.ts';
import { createCustomer, joinAsOperator, joinPortal } from '../support/portal.ts';
import { startService, type TestService } from '../support/service.ts';
import { buildStandingClock } from '../support/sources-declared.ts';

const CLOCK = buildStandingClock('2026-11-23T09:00:00Z');
const SEEN_MS = Date.parse('2026-11-20T00:00:00Z');

/** Weeks 44, 46 and then 43 are loaded, 45 is missing, 42 failed. */
async function storeWeeks({ db }: TestService, loadId: string): Promise<void> {
  const weeks = ['2026-W44', '2026-W46', '2026-W43', '2026-W42'];
  const seen = weeks.map((period) => ({ name: `${period}.zip`, period, fingerprint: 'x' }));
  await noteSeenFiles(db, 'xa-weekly', seen, SEEN_MS);
  for (const [at, period] of weeks.entries()) {
    const key = { source: 'xa-weekly', name: `${period}.zip`, revision: 1, state: 'seen' } as const;
    const change =
      period === '2026-W42'
        ? ({ state: 'failed', reason: '/srv/private/2026-W42.zip is cut off' } as const)
        : ({ state: 'loaded', loadId } as const);
    await changeSourceFile(db, key, change, SEEN_MS + at * 1000);
  }
  await storeSourceCheck(db, {
    ...{ source: 'xa-weekly', checked_ms: SEEN_MS, succeeded_ms: null, failure: '2026-W42.zip failed', stopped: true },
    ...{ next_period: '2026-W47', due_ms: Date.parse('2026-11-25T00:00:00Z'), gaps: ['2026-W45'] },
  });
}

test('a customer and an operator are shown what is missing, out of order and rejected, and the same sentence', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const service = await startService(t, { database, clock: CLOCK });
  const { url, db, call } = service;
  const customer = await createCustomer(db);
  const { load_id: loadId } = await loadRecords(db, [
    { jurisdiction_code: 'XA', uid: '1', status: 'Registered', vienna_codes: ['1-2'] },
    { jurisdiction_code: 'XA', uid: '2', status: 'Registered' },
    { jurisdiction_code: 'XA' },
  ]);
  await storeWeeks(service, loadId);
  const { body } = await call('/v1/jurisdictions/XA/coverage', { key: customer.key });
  const { conclusion } = body as CoverageReport;
  assert.equal(
    conclusion,
    'A change published by the office from week 2026-W42 through week 2026-W46 is here, except for week 2026-W42 and ' +
      'week 2026-W45, which are missing; week 2026-W43 came after later ones, so that what it states may have ' +
      'replaced something newer; a record or file that a load rejected is not.',
  );
  const member = await joinPortal(url, customer);
  const all = await member.visit('/portal/registers');
  assert.match(all.text, /href="\/portal\/registers\/XA"/);
  const list = await member.visit('/portal/registers');
  assert.ok(list.text.includes(conclusion));
  const page = await member.visit('/portal/registers/XA');
  assert.equal(page.status, 200);
  for (const said of [
    conclusion,
    'stopped',
    '2026-W45',
    'no file of it has arrived',
    'its file could not be loaded',
    '1 of 2 (50 %)',
    'may have replaced something newer',
  ]) {
    assert.ok(page.text.includes(said), said);
  }
  assert.doesNotMatch(page.text, /private|operator\/loads/, 'what a path or a load is, is of the operators');
  assert.equal((await member.visit('/portal/registers/ZZ')).status, 404);
  const operator = await joinAsOperator(url, db);
  const shown = await operator.visit('/portal/operator/registers/XA');
  assert.ok(shown.text.includes(conclusion));
  assert.ok(shown.text.includes(`/portal/operator/loads/${loadId}`));
  assert.match((await operator.visit('/portal/operator/registers')).text, /href="\/portal\/operator\/registers\/XA"/);
});

test('the page of a register says with how many real records its reader was compared, and leads to all figures', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const service = await startService(t, { database, clock: CLOCK });
  const member = await joinPortal(service.url, await createCustomer(service.db));
  await loadRecords(
    service.db,
    ['EM', 'JP', 'XA'].map((jurisdiction_code) => ({ jurisdiction_code, uid: '1', status: 'Registered' })),
  );
  const sentenceOf = async (register: string): Promise<string> => {
    const { text } = await member.visit(`/portal/registers/${register}`);
    assert.match(text, /<a href="\/portal\/registers#compared">/);
    return /<p id="compared"[^>]*>([^<]*)/.exec(text)?.[1]?.trim().replace(/\s+/g, ' ') ?? '';
  };
  const { compared, byHand, values, differences } = AUDIT_FIGURES.EM!;
  assert.ok(compared > 500 && differences === 0);
  assert.equal(
    await sentenceOf('EM'),
    `Its reader: ${compared} real records compared with their source, ${byHand} real records read by hand; ` +
      `${values.toLocaleString('en-US')} values, 0 differences.`,
  );
  assert.match(await sentenceOf('JP'), /^Its reader: \d+ real records read by hand; \d+ values, 0 differences\.$/);
  assert.equal(await sentenceOf('XA'), 'The reader of this register has not been compared with real records yet.');
  const { text } = await member.visit('/portal/registers');
  assert.match(text, /<section id="compared">[\s\S]*Records compared[\s\S]*Taiwan/);
});
