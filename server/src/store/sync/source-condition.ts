/** The state of a declared source in one word: for the commands, and for the operators' pages. */

import type { SourceCondition } from '@tmds/contract/coverage';

export type { SourceCondition };

export interface SourceFacts {
  /** A file of its register failed. */
  readonly isStopped: boolean;
  /** Its last check failed. */
  readonly isFailing: boolean;
  readonly isOverdue: boolean;
  readonly hasGaps: boolean;
  readonly isChecked: boolean;
}

/** The most serious first. */
export function judgeSource({ isStopped, isFailing, isOverdue, hasGaps, isChecked }: SourceFacts): SourceCondition {
  if (isStopped) return 'stopped';
  if (isFailing) return 'failing';
  if (isOverdue) return 'overdue';
  if (hasGaps) return 'gaps';
  return isChecked ? 'current' : 'never checked';
}
