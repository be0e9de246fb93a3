/**
 * One record for people: mark and images, facts, dates, classes with their goods, parties, events, and the raw JSON.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { stringify } from 'lossless-json';
import { renderInstant } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import {
  addressOf,
  type Fields,
  fieldsOf,
  imagesOf,
  listOf,
  type TextShown,
  textOf,
  textsOf,
} from './payload-reader.ts';
import { renderEvents } from './record-events.ts';
import { renderMore } from './record-more.ts';

const GOODS_SHOWN = 100;
const PARTIES_SHOWN = 100;
/** Characters of JSON on the page; the request below it gets the rest. */
const RAW_CHARACTERS_MAX = 200_000;

export function renderRecord(record: TrademarkDetail): unknown {
  const payload = fieldsOf(record.payload);
  return html`
    <article class="record">
      ${renderMark(record, payload)}
      ${renderFacts(record)}
      ${renderTimeline(record)}
      ${renderGoods(record, payload)}
      ${renderParties(record, payload)}
      ${renderEvents(payload)}
      ${renderRaw(record)}
    </article>
  `;
}

function renderText({ text, language }: TextShown): unknown {
  return html`<span dir="auto" lang=${language}>${text}</span>`;
}

function renderMark(record: TrademarkDetail, payload: Fields): unknown {
  const mark = fieldsOf(payload.mark);
  const images = imagesOf(payload);
  const variants = [...textsOf(mark.transliterations), ...textsOf(mark.translations)];
  const alternative = `Image of the mark ${record.mark_name ?? `${record.jurisdiction_code} ${record.uid}`}`;
  const wording = textsOf(mark.texts)[0];
  return html`
    <header class="markhead">
      ${
        images.length === 0
          ? null
          : html`<div class="images">${images.map((uri) => html`<img key=${uri} src=${uri} alt=${alternative} />`)}
            </div>`
      }
      <div>
        <h1 class="marktext" dir="auto" lang=${wording?.language ?? null}>
          ${record.mark_name ?? html`<span class="silent">${record.mark_feature ?? 'Mark'} without text</span>`}
        </h1>
        ${
          variants.length === 0
            ? null
            : html`<p class="variants">
          ${variants.map((variant, at) => html`${at > 0 ? ' · ' : ''}${renderText(variant)}`)}
        </p>`
        }
        <p>
          <span class=${`status ${record.status.toLowerCase()}`}>${record.status}</span>
          ${record.tm5_status === null ? null : html` <span class="silent"><bdi>${record.tm5_status}</bdi></span>`}
        </p>
        <p>${registerName(record.jurisdiction_code)} <code>${record.uid}</code></p>
      </div>
    </header>
  `;
}

function renderFacts(record: TrademarkDetail): unknown {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Office', named([record.office])],
    ['Application', record.application_number],
    ['Registration', record.registration_number],
    ['International registration', joined(record.international_registration_numbers)],
    ['Priority', joined(record.priority_numbers)],
    ['Kind', record.kind_of_mark],
    ['Feature', record.mark_feature],
    ['Vienna codes', joined(record.vienna_codes)],
    ['Designated countries', named(record.designated_countries)],
    ["Owners' countries", named(record.owner_countries)],
  ];
  return html`
    <dl class="facts">
      ${facts.map(([label, value]) =>
        value === null
          ? null
          : html`<div key=${label}><dt>${label}</dt><dd><bdi>
        ${value}</bdi></dd></div>`,
      )}
      <div><dt>First seen</dt><dd>${renderInstant(record.first_seen_at)}</dd></div>
      <div><dt>Last changed</dt><dd>${renderInstant(record.updated_at)}</dd></div>
    </dl>
  `;
}

function named(codes: readonly (string | null)[] | null): string | null {
  return joined(codes?.filter((code) => code !== null).map(registerName) ?? null);
}

function joined(values: readonly string[] | null): string | null {
  return values === null || values.length === 0 ? null : values.join(', ');
}

/** The dates of the record in order; as texts of the form YYYY-MM-DD they sort by time. */
function renderTimeline(record: TrademarkDetail): unknown {
  const dates: readonly (readonly [string, string | null])[] = [
    ['Filed', record.application_date],
    ['Published', record.publication_date],
    ['Opposition until', record.opposition_period_end],
    ['Registered', record.registration_date],
    ['Renewed', record.renewal_date],
    [`Status: ${record.status}`, record.status_date],
    ['Ended', record.termination_date],
    ['Expires', record.expiry_date],
  ];
  const stated = dates.filter((entry): entry is readonly [string, string] => entry[1] !== null);
  stated.sort(([, date], [, other]) => (date < other ? -1 : date > other ? 1 : 0));
  if (stated.length === 0) return null;
  return html`
    <section>
      <h2>Dates</h2>
      <ol class="timeline">
        ${stated.map(
          ([label, date]) => html`<li key=${label}><time datetime=${date}>${date}</time><span>${label}
          </span></li>`,
        )}
      </ol>
    </section>
  `;
}

function renderGoods(record: TrademarkDetail, payload: Fields): unknown {
  const goods = listOf(payload.goods_and_services);
  const classes = record.nice_classes ?? [];
  if (goods.length === 0 && classes.length === 0) return null;
  const stated = new Set(goods.map((entry) => Number(textOf(entry.class))));
  const bare = classes.filter((number) => !stated.has(number));
  return html`
    <section>
      <h2>Classes, goods and services</h2>
      <dl class="goods">
        ${goods.slice(0, GOODS_SHOWN).map((entry, position) => {
          const texts = textsOf(entry.texts);
          return html`
            <div key=${position}>
              <dt>${textOf(entry.class) ?? '–'}</dt>
              <dd>
                ${texts.map((text, at) => html`<p key=${at}>${renderText(text)}</p>`)}
                ${texts.length === 0 ? html`<span class="silent">no text</span>` : null}
              </dd>
            </div>
          `;
        })}
        ${bare.map(
          (number) => html`<div key=${`class${number}`}><dt>${number}</dt><dd>
          <span class="silent">no text</span></dd></div>`,
        )}
      </dl>
      ${renderMore(goods.length, GOODS_SHOWN)}
    </section>
  `;
}

function renderParties(record: TrademarkDetail, payload: Fields): unknown {
  const parties = listOf(payload.parties);
  if (parties.length === 0) return renderNames(record);
  return html`
    <section>
      <h2>Parties</h2>
      <ul class="parties">
        ${parties.slice(0, PARTIES_SHOWN).map((party, position) => {
          const [first, ...others] = textsOf(party.names);
          const address = addressOf(party.address);
          return html`
            <li key=${position}>
              <span class="role">${(textOf(party.role) ?? 'party').replaceAll('_', ' ')}</span>
              <strong>${first === undefined ? '–' : renderText(first)}</strong>
              ${others.map((name, at) => html`<span key=${at} class="other">${renderText(name)}</span>`)}
              ${address === '' ? null : html`<span class="address" dir="auto">${address}</span>`}
            </li>
          `;
        })}
      </ul>
      ${renderMore(parties.length, PARTIES_SHOWN)}
    </section>
  `;
}

/** Without a payload, the names that searches use. */
function renderNames({ owner_names: owners, representative_names: representatives }: TrademarkDetail): unknown {
  const rows = [
    ...(owners ?? []).map((name) => ['owner', name] as const),
    ...(representatives ?? []).map((name) => ['representative', name] as const),
  ];
  if (rows.length === 0) return null;
  return html`
    <section>
      <h2>Parties</h2>
      <ul class="parties">
        ${rows.slice(0, PARTIES_SHOWN).map(
          ([role, name]) => html`<li key=${name}><span class="role">${role}</span>
          <strong dir="auto">${name}</strong></li>`,
        )}
      </ul>
    </section>
  `;
}

function renderRaw(record: TrademarkDetail): unknown {
  const text = stringify(record, null, 2) ?? '';
  const isCut = text.length > RAW_CHARACTERS_MAX;
  return html`
    <details>
      <summary>The record as JSON</summary>
      <pre tabindex="0" role="region" aria-label="JSON"><code>${isCut ? text.slice(0, RAW_CHARACTERS_MAX) : text}
        </code></pre>
      ${isCut ? html`<p class="hint">Cut off here; the request below gets the whole record.</p>` : null}
    </details>
  `;
}
