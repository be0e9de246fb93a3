/** What an answer of the Korean services states about a mark, read by the names of the service's shape. */
import type { Party } from '../payload.ts';
import type { StatedValue } from './shapes.ts';

/** The values of an answer, by the names of its shape. */
export interface Answer {
  text(value: StatedValue): string | null;
  date(value: StatedValue): string | null;
  statedDate(value: StatedValue): string | null;
}

export interface AnswerParty {
  party: Party;
  spellings: string[];
}
