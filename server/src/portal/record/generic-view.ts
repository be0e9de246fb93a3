/** Shows any value of a payload for people: texts as texts, lists as lists, objects as names with their values. */
import { html } from 'htm/preact';
import { stringify } from 'lossless-json';
import { renderDisclosure } from '../frame/components.ts';
import {
  isInlinePicture,
  isObject,
  isSilent,
  Members,
  type TextShown,
  textOf,
  weigh,
} from '../frame/payload-reader.ts';
import { formatCount } from '../frame/pieces.ts';

/** Levels of objects within objects; deeper ones are shown as JSON. */
const DEPTH_MAX = 8;
/** A list or an object of more than these bytes is folded. */
const FOLDED_BYTES_MIN = 600;

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** `French` for `fr`; the tag itself if no name is known. */
export function nameOfLanguage(tag: string): string {
  try {
    return LANGUAGES.of(tag) ?? tag;
  } catch {
    // It has the form of a tag, with parts that no standard knows.
    return tag;
  }
}

export function renderText({ text, language }: TextShown): unknown {
  return html`<span dir="auto" lang=${language}>${text}</span>`;
}

/** The parts of an entry that have no other place on the page. */
export function renderLeft(members: Members): unknown {
  const left = members.left();
  return left.length === 0 ? null : renderMembers(left, 0);
}

export function renderValue(value: unknown, depth = 0): unknown {
  const text = textOf(value);
  if (text !== null) {
    if (isInlinePicture(text))
      return html`<span class="silent">Inline image, ${formatCount(text.length)} characters</span>`;
    return html`<span dir="auto" class="stated">${text}</span>`;
  }
  if (depth >= DEPTH_MAX) return html`<code class="small">${stringify(value)}</code>`;
  const worded = new Members({ texts: [value] }).texts('texts')[0];
  if (worded !== undefined) return renderWorded(worded);
  if (isObject(value)) return renderMembers(Object.entries(value), depth + 1);
  if (!Array.isArray(value)) return String(value);
  const entries = value.filter((entry) => !isSilent(entry));
  if (entries.length === 1) return renderValue(entries[0], depth + 1);
  return html`<ul class="entries">${entries.map((entry) => html`<li>${renderValue(entry, depth + 1)}</li>`)}</ul>`;
}

function renderWorded(text: TextShown): unknown {
  if (text.language === null) return renderText(text);
  return html`${renderText(text)} <span class="role">${nameOfLanguage(text.language)}</span>`;
}

function renderMembers(members: readonly (readonly [string, unknown])[], depth: number): unknown {
  const told = members.filter(([, value]) => !isSilent(value));
  return html`<dl class="members">${told.map(([name, value]) => renderMember(name, value, depth))}</dl>`;
}

function renderMember(name: string, value: unknown, depth: number): unknown {
  const shown = renderValue(value, depth);
  const label = name === '' ? 'Stated' : labelOfMember(name);
  const isFolded = textOf(value) === null && weigh(value) > FOLDED_BYTES_MIN;
  return html`
    <div key=${name}>
      <dt>${label}</dt>
      <dd>
        ${isFolded ? renderDisclosure(html`Show<span class="unseen"> ${label}</span>`, shown) : shown}
      </dd>
    </div>
  `;
}

/** `First use date` for `first_use_date`; `Earlier mark details` for `EarlierMarkDetails`. */
export function labelOfMember(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
