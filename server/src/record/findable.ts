/**
 * Lists the values of a record that are delivered but doubtful: those that no filter can ever find (rule I-38), such as
 * a country code of six letters, and Vienna codes of a category that does not exist (rule I-43). A value is findable if
 * the filters accept its form. Nothing is altered.
 */
import { URL_BYTES_MAX } from '@tmds/contract/limits';
import { dropHidden } from '@tmds/contract/text';
import type { Issue, NormalizedRecord } from './document.ts';
import { isCode, isViennaCode } from './terms.ts';

const UNFINDABLE = 'unfindable_value';
const UNKNOWN_CATEGORY = 'unknown_vienna_category';
const VIENNA_CATEGORY_MAX = 29;

const ISSUE_VALUE_MAX = 200;

/** Anything except white space and control characters, which names are compared without, as without hidden ones. */
const VISIBLE = /[^\s\p{Cc}]/u;
const VISIBLE_ASCII = /[!-~]/;

/** For each field, whether a filter can ask for a value; lists are checked entry by entry. */
const FINDABLE = {
  office: isCode,
  mark_name: isVisible,
  mark_name_variants: isVisible,
  owner_names: isVisible,
  representative_names: isVisible,
  application_number: fitsRequest,
  registration_number: fitsRequest,
  international_registration_numbers: fitsRequest,
  priority_numbers: fitsRequest,
  vienna_codes: isViennaCode,
  owner_countries: isCode,
  designated_countries: isCode,
} as const satisfies Partial<Record<keyof NormalizedRecord, (value: string) => boolean>>;

const FIELDS = Object.keys(FINDABLE) as (keyof typeof FINDABLE)[];

function isVisible(name: string): boolean {
  return VISIBLE_ASCII.test(name) || VISIBLE.test(dropHidden(name));
}

/** Numbers are found by their whole text only, so the whole text has to fit into a request. */
function fitsRequest(number: string): boolean {
  return number.length < URL_BYTES_MAX;
}

/** One issue per value; its path is the field. */
export function listDoubtful(record: NormalizedRecord): Issue[] {
  const issues: Issue[] = [];
  for (const field of FIELDS) {
    const stated = record[field];
    if (stated === null) continue;
    if (typeof stated === 'string') note(issues, field, stated);
    else for (const value of stated) note(issues, field, value);
  }
  return issues;
}

function note(issues: Issue[], field: keyof typeof FINDABLE, value: string): void {
  const isFindable = FINDABLE[field](value);
  if (isFindable && (field !== 'vienna_codes' || hasKnownCategory(value))) return;
  const code = isFindable ? UNKNOWN_CATEGORY : UNFINDABLE;
  issues.push({ code, path: field, value: value.slice(0, ISSUE_VALUE_MAX).toWellFormed() });
}

function hasKnownCategory(code: string): boolean {
  const category = Number.parseInt(code, 10);
  return category >= 1 && category <= VIENNA_CATEGORY_MAX;
}
