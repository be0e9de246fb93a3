/** The portal in a real browser: the way of a new customer through every page, in light and dark, wide and narrow. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { inviteCustomer } from '../../src/access/keys.ts';
import { generateLines } from '../../src/generator/generate.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { listBarriers, openPage, startBrowser, type WatchedPage } from '../support/browser.ts';
import { FULL_PAYLOAD } from '../support/full-payload.ts';
import { createCustomer, PASSWORD, storeMark } from '../support/portal.ts';
import { startService } from '../support/service.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

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

const LONG = 'A name of a key that says at length what the key is for, in which department and since when exactly';
const LONG_ADDRESS = 'somebody.with.a.rather.long.address@trademarks.and.designs.example.org';
const RIGHT_TO_LEFT = 'شركة العلامات التجارية المحدودة';
const CHINESE = '远航科技股份有限公司';

async function signUp({ page }: WatchedPage, url: string, invitation: string): Promise<void> {
  await page.goto(`${url}${invitation}`);
  await page.fill('#password', PASSWORD);
  await page.fill('#repeated', PASSWORD);
  await page.click('text=Set the password and sign in');
  await page.waitForURL('**/portal/keys');
}

async function storeSamples(db: Parameters<typeof storeRecords>[0], records: number): Promise<SourceRecord[]> {
  const sources = [...generateLines({ records, seed: 'browser' })].map(
    (line) => ({ ...(JSON.parse(line) as SourceRecord), source_version: null }) as SourceRecord,
  );
  await storeRecords(
    db,
    sources.map((source, position) => buildStored(source, `2026-01-02T03:04:05.${String(position).padStart(6, '0')}Z`)),
  );
  return sources;
}

async function copied(page: Page): Promise<string> {
  await page.click('button.copy >> nth=0');
  await page.waitForSelector('text=Copied');
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

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

test('a person goes from the invitation through every page without a fault [5.4]', { timeout: 300_000 }, async (t) => {
  if (browser === null) return t.skip(reason);
  const { url, db, call } = await startService(t);
  await storeSamples(db, 120);
  const customer = await createCustomer(db);
  // Its summer begins on 2026-03-29 and it is winter in January: one hour ahead of UTC.
  const options = { viewport: { width: 1280, height: 900 }, timezoneId: 'Europe/Berlin' };
  const watched = await openPage(browser, url, options);
  const { page, faults } = watched;
  await signUp(watched, url, customer.invitation);
  await page.click('text=Sign out');
  await page.waitForURL('**/portal/sign-in?done=signed_out');
  await page.fill('#email', customer.email);
  await page.fill('#password', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForSelector('h1:has-text("Overview")');

  await page.click('nav >> text=Keys');
  await page.click('text=Issue a key');
  await page.fill('#name', 'docketing');
  await page.click('button:has-text("Issue the key")');
  const key = await copied(page);
  assert.equal((await call('/v1/jurisdictions', { key })).status, 200);
  await page.click('text=I have kept it');
  await page.click('text=Rotate…');
  await page.check('input[value="0"]');
  await page.click('button:has-text("Rotate and show")');
  const rotated = await copied(page);
  assert.deepEqual(
    [(await call('/v1/jurisdictions', { key })).status, (await call('/v1/jurisdictions', { key: rotated })).status],
    [403, 200],
  );
  await page.click('text=I have kept it');
  await page.click('text=Revoke…');
  await page.check('input[name=sure]');
  await page.click('button:has-text("Revoke the key")');
  await page.waitForSelector('text=The key is revoked.');
  assert.equal((await call('/v1/jurisdictions', { key: rotated })).status, 403);

  await page.click('nav >> text=Team');
  await page.fill('#email', 'colleague@example.org');
  await page.click('button:has-text("Make a link")');
  assert.match(await copied(page), new RegExp(`^${url}/portal/invitation/[\\w-]{43}$`));
  await page.click('text=Back to the team');
  await page.click('button:has-text("Withdraw")');
  await page.waitForSelector('text=The invitation no longer works.');

  await page.keyboard.press('/');
  await page.keyboard.type('zzzz/');
  assert.equal(await page.inputValue('#q'), 'zzzz/', 'a slash leads to the bar, and can be typed there');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Nothing matches');

  await page.click('nav >> text=Explorer');
  await page.fill('#mark_name_text', 'ab');
  await page.click('#search button:has-text("Search")');
  await page.waitForSelector('#mark_name_contains-refusal');
  await page.fill('#mark_name_text', '');
  await page.click('summary:has-text("Register and status")');
  await page.click('label.chip:has-text("Registered")');
  await page.selectOption('#limit', '25');
  await page.click('#search button:has-text("Search")');
  await page.waitForSelector('table.records');
  assert.equal(await page.locator('table.records tbody tr').count(), 25);
  assert.ok((await countStopsToResults(page)) <= 10, 'the first result is near for a keyboard');
  await page.click('th >> text=Filed');
  await page.waitForSelector('th[aria-sort=descending] >> text=Filed');
  await page.click('text=Next page');
  await page.waitForSelector('text=First page');
  await page.click('summary:has-text("The same request")');
  assert.match((await page.textContent('#request-curl')) ?? '', /^curl -H "X-API-Key: \$TMDS_API_KEY" 'http/);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('article.record');
  assert.match((await page.textContent('.neighbours')) ?? '', /Row 27/, 'the second row of the second page');
  await page.keyboard.press('k');
  await page.waitForSelector('.neighbours >> text=Row 26');
  await page.click('section.raw summary >> nth=0');
  const changed = page.locator('dt:has-text("Last changed") + dd time');
  assert.equal(await changed.textContent(), '2026-01-02 04:04', 'in the zone of the reader');
  assert.equal(await changed.getAttribute('title'), '2026-01-02 03:04 UTC');

  await page.click('nav >> text=Changes');
  await page.fill('#since', '2026-01-01');
  await page.click('button:has-text("Show")');
  await page.waitForSelector('text=50 changes, oldest first');
  await page.click('nav >> text=Monitoring');
  await page.waitForSelector('text=invalid_parameter');
  await page.click('text=Call log');
  await page.click('text=Watch live');
  assert.equal((await call('/v1/trademarks?status=Watched', { key: rotated })).status, 403);
  await page.waitForSelector('text=status=Watched');
  await page.click('nav >> text=API');
  await page.waitForSelector('h1:has-text("API reference")');
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('no page has a serious barrier or runs off a narrow screen, light and dark [5.4]', {
  timeout: 300_000,
}, async (t) => {
  if (browser === null) return t.skip(reason);
  const { url, db, call } = await startService(t);
  await storeMark(db, { uid: 'full', mark_name: 'NÉLYIA', payload: FULL_PAYLOAD });
  const sources = await storeSamples(db, 60);
  const customer = await createCustomer(db, { name: `${RIGHT_TO_LEFT} ${CHINESE}`, keyName: LONG, quota: 1000 });
  await inviteCustomer(db, { customer: customer.name, email: LONG_ADDRESS, actor: 'test' });
  await call('/v1/trademarks', { key: customer.key });
  await call('/v1/jurisdictions', { key: customer.key });
  const pictured = sources.find(({ payload }) => Array.isArray(payload?.images)) ?? sources[0]!;
  const record = `/portal/explorer/records/${pictured.jurisdiction_code}/${encodeURIComponent(pictured.uid)}`;
  const pages = [
    '/portal',
    '/portal/log',
    '/portal/log?outcome=failed&hours=720&status=400',
    '/portal/monitoring',
    '/portal/keys',
    '/portal/keys/new',
    `/portal/keys/${customer.keyId}`,
    `/portal/keys/${customer.keyId}/rotate`,
    `/portal/keys/${customer.keyId}/revoke`,
    '/portal/team',
    '/portal/team/activity',
    '/portal/account',
    '/portal/explorer',
    '/portal/explorer?nice_class=9&status=Registered',
    '/portal/explorer?nice_class=9&columns=register.office.goods.expires',
    '/portal/explorer?nice_class=9&view=grid',
    '/portal/explorer/export?nice_class=9',
    '/portal/explorer?mark_name_contains=ab',
    '/portal/explorer?mark_name=nothing+is+called+this',
    record,
    '/portal/explorer/records/FR/full',
    '/portal/explorer/records/FR/full?part=goods&within=hats',
    '/portal/explorer/records/FR/full?json=events',
    '/portal/feed',
    '/portal/feed?show=1',
    '/portal/api',
    '/portal/api/searchTrademarks',
    '/portal/api/searchTrademarks?nice_class=9&asked=1',
    '/portal/api/getTrademark?jurisdiction_code=FR&uid=full&expand=payload&asked=1',
    '/portal/api/listChanges?limit=ten&expand=x&asked=1',
    '/portal/api/getUsage?asked=1',
    '/portal/api/schemas/TrademarkDetail',
    '/docs/api',
    '/docs/errors',
    '/docs/errors/rate_limited',
    '/portal/none',
  ];
  const watched = await openPage(browser, url, { viewport: { width: 390, height: 844 }, colorScheme: 'light' });
  const { page, faults } = watched;
  const found: string[] = [];
  const examine = async (path: string): Promise<void> => {
    await page.goto(`${url}${path}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await listBarriers(page)).map((barrier) => `${path} ${colorScheme}: ${barrier}`));
    }
    const overhang = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    if (Number(overhang) > 0) found.push(`${path} runs ${String(overhang)} pixels off the screen`);
  };
  await examine('/portal/sign-in');
  await examine('/portal/api');
  await examine('/portal/api/searchTrademarks');
  await examine(customer.invitation);
  await signUp(watched, url, customer.invitation);
  for (const path of pages) await examine(path);
  await page.click('footer >> text=Dark');
  await page.waitForSelector('html[data-theme=dark]');
  await page.emulateMedia({ colorScheme: 'light' });
  found.push(...(await listBarriers(page)));
  assert.deepEqual(found, []);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  // The page that does not exist is one error on the console, and the only one.
  assert.deepEqual(
    faults.filter((fault) => !/\/portal\/none: Failed to load resource/.test(fault)),
    [],
  );
  await page.context().close();
});
