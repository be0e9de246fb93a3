/** The head of a record: mark, images, the numbers that people quote, and the office's own words next to ours. */

import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { DateAnswer } from '../../dates/compute.ts';
import { renderWord } from '../explorer/record-parts.ts';
import { renderActions, renderButton, renderFacts as renderFactList, renderLinkButton } from '../frame/components.ts';
import type { NameField } from '../frame/party-names.ts';
import { isInlinePicture, isObject, Members, textsOf } from '../frame/payload-reader.ts';
import { formatAhead, renderDate, renderInstant } from '../frame/pieces.ts';
import { nameAndCode, registerName } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import type { DateShown } from '../frame/timeline.ts';
import { renderStatus, titleOfClass, titleOfField } from '../frame/wording.ts';
import { findOfficePage, listNumbers } from './offices.ts';
import { findHeldName, listPrincipals } from './parties.ts';
import { type LinkHere, renderText } from './parts.ts';
import { findNextDate } from './timeline.ts';

/** Characters of inline images on the page of a record, and on the page of its images. */
const IMAGES_CHARACTERS_MAX = 40_000;
const IMAGES_ALONE_CHARACTERS_MAX = 2_000_000;
const IMAGES_SHOWN = 6;
/** Translations and transliterations in the head; all of them are below. */
const VARIANTS_SHOWN = 6;
const VARIANT_CHARACTERS_MAX = 300;

export interface HeadingShown {
  readonly linkHere: LinkHere;
  readonly keyId: string;
  readonly today: string;
  readonly hasFamily: boolean;
  readonly answers: readonly DateAnswer[];
}

export function renderHeading(record: TrademarkDetail, shown: HeadingShown): unknown {
  const { linkHere } = shown;
  const payload = isObject(record.payload) ? record.payload : {};
  const mark = isObject(payload.mark) ? payload.mark : {};
  const variants = [...textsOf(mark.transliterations), ...textsOf(mark.translations)]
    .filter(({ text }) => text.length <= VARIANT_CHARACTERS_MAX)
    .slice(0, VARIANTS_SHOWN);
  const language = textsOf(mark.texts).find(({ text }) => text === record.mark_name)?.language ?? null;
  return html`
    <header class="markhead">
      ${renderImages(record, IMAGES_CHARACTERS_MAX, linkHere) ?? renderDrawn(record, language)}
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
        <p>${renderStanding(record)}</p>
        ${renderQuoted(record, shown)}
        ${renderDeeds(record, shown)}
      </div>
    </header>
  `;
}

/** A mark without a picture, as large as one. The heading next to it says the same to readers who do not see it. */
function renderDrawn({ mark_name: name }: TrademarkDetail, language: string | null): unknown {
  if (name === null) return null;
  return html`<div class="images"><p class="drawn" aria-hidden="true">${renderWord(name, language)}</p></div>`;
}

function renderStanding(record: TrademarkDetail): unknown {
  const source = new Members(isObject(record.payload) ? record.payload.source : null);
  const [stated, code] = [source.text('status_text'), source.text('status_code')];
  // Some offices state nothing but a code.
  const words = stated ?? (/\p{L}/u.test(record.tm5_status ?? '') ? record.tm5_status : null);
  const isSame = words?.toLowerCase() === record.status.toLowerCase();
  const { status_date: since } = record;
  return html`
    ${renderStatus(record.status)}${since === null ? null : html` since ${renderDate(since)}`}
    ${words === null || isSame ? null : html` · <span class="silent"><bdi>${words}</bdi></span>`}
    ${code === null || code === words || code.toLowerCase() === record.status.toLowerCase() ? null : html` <span class="silent">(status code <bdi>${code}</bdi>)</span>`}
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

export function renderAllImages(record: TrademarkDetail): unknown {
  return renderImages(record, IMAGES_ALONE_CHARACTERS_MAX, null);
}

/** What people look for first: the number that is quoted, whose the mark is, for what, and the next date. */
function renderQuoted(record: TrademarkDetail, shown: HeadingShown): unknown {
  const { today, linkHere, answers } = shown;
  const next = findNextDate(record, answers, today);
  const facts: readonly (readonly [label: string, value: unknown])[] = [
    ...listNumbers(record).map(([label, number]) => [label, html`<bdi>${number}</bdi>`] as const),
    ['Owner', renderPrincipals(record, 'owner_name', shown)],
    ['Representative', renderPrincipals(record, 'representative_name', shown)],
    ['Next date', next === null ? renderNone('none stated or computed') : renderNext(next, today)],
    ['Register', renderRegisterLink(record.jurisdiction_code)],
    ['Classes', renderClasses(record.nice_classes ?? [], linkHere)],
  ];
  return html`
    <dl class="quoted">
      ${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}
    </dl>
  `;
}

function renderNone(text: string): unknown {
  return html`<span class="silent">${text}</span>`;
}

function renderNext({ label, date, isComputed }: DateShown, today: string): unknown {
  const [what, ...more] = label.split('; ');
  const kind = isComputed === true ? ['computed'] : ['stated', ...more];
  return html`
    ${what} ${renderDate(date)}${date === today ? ', today' : `, ${formatAhead(today, date)}`}${' '}
    <span class="silent">(${kind.join('; ')})</span>
  `;
}

const PRINCIPALS_SHOWN = 2;
const CLASSES_SHOWN = 6;

function renderPrincipals(record: TrademarkDetail, field: NameField, { keyId, linkHere }: HeadingShown): unknown {
  const found = listPrincipals(record, field);
  if (found.length === 0) return renderNone('none stated');
  const more = found.length - PRINCIPALS_SHOWN;
  return html`
    ${found.slice(0, PRINCIPALS_SHOWN).map(({ name, number }, at) => {
      const before = at === 0 ? null : html`<br />`;
      if (name === null) return html`${before}${renderNone('Name not received yet')} (number <bdi>${number}</bdi>)`;
      const query = new URLSearchParams({ [field]: findHeldName(field, name.text, record), key: keyId });
      return html`${before}<a rel="nofollow" href=${`/portal/explorer?${query.toString()}`}>${renderText(name)}</a>`;
    })}
    ${more > 0 ? html`<br /><a href=${`${linkHere({})}#parties`}>${more} more</a>` : null}
  `;
}

function renderClasses(classes: readonly number[], linkHere: LinkHere): unknown {
  if (classes.length === 0) return renderNone('none stated');
  const more = classes.length - CLASSES_SHOWN;
  return html`
    ${classes.slice(0, CLASSES_SHOWN).map((number, at) => {
      const title = titleOfClass(number);
      return html`${at === 0 ? null : ' · '}<strong>${number}</strong>${title === null ? null : ` ${title}`}`;
    })}
    ${more > 0 ? html` · <a href=${`${linkHere({})}#goods`}>${more} more ${more === 1 ? 'class' : 'classes'}</a>` : null}
  `;
}

/** What people do next with a mark. None of it costs a unit but the search. */
function renderDeeds(record: TrademarkDetail, { keyId, hasFamily }: HeadingShown): unknown {
  const page = findOfficePage(record);
  const { jurisdiction_code: register, uid, mark_name: name } = record;
  const owner = listPrincipals(record, 'owner_name').find((party) => party.name !== null)?.name?.text ?? null;
  const held = owner === null ? '' : findHeldName('owner_name', owner, record);
  const watchMark = { kind: 'records', records: `${register} ${uid}`, name: cut(name ?? `${register} ${uid}`) };
  const watchOwner = { kind: 'owners', owners: held, name: cut(owner ?? '') };
  const watch = (fields: Record<string, string>): string =>
    `/portal/new-watch?${new URLSearchParams(fields).toString()}`;
  const search = new URLSearchParams({ owner_name: held, key: keyId });
  return renderActions(
    renderLinkButton('Watch this mark', watch(watchMark), 'first', NOFOLLOW),
    ...(held === ''
      ? []
      : [
          renderLinkButton('Watch this owner', watch(watchOwner), 'second', NOFOLLOW),
          renderLinkButton('Same owner’s marks', `/portal/explorer?${search.toString()}`, 'second', NOFOLLOW),
        ]),
    hasFamily ? renderLinkButton('Family', '#family', 'second') : null,
    renderLinkButton('I filed something…', filingPath(record), 'second', NOFOLLOW),
    page === null
      ? null
      : html`<a href=${page.address} rel="noreferrer noopener external">The office’s own page: ${page.name}</a>`,
    renderButton('Print', 'quiet', { type: 'button', 'data-print': true, hidden: true }),
  );
}

function filingPath({ jurisdiction_code: register, uid }: TrademarkDetail): string {
  return `/portal/new-filing?${new URLSearchParams({ register, uid }).toString()}`;
}

const NOFOLLOW = { rel: 'nofollow' };
const NAME_MAX = 100;

function cut(text: string): string {
  return [...text.slice(0, 2 * NAME_MAX)].slice(0, NAME_MAX).join('');
}

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
    <section id="details">
    <h2>Details</h2>
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
    </section>
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
            // A code alone says nothing to people, so our word stands before it.
            cell: ([, ours, words, code]) => html`
              <span dir="auto">${words?.replaceAll('_', ' ') ?? (code === null ? notStated : ours)}</span>
              ${code === null || isSame(code, words ?? ours) ? null : html` (code <bdi>${code}</bdi>)`}
            `,
          },
        ],
      })}
    </div>
  `;
}

/** Some offices' codes are words. */
function isSame(code: string, words: string | null): boolean {
  return code.toLowerCase() === words?.toLowerCase();
}

function named(codes: readonly string[] | null): string | null {
  return joined(codes?.map(registerName) ?? null);
}

function joined(values: readonly string[] | null): string | null {
  return values === null || values.length === 0 ? null : values.join(', ');
}
