/** The journeys of a developer and of an operator, with nothing but a keyboard, and no script. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { inviteWithin } from '../../src/access/keys.ts';
import { inviteOperator } from '../../src/access/operators.ts';
import { listFindings, openPage, shareBrowser } from './browser.ts';
import { follow, PATIENCE_MS, seeHeading, send, tabTo, type } from './keyboard.ts';
import { createCustomer, storeMark } from './portal.ts';
import { PASSWORD } from './portal-browser.ts';
import { startService, type TestService } from './service.ts';

interface World extends TestService {
  readonly customer: Awaited<ReturnType<typeof createCustomer>>;
  readonly page: Page;
  /** Where scripts run, the page has no barrier. */
  readonly check: () => Promise<void>;
}

async function join({ page, url }: World, token: string): Promise<void> {
  await page.goto(`${url}/portal/invitation/${token}`);
  await type(page, '#password', PASSWORD);
  await type(page, '#repeated', PASSWORD);
  await send(page);
}

/** From the key that was issued for the customer to a call, a test event and the log of both. */
async function program(world: World): Promise<void> {
  const { page, db, customer, call, check } = world;
  const order = { customer: customer.name, email: 'dev@example.org', role: 'developer', actor: 'test' } as const;
  const { token } = await db.transaction((tx) => inviteWithin(tx, order));
  await join(world, token);
  await seeHeading(page, 'Welcome');
  await page.waitForSelector('h2:has-text("For your programs")');
  await follow(page, 'main a', 'Keys');
  await check();
  await follow(page, 'main button', 'Show a new secret');
  await page.waitForSelector('text=This is the only time');
  const secret = (await page.textContent('#key-text')) ?? '';
  assert.equal((await call('/v1/jurisdictions', { key: secret })).status, 200);
  await follow(page, 'main a', 'Done, I’ve saved it');

  await follow(page, 'header nav a', 'API');
  await follow(page, 'main a', 'Search one register');
  assert.notEqual(await page.inputValue('#p-jurisdiction_code'), '', 'the example is filled in');
  await page.fill('#p-jurisdiction_code', 'FR');
  await follow(page, 'main button', 'Send');
  await page.waitForSelector('text=200 OK');
  await check();

  await follow(page, 'header nav a', 'Webhooks');
  await page.waitForSelector('text=No webhooks yet. Add one');
  await follow(page, 'main a', 'Add a webhook');
  await type(page, '#url', 'https://example.com/hooks');
  await send(page);
  await follow(page, 'main a', 'Done, I’ve saved it');
  await follow(page, 'main button', 'Send a test event');
  await page.waitForSelector('#tests td >> text=on its way');
  await check();

  await follow(page, 'header nav a', 'Usage');
  await follow(page, 'main nav a', 'Call log');
  await seeHeading(page, 'Call log');
  await page.waitForSelector('[aria-label="Calls"] code:has-text("/v1/FR/trademarks")');
  await check();
  assert.equal(await page.locator('header nav a:has-text("Watches")').count(), 0, 'marks are no part of the role');
}

/** From what needs attention to the customer whom it concerns, through their eyes, and back. */
async function operate(world: World): Promise<void> {
  const { page, db, customer, call, check } = world;
  for (let calls = 0; calls < 8; calls += 1) await call('/v1/jurisdictions', { key: customer.key });
  const { token } = await db.transaction((tx) => inviteOperator(tx, { email: 'op@example.org', actor: 'test' }));
  await join(world, token);
  await seeHeading(page, 'Overview');
  await page.waitForSelector('#attention .notice >> text=80 % of the quota for records is used');
  await check();
  await tabTo(page, '#attention .notice summary', 'Dismiss');
  await page.keyboard.press('Enter');
  await type(page, '#attention .notice input[name=note]', 'They know, and will upgrade.');
  await send(page);
  await page.waitForSelector('text=It is dismissed, and comes back when it changes.');
  assert.equal(await page.locator('#attention > .notice').count(), 0);
  await tabTo(page, '#attention summary', 'dismissed until they change');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#attention td >> text=They know, and will upgrade.');

  await follow(page, 'header nav a', 'Customers');
  await follow(page, 'main table a', customer.name);
  await check();
  await follow(page, 'main button', 'View as this customer');
  await page.waitForSelector(`text=You view ${customer.name} until`);
  await follow(page, 'header nav a', 'Keys');
  await page.waitForSelector('main >> text=production');
  assert.equal(await page.locator('main button').count(), 0, 'nothing can be changed');
  await check();
  await follow(page, '[aria-label="Viewing"] button', 'End');
  await page.waitForSelector('text=You no longer view a customer.');
  await seeHeading(page, customer.name);
}

const JOURNEYS: readonly (readonly [who: string, make: (world: World) => Promise<void>])[] = [
  ['a developer gets a secret, tries a call, sends a test event and finds the calls in the log', program],
  ['an operator dismisses a matter with a note, views a customer and leaves', operate],
];

/** Declares the tests of both on such a screen. */
export function testOtherJourneys(where: string, options: BrowserContextOptions): void {
  const openBrowser = shareBrowser();
  for (const [name, make] of JOURNEYS) {
    test(`${name}: ${where} [5.4]`, { timeout: 180_000 }, async (t) => {
      const browser = openBrowser(t);
      if (browser !== null) await makeJourney(t, browser, options, make);
    });
  }
}

async function makeJourney(
  t: TestContext,
  browser: Browser,
  options: BrowserContextOptions,
  make: (world: World) => Promise<void>,
): Promise<void> {
  const service = await startService(t);
  const { db, url } = service;
  await storeMark(db, { uid: 'one', mark_name: 'NÉLYIA' });
  const customer = await createCustomer(db, { quota: 10 });
  const { page, faults } = await openPage(browser, url, { ...options, locale: 'en-GB' });
  page.setDefaultTimeout(PATIENCE_MS);
  const check = async (): Promise<void> => {
    if (options.javaScriptEnabled !== false) assert.deepEqual(await listFindings(page), [], page.url());
  };
  await make({ ...service, customer, page, check });
  assert.deepEqual(faults, []);
}
