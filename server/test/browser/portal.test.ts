/** Every page of the portal in a real browser: without barriers, inside a narrow screen; and what scripts add to it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { inviteCustomer } from '../../src/access/keys.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { listFindings, openPage, shareBrowser } from '../support/browser.ts';
import { chooseCases } from '../support/depth.ts';
import { storeDockets } from '../support/dockets.ts';
import { storeDue } from '../support/due.ts';
import { FULL_PAYLOAD } from '../support/full-payload.ts';
import { createCustomer, STORED_AT, storeMark, storeSavedSearch } from '../support/portal.ts';
import { listPortalPages, listVisitorPages, signUp, storeSamples } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';
import { changeFullMark } from '../support/stored-history.ts';
import { storeChanges, storeWatch, storeWebhook } from '../support/watch-hits.ts';

const openBrowser = shareBrowser();

const LONG = 'A name of a key that says at length what the key is for, in which department and since when exactly';
const LONG_ADDRESS = 'somebody.with.a.rather.long.address@trademarks.and.designs.example.org';
const RIGHT_TO_LEFT = 'شركة العلامات التجارية المحدودة';
const CHINESE = '远航科技股份有限公司';

/** Of more than a hundred; the proofs examine all. */
const PAGES_A_DAY = 12;

/** Themes differ in colours only. */
const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** Where head, parts and foot of a page begin; pages of visitors are centred. */
const LEFT_EDGES = `[...document.querySelectorAll('body:not(.outside) :is(.brand, main > *, footer > :first-child)')]
  .filter((part) => part.offsetParent !== null)
  .map((part) => Math.round(part.getBoundingClientRect().left))`;

/** Words of a sentence that stand against a link or an emphasis without a space. */
const GLUED = `[...document.querySelectorAll('p :is(a, strong, em, time, bdi)')].flatMap((part) => {
  const [before, own, after] = [part.previousSibling, part, part.nextSibling].map((node) =>
    node !== null && (node === part || node.nodeType === Node.TEXT_NODE) ? node.textContent : '');
  const isGlued = (left, right) => /[\\p{L}\\p{N}.,;:!?)]$/u.test(left) && /^[\\p{L}\\p{N}(]/u.test(right);
  return isGlued(before, own) || isGlued(own, after) ? [before.slice(-20) + own.slice(0, 20) + after.slice(0, 20)] : [];
})`;

/** How often to press Tab, with the link that skips to the results, until the focus is on the first one. */
async function countStopsToResults(page: Page): Promise<number> {
  await page.reload();
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  for (let stops = 3; stops < 50; stops += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.closest("#records tbody") !== null')) === true) return stops;
  }
  return Number.POSITIVE_INFINITY;
}

test('scripts add the slash, copying, rows by letters, the zone of the reader and a log that refreshes itself [5.4]', {
  timeout: 300_000,
}, async (t) => {
  const browser = openBrowser(t);
  if (browser === null) return;
  const { url, db, call } = await startService(t);
  await storeSamples(db, 120);
  const customer = await createCustomer(db);
  // Its summer begins on 2026-03-29 and it is winter in January: one hour ahead of UTC.
  const options = { viewport: { width: 1280, height: 900 }, timezoneId: 'Europe/Berlin' };
  const { page, faults } = await openPage(browser, url, options);
  await signUp(page, url, customer.invitation);

  await page.keyboard.press('/');
  await page.keyboard.type('zzzz/');
  assert.equal(await page.inputValue('#q'), 'zzzz/', 'a slash leads to the bar, and can be typed there');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=No trademarks found');

  await page.goto(`${url}/portal/explorer?status=Registered&limit=25&sort=application_date`);
  assert.equal(await page.locator('#records tbody tr').count(), 25);
  assert.ok((await countStopsToResults(page)) <= 10, 'the first result is near for a keyboard');
  await page.waitForSelector('th[aria-sort=descending] >> text=Filed');
  await page.click('text=Next page');
  await page.waitForSelector('text=First page');
  // A script of a page hears keys and clicks once the page has been loaded.
  await page.waitForLoadState();
  await page.click('summary:has-text("The same request")');
  await page.click('button[data-copy=request-curl]');
  await page.waitForSelector('text=Copied');
  const curl = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.match(curl, /^curl -H "X-API-Key: \$TMDS_API_KEY" 'http/);
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('article.record');
  await page.waitForLoadState();
  assert.match((await page.textContent('.neighbours')) ?? '', /Trademark 27/, 'the second row of the second page');
  await page.keyboard.press('k');
  await page.waitForSelector('.neighbours >> text=Trademark 26');
  const changed = page.locator('dt:has-text("Last changed") + dd time');
  assert.equal(await changed.textContent(), '2 January 2026, 04:04', 'in the zone of the reader');
  assert.equal(await changed.getAttribute('title'), '2026-01-02 03:04 UTC');

  await page.goto(`${url}/portal/log?live=1`);
  await page.waitForSelector('text=New calls appear here automatically');
  assert.equal((await call('/v1/trademarks?status=Watched', { key: customer.key })).status, 400);
  await page.waitForSelector('text=status=Watched');
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('25 marks fit on the screen of a laptop, a long name takes three lines, and a word mark is its own picture', {
  timeout: 300_000,
}, async (t) => {
  const browser = openBrowser(t);
  if (browser === null) return;
  const { url, db } = await startService(t);
  for (let at = 0; at < 24; at += 1) {
    const owner_names = ['Quillham and Daughters Holding SA'];
    await storeMark(db, { uid: `FR${at}`, mark_name: `QUILLHAM ${at}`, owner_names, nice_classes: [9, 25, 42] });
  }
  const long = 'A name that goes on and on '.repeat(30).trim();
  await storeMark(db, { uid: 'FR24', mark_name: long, owner_names: [long] });
  const customer = await createCustomer(db);
  const { page, faults } = await openPage(browser, url, { viewport: { width: 1440, height: 900 } });
  await signUp(page, url, customer.invitation);
  await page.goto(`${url}/portal/explorer?jurisdiction=FR&limit=25`);
  const rows = page.locator('#records tbody tr');
  assert.equal(await rows.count(), 25);
  const last = await rows.nth(24).boundingBox();
  assert.ok(last !== null && last.y + last.height <= 900, `the last row ends at ${last && last.y + last.height}`);
  const cut = await page.locator('#records .cut', { hasText: 'goes on' }).first().boundingBox();
  assert.ok(cut !== null && cut.height < 4 * 20, `${cut?.height} pixels`);
  const [rail, table] = [await page.locator('#facets').boundingBox(), await page.locator('#records').boundingBox()];
  assert.ok(rail !== null && table !== null && rail.x + rail.width <= table.x && table.width > 1100);
  assert.ok(
    Number(await page.evaluate('(t => t.scrollWidth - t.clientWidth)(document.querySelector("#records"))')) <= 0,
  );
  await page.goto(`${url}/portal/explorer?jurisdiction=FR&limit=25&view=grid`);
  await page.waitForSelector('#records .picture .word >> text=QUILLHAM 7');
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('no page has a barrier, another left edge, or runs off a narrow screen, light and dark [5.4]', {
  timeout: 300_000,
}, async (t) => {
  const browser = openBrowser(t);
  if (browser === null) return;
  const { url, db, call } = await startService(t, { isDemo: true });
  await storeMark(db, { uid: 'full', mark_name: 'NÉLYIA', payload: FULL_PAYLOAD });
  const sources = await storeSamples(db, 60);
  await changeFullMark(db);
  const customer = await createCustomer(db, {
    name: `${RIGHT_TO_LEFT} ${CHINESE}`,
    keyName: LONG,
    quota: 1000,
    products: ['records', 'analytics'],
  });
  await inviteCustomer(db, { customer: customer.name, email: LONG_ADDRESS, actor: 'test' });
  await call('/v1/trademarks', { key: customer.key });
  await call('/v1/jurisdictions', { key: customer.key });
  const pictured = sources.find(({ payload }) => Array.isArray(payload?.images)) ?? sources[0]!;
  const { page, faults } = await openPage(browser, url, {
    viewport: { width: 390, height: 844 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const found: string[] = [];
  const examine = async (path: string): Promise<void> => {
    await page.goto(`${url}${path}`);
    await page.emulateMedia({ colorScheme: 'light' });
    found.push(...(await listFindings(page)).map(({ text }) => `${path}: ${text}`));
    await page.emulateMedia({ colorScheme: 'dark' });
    found.push(...(await listFindings(page, COLOUR_RULES)).map(({ text }) => `${path} in the dark: ${text}`));
    found.push(...((await page.evaluate(GLUED)) as string[]).map((words) => `${path} lacks a space in "${words}"`));
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const overhang = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
      if (overhang > 0) found.push(`${path} runs ${overhang} pixels off a screen of ${width}`);
      const edges = (await page.evaluate(LEFT_EDGES)) as number[];
      if (new Set(edges).size > 1) found.push(`${path} has left edges at ${edges.join(', ')} of ${width}`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
  };
  for (const { path } of chooseCases(listVisitorPages(customer.invitation))) await examine(path);
  await signUp(page, url, customer.invitation);
  const watchId = await storeWatch(db, customer.name);
  const hit = await storeChanges(db, watchId);
  const webhookId = await storeWebhook(db, customer.name, watchId);
  const record = '/portal/explorer/records/FR/full';
  const version = STORED_AT;
  const saved = await storeSavedSearch(db, customer.name);
  const [own] = await db.query<{ user_id: string }>(sql`select user_id from portal_user`);
  const shown = { webhookId, version, watch: 'brands', hit, saved, colleague: own!.user_id };
  await page.goto(`${url}/portal/explorer?mark_name_contains=${encodeURIComponent(CHINESE)}&jurisdiction=FR`);
  const pages = listPortalPages({ keyId: customer.keyId, record, ...shown });
  const due = await storeDue(db, customer.name);
  const dockets = await storeDockets(db, customer.keyId);
  const image = `/portal/explorer/records/${pictured.jurisdiction_code}/${encodeURIComponent(pictured.uid)}`;
  const paths = [...pages.map((each) => each.path), ...due, ...dockets, image];
  for (const path of chooseCases(paths, PAGES_A_DAY)) await examine(path);
  await page.click('footer >> text=Dark');
  await page.waitForSelector('html[data-theme=dark]');
  await page.emulateMedia({ colorScheme: 'light' });
  found.push(...(await listFindings(page)).map(({ text }) => `dark by choice: ${text}`));
  assert.deepEqual(found, []);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  // Pages and records that do not exist are errors on the console, and the only ones.
  assert.deepEqual(
    faults.filter((fault) => !/\/(none|FR\/none): Failed to load resource/.test(fault)),
    [],
  );
  await page.context().close();
});
