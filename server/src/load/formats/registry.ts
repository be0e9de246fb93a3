/** The formats a load can read, by the name an operator types. */
import { type Format, isLineFormat, type LineFormat } from './format.ts';
import { inpiBrFormat } from './inpi-br/adapter.ts';
import { ipAustraliaFormat } from './ip-australia/adapter.ts';
import { jpoFormat } from './jpo/adapter.ts';
import { kiprisFormat } from './kipris/adapter.ts';
import { ndjsonFormat } from './ndjson.ts';
import { euipoFormat, st66Format } from './st66/adapter.ts';
import { st96Format } from './st96/adapter.ts';
import { tipoFormat } from './tipo/adapter.ts';
import { usptoApcFormat } from './uspto-apc/adapter.ts';
import { usptoAssignmentsFormat } from './uspto-events/assignments.ts';
import { usptoTtabFormat } from './uspto-events/ttab.ts';
import { usptoTsdrFormat } from './uspto-tsdr/adapter.ts';

export const FORMATS: readonly Format[] = [
  ndjsonFormat,
  usptoApcFormat,
  usptoTsdrFormat,
  usptoAssignmentsFormat,
  usptoTtabFormat,
  euipoFormat,
  st66Format,
  st96Format,
  kiprisFormat,
  tipoFormat,
  jpoFormat,
  inpiBrFormat,
  ipAustraliaFormat,
];

/** Null if there is no such format. */
export function findFormat(name: string): Format | null {
  return FORMATS.find((format) => format.name === name) ?? null;
}

/** Null if there is no such format, or if its files are not made of independent lines. */
export function findLineFormat(name: string): LineFormat | null {
  const format = findFormat(name);
  return format !== null && isLineFormat(format) ? format : null;
}
