/** What the two formats of the Taiwanese office share: the number of an application, and how texts and codes map. */

import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import type { Element } from '../element.ts';
import { readMeanings } from '../meanings.ts';
import { UnreadableRecord } from '../xml-records.ts';

export const OFFICE = 'TW';

/** Throws `UnreadableRecord` when the application number is missing or malformed. */
export function readNumber(root: Element, path: string): string {
  const number = root.text(path);
  if (number === null) throw new UnreadableRecord(`${root.name} has no ${path}`);
  if (!/^[0-9A-Za-z]{1,13}$/.test(number)) {
    throw new UnreadableRecord(`${path} must be letters and digits, not ${JSON.stringify(number.slice(0, 100))}`);
  }
  return number;
}

export function buildUid(number: string): string {
  return `${OFFICE}50${number.padStart(13, '0')}`;
}

/** Kinds by the office's term. Associated marks (聯合) were a separate kind until 2003. */
export const KINDS = readMeanings<KindOfMark>({
  Trademark: '商標 | 聯合商標',
  Defensive: '防護商標 | 防護服務標章',
  Service: '服務標章 | 聯合服務標章',
  Collective: '團體商標 | 產地團體商標 | 團體標章',
  Certificate: '證明標章 | 產地證明標章',
});

/** `Mark_Type` of the gazette, as far as it has been seen: trademarks and collective membership marks. */
export const GAZETTE_KINDS: Readonly<Record<string, KindOfMark>> = { 0: 'Trademark', 3: 'Collective' };

/** Null for a flat mark: the office does not state whether it has words, figures or both. */
export const FEATURES: Readonly<Record<string, MarkFeature | null>> = {
  平面: null,
  立體: 'Three-dimensional',
  聲音: 'Sound',
  顏色: 'Colour',
  單一顏色: 'Colour',
  顏色組合: 'Combination of colours',
  動態: 'Motion',
  全像圖: 'Hologram',
  連續圖案: 'Pattern',
  位置: 'Position',
  氣味: 'Olfactory',
};

/** 墨色 black, 彩色 coloured, 紅色 red: how a mark is displayed. */
export function isColour(text: string): boolean {
  return text.endsWith('色') && !Object.hasOwn(FEATURES, text);
}

/** The day the office began to use the Nice classification; its own classes before that had similar numbers. */
export const NICE_SINCE = '1994-07-15';
