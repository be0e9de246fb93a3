/** The operators' pages in a real browser: every page, and the way of a customer from its invitation to its removal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { inviteOperator } from '../../src/access/operators.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { findCustomer, listCustomers } from '../../src/store/accounts/customers.ts';
import { storeSourceCheck } from '../../src/store/sync/source-checks.ts';
import { changeSourceFile, describeStop, noteSeenFiles } from '../../src/store/sync/source-files.ts';
import { listFindings, openPage, shareBrowser } from '../support/browser.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { loadText, UNLIMITED } from '../support/loads.ts';
import { createCustomer } from '../support/portal.ts';
import { listOperatorPages, PASSWORD, signUp } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';

const openBrowser = shareBrowser();

const SCREENS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['a desktop, light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['a phone, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
];

const LONG = 'A customer whose name goes on and on, with its legal form, its seat and its number in the register';
const ODD =
  '{"jurisdiction_code":"XA","uid":"1","status":"Pending","vienna_codes":["1-2"],"mark_name":"شركة"}\n' +
  `{"jurisdiction_code":"XA","uid":"2","status":"${'a long status '.repeat(12)}"}\nnot json at all\n`;

async function inviteAnOperator(db: Database): Promise<string> {
  const order = { email: 'operator@example.org', actor: 'test' };
  const { token } = await db.transaction((tx) => inviteOperator(tx, order));
  return `/portal/invitation/${token}`;
}

/** A source that is stopped, with gaps, files out of order, and one whose name and reason are long. */
async function storeSource(db: Database, loadId: string): Promise<void> {
  const name = `${'a-long-name-of-a-file-'.repeat(6)}2026-11-21.zip`;
  const key = { source: 'weekly', name, revision: 1, state: 'seen' } as const;
  const seen = { name, period: '2026-11-21', fingerprint: 'x' };
  await noteSeenFiles(db, 'weekly', [seen], Date.parse('2026-11-22T00:00:00Z'));
  const change = { bytes: 123_456, digest: 'ab'.repeat(32), reason: 'it is cut off '.repeat(9) };
  await changeSourceFile(db, key, { state: 'failed', ...change }, Date.parse('2026-11-22T00:01:00Z'));
  for (const [at, period] of ['2026-11-20', '2026-11-19'].entries()) {
    const file = { ...key, name: `${period}.zip` };
    await noteSeenFiles(db, 'weekly', [{ name: file.name, period, fingerprint: 'x' }], 0);
    await changeSourceFile(db, file, { state: 'loaded', loadId }, Date.parse('2026-11-21T00:00:00Z') + at);
  }
  await storeSourceCheck(db, {
    source: 'weekly',
    checked_ms: Date.parse('2026-11-22T00:02:00Z'),
    succeeded_ms: null,
    failure: describeStop({ ...key, name, reason: change.reason }, 'weekly'),
    stopped: true,
    next_period: '2026-11-22',
    due_ms: Date.parse('2026-11-23T00:00:00Z'),
    gaps: Array.from({ length: 40 }, (_, at) => `2025-W${String(at + 10)}`),
  });
}

for (const [name, options] of chooseCases(SCREENS)) {
  test(`every operators’ page is without a barrier, a fault and a bar to the side: ${name} [5.4]`, {
    timeout: 300_000,
  }, async (t) => {
    const browser = openBrowser(t);
    if (browser === null) return;
    const database = await createTestDatabase(t, UNLIMITED);
    const { url, db, call } = await startService(t, { database });
    const customer = await createCustomer(db, { name: LONG, quota: 1000 });
    await createCustomer(db, { name: 'شركة العلامات التجارية المحدودة' });
    for (let calls = 0; calls < 3; calls += 1) await call('/v1/jurisdictions', { key: customer.key });
    const { load_id: loadId } = await loadText(db, ODD);
    await storeSource(db, loadId);
    const customerId = (await findCustomer(db, LONG))?.customer_id ?? '';
    const { page, faults } = await openPage(browser, url, options);
    await signUp(page, url, await inviteAnOperator(db), '/portal/operator');
    const found: string[] = [];
    const ids = { customerId, keyId: customer.keyId, loadId, source: 'weekly', register: 'XA' };
    for (const { path } of listOperatorPages(ids)) {
      const response = await page.goto(`${url}${path}`);
      if (response?.status() !== 200) found.push(`${path}: status ${response?.status()}`);
      found.push(...(await listFindings(page)).map((finding) => `${path}: ${JSON.stringify(finding)}`));
      const overhang = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
      if (overhang > 0) found.push(`${path}: ${overhang} pixels to the side`);
    }
    assert.deepEqual(found, []);
    assert.deepEqual(faults, []);
  });
}

test('an operator adds a customer, views its pages, suspends, resumes and removes it, by keyboard where it matters [5.4]', {
  timeout: 300_000,
}, async (t) => {
  const browser = openBrowser(t);
  if (browser === null) return;
  const { url, db } = await startService(t);
  const { page, faults } = await openPage(browser, url, { viewport: { width: 1280, height: 900 } });
  await signUp(page, url, await inviteAnOperator(db), '/portal/operator');
  await page.click('nav >> text=Customers');
  await page.fill('form[method=post] #name', 'Acme Docketing');
  await page.click('main button:has-text("Add")');
  await page.waitForSelector('text=The customer is added.');
  await page.click('text=Issue a key');
  await page.fill('#name', 'production');
  await page.click('main button[type=submit]');
  await page.waitForSelector('text=This is the only time the secret is shown.');
  await page.click('text=Done, I’ve saved it');
  await page.click('nav[aria-label="Pages above"] >> text=Acme Docketing');
  await page.fill('#email', 'ada@example.org');
  await page.click('button:has-text("Invite")');
  await page.waitForSelector('text=This is the only time the link is shown.');
  await page.click('text=Back to the customer');

  await page.click('button:has-text("View as this customer")');
  await page.waitForSelector('text=You view Acme Docketing');
  await page.waitForLoadState();
  assert.deepEqual(await listFindings(page), []);
  await page.click('nav >> text=Keys');
  await page.waitForSelector('main >> text=production');
  assert.equal(await page.isVisible('text=Issue a key'), false);
  await page.click('button:has-text("End")');
  await page.waitForSelector('text=You no longer view a customer.');

  await page.focus('text=Suspend…');
  await page.keyboard.press('Enter');
  await page.waitForSelector('h1:has-text("Suspend the customer")');
  await page.focus('#reason');
  await page.keyboard.type('The invoice is open.');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Its keys and people are refused from now on');
  await page.click('button:has-text("Resume")');
  await page.waitForSelector('text=let in again');
  await page.click('text=Remove…');
  await page.fill('#confirmed', 'Acme Docketing');
  await page.fill('#password', PASSWORD);
  await page.click('main button.danger');
  await page.waitForSelector('h1:has-text("removed customer")');
  assert.deepEqual(
    (await listCustomers(db)).map(({ removed_at }) => removed_at !== null),
    [true],
  );
  assert.deepEqual(faults, []);
});
