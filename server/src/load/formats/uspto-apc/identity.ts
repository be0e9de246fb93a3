/** The numbers by which files of the office name a case, and the uid of its record. */

/** Digits, not only zeros; null for anything else. */
export function parseSerialNumber(text: string | null): string | null {
  return text !== null && /^\d{1,13}$/.test(text) && !isZeros(text) ? text : null;
}

/** The office writes a number that is not there as zeros, in as many digits as the number has. */
export function isZeros(text: string): boolean {
  return /^0{1,13}$/.test(text);
}

/** Files pad to seven digits; the padding is not part of the number. Null for none, which is written as zeros. */
export function parseRegistrationNumber(text: string | null): string | null {
  const number = text?.replace(/^0+/, '');
  return number === undefined || number === '' ? null : number;
}

export function buildCaseUid(serial: string): string {
  return `US50${serial.padStart(13, '0')}`;
}
