/** EUIPO open data XML: a zip of one file per mark, or one such file. */
import { openSt66Format } from '../st66/adapter.ts';
import { EUIPO_DIALECT } from './dialect.ts';

export const euipoFormat = openSt66Format(EUIPO_DIALECT);
