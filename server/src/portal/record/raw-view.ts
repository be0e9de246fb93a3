/** The JSON of a record, folded by section. A section that does not fit has a separate page. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { stringify } from 'lossless-json';
import { renderDisclosure } from '../frame/components.ts';
import { isObject } from '../frame/payload-reader.ts';
import { formatCount } from '../frame/pieces.ts';
import type { LinkHere } from './parts.ts';

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
  return html`
    <section class="raw">
      <h2>JSON</h2>
      ${sections.map(([name, value]) => {
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
      })}
      ${empty.length === 0 ? null : html`<p class="hint">null: <code><bdi>${empty.join(', ')}</bdi></code></p>`}
    </section>
  `;
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

function renderJson(label: string, text: string): unknown {
  return html`<pre tabindex="0" role="region" aria-label=${`JSON of ${label}`}><code>${text}</code></pre>`;
}
