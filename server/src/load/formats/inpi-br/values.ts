/** How the words, codes and dates of the Brazilian office map; a word that is not here raises an issue. */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import { isRegisterDate } from '../../../record/dates.ts';

export const OFFICE = 'BR';

/** `natureza`, in lower case. Generic and specific marks are individual marks of an older law. */
export const KINDS: Readonly<Record<string, KindOfMark>> = {
  'produtos e/ou serviço': 'Trademark',
  'produtos e/ou serviços': 'Trademark',
  'de produto': 'Trademark',
  'de serviço': 'Service',
  coletiva: 'Collective',
  certificação: 'Certificate',
  'certific.': 'Certificate',
  genérica: 'Individual',
  específica: 'Individual',
  'genérica/específica': 'Individual',
  'expressão propaganda': 'Other',
};

/** `apresentacao`, in lower case. */
export const FEATURES: Readonly<Record<string, MarkFeature>> = {
  nominativa: 'Word',
  figurativa: 'Figurative',
  mista: 'Combined',
  tridimensional: 'Three-dimensional',
  posição: 'Position',
};

/** `DD/MM/YYYY`. */
export function brazilianDate(text: string): string | null {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return isRegisterDate(date) ? date : null;
}
