/** How codes of final dispositions map to statuses: codes of the examination, the register and Madrid designations. */
import type { Status } from '@tmds/contract/enums';

/** The office's names for its final dispositions, as far as its table is known. */
const DISPOSITION_TEXTS: Readonly<Record<string, string>> = {
  A01: '登録査定書',
  A02: '拒絶査定',
  A031: '出願無効の処分（出',
  A045: '出願却下処分書',
  A761: '出願取下書',
  A762: '出願放棄書',
};

/** Refused, void, dismissed, withdrawn or given up. In one table codes have three characters, in others more. */
const ABANDONED = /^(?:A02|A03\d?|A04\d?|A76[12]?)$/;
const GRANTED = 'A01';
/** The right has ended; a date says when. */
export const ENDED = 'R02';

/** Null for an unknown code. */
export function statusOfApplication(code: string | null): Status | null {
  if (code === null || code === GRANTED) return 'Pending';
  return ABANDONED.test(code) ? 'Abandoned' : null;
}

/** The code with the office's text for it. */
export function dispositionText(code: string | null): string | null {
  if (code === null) return null;
  const text = Object.hasOwn(DISPOSITION_TEXTS, code) ? DISPOSITION_TEXTS[code] : undefined;
  return text === undefined ? code : `${code} ${text}`;
}

/** For a Madrid designation that has not ended: A1 granted, A2 to A4 refused, void or dismissed. */
export function statusOfDesignation(examination: string | null, register: string | null): Status | null {
  if (examination === 'A1' && register === '00') return 'Registered';
  if (examination === null || examination === '00' || examination === 'A1') return 'Pending';
  return /^A[234]$/.test(examination) ? 'Abandoned' : null;
}

/** Codes of the register's final disposition that end a designation. */
export const DESIGNATION_ENDED = 'R2';
