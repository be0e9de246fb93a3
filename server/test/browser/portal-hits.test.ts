/** Hits by keyboard, at a desk, on a phone and without scripts: filter, mark as done, open one, leave a note. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { listFindings, openPage, shareBrowser } from '../support/browser.ts';
import { chooseCases } from '../support/depth.ts';
import { createCustomer } from '../support/portal.ts';
import { signUp } from '../support/portal-browser.ts';
import { startService, type TestContext } from '../support/service.ts';
import { storeChanges, storeWatch } from '../support/watch-hits.ts';

const openBrowser = shareBrowser();

const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true },
  scriptless: { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false },
};

for (const [name, options] of chooseCases(Object.entries(SCREENS))) {
  test(`hits are filtered, done and noted by keyboard (${name})`, { timeout: 300_000 }, async (t) => {
    const browser = openBrowser(t);
    if (browser !== null) await workThrough(t, browser, options);
  });
}

async function workThrough(t: TestContext, browser: Browser, options: BrowserContextOptions): Promise<void> {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const { page, faults } = await openPage(browser, url, options);
  await signUp(page, url, customer.invitation);
  const watchId = await storeWatch(db, customer.name);
  await storeChanges(db, watchId);
  const check = async (): Promise<void> => {
    if (options.javaScriptEnabled === false) return;
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= options.viewport!.width, `${page.url()} is ${width} wide`);
    assert.deepEqual(await listFindings(page), [], page.url());
  };
  const press = async (selector: string, key: string): Promise<void> => {
    await page.focus(selector);
    await page.keyboard.press(key);
  };
  await page.goto(`${url}/portal/watches/brands`);
  assert.equal(await page.locator('#hits tbody tr').count(), 2);
  await check();
  await press('#hits .chips a:has-text("Mark")', 'Enter');
  await page.waitForURL('**kind=mark**');
  assert.equal(await page.locator('#hits tbody tr').count(), 1);
  await press('#hits tbody input[name=hit]', 'Space');
  await press('#hits button:has-text("as done")', 'Enter');
  await page.waitForSelector('text=The hits are done.');
  await page.waitForSelector('#hits tbody .badge:has-text("done")');
  await press('#hits tbody th a', 'Enter');
  await page.waitForSelector('#what-changed ins');
  await page.waitForLoadState();
  await check();
  await page.fill('#note', 'Ask the client.');
  await press('#handling button', 'Enter');
  await page.waitForSelector('text=Saved.');
  await page.waitForLoadState();
  assert.equal(await page.inputValue('#note'), 'Ask the client.');
  await page.waitForSelector('.badge:has-text("done")');
  await check();
  assert.deepEqual(faults, []);
}
