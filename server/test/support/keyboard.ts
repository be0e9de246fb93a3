/** A page used with nothing but a keyboard: Tab to get somewhere, Enter and Space to do it. */
import type { Page } from 'playwright-core';

const STOPS_MAX = 400;
/** For what should be there at once, however busy the machine is. */
export const PATIENCE_MS = 60_000;

/** Presses Tab until the focus is on an element that matches and says `text`. */
export async function tabTo(page: Page, selector: string, text = ''): Promise<void> {
  const wanted = JSON.stringify({ selector, text });
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    const isThere = await page.evaluate(`(() => {
      const { selector, text } = ${wanted};
      const at = document.activeElement;
      return at.matches(selector) && at.textContent.includes(text);
    })()`);
    if (isThere === true) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${selector} ${text} on ${page.url()}`);
}

/** Goes there and presses a key, which leads to another page. */
export async function follow(page: Page, selector: string, text = ''): Promise<void> {
  await tabTo(page, selector, text);
  await send(page);
}

export async function send(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
}

export async function type(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.type(text);
}

/** Past the form, by the link that the page has for it. */
export async function skipToResults(page: Page): Promise<void> {
  await tabTo(page, '.skip', 'results');
  await page.keyboard.press('Enter');
}

export async function seeHeading(page: Page, text: string): Promise<void> {
  await page.waitForSelector(`h1:has-text(${JSON.stringify(text)})`);
}
