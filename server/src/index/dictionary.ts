/**
 * The distinct texts of one kind (mark names, application numbers, …) in order, each with the ordinals of the records
 * that have it. Whole texts and beginnings are found by bisection.
 */
import { Growing, shareZeros } from './arrays.ts';
import { TextTable } from './text-table.ts';
import { compareBytes, sortTexts, type Texts } from './texts.ts';

export interface DictionarySections extends Texts {
  /** Text `i` belongs to `ordinals[ordinalStarts[i] … ordinalStarts[i + 1])`, ascending, with possible repeats. */
  readonly ordinalStarts: Uint32Array;
  readonly ordinals: Uint32Array;
}

/** Texts [from, to) of a dictionary. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export function countTexts({ offsets }: Texts): number {
  return offsets.length - 1;
}

/** The range of one text that equals `text`; empty if there is none. */
export function findWhole(dictionary: Texts, text: string): TextRange {
  const bytes = Buffer.from(text);
  const from = findNotBelow(dictionary, bytes);
  const isThere = from < countTexts(dictionary) && compareBytes(dictionary, from, bytes) === 0;
  return { from, to: isThere ? from + 1 : from };
}

/** All texts that begin with `text`. */
export function findBeginning(dictionary: Texts, text: string): TextRange {
  const bytes = Buffer.from(text);
  const from = findNotBelow(dictionary, bytes);
  let low = from;
  let high = countTexts(dictionary);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (beginsWith(dictionary, middle, bytes)) low = middle + 1;
    else high = middle;
  }
  return { from, to: low };
}

function findNotBelow(dictionary: Texts, bytes: Uint8Array): number {
  let low = 0;
  let high = countTexts(dictionary);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(dictionary, middle, bytes) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function beginsWith({ bytes: own, offsets }: Texts, at: number, bytes: Uint8Array): boolean {
  const start = offsets[at] as number;
  if ((offsets[at + 1] as number) - start < bytes.length) return false;
  for (let index = 0; index < bytes.length; index += 1) if (own[start + index] !== bytes[index]) return false;
  return true;
}

/** Collects texts and the records that have them. */
export class DictionaryBuilder {
  private readonly table = new TextTable();
  private readonly textOfPair = new Growing(Uint32Array);
  private readonly ordinalOfPair = new Growing(Uint32Array);

  /** Takes ordinals in ascending order. */
  add(text: string, ordinal: number): void {
    this.textOfPair.push(this.table.intern(text));
    this.ordinalOfPair.push(ordinal);
  }

  finish(): DictionarySections {
    const { count, texts } = this.table;
    const order = Uint32Array.from({ length: count }, (_, position) => position);
    sortTexts(texts, order);
    const bytes = shareZeros(Uint8Array, texts.bytes.length);
    const offsets = shareZeros(Uint32Array, count + 1);
    const placeOf = new Uint32Array(count);
    for (let place = 0, at = 0; place < count; place += 1) {
      const position = order[place] as number;
      const text = texts.bytes.subarray(texts.offsets[position], texts.offsets[position + 1]);
      bytes.set(text, at);
      at += text.length;
      offsets[place + 1] = at;
      placeOf[position] = place;
    }
    return { bytes, offsets, ...this.groupOrdinals(placeOf) };
  }

  private groupOrdinals(placeOf: Uint32Array): Pick<DictionarySections, 'ordinalStarts' | 'ordinals'> {
    const pairs = this.textOfPair.length;
    const texts = this.textOfPair.array;
    const ordinalStarts = shareZeros(Uint32Array, placeOf.length + 1);
    for (let pair = 0; pair < pairs; pair += 1) {
      (ordinalStarts[(placeOf[texts[pair] as number] as number) + 1] as number) += 1;
    }
    for (let place = 0; place < placeOf.length; place += 1) {
      (ordinalStarts[place + 1] as number) += ordinalStarts[place] as number;
    }
    const next = Uint32Array.from(ordinalStarts);
    const ordinals = shareZeros(Uint32Array, pairs);
    for (let pair = 0; pair < pairs; pair += 1) {
      const place = placeOf[texts[pair] as number] as number;
      ordinals[next[place] as number] = this.ordinalOfPair.array[pair] as number;
      (next[place] as number) += 1;
    }
    return { ordinalStarts, ordinals };
  }
}
