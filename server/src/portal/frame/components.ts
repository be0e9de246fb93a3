/**
 * The components that pages are made of: actions, texts about what is shown, ways through the portal. Fields, tables
 * and drawings are in `fields.ts`, `table.ts`, `charts.ts` and `timeline.ts`. `/portal/components` shows each in every
 * state. A page writes none of their classes itself; a test checks that. They know nothing about records, keys or
 * people.
 */
import { html } from 'htm/preact';
import { formatCount } from './pieces.ts';

/** Attributes that a component passes on to its input, link or button. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/* Actions */

/** `first`: the one thing to do on a page. `quiet`: looks like text. */
type ButtonKind = 'first' | 'second' | 'danger' | 'quiet';

export function renderButton(label: unknown, kind: ButtonKind = 'first', attributes: Attributes = {}): unknown {
  return html`<button type="submit" class=${`button ${kind}`} ...${attributes}>${label}</button>`;
}

export function renderLinkButton(
  label: unknown,
  href: string,
  kind: ButtonKind = 'first',
  attributes: Attributes = {},
): unknown {
  return html`<a class=${`button ${kind}`} ...${attributes} href=${href}>${label}</a>`;
}

export function renderActions(...actions: readonly unknown[]): unknown {
  return html`<p class="actions">${actions}</p>`;
}

/* Words about what is shown */

interface ChipLink {
  readonly label: unknown;
  readonly href: string | null;
  readonly isOn: boolean;
  readonly sign: '×' | '+';
  /** What a click does, for readers who do not see the sign. */
  readonly verb: string;
}

/** Settings of which each can be switched on and off. `verbs`: what a click does, while it is on and while it is off. */
export function renderToggles<Name extends string>(
  label: string,
  names: readonly Name[],
  state: {
    readonly titleOf: (name: Name) => unknown;
    readonly isOn: (name: Name) => boolean;
    readonly linkTo: (name: Name) => string;
    readonly verbs?: readonly [on: string, off: string];
  },
): unknown {
  const { titleOf, isOn, linkTo, verbs: [on, off] = ['Remove', 'Only'] } = state;
  return renderChipLinks(
    label,
    names.map((name) => {
      const chosen = isOn(name);
      return {
        label: titleOf(name),
        href: linkTo(name),
        isOn: chosen,
        sign: chosen ? '×' : '+',
        verb: chosen ? on : off,
      };
    }),
  );
}

/** Settings that are on, or can be, each with a click that changes it. */
export function renderChipLinks(label: string, links: readonly ChipLink[]): unknown {
  return html`
    <ul class="chips chiplinks" aria-label=${label}>
      ${links.map(({ label: text, href, isOn, sign, verb }) => {
        if (href === null) return html`<li><span>${text}</span></li>`;
        return html`
          <li>
            <a href=${href} rel="nofollow" aria-current=${isOn ? 'true' : null}>
              <span class="unseen">${verb} </span>${text}${' '}<span aria-hidden="true">${sign}</span>
            </a>
          </li>
        `;
      })}
    </ul>
  `;
}

/** `off`: ended. `plain`: neither good nor bad. */
export type Level = 'good' | 'warn' | 'bad' | 'off' | 'plain';

export function renderBadge(level: Level, text: unknown): unknown {
  return html`<span class=${`badge ${level}`}>${text}</span>`;
}

export function renderCount(count: number): unknown {
  return html`<span class="count">${formatCount(count)}</span>`;
}

/** `alert` is read out at once, `status` when there is a pause; null for what the page had from the beginning. */
export function renderNotice(
  level: 'plain' | 'good' | 'warn' | 'bad',
  content: unknown,
  role: 'alert' | 'status' | null = null,
): unknown {
  return html`<div class=${`notice ${level}`} role=${role}>${content}</div>`;
}

export function renderFault(fault: string | null): unknown {
  return fault === null ? null : renderNotice('bad', fault, 'alert');
}

export function renderEmpty(text: unknown): unknown {
  return html`<p class="empty">${text}</p>`;
}

/** Names with their values. A value of null is left out. */
export function renderFacts(facts: readonly (readonly [name: string, value: unknown])[]): unknown {
  return html`
    <dl class="facts">
      ${facts.map(([name, value]) => (value === null ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
    </dl>
  `;
}

export function renderDisclosure(summary: unknown, content: unknown, isOpen = false): unknown {
  return html`<details open=${isOpen}><summary>${summary}</summary>${content}</details>`;
}

export function renderCopyable(label: string, text: string, id: string): unknown {
  return html`
    <figure class="copyable">
      <figcaption>${label}</figcaption>
      <pre tabindex="0" role="region" aria-label=${label}><code id=${id}>${text}</code></pre>
      <button type="button" class="button quiet" data-copy=${id} hidden>
        Copy<span class="unseen"> ${label}</span>
      </button>
    </figure>
  `;
}

export function renderSecret(
  warning: unknown,
  { label, text, id }: { label: string; text: string; id: string },
): unknown {
  return html`${renderNotice('warn', warning, 'status')} ${renderCopyable(label, text, id)}`;
}

/* Ways through the portal */

interface Step {
  readonly label: unknown;
  readonly href: string;
}

export function renderTrail(...steps: readonly Step[]): unknown {
  return html`
    <nav class="trail" aria-label="Pages above">
      ${steps.map(({ label, href }) => html`<a href=${href}>${label}</a>`)}
    </nav>
  `;
}

export function renderHeading(title: unknown, beside: unknown = null): unknown {
  return html`<div class="heading"><h1>${title}</h1>${beside}</div>`;
}

export function renderSubheading(title: unknown, beside: unknown): unknown {
  return html`<div class="heading"><h2>${title}</h2>${beside}</div>`;
}

export function renderTabs(label: string, tabs: readonly (Step & { readonly isHere: boolean })[]): unknown {
  return html`
    <nav class="tabs" aria-label=${label}>
      ${tabs.map(({ label: text, href, isHere }) =>
        isHere ? html`<span aria-current="page">${text}</span>` : html`<a href=${href} rel="nofollow">${text}</a>`,
      )}
    </nav>
  `;
}

interface PageLink extends Step {
  readonly label: string;
  readonly rel?: string;
}

/** Links to other pages of a list; null if there is none. `end` is shown on the last page. */
export function renderPager(links: readonly (PageLink | null)[], end: string | null = null): unknown {
  return html`
    <nav class="pager" aria-label="Pages of the list">
      ${links.map((link) =>
        link === null ? null : renderLinkButton(link.label, link.href, 'second', { rel: link.rel ?? null }),
      )}
      ${end === null ? null : html`<span class="silent">${end}</span>`}
    </nav>
  `;
}
