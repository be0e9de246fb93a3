/**
 * Goods and services for one reader: in one language, class by class with the title of the class, and searched within.
 * The other languages are folded below each class.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { renderButton, renderDisclosure } from '../frame/components.ts';
import { renderField, renderSelect, renderSettled } from '../frame/fields.ts';
import { Members, type TextShown, weigh } from '../frame/payload-reader.ts';
import { chooseLanguage, titleOfClass } from '../frame/wording.ts';
import { nameOfLanguage, type Part, renderLeft } from './parts.ts';

export interface GoodsReader {
  readonly languages: readonly string[];
  readonly within: string;
  readonly kept: readonly (readonly [name: string, value: string])[];
}

const BYTES_MAX = 45_000;
const MARKS_MAX = 100;

/** Null if the record has neither goods nor classes. */
export function buildGoodsPart(section: unknown, record: TrademarkDetail, reader: GoodsReader): Part | null {
  const goods = Array.isArray(section) ? (section as readonly unknown[]) : [];
  const texts = goods.flatMap(listTexts);
  const known = new Set(goods.map((entry) => niceClassOf(new Members(entry))));
  const bare = (record.nice_classes ?? []).filter((number) => !known.has(number));
  const all = [...goods, ...bare.map((number) => ({ class: String(number), scheme: 'nice' }))];
  if (all.length === 0) return null;
  const languages = listLanguages(texts);
  const language = chooseLanguage(languages, reader.languages);
  const wanted = reader.within.toLowerCase();
  const entries = all.filter((entry) => wanted === '' || says(listTexts(entry), wanted));
  const isWhole = weigh(entries) <= BYTES_MAX;
  const inOne = (entry: unknown): number => {
    const stated = listTexts(entry);
    return weigh(entry) - weigh(stated) + weigh(textsIn(stated, language));
  };
  return {
    name: 'goods',
    title: 'Goods and services',
    entries,
    bytesMax: BYTES_MAX,
    weigh: isWhole ? weigh : inOne,
    head: renderHead({ languages, language, reader, found: entries.length, all: all.length }),
    render: (shown) => html`
      <dl class="goods">
        ${shown.map((entry) => renderEntry(entry, { language, wanted, withOthers: isWhole }))}
      </dl>
    `,
  };
}

/** Null for a class of another scheme, whatever its number. */
function niceClassOf(entry: Members): number | null {
  const scheme = entry.text('scheme');
  return scheme === null || scheme === 'nice' ? Number(entry.text('class')) : null;
}

function listTexts(entry: unknown): readonly TextShown[] {
  return new Members(entry).texts('texts');
}

/** Texts in the language and without any language; if there are none, the first one. */
function textsIn(texts: readonly TextShown[], chosen: string | null): readonly TextShown[] {
  const found = texts.filter(({ language }) => language === null || language === chosen);
  return found.length > 0 ? found : texts.slice(0, 1);
}

function says(texts: readonly TextShown[], wanted: string): boolean {
  return texts.some(({ text }) => text.toLowerCase().includes(wanted));
}

function listLanguages(texts: readonly TextShown[]): string[] {
  const counts = new Map<string, number>();
  for (const { language } of texts) if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([language]) => language);
}

interface HeadState {
  readonly languages: readonly string[];
  readonly language: string | null;
  readonly reader: GoodsReader;
  readonly found: number;
  readonly all: number;
}

function renderHead({ languages, language, reader: { within, kept }, found, all }: HeadState): unknown {
  const sorted = [...languages].sort((one, other) => (nameOfLanguage(one) < nameOfLanguage(other) ? -1 : 1));
  return html`
    <form method="get" action="#goods" class="row goodshead">
      ${kept.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      ${
        sorted.length < 2
          ? sorted.map((tag) => renderSettled('Language', nameOfLanguage(tag)))
          : renderSelect({
              id: 'language',
              label: 'Language',
              choices: sorted.map((tag) => ({ value: tag, label: nameOfLanguage(tag) })),
              chosen: language ?? '',
            })
      }
      ${renderField({
        id: 'within',
        label: 'Search within',
        attributes: { type: 'search', value: within, dir: 'auto', maxlength: 100 },
      })}
      ${renderButton('Show', 'second')}
      ${
        within === ''
          ? null
          : html`<span role="status">
              ${found} of ${all} ${all === 1 ? 'entry says' : 'entries say'} “<bdi>${within}</bdi>”.
            </span>`
      }
    </form>
  `;
}

function renderEntry(
  entry: unknown,
  { language, wanted, withOthers }: { language: string | null; wanted: string; withOthers: boolean },
): unknown {
  const members = new Members(entry);
  const number = members.text('class');
  const scheme = members.text('scheme');
  const texts = members.texts('texts');
  const shown = textsIn(texts, language);
  const others = texts.filter((text) => !shown.includes(text));
  const title = scheme === null || scheme === 'nice' ? titleOfClass(Number(number)) : `${scheme} scheme`;
  return html`
    <div>
      <dt class="classnumber">${number ?? '–'}</dt>
      <dd>
        ${title === null || number === null ? null : html`<p class="role">${title}</p>`}
        ${shown.map((text) => html`<p>${renderMarked(text, wanted)}</p>`)}
        ${texts.length === 0 ? html`<p class="silent">No text stated.</p>` : null}
        ${others.length === 0 ? null : renderOthers(others, wanted, withOthers)}
        ${renderLeft(members)}
      </dd>
    </div>
  `;
}

function renderOthers(others: readonly TextShown[], wanted: string, withTexts: boolean): unknown {
  const names = [...new Set(others.map(({ language }) => nameOfLanguage(language ?? '–')))].join(', ');
  if (!withTexts) return html`<p class="hint">Also in ${names}: choose it above.</p>`;
  const otherTexts = others.map(
    (text) => html`
      <p>
        <span class="role">${text.language === null ? null : nameOfLanguage(text.language)}</span>
        ${' '}${renderMarked(text, wanted)}
      </p>
    `,
  );
  return renderDisclosure(`Also in ${names}`, otherTexts, wanted !== '' && says(others, wanted));
}

/** A text with its matches marked; the text itself stays unchanged. */
function renderMarked({ text, language }: TextShown, wanted: string): unknown {
  const lower = text.toLowerCase();
  // Some letters change their length with their case; in that case the places are not known.
  if (wanted === '' || lower.length !== text.length) return html`<span dir="auto" lang=${language}>${text}</span>`;
  const pieces: unknown[] = [];
  let end = 0;
  for (let at = lower.indexOf(wanted); at >= 0 && pieces.length < 2 * MARKS_MAX; at = lower.indexOf(wanted, end)) {
    pieces.push(text.slice(end, at), html`<mark>${text.slice(at, at + wanted.length)}</mark>`);
    end = at + wanted.length;
  }
  return html`<span dir="auto" lang=${language}>${pieces}${text.slice(end)}</span>`;
}
