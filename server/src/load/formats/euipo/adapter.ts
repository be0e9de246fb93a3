/** EUIPO open data XML: a zip with one file per mark, or a single such file. */
import { openSt66Format } from '../st66/adapter.ts';
import { EUIPO_DIALECT } from '../st66/dialects/em.ts';

export const euipoFormat = openSt66Format({ name: 'euipo', title: 'EUIPO open data XML', dialects: [EUIPO_DIALECT] });
