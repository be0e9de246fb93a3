/** The journals of the Brazilian office, and how its words map; a word that is not here raises an issue. */

import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import { OperatorError } from '../../../base/errors.ts';
import type { XmlRoot } from '../../xml/xml.ts';
import { brazilianDate } from '../dates.ts';
import { readMeanings } from '../meanings.ts';

export const OFFICE = 'BR';

/** `natureza`, in lower case. Generic and specific marks are individual marks of an older law. */
export const KINDS = readMeanings<KindOfMark>({
  Trademark: 'produtos e/ou serviço | produtos e/ou serviços | de produto',
  Service: 'de serviço',
  Collective: 'coletiva',
  Certificate: 'certificação | certific.',
  Individual: 'genérica | específica | genérica/específica',
  Other: 'expressão propaganda',
});

/** `apresentacao`, in lower case. */
export const FEATURES: Readonly<Record<string, MarkFeature>> = {
  nominativa: 'Word',
  figurativa: 'Figurative',
  mista: 'Combined',
  tridimensional: 'Three-dimensional',
  posição: 'Position',
};

/** One weekly journal: its number and day order what the office says about a mark. */
export interface Journal {
  /** `2240`. */
  number: string;
  /** `YYYY-MM-DD`, the day of publication. */
  date: string;
}

const ATTRIBUTES: readonly string[] = ['numero', 'data'];

/** Throws `OperatorError` when the journal does not say which one it is: then it cannot be put in order. */
export function readJournal({ attributes }: XmlRoot, entryName: string): Journal {
  const number = attributes.numero?.trim() ?? '';
  const date = brazilianDate(attributes.data?.trim() ?? '');
  if (/^\d{1,6}$/.test(number) && date !== null) return { number, date };
  const seen = `numero="${number}" data="${attributes.data ?? ''}"`.slice(0, 100);
  throw new OperatorError(
    `${entryName} does not say which journal it is: a number and DD/MM/YYYY are needed, not ${seen}`,
  );
}

/** Attributes of the root that say more than which journal it is. */
export function listOtherAttributes({ attributes }: XmlRoot): string[] {
  return Object.keys(attributes).filter((name) => !ATTRIBUTES.includes(name) && !/^xmlns|:/.test(name));
}
