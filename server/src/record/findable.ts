/**
 * Which values of a record no filter can ever find, though the record is delivered with them (rule I-38): a Vienna code
 * without dots, a country of six letters. It judges by the forms that the filters take, and alters nothing.
 */
import { URL_BYTES_MAX } from '@tmds/contract/limits';
import type { Issue, NormalizedRecord } from './document.ts';
import { isCode, parseViennaCode } from './terms.ts';

export const UNFINDABLE = 'unfindable_value';

const ISSUE_VALUE_MAX = 200;

/** Something else than blanks and control characters, which names are compared without. */
const VISIBLE = /[^\s\p{Cc}]/u;

/** Whether a value can be asked for, by field; a list by each of its entries. */
const FILTERS = {
  office: isCode,
  mark_name: (name) => VISIBLE.test(name),
  mark_name_variants: (name) => VISIBLE.test(name),
  application_number: fitsRequest,
  registration_number: fitsRequest,
  international_registration_numbers: fitsRequest,
  priority_numbers: fitsRequest,
  vienna_codes: isViennaCode,
  owner_countries: isCode,
  designated_countries: isCode,
} as const satisfies Partial<Record<keyof NormalizedRecord, (value: string) => boolean>>;

const FIELDS = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/** A number is asked for whole. */
function fitsRequest(number: string): boolean {
  return number.length < URL_BYTES_MAX;
}

function isViennaCode(code: string): boolean {
  return parseViennaCode(code) !== null;
}

/** One issue for each such value, named by its field. */
export function listUnfindable(record: NormalizedRecord): Issue[] {
  const issues: Issue[] = [];
  for (const field of FIELDS) {
    const stated = record[field];
    if (stated === null) continue;
    if (typeof stated === 'string') note(issues, field, stated);
    else for (const value of stated) note(issues, field, value);
  }
  return issues;
}

function note(issues: Issue[], field: keyof typeof FILTERS, value: string): void {
  if (FILTERS[field](value)) return;
  issues.push({ code: UNFINDABLE, path: field, value: value.slice(0, ISSUE_VALUE_MAX).toWellFormed() });
}
