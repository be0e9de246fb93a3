/**
 * A record in parts, each a list of entries under a heading. The page of the record shows as many entries of each part
 * as fit; the rest is on pages of that part alone, so nothing is left out and no page grows with the record. Any value
 * is shown for people: texts as texts, lists as lists or tables, objects as names with their values; and as JSON.
 */

import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { stringify } from 'lossless-json';
import { renderCount, renderDisclosure, renderPager } from '../frame/components.ts';
import {
  isInlinePicture,
  isObject,
  isSilent,
  Members,
  type TextShown,
  textOf,
  weigh,
} from '../frame/payload-reader.ts';
import { formatCount, renderJson, renderStated } from '../frame/pieces.ts';
import { renderTable as renderRows } from '../frame/table.ts';

/** Links to this record with other fields in the address; null removes a field. */
export type LinkHere = (changes: Readonly<Record<string, string | null>>) => string;

export interface Part {
  readonly name: string;
  readonly title: string;
  readonly entries: readonly unknown[];
  /** Bytes of the entries shown on the page of the record, before compression. */
  readonly bytesMax: number;
  readonly render: (entries: readonly unknown[]) => unknown;
  readonly head?: unknown;
  /** The size of an entry; by default, of all of it. */
  readonly weigh?: (entry: unknown) => number;
}

/** The size on a page that shows one part alone. */
const PAGE_BYTES_MAX = 150_000;
/** The least size on any page; short entries take more for their layout than for their texts. */
const ENTRIES_MAX = 150;

export function renderPart(part: Part, linkHere: LinkHere): unknown {
  const { name, title, entries, bytesMax, head = null } = part;
  const count = countFitting(part, 0, bytesMax);
  return html`
    <section id=${name}>
      <h2>${title}${entries.length > 1 ? html` ${renderCount(entries.length)}` : null}</h2>
      ${head}
      ${count === 0 ? null : part.render(entries.slice(0, count))}
      ${
        count === entries.length
          ? null
          : html`<p class="hint">
              ${
                count === 0
                  ? 'Too long for this page. '
                  : `${formatCount(count)} of ${formatCount(entries.length)} are here. `
              }
              <a rel="nofollow" href=${linkHere({ part: name, at: String(count) })}>Show ${
                count === 0 ? 'it' : 'the rest'
              }<span class="unseen"> of ${title}</span></a>
            </p>`
      }
    </section>
  `;
}

/** One part alone, from the entry at this position. An entry that is longer than a page is shown whole. */
export function renderPartAlone(part: Part, at: number, linkHere: LinkHere): unknown {
  const { name, title, entries, head = null } = part;
  const from = Math.min(at, Math.max(entries.length - 1, 0));
  const to = from + Math.max(1, countFitting(part, from, PAGE_BYTES_MAX));
  const last = Math.min(to, entries.length);
  const isEnd = to >= entries.length;
  const isWhole = from === 0 && isEnd;
  return html`
    <section id=${name}>
      <h2>${title}</h2>
      ${head}
      <p class="hint">
        ${isWhole ? null : `${formatCount(from + 1)} to ${formatCount(last)} of ${formatCount(entries.length)}. `}
        <a href=${linkHere({})}>The whole record</a>
      </p>
      ${part.render(entries.slice(from, to))}
      ${
        isWhole
          ? null
          : renderPager(
              [
                from === 0 ? null : { label: 'From the first', href: linkHere({ part: name }) },
                isEnd ? null : { label: 'Next', href: linkHere({ part: name, at: String(to) }), rel: 'next nofollow' },
              ],
              isEnd ? 'End of the list.' : null,
            )
      }
    </section>
  `;
}

function countFitting({ entries, weigh: weighEntry = weigh }: Part, from: number, bytesMax: number): number {
  let bytes = 0;
  let count = 0;
  for (const entry of entries.slice(from, from + ENTRIES_MAX)) {
    bytes += weighEntry(entry);
    if (bytes > bytesMax) break;
    count += 1;
  }
  return count;
}

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
  if (worded !== undefined)
    return worded.language === null
      ? renderText(worded)
      : html`${renderText(worded)} <span class="role">${nameOfLanguage(worded.language)}</span>`;
  if (isObject(value)) return renderMembers(Object.entries(value), depth + 1);
  if (!Array.isArray(value)) return String(value);
  const entries = value.filter((entry) => !isSilent(entry));
  if (entries.length === 1) return renderValue(entries[0], depth + 1);
  return html`<ul class="entries">${entries.map((entry) => html`<li>${renderValue(entry, depth + 1)}</li>`)}</ul>`;
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
    <div>
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

/** The members of an entry that have columns, with their headings. */
export type Columns = Readonly<Record<string, string>>;

export function renderTable(label: string, columns: Columns, entries: readonly unknown[]): unknown {
  const rows = entries.map((entry) => {
    const members = new Members(entry);
    const cells = Object.fromEntries(Object.keys(columns).map((name) => [name, members.text(name)]));
    return { cells, left: renderFurther(members) };
  });
  const names = Object.keys(columns).filter((name) => rows.some(({ cells }) => cells[name] !== null));
  const hasMore = rows.some(({ left }) => left !== null);
  return renderRows<(typeof rows)[number]>({
    label,
    narrow: 'row',
    rows,
    columns: [
      ...names.map((name) => ({
        label: columns[name] ?? name,
        style: name === 'date' ? ('date' as const) : ('words' as const),
        cell: ({ cells }: (typeof rows)[number]) =>
          name === 'date' ? renderStated(cells[name] ?? null) : html`<span dir="auto">${cells[name]}</span>`,
      })),
      ...(hasMore ? [{ label: 'Further', isUnlabelled: true, cell: ({ left }: (typeof rows)[number]) => left }] : []),
    ],
  });
}

function renderFurther(members: Members): unknown {
  if (members.left().length === 0) return null;
  return renderDisclosure('Further', renderLeft(members));
}

/** Bytes of all sections together on the page of the record, and of one section on its own page. */
const CHARACTERS_MAX = 30_000;
const ALONE_CHARACTERS_MAX = 1_500_000;
/** Sections that are folded one by one; a payload of another form may have any number. */
const SECTIONS_MAX = 60;

/** The fields of the record, then each section of its payload; `name` is null for the fields. */
function listSections(record: TrademarkDetail): [name: string | null, value: unknown][] {
  const { payload, ...fields } = record;
  const sections = isObject(payload) ? Object.entries(payload) : [];
  const stated: [string, unknown][] = sections.length <= SECTIONS_MAX ? sections : [['', payload]];
  return [[null, fields], ...stated];
}

export function renderRaw(record: TrademarkDetail, linkHere: LinkHere): unknown {
  let left = CHARACTERS_MAX;
  const sections = listSections(record);
  const empty = sections.flatMap(([name, value]) => (name !== null && value === null ? [name] : []));
  const folded = sections.map(([name, value]) => {
    if (value === null) return null;
    const text = stringify(value, null, 2) ?? 'null';
    const fits = text.length <= left;
    if (fits) left -= text.length;
    const label = name === null ? 'record' : `payload${name === '' ? '' : `.${name}`}`;
    const size = html`<span class="role">${formatCount(text.length)} characters</span>`;
    if (!fits) {
      const href = linkHere({ json: name ?? '' });
      return html`<p><a rel="nofollow" href=${href}><code><bdi>${label}</bdi></code></a> ${size}</p>`;
    }
    return renderDisclosure(html`<code><bdi>${label}</bdi></code> ${size}`, renderJson(label, text));
  });
  const none = empty.length === 0 ? null : html`<p class="hint">null: <code><bdi>${empty.join(', ')}</bdi></code></p>`;
  return html`<section class="raw">${renderDisclosure('The record as JSON, for programs', [folded, none])}</section>`;
}

/** One section alone, by its name in the payload; null if there is none. */
export function renderRawSection(record: TrademarkDetail, wanted: string, linkHere: LinkHere): unknown {
  const section = listSections(record).find(([name]) => name === wanted);
  if (section === undefined) return null;
  const text = stringify(section[1], null, 2) ?? 'null';
  const isCut = text.length > ALONE_CHARACTERS_MAX;
  return html`
    <section class="raw">
      <h2>JSON: <bdi>payload${wanted === '' ? '' : `.${wanted}`}</bdi></h2>
      <p class="hint"><a href=${linkHere({})}>The whole record</a></p>
      ${renderJson(wanted, isCut ? text.slice(0, ALONE_CHARACTERS_MAX) : text)}
      ${isCut ? html`<p class="hint">Cut off here; the request below gets the whole record.</p>` : null}
    </section>
  `;
}
