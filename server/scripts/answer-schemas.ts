/** Renders `answer-schemas.ts` from the contract. `npm run docs` writes it, and a test checks that it is up to date. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSchemas } from './schema-reader.ts';

/** The modules of the contract that declare answers, in the order in which the interface description has them. */
const MODULES = [
  'record',
  'search-coverage',
  'asked',
  'coverage',
  'usage',
  'digests',
  'history',
  'watches',
  'diagnosis',
  'webhooks',
  'snapshots',
  'dates',
  'likeness',
] as const;
/** They have constants, and types without schemas. */
const FURTHER_MODULES = ['values', 'enums', 'limits', 'extras'] as const;

const SOURCES = new URL('../../contract/src/', import.meta.url);
export const ANSWER_SCHEMAS_PATH = fileURLToPath(
  new URL('../src/render/description/answer-schemas.ts', import.meta.url),
);

/** The text of `answer-schemas.ts`. */
export async function renderAnswerSchemas(): Promise<string> {
  const texts = new Map<string, string>();
  const constants = new Map<string, unknown>();
  for (const name of [...MODULES, ...FURTHER_MODULES]) {
    texts.set(`${name}.ts`, readFileSync(new URL(`${name}.ts`, SOURCES), 'utf8'));
    for (const [constant, value] of Object.entries(await import(`../../contract/src/${name}.ts`))) {
      constants.set(constant, value);
    }
  }
  const schemas = readSchemas(texts, constants);
  const lines = Object.entries(schemas).map(([name, schema]) => `  ${name}: ${JSON.stringify(schema)},`);
  return [
    '/** Written by `npm run docs` from the types of the contract, a line for each schema; not to be edited. */',
    "import type { Json } from './schema-parts.ts';",
    '',
    'export const ANSWER_SCHEMAS: Readonly<Record<string, Json>> = {',
    ...lines,
    '};',
    '',
  ].join('\n');
}
