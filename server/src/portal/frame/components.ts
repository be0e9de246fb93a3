/**
 * The components that pages are made of. `/portal/components` shows each in every state. A page writes no class that is
 * theirs; a test compares. They know nothing of records, keys or people.
 */
import { html } from 'htm/preact';
import { formatCount } from './pieces.ts';

/** Attributes that a component passes on to its input, link or button. */
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/* Actions */

/** `first`: the one thing to do on a page. `quiet`: looks like text. */
type ButtonKind = 'first' | 'second' | 'danger' | 'quiet';

export function renderButton(label: unknown, kind: ButtonKind = 'first', attributes: Attributes = {}): unknown {
  return html`<button type="submit" class=${`button ${kind}`} ...${attributes}>${label}</button>`;
}

/** A link that looks like a button. */
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

/** The question before something that cannot be undone. `sure`: what has to be ticked first. */
export function renderConfirm({ action, tokens, sure, label, back }: Confirmation): unknown {
  return html`
    <form method="post" action=${action} class="stack">
      ${tokens}
      ${sure === undefined ? null : renderCheck(sure, { name: 'sure', value: 'yes', required: true })}
      ${renderActions(renderButton(label, 'danger'), renderLinkButton('Cancel', back, 'second'))}
    </form>
  `;
}

interface Confirmation {
  readonly action: string;
  /** Of the form. */
  readonly tokens: unknown;
  readonly sure?: string;
  readonly label: string;
  /** The page to go back to. */
  readonly back: string;
}

/* Fields: the label above, then the input, the hint, and why what was typed is refused. */

interface FieldFrame {
  /** Also the name, unless `attributes` say another. */
  readonly id: string;
  readonly label: unknown;
  readonly hint?: unknown;
  readonly refusal?: string | null | undefined;
  readonly attributes?: Attributes;
}

export function renderField({ attributes = {}, ...frame }: FieldFrame): unknown {
  return renderFramed(frame, html`<input ...${describedBy(frame)} autocomplete="off" ...${attributes} />`);
}

interface Choices {
  readonly choices: readonly Choice[];
  /** The value of one of them. */
  readonly chosen: string;
}

interface Choice {
  readonly value: string;
  readonly label: unknown;
}

export function renderSelect({ choices, chosen, attributes = {}, ...frame }: FieldFrame & Choices): unknown {
  return renderFramed(
    frame,
    html`<select ...${describedBy(frame)} ...${attributes}>${renderOptions(choices, chosen)}</select>`,
  );
}

export function renderOptions(choices: readonly Choice[], chosen: string): unknown {
  return choices.map(
    ({ value, label }) => html`<option key=${value} value=${value} selected=${value === chosen}>${label}</option>`,
  );
}

function describedBy({ id, hint, refusal }: FieldFrame): Attributes {
  const refused = isSet(refusal);
  const notes = [isSet(hint) ? `${id}-hint` : null, refused ? `${id}-refusal` : null].filter((note) => note !== null);
  return {
    id,
    name: id,
    'aria-invalid': refused ? 'true' : null,
    'aria-describedby': notes.length === 0 ? null : notes.join(' '),
  };
}

function isSet(note: unknown): boolean {
  return note !== undefined && note !== null && note !== '';
}

function renderFramed({ id, label, hint, refusal }: FieldFrame, control: unknown): unknown {
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      ${control}
      ${isSet(hint) ? html`<p class="hint" id=${`${id}-hint`}>${hint}</p>` : null}
      ${isSet(refusal) ? html`<p class="refusal" id=${`${id}-refusal`}>${refusal}</p>` : null}
    </div>
  `;
}

interface OperatedField {
  readonly key: string;
  readonly legend: string;
  /** How the text is meant. */
  readonly operator: Choices & { readonly name: string; readonly label: string };
  /** Of the input; `id` is also its name. */
  readonly input: Attributes & { readonly id: string };
  readonly below?: unknown;
}

/** A text with an operator before it. */
export function renderOperated({ key, legend, operator, input, below }: OperatedField): unknown {
  const { name, label, choices, chosen } = operator;
  return html`
    <fieldset key=${key} class="field operated">
      <legend>${legend}</legend>
      <select name=${name} aria-label=${label}>${renderOptions(choices, chosen)}</select>
      <input ...${input} name=${input.id} autocomplete="off" />
      ${below}
    </fieldset>
  `;
}

interface ChoiceSet {
  readonly legend: unknown;
  readonly name: string;
  readonly choices: readonly (Choice & { readonly title?: string })[];
  readonly chosen: readonly string[];
}

/** Boxes to tick, or with `radio` one to choose. */
export function renderChecks({ legend, name, choices, chosen }: ChoiceSet, type: 'checkbox' | 'radio'): unknown {
  return html`
    <fieldset class="field">
      <legend>${legend}</legend>
      ${choices.map(({ value, label }) => renderCheck(label, { type, name, value, checked: chosen.includes(value) }))}
    </fieldset>
  `;
}

function renderCheck(label: unknown, attributes: Attributes): unknown {
  return html`<label class="check"><input type="checkbox" ...${attributes} /> ${label}</label>`;
}

/** Boxes to tick that stand beside each other, each in its own pill. */
export function renderChips({ name, choices, chosen }: Omit<ChoiceSet, 'legend'>): unknown {
  return html`
    <div class="chips">
      ${choices.map(
        ({ value, label, title }) => html`
          <label key=${`${name} ${value}`} class="chip">
            <input type="checkbox" name=${name} value=${value} checked=${chosen.includes(value)} />
            <span title=${title ?? null}>${label}</span>
          </label>
        `,
      )}
    </div>
  `;
}

/* Words about what is shown */

interface ChipLink {
  readonly label: unknown;
  /** Null: nothing to click. */
  readonly href: string | null;
  /** Whether it is among those that are on. */
  readonly isOn: boolean;
  readonly sign: '×' | '+';
  /** What a click does, for those who do not see the sign. */
  readonly verb: string;
}

/** What is set, or can be, each with a click that changes it. */
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

/** `off`: over and done. `plain`: says nothing about good or bad. */
export type Level = 'good' | 'warn' | 'bad' | 'off' | 'plain';

export function renderBadge(level: Level, text: unknown): unknown {
  return html`<span class=${`badge ${level}`}>${text}</span>`;
}

/** A number beside a heading. */
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

/** Where a list or a chart would be. */
export function renderEmpty(text: unknown): unknown {
  return html`<p class="empty">${text}</p>`;
}

/** Names with their values. A value of null is left out. */
export function renderFacts(facts: readonly (readonly [name: string, value: unknown])[]): unknown {
  return html`
    <dl class="facts">
      ${facts.map(([name, value]) =>
        value === null ? null : html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`,
      )}
    </dl>
  `;
}

export function renderDisclosure(summary: unknown, content: unknown, isOpen = false): unknown {
  return html`<details open=${isOpen}><summary>${summary}</summary>${content}</details>`;
}

/** A text with a copy button, which the script reveals. */
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

/** A text that is shown this once. */
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

/** The pages above this one, the highest first. */
export function renderTrail(...steps: readonly Step[]): unknown {
  return html`
    <nav class="trail" aria-label="Pages above">
      ${steps.map(({ label, href }) => html`<a key=${href} href=${href}>${label}</a>`)}
    </nav>
  `;
}

/** The heading of a page, with what can be done there beside it. */
export function renderHeading(title: unknown, beside: unknown = null): unknown {
  return html`<div class="heading"><h1>${title}</h1>${beside}</div>`;
}

export function renderTabs(label: string, tabs: readonly (Step & { readonly isHere: boolean })[]): unknown {
  return html`
    <nav class="tabs" aria-label=${label}>
      ${tabs.map(
        ({ label: text, href, isHere }) => html`
          <a key=${href} href=${href} rel="nofollow" aria-current=${isHere ? 'page' : null}>${text}</a>
        `,
      )}
    </nav>
  `;
}

interface PageLink extends Step {
  readonly label: string;
  readonly rel?: string;
}

/** Links to other pages of a list; null where there is none. `end` is said where no page follows. */
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
