/** The console in a real browser: from the reference to an answer, wide and narrow, with the keyboard alone. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { SHORTCUTS } from '../../src/portal/frame/shortcuts.ts';
import { openPage, shareBrowser } from '../support/browser.ts';
import { chooseCases } from '../support/depth.ts';
import { createCustomer, storeMark } from '../support/portal.ts';
import { PASSWORD } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';

const openBrowser = shareBrowser();

const SCREENS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['a desktop, light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['a phone, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ['a desktop without scripts', { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false }],
];

for (const [name, options] of chooseCases(SCREENS)) {
  test(`a developer goes from the reference to an answer, its records and its programs: ${name} [4.3, 5.4]`, {
    timeout: 300_000,
  }, async (t) => {
    const browser = openBrowser(t);
    if (browser === null) return;
    const { url, db } = await startService(t);
    for (let at = 0; at < 30; at += 1) await storeMark(db, { uid: `FR${at}`, mark_name: `Mark ${at}` });
    const customer = await createCustomer(db, { quota: 100 });
    const { page, faults } = await openPage(browser, url, options);
    await page.goto(`${url}${customer.invitation}`);
    await page.fill('#password', PASSWORD);
    await page.fill('#repeated', PASSWORD);
    await page.click('text=Set the password and sign in');
    await page.click('text=Sign out');
    await page.waitForURL('**/portal/sign-in?done=signed_out');

    await page.goto(`${url}/docs`);
    await page.click('main a[href="/portal/api"] >> nth=0');
    await page.click('text=Search one register');
    await page.fill('#p-jurisdiction_code', 'FR');
    await page.click('text=Sign in to send');
    await page.fill('#email', customer.email);
    await page.fill('#password', PASSWORD);
    await page.click('main button[type=submit]');
    await page.waitForSelector('h1:has-text("Search one register")');
    assert.equal(await page.inputValue('#p-jurisdiction_code'), 'FR', 'what was typed is kept across the sign-in');

    await page.click('summary:has-text("The answer")');
    await page.fill('#p-limit', 'ten');
    await page.click('button:has-text("Send")');
    await page.waitForSelector('#p-limit-refusal');
    await page.click('.notice.bad a:has-text("limit")');
    await page.fill('#p-limit', '20');
    await page.click('button:has-text("Send")');
    await page.waitForSelector('text=200 OK');
    await page.waitForLoadState();
    assert.match(page.url(), /#results$/);
    const rows = page.locator('.beside table >> nth=0 >> tbody tr');
    assert.equal(await rows.count(), 20);
    assert.match((await page.textContent('#request-curl')) ?? '', /^curl -H "X-API-Key: \$TMDS_API_KEY" 'http/);
    await page.click('text=Next page');
    await page.waitForSelector('text=items, 10 entries');
    await page.click('text=Look up >> nth=0');
    await page.waitForSelector('h1:has-text("One record by its identity")');
    await page.waitForSelector('text=3 of 100 units used this month');
    await page.reload();
    await page.waitForSelector('text=This page cost nothing');
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test('a call is filled in, sent and read with the keyboard alone [5.4]', { timeout: 300_000 }, async (t) => {
  const browser = openBrowser(t);
  if (browser === null) return;
  const { url, db } = await startService(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia' });
  const customer = await createCustomer(db);
  const { page, faults } = await openPage(browser, url, { viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}${customer.invitation}`);
  await page.fill('#password', PASSWORD);
  await page.fill('#repeated', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/portal');
  await page.goto(`${url}/portal/api`);
  const focused = (what: string): Promise<unknown> => page.evaluate(`document.activeElement.${what}`);
  const tabTo = async (what: string, wanted: string): Promise<void> => {
    for (let stops = 0; stops < 60; stops += 1) {
      await page.keyboard.press('Tab');
      if ((await focused(what)) === wanted) return;
    }
    assert.fail(`Tab never reaches ${wanted}`);
  };
  await tabTo('textContent', 'One record by its identity');
  await page.keyboard.press('Enter');
  await page.waitForSelector('h1:has-text("One record by its identity")');
  await page.waitForLoadState();
  await tabTo('id', 'p-jurisdiction_code');
  await page.keyboard.type('FR');
  await tabTo('id', 'p-uid');
  await page.keyboard.type('FR1');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=200 OK');
  await page.waitForLoadState();
  await page.keyboard.press('Tab');
  assert.equal(await focused('closest("#results") !== null'), true, 'the focus goes on from the answer');
  await tabTo('textContent', 'The answer as a file');
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  assert.equal((await download).suggestedFilename(), 'getTrademark.json');
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('a question mark opens the list of shortcuts, except where one is typed, and every key of the list does something', {
  timeout: 300_000,
}, async (t) => {
  const browser = openBrowser(t);
  if (browser === null) return;
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const { page, faults } = await openPage(browser, url, { viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}${customer.invitation}`);
  await page.fill('#password', PASSWORD);
  await page.fill('#repeated', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/portal');
  await page.keyboard.press('/');
  await page.keyboard.type('?');
  assert.equal(await page.inputValue('#q'), '?', 'it can be typed');
  await page.fill('#q', '');
  await page.click('h1');
  await page.keyboard.press('?');
  await page.waitForURL('**/portal/shortcuts');
  const script = await readFile(new URL('../../public/portal.js', import.meta.url), 'utf8');
  for (const key of new Set(SHORTCUTS.flatMap(({ keys }) => keys))) {
    assert.ok(key === 'Enter' || script.includes(`'${key}'`), key);
    assert.ok((await page.locator(`kbd:text-is("${key}")`).count()) > 0, key);
  }
  assert.deepEqual(faults, []);
  await page.context().close();
});
