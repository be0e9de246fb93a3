/** The findings about a row of a docket in words, for pages and for files. */

import { DATE_COLUMNS, DOCKET_FIELDS, type DocketField } from '@tmds/contract/docket/fields';
import type { DescribedFinding, Result } from '@tmds/contract/docket/output';
import type { MarkState } from '../../store/accounts/docket-marks.ts';
import type { Level } from '../frame/components.ts';
import { formatDate } from '../frame/pieces.ts';
import type { Since } from './stored-docket.ts';

/** Results that need attention come first. */
export const RESULT_TITLES: Readonly<Record<Result, readonly [title: string, level: Level]>> = {
  different: ['Differences', 'warn'],
  not_found: ['Not found', 'bad'],
  ambiguous: ['Several candidates', 'warn'],
  invalid: ['Needs fixing', 'off'],
  found: ['Matches', 'good'],
};

export const STATE_TITLES: Readonly<Record<MarkState, readonly [title: string, level: Level]>> = {
  done: ['Done', 'good'],
  ignored: ['Ignored', 'off'],
};

export function describeResult(result: Result): string {
  return RESULT_TITLES[result][0];
}

/** A value of the register; a date as people write it. */
export function writeStated(field: DocketField, value: string): string {
  return (DATE_COLUMNS as readonly DocketField[]).includes(field) ? formatDate(value) : value;
}

export function describeSince({ kind, was, at }: Since): string {
  if (kind === 'new') return 'New row';
  const day = at === null ? '' : ` on ${formatDate(at.slice(0, 10))}`;
  if (kind === 'updated') return `Record updated since the last comparison${day}`;
  return was === null ? `Changed since the last comparison${day}` : `${describeResult(was)}${day}, now different`;
}

/** What is to be said about a row, a sentence each. */
export function sayDetails({ reason, differences, candidates, not_compared: notCompared }: DescribedFinding): string[] {
  return [
    ...(reason === null ? [] : [reason]),
    ...differences.map(({ field, yours, register }) => {
      const theirs = register === null ? 'states none' : `has “${writeStated(field, register)}”`;
      return `${DOCKET_FIELDS[field]}: you have “${yours}”, the register ${theirs}.`;
    }),
    ...candidates.map(({ uid, application_number: application, registration_number: registration }) =>
      [
        `Candidate ${uid}:`,
        application === null ? null : `application ${application}`,
        registration === null ? null : `registration ${registration}`,
      ]
        .filter((part) => part !== null)
        .join(' '),
    ),
    ...notCompared.map(({ field, reason: why }) => `${DOCKET_FIELDS[field]} is not compared: ${why}.`),
  ];
}

/** Why a comparison stopped, by the code of the refusal, and what to do. */
const STOPPED: Readonly<Record<string, string>> = {
  quota_exceeded: 'the units of the month are used up. Continue when there are units again.',
  rate_limited: 'the key makes too many calls elsewhere. Continue in a few minutes.',
  key_revoked: 'the key was revoked. Delete the docket and upload it again with another key.',
  product_not_allowed: 'the key may not look up records. Delete the docket and upload it again with another key.',
};

export function describeFailure(failure: string): string {
  return STOPPED[failure] ?? 'the service could not continue. Try again in a few minutes.';
}
