/**
 * `npm run pictures`: starts a demonstration of its own, joins its portal and takes the pictures of the documentation.
 * With `--all FOLDER` it takes every page instead, on a desktop and on a phone, light and dark, to be looked at.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openPage, startBrowser } from '../server/test/support/browser.ts';
import {
  listOperatorPages,
  listPortalPages,
  listVisitorPages,
  type PortalPage,
  signUp,
} from '../server/test/support/portal-browser.ts';
import { createDataFolder, runTmds, startServing } from '../server/test/support/process.ts';
import { buildCommand } from './command.ts';

const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url));
/** Of owners whose names are in scripts that the packaged browser has letters for. */
const SEARCH = '/portal/explorer?nice_class=9&status=Registered&owner_country=DE,FR,GB,IT';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** What a program calls before the pictures are taken, so that overview and log have something to show. */
const CALLS: readonly string[] = [
  '/v1/trademarks?status=Registered&limit=25',
  '/v1/trademarks?mark_name_contains=ab',
  '/v1/trademarks?status=Unheard',
  '/v1/FR/trademarks/none',
  '/v1/changes?since=2026-01-01',
];

/** What a command printed, as far as it is read here. */
type Asked = { link?: string; loads?: { load_id: string }[] } & { id: string }[];

interface Options {
  readonly all?: string;
  readonly only?: string;
}

const command = buildCommand('npm run pictures --', 'Takes the pictures of the portal.')
  .option('--all <folder>', 'take every page there, on a desktop and on a phone, light and dark')
  .option('--only <part>', 'with --all, only pages whose name contains this')
  .parse();

const closers: (() => Promise<unknown>)[] = [];
try {
  await takePictures(command.opts<Options>());
} finally {
  for (const close of closers.reverse()) await close();
}

async function takePictures({ all, only = '' }: Options): Promise<void> {
  const context = { after: (work: () => Promise<void>) => void closers.push(work) };
  const started = await startBrowser();
  if (!('browser' in started)) throw new Error(started.reason);
  closers.push(() => started.browser.close());
  const folder = await createDataFolder(context);
  const served = await startServing(context, { TMDS_DATA_DIR: folder }, ['serve', '--demo']);
  const read = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [, found] = pattern.exec(served.stdout()) ?? [];
      if (found !== undefined) return found;
      await new Promise((resolve) => served.child.stdout?.once('data', resolve));
    }
  };
  const url = served.address;
  const key = await read(/^demonstration key\s+(\S+)$/m);
  for (const path of CALLS) await fetch(`${url}/records${path}`, { headers: { 'x-api-key': key } });
  const { page } = await openPage(started.browser, url, { viewport: DESKTOP, locale: 'en-GB' });
  const invitation = await read(/(\/portal\/invitation\/\S+)/);
  if (all !== undefined) {
    mkdirSync(all, { recursive: true });
    const shown = listVisitorPages(invitation).filter(({ name }) => name.includes(only));
    for (const each of shown) await takeAll(page, url, each, all);
    await page.setViewportSize(DESKTOP);
  }
  await signUp(page, url, invitation);
  await page.goto(`${url}${SEARCH}&view=grid`);
  const record = await page.getAttribute('#records li:has(img) a', 'href');
  const recordPath = (record ?? '').split('?')[0] ?? '';
  if (all === undefined) {
    await takeOne(page, { url, path: SEARCH }, `${IMAGES}portal-explorer.png`);
    await takeOne(page, { url, path: recordPath }, `${IMAGES}portal-record.png`);
    return;
  }
  const pages = listPortalPages({ keyId: key.split('_')[1] ?? '', record: recordPath });
  for (const shown of pages.filter(({ name }) => name.includes(only))) await takeAll(page, url, shown, all);
  const ask = async (...words: string[]): Promise<Asked> =>
    JSON.parse((await runTmds(context, [...words, '--json'], { TMDS_DATA_DIR: folder })).stdout) as Asked;
  const { link = '' } = await ask('operator', 'invite', 'operator@example.org');
  const operator = await openPage(started.browser, url, { viewport: DESKTOP, locale: 'en-GB' });
  await signUp(operator.page, url, new URL(link).pathname, '/portal/operator');
  const [customer] = (await ask('customer', 'list')) as { id: string }[];
  const [load] = (await ask('loads')).loads ?? [];
  const ids = { customerId: customer?.id ?? '', keyId: key.split('_')[1] ?? '', loadId: load?.load_id ?? '' };
  const shown = listOperatorPages(ids).filter(({ name }) => name.includes(only));
  for (const each of shown) await takeAll(operator.page, url, each, all);
}

async function takeOne(page: Page, { url, path }: { url: string; path: string }, file: string): Promise<void> {
  await page.goto(`${url}${path}`);
  await page.screenshot({ path: file });
  console.log(file);
}

async function takeAll(page: Page, url: string, { name, path }: PortalPage, folder: string): Promise<void> {
  for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(viewport);
    await page.goto(`${url}${path}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}-${device}-${colorScheme}.png`), fullPage: true });
    }
  }
  console.log(name);
}
