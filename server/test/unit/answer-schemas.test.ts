/** The schemas of answers are read from the types of the contract: their members, comments and tags. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ANSWER_SCHEMAS_PATH, renderAnswerSchemas } from '../../scripts/answer-schemas.ts';
import { readSchemas } from '../../scripts/schema-reader.ts';

const CONSTANTS = new Map<string, unknown>([
  ['ITEMS_MAX', 7],
  ['KINDS', ['one', 'two']],
  ['MEANINGS', { one: 'The first.', two: 'The second.' }],
]);

const read = (text: string) => readSchemas(new Map([['sample.ts', text]]), CONSTANTS);
/** The schema of a member of that type. */
const readMember = (declared: string, further = '') =>
  (read(`/** @schema */ interface Answer {\n${declared}\n}\n${further}`).Answer!.properties as Record<string, unknown>)
    .of;

test('the schemas of answers are those that the contract declares [9.4]', async () => {
  assert.equal(
    readFileSync(ANSWER_SCHEMAS_PATH, 'utf8'),
    await renderAnswerSchemas(),
    'npm run docs writes them again',
  );
});

test('a type with the tag becomes a schema under its name, or the one that the tag says; others refer to it', () => {
  const schemas = read(`
    /**
     * A page,
     * of some.
     * @schema
     */
    export interface Page extends Base { readonly items: readonly Item[]; more?: boolean }
    interface Base {
      /** How many. */
      count: number;
    }
    /**
     * One.
     * @schema NamedItem
     */
    export interface Item { readonly id: string }
  `);
  assert.deepEqual(schemas, {
    Page: {
      type: 'object',
      description: 'A page, of some.',
      required: ['count', 'items'],
      properties: {
        count: { type: 'integer', description: 'How many.' },
        items: { type: 'array', items: { $ref: '#/components/schemas/NamedItem' } },
        more: { type: 'boolean' },
      },
    },
    NamedItem: {
      type: 'object',
      description: 'One.',
      required: ['id'],
      properties: { id: { type: 'string' } },
    },
  });
});

test('what may be null allows null: a value by its type and its set, an object as another form', () => {
  assert.deepEqual(readMember('of: string | null'), { type: ['string', 'null'] });
  assert.deepEqual(readMember("of: 'a' | 'b' | null"), { type: ['string', 'null'], enum: ['a', 'b', null] });
  assert.deepEqual(readMember('of: Inner | null', '/** @schema */ interface Inner { a: string }'), {
    anyOf: [{ $ref: '#/components/schemas/Inner' }, { type: 'null' }],
  });
  assert.deepEqual((readMember('/** @oneOf */ of: { a: string } | null') as { oneOf: unknown[] }).oneOf[1], {
    type: 'null',
  });
});

test('an object that is always empty says so', () => {
  assert.deepEqual(readMember('of: Record<string, never>'), { type: 'object', maxProperties: 0 });
});

test('the values of a constant are the set of a member, in its order', () => {
  const values = { type: 'string', enum: ['one', 'two'] };
  assert.deepEqual(readMember('of: (typeof KINDS)[number]'), values);
  assert.deepEqual(readMember('of: Kind', 'type Kind = keyof typeof MEANINGS;'), values);
  assert.deepEqual(readMember('of: Kind', '/** @values KINDS */ type Kind = Exclude<Other, string>;'), values);
});

test('a form of several is an object of its own, with what all of them have', () => {
  const forms = "type Form = ({ kind: 'a'; a: string } | { kind: 'b' }) & { place: number };";
  const { oneOf } = readMember('of: Form', forms) as { oneOf: { required: string[]; properties: unknown }[] };
  assert.deepEqual(
    oneOf.map(({ required }) => required),
    [
      ['kind', 'a', 'place'],
      ['kind', 'place'],
    ],
  );
  assert.deepEqual(oneOf[1]!.properties, { kind: { type: 'string', const: 'b' }, place: { type: 'integer' } });
});

test('a member takes the tags of its type, its own where it has them, and the comment that is nearer', () => {
  const text = '/**\n * A code.\n * @minLength 1\n */ type Code = string;';
  assert.deepEqual(readMember('of: Code', text), { type: 'string', description: 'A code.', minLength: 1 });
  assert.deepEqual(readMember('/**\n * Its code.\n * @minLength 2\n * @maxLength ITEMS_MAX\n */ of: Code', text), {
    type: 'string',
    description: 'Its code.',
    minLength: 2,
    maxLength: 7,
  });
  assert.deepEqual(readMember('/** At most {@link ITEMS_MAX}: {@link KINDS}. {@link MEANINGS} */ of: number'), {
    type: 'integer',
    description: 'At most 7: one, two. `one`: The first. `two`: The second.',
  });
  assert.deepEqual(read('/**\n * @schema\n * @closed\n */ interface Body { name?: string }').Body, {
    type: 'object',
    properties: { name: { type: 'string' } },
    additionalProperties: false,
  });
});

test('what a schema cannot say ends with an error that names the place', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['of: Map<string, string>', /contract\/src\/sample\.ts:2: .* Map<string, string>/],
    ['of: unknown', /sample\.ts:2: .* unknown/],
    ['/** @mininum 1 */ of: number', /@mininum 1/],
    ['/** @minimum few */ of: number', /@minimum few/],
    ['/** @minimum ITEMS_MIN */ of: number', /ITEMS_MIN/],
    ['/** @values KIND */ of: string', /@values KIND/],
    ['/** {@link NOTHING} */ of: string', /NOTHING/],
  ];
  for (const [declared, message] of refused) assert.throws(() => readMember(declared), message, declared);
});
