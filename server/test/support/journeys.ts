/**
 * The journeys of a person through the portal, with nothing but a keyboard: Tab to get somewhere, Enter and Space to do
 * it. They ask for no script, so they can be made where none runs.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage, shareBrowser } from './browser.ts';
import { FULL_PAYLOAD } from './full-payload.ts';
import { follow, PATIENCE_MS, seeHeading, send, skipToResults, tabTo, type } from './keyboard.ts';
import { createCustomer, storeMark } from './portal.ts';
import { PASSWORD, storeSamples } from './portal-browser.ts';
import { startService, type TestService } from './service.ts';
import { changeFullMark } from './stored-history.ts';

interface World extends TestService {
  readonly customer: Awaited<ReturnType<typeof createCustomer>>;
  readonly page: Page;
}

async function signIn({ page, customer, url }: World): Promise<void> {
  await page.goto(`${url}${customer.invitation}`);
  await type(page, '#name', 'Ada Lovelace');
  await type(page, '#password', PASSWORD);
  await type(page, '#repeated', PASSWORD);
  await send(page);
  await seeHeading(page, 'Welcome, Ada Lovelace');
  await follow(page, 'main a', 'Upload your docket');
  await seeHeading(page, 'Compare your docket');
  await follow(page, 'button', 'Sign out');
  await page.waitForSelector('text=You are signed out.');
  await page.goto(`${url}/portal`);
  await type(page, '#email', customer.email);
  await type(page, '#password', PASSWORD);
  await send(page);
  await seeHeading(page, 'Welcome, Ada Lovelace');
}

async function findByNumber({ page }: World): Promise<void> {
  await type(page, '#q', 'FR 4812345');
  await send(page);
  await page.waitForSelector('text=Application number 4812345');
  await skipToResults(page);
  await follow(page, '#records a', 'NÉLYIA');
  await seeHeading(page, 'NÉLYIA');
}

async function waitForFiling({ page }: World): Promise<void> {
  await follow(page, 'main a', 'I filed something');
  await seeHeading(page, 'I filed something');
  await follow(page, 'main button', 'Track this filing');
  await page.waitForSelector('text=The filing is tracked.');
  await follow(page, 'main button', 'Dismiss');
  await page.waitForSelector('text=No filings are tracked.');
}

async function searchAndNarrow({ page }: World): Promise<void> {
  await type(page, '#q', 'nélyia');
  await send(page);
  await page.waitForSelector('text=Marks named');
  await skipToResults(page);
  await follow(page, '#readings a', 'marks starting with');
  assert.equal(await page.locator('#records tbody tr').count(), 2);
  await skipToResults(page);
  await follow(page, '.facets a[href*="nice_class=25"]');
  await page.waitForSelector('[aria-label="Filters of this search"] >> text=Nice class');
  assert.equal(await page.locator('#records tbody tr').count(), 1);
  await skipToResults(page);
  await follow(page, '[aria-label="Filters of this search"] a', 'Nice class');
  await page.waitForSelector('#records tbody tr >> nth=1');
}

async function readRecord({ page }: World): Promise<void> {
  await skipToResults(page);
  await follow(page, '#records a', 'NÉLYIA');
  await page.waitForSelector('#goods >> text=Hats');
  await tabTo(page, '#language');
  await page.keyboard.type('French');
  await follow(page, '#goods button', 'Show');
  await page.waitForSelector('#goods p >> text=Chapeaux');
  await follow(page, '.trail a', 'Back to the search');
  await page.waitForSelector('#records');
}

async function readHistory({ page }: World): Promise<void> {
  await skipToResults(page);
  await follow(page, '#records a', 'NÉLYIA');
  await page.waitForSelector('#what-changed >> text=2 January 2036');
  await follow(page, '#what-changed a', 'Full history');
  await seeHeading(page, 'History of NÉLYIA');
  assert.equal(await page.locator('.versions > li').count(), 2);
  await follow(page, '[aria-label="By cause"] a', 'New in our data');
  assert.equal(await page.locator('.versions > li').count(), 1);
  await follow(page, '.versions a', 'The record as it was then');
  await page.waitForSelector('text=replaced on');
  await follow(page, '.trail a', 'The record today');
  await page.waitForSelector('#what-changed >> text=2 January 2036');
  await follow(page, '.trail a', 'Back to the search');
  await page.waitForSelector('#records');
}

async function readRegister({ page }: World): Promise<void> {
  await skipToResults(page);
  await follow(page, '#records a', 'NÉLYIA');
  await follow(page, '.quoted a', 'France');
  await seeHeading(page, 'France (FR)');
  await page.waitForSelector('text=can be concluded from silence');
  await follow(page, '.trail a', 'Registers');
  await seeHeading(page, 'Registers');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.waitForSelector('#records');
}

async function exportSearch({ page }: World): Promise<void> {
  await skipToResults(page);
  await follow(page, 'nav[aria-label="With this search"] a', 'Export');
  await seeHeading(page, 'Export');
  await page.waitForSelector('text=It costs 1 unit');
  const downloading = page.waitForEvent('download');
  await tabTo(page, 'main a', 'Download CSV');
  await page.keyboard.press('Enter');
  const download = await downloading;
  assert.match(download.suggestedFilename(), /\.csv$/);
  await download.delete();
}

async function saveSearch({ page }: World): Promise<void> {
  await follow(page, '.trail a', 'Back to the search');
  await skipToResults(page);
  await follow(page, 'nav[aria-label="With this search"] a', 'Save this search');
  await seeHeading(page, 'Save this search');
  await tabTo(page, '#name');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Reeds');
  await send(page);
  await page.waitForSelector('text=The search is saved.');
  await follow(page, 'main table a', 'Change…');
  await seeHeading(page, 'Reeds');
  await follow(page, '.trail a', 'Saved searches');
  await follow(page, 'main table a', 'Reeds');
  await page.waitForSelector('#records');
}

async function askWhetherFree({ page }: World): Promise<void> {
  await follow(page, 'header nav a', 'Search');
  await follow(page, '[aria-label="Kinds of search"] a', 'Is it free?');
  await seeHeading(page, 'Is it free?');
  await type(page, '#mark', 'nelia');
  await send(page);
  await page.waitForSelector('#tier-near >> text=One letter differs');
  await skipToResults(page);
  await follow(page, '#tier-near a', 'Side by side');
  await page.waitForSelector('#beside >> text=Compared as');
  await follow(page, '#beside a', 'Put back');
  await page.waitForSelector('#beside', { state: 'detached' });
  await follow(page, '[aria-label="Kinds of search"] a', 'By filters');
  await follow(page, '#results a', 'Reeds');
  await page.waitForSelector('#records');
}

async function watchSearch({ page }: World): Promise<void> {
  await skipToResults(page);
  await follow(page, 'nav[aria-label="With this search"] a', 'Watch this search');
  await seeHeading(page, 'New watch');
  await follow(page, 'main a', 'Watch the ');
  await page.waitForSelector('text=2 records match now');
  await follow(page, 'main button', 'Create the watch');
  await page.waitForSelector('text=The watch is created.');
  await follow(page, '.trail a', 'Watches');
  await seeHeading(page, 'Watches');
  await follow(page, 'main table a', 'Mark starts with');
  await page.waitForSelector('text=No hits yet.');
  await follow(page, 'main button', 'Make an address');
  await page.waitForSelector('#calendar-address');
  await follow(page, 'main a', 'Back');
  await follow(page, 'main a', 'Revoke');
  await follow(page, 'main button', 'Revoke');
  await page.waitForSelector('text=The address is revoked.');
  await follow(page, 'main a', 'Stop watching');
  await seeHeading(page, 'Stop watching');
  await tabTo(page, 'input[name=sure]');
  await page.keyboard.press('Space');
  await follow(page, 'main button', 'Stop watching');
  await page.waitForSelector('text=The watch is stopped.');
  await follow(page, 'main a', 'Watch again');
  await follow(page, 'main a', 'Cancel');
  await page.waitForSelector('main a >> text=Watch again');
}

async function reconcileDocket({ page }: World): Promise<void> {
  await follow(page, 'header nav a', 'Dockets');
  await seeHeading(page, 'Compare your docket with the registers');
  // Which file is taken is asked by the browser, outside of the page.
  const docket = {
    name: 'docket.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Register,Number\nFR,4812345\nFR,0\n'),
  };
  await page.setInputFiles('#docket', docket);
  await follow(page, 'main button', 'Upload');
  await seeHeading(page, 'docket.csv');
  await follow(page, 'main button', 'Continue');
  await page.waitForSelector('text=1 unit');
  await follow(page, 'main button', 'Compare');
  await page.waitForSelector('text=2 rows were compared for 1 unit.', { timeout: PATIENCE_MS });
  await follow(page, 'nav[aria-label="Results"] a', 'Not found');
  await page.waitForSelector('text=Looked in FR for 0');
  await page.focus('main input[name=row]');
  await page.keyboard.press('Space');
  await follow(page, 'main button', 'Mark as done');
  await page.waitForSelector('main td >> text=Done');
  await follow(page, 'main th a', '3');
  await type(page, '#note', 'withdrawn years ago');
  await follow(page, 'main button', 'Save');
  await page.waitForSelector('text=withdrawn years ago');
  await follow(page, 'main a', 'Delete');
  await follow(page, 'main button', 'Delete');
  await page.waitForSelector('text=The docket is deleted.');
}

async function readLog({ page }: World): Promise<void> {
  await follow(page, 'header nav a', 'Usage');
  await seeHeading(page, 'Usage');
  await follow(page, 'main nav a', 'Call log');
  await seeHeading(page, 'Call log');
  await follow(page, '[aria-label="Errors"] a', 'calls with invalid_parameter');
  await page.waitForSelector('#code[value=invalid_parameter]');
  assert.ok((await page.locator('[aria-label="Calls"] tbody tr').count()) >= 1);
  await type(page, '#path', 'status=Unheard');
  await send(page);
  await page.waitForURL('**path=status*');
  assert.equal(await page.locator('[aria-label="Calls"] tbody tr').count(), 1);
}

async function seeUsage({ page }: World): Promise<void> {
  await follow(page, 'header nav a', 'Usage');
  await seeHeading(page, 'Usage');
  await tabTo(page, 'summary', 'The same as a table');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Hour from');
  await follow(page, 'main a', 'By day and key');
  await seeHeading(page, 'Usage by month');
}

async function goOnWithSearch({ page }: World): Promise<void> {
  await follow(page, 'header a.brand');
  await follow(page, '[aria-label="Recent searches"] a', 'Mark starts with');
  await page.waitForSelector('#records');
  await follow(page, 'header a.brand');
  await follow(page, 'button[aria-label="Clear recent searches"]');
  await page.waitForSelector('text=Your recent searches are cleared.');
}

async function readSecret(page: Page): Promise<string> {
  return (await page.textContent('#key-text')) ?? '';
}

async function manageKey({ page, call }: World): Promise<void> {
  await follow(page, 'header nav a', 'Keys');
  await follow(page, 'main a', 'Issue a key');
  await type(page, '#name', 'docketing');
  await send(page);
  await page.waitForSelector('text=This is the only time');
  const issued = await readSecret(page);
  assert.equal((await call('/v1/jurisdictions', { key: issued })).status, 200);
  await follow(page, 'main a', 'Done, I’ve saved it');
  await follow(page, 'main a', 'Rotate');
  await seeHeading(page, 'Rotate the key');
  await tabTo(page, 'input[name=grace]');
  for (const _ of ['to one hour', 'to now']) await page.keyboard.press('ArrowUp');
  await send(page);
  await page.waitForSelector('text=This is the only time');
  const rotated = await readSecret(page);
  const answers = await Promise.all([issued, rotated].map((key) => call('/v1/jurisdictions', { key })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 200],
  );
  await follow(page, 'main a', 'Done, I’ve saved it');
  await follow(page, 'main a', 'Revoke');
  await follow(page, 'main a', 'Cancel');
  await follow(page, 'main a', 'Revoke');
  await tabTo(page, 'input[name=sure]');
  await page.keyboard.press('Space');
  await follow(page, 'main button', 'Revoke the key');
  await page.waitForSelector('text=The key is revoked.');
  assert.equal((await call('/v1/jurisdictions', { key: rotated })).status, 403);
}

async function manageWebhook({ page }: World): Promise<void> {
  await follow(page, 'header nav a', 'Webhooks');
  await follow(page, 'main a', 'Add a webhook');
  await type(page, '#url', 'https://example.com/hooks');
  await send(page);
  await page.waitForSelector('text=This is the only time');
  assert.match((await page.textContent('#secret-text')) ?? '', /^whsec_/);
  await follow(page, 'main a', 'Done, I’ve saved it');
  await follow(page, 'main button', 'Switch off');
  await page.waitForSelector('text=The webhook is switched off.');
  await follow(page, 'main button', 'Switch on');
  await page.waitForSelector('text=The webhook is switched on.');
  await follow(page, 'main a', 'Rotate');
  await follow(page, 'main button', 'Rotate and show');
  await page.waitForSelector('text=The old secret ends');
  await follow(page, 'main a', 'Done, I’ve saved it');
  await follow(page, 'main a', 'Delete');
  await tabTo(page, 'input[name=sure]');
  await page.keyboard.press('Space');
  await follow(page, 'main button', 'Delete the webhook');
  await page.waitForSelector('text=The webhook is deleted.');
}

async function inviteColleague({ page, url }: World): Promise<void> {
  await follow(page, 'header nav a', 'Team');
  await type(page, '#email', 'colleague@example.org');
  await send(page);
  await page.waitForSelector('text=This is the only time');
  const link = (await page.textContent('#link-text')) ?? '';
  assert.match(link, new RegExp(`^${url}/portal/invitation/[\\w-]{43}$`));
  await follow(page, 'main a', 'Back to the team');
  await follow(page, 'main button', 'Withdraw');
  await page.waitForSelector('text=The invitation no longer works.');
}

/** In the order in which one can follow the other: some begin where the one before ended. */
const JOURNEYS: readonly (readonly [name: string, (world: World) => Promise<void>])[] = [
  ['joins, signs out and signs in', signIn],
  ['finds a record by its number', findByNumber],
  ['waits for an office to show a filing', waitForFiling],
  ['searches for a mark and narrows it by a facet', searchAndNarrow],
  ['reads the goods of a record in another language', readRecord],
  ['reads the history of a record and sees it as it was', readHistory],
  ['reads what silence of a register means', readRegister],
  ['exports a search', exportSearch],
  ['saves a search under a name and makes it again', saveSearch],
  ['asks whether a name is free, and puts a mark next to it', askWhetherFree],
  ['watches a search and ends the watch', watchSearch],
  ['compares a docket with the registers', reconcileDocket],
  ['goes through the call log by its error groups', readLog],
  ['looks over the month and the day', seeUsage],
  ['goes on with a recent search, and clears them', goOnWithSearch],
  ['issues, rotates and revokes a key', manageKey],
  ['adds, switches, rotates and deletes a webhook', manageWebhook],
  ['invites a colleague', inviteColleague],
];

/** Declares the test of the journeys on such a screen. Default: of all of them, else of the first ones. */
export function testJourneys(name: string, options: BrowserContextOptions, journeysMax = JOURNEYS.length): void {
  const openBrowser = shareBrowser();
  test(name, { timeout: 300_000 }, async (t) => {
    const browser = openBrowser(t);
    if (browser !== null) await makeJourneys(t, browser, options, JOURNEYS.slice(0, journeysMax));
  });
}

async function makeJourneys(
  t: TestContext,
  browser: Browser,
  options: BrowserContextOptions,
  journeys: typeof JOURNEYS,
): Promise<void> {
  const service = await startService(t);
  const { db, url, call } = service;
  await storeMark(db, { uid: 'full', mark_name: 'NÉLYIA', nice_classes: [25], payload: FULL_PAYLOAD, ...NUMBERED });
  await storeMark(db, { uid: 'other', mark_name: 'Nélyia Blue', nice_classes: [9] });
  await storeSamples(db, 60);
  await changeFullMark(db);
  const customer = await createCustomer(db, { products: ['records', 'analytics'] });
  for (const path of ['/v1/trademarks?status=Registered', '/v1/trademarks?status=Unheard']) {
    await call(path, { key: customer.key });
  }
  const { page, faults } = await openPage(browser, url, { ...options, locale: 'en-GB', acceptDownloads: true });
  page.setDefaultTimeout(PATIENCE_MS);
  for (const [name, make] of journeys) {
    await t.test(`a person ${name}`, () => make({ ...service, customer, page }));
  }
  assert.deepEqual(faults, []);
}

const NUMBERED = { application_number: '4812345' };
