/** What an answer of the Korean services says of a mark, once its names have been looked up in the service's shape. */
import type { Party } from '../payload.ts';
import type { StatedValue } from './shapes.ts';

/** What an answer states, by the names of its shape. */
export interface Answer {
  text(value: StatedValue): string | null;
  date(value: StatedValue): string | null;
  statedDate(value: StatedValue): string | null;
}

export interface AnswerParty {
  party: Party;
  spellings: string[];
}
