/**
 * A record in parts, each a list of entries under a heading. The page of the record shows as many entries of each part
 * as fit; the rest is on pages of that part alone, so nothing is left out and no page grows with the record.
 */
import { html } from 'htm/preact';
import { renderCount, renderPager } from '../frame/components.ts';
import { weigh } from '../frame/payload-reader.ts';
import { formatCount } from '../frame/pieces.ts';

/** Links to this record with other fields in the address; null removes a field. */
export type LinkHere = (changes: Readonly<Record<string, string | null>>) => string;

export interface Part {
  /** In addresses. */
  readonly name: string;
  readonly title: string;
  readonly entries: readonly unknown[];
  /** Bytes of the entries shown on the page of the record, before compression. */
  readonly bytesMax: number;
  readonly render: (entries: readonly unknown[]) => unknown;
  /** Above the entries: a picker, a search. */
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
