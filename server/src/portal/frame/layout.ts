/** The frame of every page: head, navigation, message and footer. One stylesheet, one script, nothing inline. */

import { html } from 'htm/preact';
import { renderToString } from 'preact-render-to-string';
import type { PortalSession } from '../../store/accounts/portal.ts';
import type { Area, Page, Section } from './call.ts';
import { renderButton, renderNotice } from './components.ts';
import { renderInstant } from './pieces.ts';
import { mayOpen, nameOfPerson } from './roles.ts';

export type Theme = 'auto' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

/** The message of the page after a redirect, by the name in `?done=`. */
const DONE: Readonly<Record<string, string>> = {
  renamed: 'The key is renamed.',
  limited: 'The limit is set.',
  grace_ended: 'Calls with the old secret are refused from now on.',
  revoked: 'The key is revoked. Calls with it are refused from now on.',
  removed: 'The person can no longer sign in.',
  withdrawn: 'The invitation no longer works.',
  password: 'Your password is changed, and your other sessions have ended.',
  sessions: 'Your other sessions have ended.',
  named: 'Your name is changed.',
  role: 'The role is changed. It holds from now on.',
  hits_seen: 'All hits are seen.',
  hits_none: 'No hit was chosen.',
  hits_done: 'The hits are done.',
  hits_open: 'The hits are open again.',
  hits_mine: 'The hits are assigned to you.',
  hit_saved: 'Saved.',
  searches_cleared: 'Your recent searches are cleared.',
  signed_out: 'You are signed out.',
  customer_added: 'The customer is added.',
  customer_renamed: 'The customer is renamed.',
  customer_suspended: 'The customer is suspended. Its keys and people are refused from now on.',
  customer_resumed: 'The customer is resumed. Its keys and people are let in again.',
  customer_removed: 'The customer is removed. Usage and audit stay under this name.',
  key_set: 'The key is changed.',
  docket_watched: 'The records that were found are watched.',
  judged: 'The marks are kept with the search.',
  judged_none: 'No mark was chosen.',
  search_saved: 'The search is saved.',
  search_renamed: 'The saved search is renamed.',
  search_deleted: 'The saved search is deleted.',
  watch_made: 'The watch is created. It reports changes from now on.',
  watch_changed: 'The watch is changed. The new version applies to changes from now on.',
  watch_unchanged: 'The watch is unchanged.',
  watch_ended: 'The watch is stopped. Its hits stay.',
  webhook_on: 'The webhook is switched on. Waiting deliveries are sent now.',
  webhook_off: 'The webhook is switched off. New deliveries wait until it is switched on again.',
  webhook_deleted: 'The webhook is deleted.',
  webhook_grace_ended: 'From now on, deliveries are signed with the new secret only.',
  replayed: 'The delivery is sent again, with a new id.',
  calendar_revoked: 'The address is revoked. It no longer answers.',
  digest_on: 'You get a daily digest from now on.',
  digest_off: 'You get no more digests.',
  reminders_on: 'You are reminded of dates from tomorrow on.',
  reminders_off: 'You get no more reminders.',
  filing_added: 'The filing is tracked.',
  filing_dismissed: 'The filing is dismissed.',
  docket_deleted: 'The docket is deleted.',
  dockets_forgotten: 'The memory of dockets is deleted.',
  view_ended: 'You no longer view a customer.',
  matter_dismissed: 'It is dismissed, and comes back when it changes.',
  matter_back: 'It is listed again.',
};

export interface Frame {
  readonly session: PortalSession | null;
  readonly csrf: string;
  readonly theme: Theme;
  readonly target: string;
  readonly query: URLSearchParams;
  readonly assetVersion: string;
}

/** The whole document. The template library escapes every text; nothing here opts out of that. */
export function renderDocument(page: Page, frame: Frame): string {
  const { session, theme, assetVersion } = frame;
  const done = DONE[frame.query.get('done') ?? ''];
  const document = html`
    <html lang="en" data-theme=${theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content=${theme === 'auto' ? 'light dark' : theme} />
        <meta name="robots" content="noindex" />
        <title>${`${page.title} · Trademark data`}</title>
        <link rel="icon" href=${`/portal/assets/icon.svg?v=${assetVersion}`} type="image/svg+xml" />
        <link rel="stylesheet" href=${`/portal/assets/portal.css?v=${assetVersion}`} />
        <script src=${`/portal/assets/portal.js?v=${assetVersion}`} defer></script>
      </head>
      <body class=${session === null ? 'outside' : null}>
        <a class="skip" href="#content">Skip to the content</a>
        ${page.results === true ? html`<a class="skip" href="#results">Skip to the results</a>` : null}
        ${renderHeader(page, frame)}
        <main id="content" tabindex="-1">
          ${done === undefined ? null : renderNotice('good', done, 'status')}
          ${page.body}
        </main>
        ${renderFooter(frame)}
      </body>
    </html>
  `;
  return `<!doctype html>\n${renderToString(document as never)}`;
}

function renderHeader(page: Page, { session, csrf, query }: Frame): unknown {
  if (session === null) {
    return html`
      <header class="top">
        <a class="brand" href="/portal/sign-in">Trademark data</a>
        <nav aria-label="Portal">
          <ul>
            <li><a href="/portal/api" aria-current=${page.section === 'api' ? 'page' : null}>API</a></li>
          </ul>
        </nav>
      </header>
    `;
  }
  const { person, user } = session;
  const isOperator = person.is_operator;
  const hasBar = !isOperator && mayOpen(person, 'search');
  return html`
    <header class="top">
      <a class="brand" href="/portal" aria-current=${page.section === 'home' ? 'page' : null}>Trademark data</a>
      <nav aria-label="Portal">
        <ul>
          ${listEntries(session, page).map(
            ({ section, href, label, isApart }, position) => html`
              <li class=${isApart === true && position > 0 ? 'apart' : null}>
                <a href=${href} aria-current=${page.section === section ? 'page' : null}>${label}</a>
              </li>
            `,
          )}
        </ul>
      </nav>
      ${hasBar ? renderSearchBar({ text: query.get('q') ?? '', keyId: query.get('key') ?? '' }) : null}
      <div class="whoami">
        <a href="/portal/account" aria-current=${page.section === 'account' ? 'page' : null}>
          <span class="customer"><bdi>${person.customer ?? 'Operator'}</bdi></span>
          <span class="email"><bdi>${nameOfPerson(person)}</bdi></span>
        </a>
        <form method="post" action="/portal/sign-out">
          <input type="hidden" name="csrf" value=${csrf} />
          ${renderButton('Sign out', 'quiet')}
        </form>
      </div>
    </header>
    ${isOperator && user !== null ? renderViewing(user.customer, session.viewedUntil, csrf) : null}
  `;
}

function renderViewing(customer: string, until: string | null, csrf: string): unknown {
  const form = html`
    <form method="post" action="/portal/operator/view/end" class="row" aria-label="Viewing">
      <input type="hidden" name="csrf" value=${csrf} />
      <span>
        You view <strong><bdi>${customer}</bdi></strong>${until === null ? null : html` until ${renderInstant(until)}`}:
        nothing can be changed. The view is noted in their activity, and ends when you open an operators’ page.
      </span>
      ${renderButton('End', 'second')}
    </form>
  `;
  return renderNotice('warn', form);
}

function renderFooter({ session, theme, csrf, target }: Frame): unknown {
  return html`
    <footer>
      <form method="post" action="/portal/theme" class="themes" aria-label="Appearance">
        <input type="hidden" name="csrf" value=${csrf} />
        <input type="hidden" name="next" value=${target} />
        <span>Theme:</span>
        ${THEMES.map((name) =>
          renderButton(name === 'auto' ? 'System' : name === 'light' ? 'Light' : 'Dark', 'quiet', {
            name: 'theme',
            value: name,
            'aria-pressed': String(name === theme),
          }),
        )}
      </form>
      <p data-zone>Times are in UTC.</p>
      <p>${session?.user == null ? null : html`<a href="/portal/registers">Registers</a> · `}<a href="/docs">Documents</a> ·${' '}
        <a href="/docs/api">API (one page)</a> · <a href="/openapi.json">OpenAPI</a> ·${' '}
        <a href="/docs/errors">Errors</a>${session === null ? null : html` · <a href="/portal/shortcuts" data-shortcuts>Keyboard shortcuts</a>`}</p>
    </footer>
  `;
}

interface Entry {
  readonly section: Section;
  readonly href: string;
  readonly label: string;
  readonly isApart?: boolean;
  readonly area?: Area;
  readonly viewable?: boolean;
}

/** For those who look after marks, for those who write programs, and for those who look after the team. */
const OF_CUSTOMERS: readonly (Entry & { readonly area: Area })[] = [
  { section: 'explorer', href: '/portal/explorer', label: 'Search', area: 'search' },
  { section: 'watches', href: '/portal/watches', label: 'Watches', area: 'watches' },
  { section: 'reconcile', href: '/portal/reconcile', label: 'Dockets', area: 'dockets' },
  { section: 'keys', href: '/portal/keys', label: 'Keys', area: 'keys', isApart: true, viewable: true },
  { section: 'webhooks', href: '/portal/webhooks', label: 'Webhooks', area: 'webhooks', viewable: true },
  { section: 'usage', href: '/portal/usage', label: 'Usage', area: 'usage', viewable: true },
  { section: 'api', href: '/portal/api', label: 'API', area: 'api' },
  { section: 'team', href: '/portal/team', label: 'Team', area: 'team', isApart: true, viewable: true },
];

const OF_OPERATORS: readonly Entry[] = [
  { section: 'operator', href: '/portal/operator', label: 'Overview' },
  { section: 'operator/customers', href: '/portal/operator/customers', label: 'Customers' },
  { section: 'operator/keys', href: '/portal/operator/keys', label: 'Keys' },
  { section: 'operator/usage', href: '/portal/operator/usage', label: 'Usage' },
  { section: 'operator/registers', href: '/portal/operator/registers', label: 'Registers' },
  { section: 'operator/sources', href: '/portal/operator/sources', label: 'Sources' },
  { section: 'operator/loads', href: '/portal/operator/loads', label: 'Loads' },
  { section: 'operator/audit', href: '/portal/operator/audit', label: 'Audit' },
  { section: 'operator/doctor', href: '/portal/operator/doctor', label: 'Doctor' },
];

/**
 * An operator who views a customer has the customer's entries on the customer's pages, and the operators' elsewhere.
 */
function listEntries({ person, user }: PortalSession, { section }: Page): readonly Entry[] {
  if (!person.is_operator) return OF_CUSTOMERS.filter(({ area }) => mayOpen(person, area));
  const isOperatorPage =
    section === undefined || ['account', 'api'].includes(section) || section.startsWith('operator');
  return user === null || isOperatorPage ? OF_OPERATORS : OF_CUSTOMERS.filter(({ viewable }) => viewable === true);
}

/** Keeps the key that the page is charged to. `text`: the text that led here. */
function renderSearchBar({ text, keyId }: { text: string; keyId: string }): unknown {
  return html`
    <form method="get" action="/portal/search" role="search" class="bar" data-slow="Searching…">
      <label for="q" class="unseen">Search all registers by number, mark, owner, representative or record id</label>
      <input
        id="q"
        name="q"
        type="search"
        value=${text}
        placeholder="Search marks, owners or numbers in all registers"
        dir="auto"
        autocomplete="off"
        aria-keyshortcuts="/"
        required
      />
      ${keyId === '' ? null : html`<input type="hidden" name="key" value=${keyId} />`}
      ${renderButton('Search', 'second')}
    </form>
  `;
}
