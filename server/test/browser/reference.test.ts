/** The reference of the API in a real browser: without barriers of ours, and its calls answer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { listBarriers, openPage, startBrowser } from '../support/browser.ts';
import { createCustomer } from '../support/portal.ts';
import { storeSamples } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';

let browser: Browser | null = null;
let reason = '';

before(async () => {
  const started = await startBrowser();
  if ('browser' in started) browser = started.browser;
  else reason = started.reason;
});

after(async () => {
  await browser?.close();
});

const LOOKUP = '/v1/{jurisdiction_code}/trademarks/{uid}';

/**
 * The viewer of the reference is a package. In it the button that opens an operation stands around the button that
 * copies the operation's path: no stylesheet takes one out of the other.
 */
const VIEWER_BARRIERS = [{ rule: 'nested-interactive', selector: '.opblock-summary-control' }];

test('the reference has no serious barrier of ours, light and dark [5.4]', { timeout: 300_000 }, async (t) => {
  if (browser === null) return t.skip(reason);
  const { url } = await startService(t);
  const { page, faults } = await openPage(browser, url, { viewport: { width: 1280, height: 900 } });
  const found: string[] = [];
  const examine = async (name: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await listBarriers(page, VIEWER_BARRIERS)).map((barrier) => `${name} ${colorScheme}: ${barrier}`));
    }
  };
  await page.goto(`${url}/docs`);
  await page.waitForSelector('.swagger-ui .opblock');
  await examine('/docs');
  // The search has a part of every kind that an operation has.
  await page.click('#operations-records-searchTrademarks .opblock-summary-control');
  await page.waitForSelector('.examples-select-element');
  await examine('/docs with an operation open');
  for (const path of ['/docs/api', '/docs/errors', '/docs/errors/rate_limited']) {
    await page.goto(`${url}${path}`);
    await examine(path);
  }
  assert.deepEqual(found, []);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('“Try it out” answers 200 with nothing filled in but the key, which a reload of the tab keeps [4.3, 5.2]', {
  timeout: 300_000,
}, async (t) => {
  if (browser === null) return t.skip(reason);
  const { url, db } = await startService(t);
  const [sample] = await storeSamples(db, 40);
  const customer = await createCustomer(db);
  const { page, faults } = await openPage(browser, url, { viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}/docs`);
  await page.waitForSelector('.swagger-ui .opblock');
  await page.click('.btn.authorize');
  await page.fill('.auth-container input >> nth=0', customer.key);
  await page.click('.auth-btn-wrapper button[type=submit] >> nth=0');
  await page.reload();
  await page.waitForSelector('.swagger-ui .opblock');
  assert.equal(await page.evaluate('localStorage.length'), 0);
  const tried: string[] = [];
  for (const path of ['/v1/usage', '/v1/jurisdictions', '/v1/trademarks', '/v1/changes', LOOKUP]) {
    const block = page.locator('.opblock').filter({ has: page.locator(`[data-path="${path}"]`) });
    await block.locator('.opblock-summary-control').click();
    if (path === LOOKUP) {
      await block.locator('tr[data-param-name="jurisdiction_code"] input').fill(sample?.jurisdiction_code ?? '');
      await block.locator('tr[data-param-name="uid"] input').fill(sample?.uid ?? '');
    }
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname.includes('/v1/'));
    await block.locator('.btn.execute').click();
    const response = await answered;
    tried.push(`${response.status()} ${response.url().slice(url.length).split(/[?]/)[0]}`);
    assert.equal(response.status(), 200, response.url());
    const sent = [...new URL(response.url()).searchParams.keys()];
    assert.ok(sent.length <= 1, response.url());
  }
  assert.equal(tried.length, 5);
  assert.deepEqual(faults, []);
  await page.context().close();
});
