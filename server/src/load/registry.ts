/** The formats a load can be told to read, by the name an operator writes. */
import { euipoFormat } from './formats/euipo/adapter.ts';
import type { Format } from './formats/format.ts';
import { ndjsonFormat } from './formats/ndjson.ts';
import { usptoApcFormat } from './formats/uspto-apc/adapter.ts';

export const FORMATS: readonly Format[] = [ndjsonFormat, usptoApcFormat, euipoFormat];

/** Null when there is no such format. */
export function findFormat(name: string): Format | null {
  return FORMATS.find((format) => format.name === name) ?? null;
}
