/**
 * Goods and services of two versions of a record, compared word by word: what both have, what is gone and what has come
 * (Myers, "An O(ND) Difference Algorithm"). Invariant: the work is bounded; texts that differ too much are one piece
 * each.
 */
import { html } from 'htm/preact';
import { Members } from '../frame/payload-reader.ts';
import { titleOfClass } from '../frame/wording.ts';

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
      ${changed.slice(0, TEXTS_SHOWN).map((key) => renderText(old.get(key) ?? null, now.get(key) ?? null))}
    </dl>
    ${left <= 0 ? null : html`<p class="hint">${left} further texts changed; the record has them.</p>`}
  `;
}

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

function renderText(old: GoodsText | null, now: GoodsText | null): unknown {
  const { class: number, scheme, language } = (now ?? old)!;
  const title = scheme === null || scheme === 'nice' ? titleOfClass(Number(number)) : `${scheme} scheme`;
  const what = old === null ? ' – new' : now === null ? ' – removed' : '';
  const pieces = compareWords((old?.text ?? '').slice(0, CHARACTERS_MAX), (now?.text ?? '').slice(0, CHARACTERS_MAX));
  return html`
    <div>
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

interface DiffPiece {
  readonly kind: 'kept' | 'gone' | 'come';
  readonly text: string;
}

/** Words that differ, at most: the work grows with its square. */
const DIFFERING_MAX = 400;
/** Words, blanks and signs of one text. */
const PIECES_MAX = 20_000;

function compareWords(before: string, after: string): DiffPiece[] {
  const [old, now] = [split(before), split(after)];
  if (old.length > PIECES_MAX || now.length > PIECES_MAX) return join(whole(old, now));
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let tail = 0;
  while (
    tail < old.length - start &&
    tail < now.length - start &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail += 1;
  }
  const [oldPart, nowPart] = [old.slice(start, old.length - tail), now.slice(start, now.length - tail)];
  return join([
    ...old.slice(0, start).map(kept),
    ...(findEdits(oldPart, nowPart) ?? whole(oldPart, nowPart)),
    ...old.slice(old.length - tail).map(kept),
  ]);
}

/** A word with the signs and blanks that follow it, or a character of a script without blanks. */
function split(text: string): string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu,
    ) ?? []
  );
}

const kept = (text: string): DiffPiece => ({ kind: 'kept', text });

function whole(old: readonly string[], now: readonly string[]): DiffPiece[] {
  return [
    { kind: 'gone', text: old.join('') },
    { kind: 'come', text: now.join('') },
  ];
}

/** Null if more than `DIFFERING_MAX` words differ. */
function findEdits(old: readonly string[], now: readonly string[]): DiffPiece[] | null {
  const most = Math.min(old.length + now.length, DIFFERING_MAX);
  const furthest = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  const middle = most + 1;
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(furthest.slice());
    for (let line = -edits; line <= edits; line += 2) {
      const down = line === -edits || (line !== edits && furthest[middle + line - 1]! < furthest[middle + line + 1]!);
      let x = down ? furthest[middle + line + 1]! : furthest[middle + line - 1]! + 1;
      while (x < old.length && x - line < now.length && old[x] === now[x - line]) x += 1;
      furthest[middle + line] = x;
      if (x >= old.length && x - line >= now.length) return walkBack(old, now, { trace, middle });
    }
  }
  return null;
}

function walkBack(
  old: readonly string[],
  now: readonly string[],
  { trace, middle }: { trace: readonly Int32Array[]; middle: number },
): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let [x, y] = [old.length, now.length];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const furthest = trace[edits]!;
    const line = x - y;
    const down = line === -edits || (line !== edits && furthest[middle + line - 1]! < furthest[middle + line + 1]!);
    const fromLine = down ? line + 1 : line - 1;
    const fromX = edits === 0 ? 0 : furthest[middle + fromLine]!;
    const fromY = edits === 0 ? 0 : fromX - fromLine;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      pieces.push(kept(old[x]!));
    }
    if (edits === 0) break;
    if (down) pieces.push({ kind: 'come', text: now[fromY]! });
    else pieces.push({ kind: 'gone', text: old[fromX]! });
    [x, y] = [fromX, fromY];
  }
  return pieces.reverse();
}

/**
 * Pieces of one kind in a row are one; what is gone comes before what has come. A blank between two changes is part of
 * both sides, so that a changed phrase is read as one.
 */
function join(pieces: readonly DiffPiece[]): DiffPiece[] {
  const joined: DiffPiece[] = [];
  const changed = { gone: '', come: '', blank: '' };
  const flush = (): void => {
    for (const kind of ['gone', 'come'] as const) if (changed[kind] !== '') joined.push({ kind, text: changed[kind] });
    if (changed.blank !== '') push(joined, changed.blank);
    Object.assign(changed, { gone: '', come: '', blank: '' });
  };
  for (const { kind, text } of pieces) {
    const isChanging = changed.gone + changed.come !== '';
    if (kind !== 'kept') {
      changed.gone += changed.blank;
      changed.come += changed.blank;
      changed.blank = '';
      changed[kind] += text;
    } else if (isChanging && changed.blank === '' && /^\s+$/u.test(text)) {
      changed.blank = text;
    } else {
      flush();
      push(joined, text);
    }
  }
  flush();
  return joined;
}

function push(joined: DiffPiece[], text: string): void {
  const last = joined.at(-1);
  if (last?.kind === 'kept') joined[joined.length - 1] = kept(last.text + text);
  else joined.push(kept(text));
}
