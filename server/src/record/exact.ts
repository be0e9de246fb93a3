/**
 * Documents whose every number stays what it was (rule I-38). JSON.parse makes a double of each number, and of most the
 * same digits come out again. The others are held as their digits. It knows nothing of records; what cannot be kept
 * as it stands is refused, never altered.
 */
import { isLosslessNumber, LosslessNumber, parse, splitNumber, stringify } from 'lossless-json';
import { RecordRejection } from './normalize.ts';

/** A number that no double writes with the same digits. */
export type ExactNumber = LosslessNumber;

export function isExactNumber(value: object): value is ExactNumber {
  return isLosslessNumber(value);
}

/** One text for each value, whatever zeros, dots and exponents it was written with. */
export function writeCanonicalNumber(number: ExactNumber): string {
  return canonicalText(number.value);
}

function canonicalText(literal: string): string {
  const { sign, digits, exponent } = splitNumber(literal);
  return `${sign}${digits}e${exponent}`;
}

/** A double where its own digits say the same value, otherwise the digits that the document states. */
function parseNumber(literal: string): number | ExactNumber {
  const double = Number(literal);
  const isSame = Number.isFinite(double) && canonicalText(String(double)) === canonicalText(literal);
  return isSame ? double : new LosslessNumber(literal);
}

/**
 * Parses a text that is known to be JSON. Throws `RecordRejection` where an object states one name with two values,
 * of which JSON.parse keeps the last.
 */
export function parseExactly(text: string): unknown {
  return parse(text, undefined, {
    parseNumber,
    onDuplicateKey: ({ key }) => {
      throw new RecordRejection(`an object states ${JSON.stringify(key)} twice, with different values`);
    },
  });
}

/** The text of a document, exact numbers as they were stated. */
export function renderExactly(document: unknown): string {
  return stringify(document) ?? 'null';
}
