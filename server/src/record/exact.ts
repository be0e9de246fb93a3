/**
 * JSON documents that keep every number exactly as stated (rule I-38). JSON.parse turns numbers into doubles, most of
 * which print the same digits again; the others are kept as digits. A document that cannot be kept unchanged is
 * refused, never altered.
 */
import { isLosslessNumber, LosslessNumber, parse, splitNumber, stringify } from 'lossless-json';
import { RecordRejection } from './normalize.ts';

/** A number that a double would print with other digits. */
export type ExactNumber = LosslessNumber;

export function isExactNumber(value: object): value is ExactNumber {
  return isLosslessNumber(value);
}

/** One text for each value, regardless of the zeros, dots and exponents it was written with. */
export function writeCanonicalNumber(number: ExactNumber): string {
  return canonicalText(number.value);
}

function canonicalText(literal: string): string {
  const { sign, digits, exponent } = splitNumber(literal);
  return `${sign}${digits}e${exponent}`;
}

/** A double if it prints the same value, otherwise the digits of the document. */
function parseNumber(literal: string): number | ExactNumber {
  const double = Number(literal);
  const isSame = Number.isFinite(double) && canonicalText(String(double)) === canonicalText(literal);
  return isSame ? double : new LosslessNumber(literal);
}

/**
 * Parses text that is known to be JSON. Throws `RecordRejection` if an object has the same key twice with different
 * values, of which JSON.parse would keep only the last.
 */
export function parseExactly(text: string): unknown {
  return parse(text, undefined, {
    parseNumber,
    onDuplicateKey: ({ key }) => {
      throw new RecordRejection(`an object states ${JSON.stringify(key)} twice, with different values`);
    },
  });
}

/** The JSON text of a document, with exact numbers as they were stated. */
export function renderExactly(document: unknown): string {
  return stringify(document) ?? 'null';
}
