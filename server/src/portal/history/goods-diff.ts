/** Goods and services of two versions of a record, compared word by word. */
import { html } from 'htm/preact';
import { Members } from '../frame/payload-reader.ts';
import { titleOfClass } from '../frame/wording.ts';
import { compareWords, type DiffPiece } from './word-diff.ts';

/** Texts that are compared on a page, and characters of each. */
const TEXTS_SHOWN = 30;
const CHARACTERS_MAX = 20_000;
/** Characters next to a change that are shown of a part that both have. */
const CONTEXT = 160;

interface GoodsText {
  readonly class: string | null;
  readonly scheme: string | null;
  readonly language: string | null;
  readonly text: string;
}

/** Null if the goods are the same, or not stated in either. */
export function renderGoodsDiff(before: unknown, after: unknown): unknown {
  const [old, now] = [listTexts(before), listTexts(after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (key) => old.get(key)?.text !== now.get(key)?.text,
  );
  if (changed.length === 0) return null;
  const left = changed.length - TEXTS_SHOWN;
  return html`
    <h3>Goods and services</h3>
    <p class="hint"><del>Crossed out</del> is gone, <ins>underlined</ins> is new.</p>
    <dl class="goods">
      ${changed.slice(0, TEXTS_SHOWN).map((key) => renderText(key, old.get(key) ?? null, now.get(key) ?? null))}
    </dl>
    ${left <= 0 ? null : html`<p class="hint">${left} further texts changed; the record has them.</p>`}
  `;
}

/** By class and language. */
function listTexts(payload: unknown): ReadonlyMap<string, GoodsText> {
  const found = new Map<string, GoodsText>();
  for (const entry of new Members(payload).list('goods_and_services')) {
    const members = new Members(entry);
    const [number, scheme] = [members.text('class'), members.text('scheme')];
    for (const { text, language } of members.texts('texts')) {
      const key = JSON.stringify([scheme ?? 'nice', number, language]);
      const known = found.get(key);
      found.set(key, { class: number, scheme, language, text: known === undefined ? text : `${known.text}\n${text}` });
    }
  }
  return found;
}

function renderText(key: string, old: GoodsText | null, now: GoodsText | null): unknown {
  const { class: number, scheme, language } = (now ?? old)!;
  const title = scheme === null || scheme === 'nice' ? titleOfClass(Number(number)) : `${scheme} scheme`;
  const what = old === null ? ' – new' : now === null ? ' – removed' : '';
  const pieces = compareWords((old?.text ?? '').slice(0, CHARACTERS_MAX), (now?.text ?? '').slice(0, CHARACTERS_MAX));
  return html`
    <div key=${key}>
      <dt class="classnumber">${number ?? '–'}</dt>
      <dd>
        <p class="role">${title}${what}</p>
        <p dir="auto" lang=${language}>${pieces.map(renderPiece)}</p>
      </dd>
    </div>
  `;
}

function renderPiece({ kind, text }: DiffPiece, at: number, pieces: readonly DiffPiece[]): unknown {
  if (kind === 'gone') return html`<del>${text}</del>`;
  if (kind === 'come') return html`<ins>${text}</ins>`;
  // A long part that both have is cut to what is next to a change.
  const head = at === 0 ? 0 : CONTEXT;
  const tail = at === pieces.length - 1 ? 0 : CONTEXT;
  if (text.length <= head + tail + CONTEXT) return text;
  return `${text.slice(0, head)} … ${text.slice(text.length - tail)}`;
}
