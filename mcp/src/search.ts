/** Tools that find records: by filters, and by the likeness of their names. */
import { HELD_AS_NAMES, LIKENESS_STRATEGY_NAMES } from '@tmds/contract/likeness';
import { FILTERS, type FilterName } from '@tmds/contract/parameters';
import * as z from 'zod';
import { anyRecordSchema, cursorInput, cursorOutput, filterInputs, limitInput } from './schemas.ts';
import { defineTool } from './tool.ts';

export const searchTool = defineTool({
  name: 'search_trademarks',
  title: 'Search trademarks',
  description:
    'Finds trademark records by structured filters, which are AND-combined; values of one filter separated by commas ' +
    'are any-of. At least one filter. Filters *_contains and *_startswith take 3 or more characters and need ' +
    'jurisdiction. An empty page means: nothing in the registers that coverage lists, through the days that it states.',
  price: 'one unit a page.',
  input: {
    ...filterInputs(Object.keys(FILTERS) as FilterName[]),
    count: z.literal('capped').optional().describe('Adds matched_count, bounded at 10,000.'),
    sort: z.enum(['updated_at', 'application_date', 'registration_date']).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    limit: limitInput(50, 10),
    cursor: cursorInput,
  },
  output: {
    items: z.array(anyRecordSchema),
    next_cursor: cursorOutput,
    matched_count: z.number().optional(),
    matched_count_capped: z.boolean().optional(),
  },
  run: async (parameters, { client, signal }) => {
    const page = await client.search(parameters as Parameters<typeof client.search>[0], { signal });
    return { fields: page, coverage: page.meta.coverage, units: 1 };
  },
});

const SIMILAR_FILTERS = ['jurisdiction', 'nice_class', 'status', 'owner_name', 'owner_country'] as const;

export const similarTool = defineTool({
  name: 'similar_marks',
  title: 'Marks with similar names',
  description:
    'Finds marks whose names are alike: same letters, look, sound, plural, word order, transliteration, shared words. ' +
    'Each hit says by which evidence, nearest first. A screening aid, no opinion about confusion or a clearance.',
  price: 'one unit of the product analytics.',
  input: {
    mark: z.string().min(1).max(200).describe('The text of the mark.'),
    classes: z
      .string()
      .max(200)
      .optional()
      .describe('Nice classes of its goods, such as 9,42: orders, leaves nothing out.'),
    strategies: z
      .string()
      .max(200)
      .optional()
      .describe(
        `Which strategies (${LIKENESS_STRATEGY_NAMES.join(', ')}) and which texts (${HELD_AS_NAMES.join(', ')}), ` +
          'separated by commas; of each kind left out: all.',
      ),
    ...filterInputs(SIMILAR_FILTERS),
    limit: limitInput(50, 10),
  },
  output: {
    items: z.array(
      z.looseObject({
        name: z.string(),
        held_as: z.string().describe('What the name is of the mark.'),
        tier: z.string(),
        evidence: z.array(z.looseObject({})),
        record: anyRecordSchema,
      }),
    ),
    names_compared: z.number(),
    held_as: z.array(z.string()).describe('The texts that were compared.'),
    bounds_met: z.array(z.string()).describe('Bounds that left something out.'),
  },
  run: async (parameters, { client, signal }) => {
    const page = await client.analytics.similar(parameters as Parameters<typeof client.analytics.similar>[0], {
      signal,
    });
    return { fields: page, coverage: page.meta.coverage, units: 1 };
  },
});
