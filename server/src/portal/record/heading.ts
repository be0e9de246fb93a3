/** The head of a record: mark, images, the numbers that people quote, and the office's own words next to ours. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { renderActions, renderButton, renderFacts as renderFactList } from '../frame/components.ts';
import { titleOfField } from '../frame/field-names.ts';
import { isInlinePicture, isObject, Members, textsOf } from '../frame/payload-reader.ts';
import { renderInstant } from '../frame/pieces.ts';
import { nameAndCode, registerName } from '../frame/registers.ts';
import { renderStatus } from '../frame/statuses.ts';
import { renderTable } from '../frame/table.ts';
import { renderText } from './generic-view.ts';
import { findOfficePage, listNumbers } from './offices.ts';
import type { LinkHere } from './parts.ts';

/** Characters of inline images on the page of a record, and on the page of its images. */
const IMAGES_CHARACTERS_MAX = 40_000;
const IMAGES_ALONE_CHARACTERS_MAX = 2_000_000;
const IMAGES_SHOWN = 6;
/** Translations and transliterations in the head; all of them are below. */
const VARIANTS_SHOWN = 6;
const VARIANT_CHARACTERS_MAX = 300;

export function renderHeading(record: TrademarkDetail, linkHere: LinkHere): unknown {
  const payload = isObject(record.payload) ? record.payload : {};
  const mark = isObject(payload.mark) ? payload.mark : {};
  const variants = [...textsOf(mark.transliterations), ...textsOf(mark.translations)]
    .filter(({ text }) => text.length <= VARIANT_CHARACTERS_MAX)
    .slice(0, VARIANTS_SHOWN);
  const language = textsOf(mark.texts).find(({ text }) => text === record.mark_name)?.language ?? null;
  return html`
    <header class="markhead">
      ${renderImages(record, IMAGES_CHARACTERS_MAX, linkHere)}
      <div>
        <h1 class="marktext" dir="auto" lang=${language}>
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
          ${renderStatus(record.status)}
          ${
            record.tm5_status === null || record.tm5_status.toLowerCase() === record.status.toLowerCase()
              ? null
              : html` <span class="silent"><bdi>${record.tm5_status}</bdi></span>`
          }
        </p>
        ${renderNumbers(record)}
      </div>
    </header>
  `;
}

/** In `img` elements SVG runs no scripts and loads nothing. Images that are too large are on the page of the images. */
function renderImages(record: TrademarkDetail, charactersMax: number, linkHere: LinkHere | null): unknown {
  const stated = isObject(record.payload) && Array.isArray(record.payload.images) ? record.payload.images : [];
  const inline = stated.flatMap((image: unknown) => new Members(image).text('uri') ?? []).filter(isInlinePicture);
  let left = charactersMax;
  const shown = inline.slice(0, linkHere === null ? inline.length : IMAGES_SHOWN).filter((uri) => {
    if (uri.length > left) return false;
    left -= uri.length;
    return true;
  });
  if (inline.length === 0) return null;
  const alternative = `Image of the mark ${record.mark_name ?? `${record.jurisdiction_code} ${record.uid}`}`;
  const more = inline.length - shown.length;
  return html`
    <div class="images">
      ${shown.map((uri) => html`<img src=${uri} alt=${alternative} />`)}
      ${
        more === 0 || linkHere === null
          ? null
          : html`
              <p class="hint">
                <a rel="nofollow" href=${linkHere({ part: 'images' })}>
                  ${more} more ${more === 1 ? 'image' : 'images'}
                </a>
              </p>
            `
      }
    </div>
  `;
}

/** For the page of the images alone. */
export function renderAllImages(record: TrademarkDetail): unknown {
  return renderImages(record, IMAGES_ALONE_CHARACTERS_MAX, null);
}

function renderNumbers(record: TrademarkDetail): unknown {
  const numbers = listNumbers(record);
  const page = findOfficePage(record);
  return html`
    <dl class="quoted">
      ${numbers.map(([label, number]) => html`<div key=${label}><dt>${label}</dt><dd><bdi>${number}</bdi></dd></div>`)}
      <div><dt>Register</dt><dd>${renderRegisterLink(record.jurisdiction_code)}</dd></div>
    </dl>
    ${renderActions(
      page === null
        ? null
        : html`<a href=${page.address} rel="noreferrer noopener external">The office’s own page: ${page.name}</a>`,
      renderButton('Print', 'second', { type: 'button', 'data-print': true, hidden: true }),
    )}
  `;
}

/** The conclusion from the register's silence. */
function renderRegisterLink(code: string): unknown {
  return html`<a href=${`/portal/registers/${encodeURIComponent(code)}`}>${registerName(code)}</a>`;
}

export function renderFacts(record: TrademarkDetail): unknown {
  const facts: readonly (readonly [keyof TrademarkDetail, string | null])[] = [
    ['owner_countries', named(record.owner_countries)],
    ['office', record.office === null ? null : nameAndCode(record.office)],
    ['international_registration_numbers', joined(record.international_registration_numbers)],
    ['priority_numbers', joined(record.priority_numbers)],
    ['designated_countries', named(record.designated_countries)],
    ['vienna_codes', joined(record.vienna_codes)],
  ];
  return html`
    ${renderWording(record)}
    ${renderFactList([
      ...facts.map(([field, value]): [string, unknown] => [
        titleOfField(field),
        value === null ? null : html`<bdi>${value}</bdi>`,
      ]),
      ['First seen', renderInstant(record.first_seen_at)],
      ['Last changed', renderInstant(record.updated_at)],
      ['Id of the record', html`<code><bdi>${record.jurisdiction_code} ${record.uid}</bdi></code>`],
    ])}
  `;
}

/** Our status, kind and feature, next to the words and codes of the office. */
function renderWording(record: TrademarkDetail): unknown {
  const source = new Members(isObject(record.payload) ? record.payload.source : null);
  const rows = [
    ['Status', record.status, source.text('status_text') ?? record.tm5_status, source.text('status_code')],
    ['Kind', record.kind_of_mark, source.text('kind_text'), source.text('kind_code')],
    ['Feature', record.mark_feature, source.text('feature_text'), source.text('feature_code')],
  ] as const;
  const notStated = html`<span class="silent">not stated</span>`;
  return html`
    <div class="wording">
      ${renderTable<(typeof rows)[number]>({
        label: 'What this service and the office say',
        narrow: 'row',
        rows,
        columns: [
          { label: 'What', isUnlabelled: true, isHeader: true, cell: ([label]) => label },
          { label: 'In this service', cell: ([, ours]) => ours ?? notStated },
          {
            label: 'In the office’s words',
            cell: ([, , words, code]) => html`
              <span dir="auto">${words ?? (code === null ? notStated : null)}</span>
              ${code === null || code === words ? null : html` (code <code><bdi>${code}</bdi></code>)`}
            `,
          },
        ],
      })}
    </div>
  `;
}

function named(codes: readonly string[] | null): string | null {
  return joined(codes?.map(registerName) ?? null);
}

function joined(values: readonly string[] | null): string | null {
  return values === null || values.length === 0 ? null : values.join(', ');
}
