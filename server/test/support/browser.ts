/**
 * A real Chromium from a registry package, started once per test file and closed after it. Every page it opens is
 * watched: a console error (including content-policy violations), an uncaught exception or a request to another host is
 * kept in `faults`.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, type TestContext } from 'node:test';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** The browser, or the reason why none is available. */
export async function startBrowser(): Promise<{ browser: Browser } | { reason: string }> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { reason: 'the packaged Chromium is for Linux on x64' };
  }
  try {
    const executablePath = await chromium.executablePath();
    return { browser: await playwright.launch({ executablePath, args: FLAGS, headless: true, timeout: 30_000 }) };
  } catch (error) {
    return { reason: `Chromium does not start here: ${String(error).split('\n')[0]}` };
  }
}

/** The browser of a test file, from its first test to its last one. The function skips the test if there is none. */
export function shareBrowser(): (t: TestContext) => Browser | null {
  let started: Awaited<ReturnType<typeof startBrowser>> = { reason: 'Chromium has not been started' };
  before(async () => {
    started = await startBrowser();
  });
  after(async () => {
    if ('browser' in started) await started.browser.close();
  });
  return (t) => {
    if ('browser' in started) return started.browser;
    t.skip(started.reason);
    return null;
  };
}

export interface WatchedPage {
  readonly page: Page;
  readonly faults: string[];
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (target.protocol !== 'data:' && target.origin !== url) faults.push(`${page.url()} asked ${request.url()}`);
  });
  return { page, faults };
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; impact: string | null; nodes: { target: unknown; failureSummary?: string }[] }[];
}

interface Finding {
  readonly impact: string | null;
  readonly text: string;
}

/** All findings of the accessibility checker on the current page; `rules`: of these only. */
export async function listFindings(page: Page, rules: readonly string[] = []): Promise<Finding[]> {
  // Evaluated through the debugging protocol, which the page's policy does not restrict.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(await axeSource);
  const only = rules.length === 0 ? '' : `, runOnly: ${JSON.stringify(rules)}`;
  const results = (await page.evaluate(`axe.run(document, { resultTypes: ['violations']${only} })
    .then(({ violations }) => ({ violations: violations.map(({ id, impact, nodes }) => ({ id, impact,
      nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })) }))`)) as AxeResults;
  return results.violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => ({
      impact,
      text: `${id} ${JSON.stringify(target)} ${failureSummary}`,
    })),
  );
}
