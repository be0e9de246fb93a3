/** A mark without a picture, drawn as a word that fills the place of the picture. */
import { html } from 'htm/preact';

/** A longer word is drawn smaller; a very long one is cut by the stylesheet. */
const SIZES: readonly (readonly [charactersMax: number, size: string])[] = [
  [10, 'short'],
  [28, 'middle'],
];

export function renderWord(word: string, language: string | null = null): unknown {
  const length = [...word.slice(0, 100)].length;
  const size = SIZES.find(([charactersMax]) => length <= charactersMax)?.[1] ?? 'long';
  return html`<span class=${`word ${size}`} dir="auto" lang=${language}>${word}</span>`;
}
