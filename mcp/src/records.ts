/** Tools about one record: what it states, what has changed in it, and which dates follow. */
import { isApiError } from '@tmds/client';
import * as z from 'zod';
import {
  cursorInput,
  cursorOutput,
  filterInputs,
  limitInput,
  recordSchema,
  registerInput,
  uidInput,
} from './schemas.ts';
import { defineTool } from './tool.ts';

/** Characters of a document; a longer one would fill what a model can read. */
const DOCUMENT_MAX = 100_000;

export const getTool = defineTool({
  name: 'get_trademark',
  title: 'One trademark record',
  description:
    'One record by its register and uid. record is null if the register has no such record. With document, also what ' +
    'the source states in full: parties with addresses, goods and services, publications, events.',
  price: 'one unit, even if there is no such record.',
  input: { jurisdiction_code: registerInput, uid: uidInput, document: z.boolean().default(false) },
  output: {
    record: recordSchema.nullable(),
    document: z.looseObject({}).nullable().describe('Null if it was not asked for or is too long.'),
    document_characters: z.number().nullable().describe(`Its length. Beyond ${DOCUMENT_MAX} it is left out.`),
  },
  run: async ({ jurisdiction_code: code, uid, document: isWanted }, { client, signal }) => {
    try {
      const answer = await client.get(code, uid, isWanted ? { expand: 'payload' } : {}, { signal });
      const { payload, ...record } = answer;
      const length = payload === undefined ? null : JSON.stringify(payload).length;
      const document = length === null || length > DOCUMENT_MAX ? null : payload;
      return { fields: { record, document, document_characters: length }, coverage: answer.meta.coverage, units: 1 };
    } catch (error) {
      if (!isApiError(error, 'not_found')) throw error;
      return {
        fields: { record: null, document: null, document_characters: null },
        coverage: error.coverage,
        units: 1,
      };
    }
  },
});

const eventShape = {
  jurisdiction_code: z.string(),
  uid: z.string(),
  version: z.string(),
  previous_version: z.string().nullable(),
  cause: z.string(),
  changes: z.array(z.looseObject({ field: z.string() })).describe('Fields with their old and new values.'),
};

export const historyTool = defineTool({
  name: 'trademark_history',
  title: 'What has changed in a record',
  description:
    'The versions of one record, newest first: when each was published here, why, and the old and new values of every ' +
    'field that changed.',
  price: 'one unit a page.',
  input: { jurisdiction_code: registerInput, uid: uidInput, limit: limitInput(50, 10), cursor: cursorInput },
  output: { items: z.array(z.looseObject(eventShape)), next_cursor: cursorOutput },
  run: async ({ jurisdiction_code: code, uid, limit, cursor = null }, { client, signal }) => {
    const page = await client.recordHistory(code, uid, { limit, cursor }, { signal });
    return { fields: page, coverage: page.meta.coverage, units: 1 };
  },
});

export const watchTool = defineTool({
  name: 'watch_changes',
  title: 'Changes that a watch has hit',
  description:
    'Without watch: the watches of this customer. With watch and since: its hits, oldest first; each says whether a ' +
    'record began to match, changed, or stopped matching, and what changed. Keep the last next_cursor to continue later. ' +
    'With watch, jurisdiction_code and uid: why that record did or did not hit the watch, criterion by criterion.',
  price: 'one unit a page.',
  input: {
    watch: z.string().min(1).max(64).optional().describe('Id of a watch.'),
    since: z.string().max(40).optional().describe('With watch: an instant or day, such as 2026-11-01.'),
    jurisdiction_code: registerInput.optional(),
    uid: uidInput.optional(),
    limit: limitInput(50, 20),
    cursor: cursorInput,
  },
  output: {
    watches: z
      .array(z.looseObject({ id: z.string(), name: z.string(), kind: z.string(), reference: z.string().nullable() }))
      .nullable(),
    hits: z
      .array(z.looseObject({ event: z.string(), reference: z.string().nullable(), ...eventShape }))
      .nullable()
      .describe('Each with the reference of the customer on the watch.'),
    diagnosis: z.looseObject({ verdict: z.string(), text: z.string() }).nullable().describe('Of one record.'),
    next_cursor: cursorOutput,
    complete_up_to: z.string().nullable().describe('Hits are complete up to this instant once a page is empty.'),
  },
  run: async ({ watch, since, limit, cursor = null, jurisdiction_code: code, uid }, { client, signal }) => {
    if (watch === undefined) {
      const { items, next_cursor, meta } = await client.watches({ limit, cursor }, { signal });
      const fields = { watches: items, hits: null, diagnosis: null, next_cursor, complete_up_to: null };
      return { fields, coverage: meta.coverage, units: 1 };
    }
    if (code !== undefined && uid !== undefined) {
      const diagnosis = await client.diagnose(watch, { jurisdiction_code: code, uid }, { signal });
      const { complete_through: complete_up_to, meta } = diagnosis;
      const fields = { watches: null, hits: null, diagnosis, next_cursor: null, complete_up_to };
      return { fields, coverage: meta.coverage, units: 1 };
    }
    if (since === undefined) throw new TypeError('since is missing: hits with stamps at or after it are returned');
    const { items, next_cursor, meta } = await client.hits(watch, { since, limit, cursor }, { signal });
    const fields = { watches: null, hits: items, diagnosis: null, next_cursor, complete_up_to: meta.changeHorizon };
    return { fields, coverage: meta.coverage, units: 1 };
  },
});

const DUE_FILTERS = ['jurisdiction', 'owner_name', 'representative_name', 'status', 'nice_class'] as const;

export const datesTool = defineTool({
  name: 'trademark_dates',
  title: 'Dates of marks',
  description:
    'Renewal, opposition and use dates. With jurisdiction_code and uid: those of one record, as its office states ' +
    'them, as they follow from the law, and whether both agree. With from, to and a filter: what is due between two ' +
    'days, at most 366 days and 2,000 matching records. Data, not advice: repeat the disclaimer.',
  price: 'one unit of the product analytics.',
  input: {
    jurisdiction_code: registerInput.optional(),
    uid: uidInput.optional(),
    from: z.string().max(10).optional().describe('First day, YYYY-MM-DD.'),
    to: z.string().max(10).optional().describe('Last day, YYYY-MM-DD.'),
    ...filterInputs(DUE_FILTERS),
    limit: limitInput(100, 20),
    cursor: cursorInput,
  },
  output: {
    dates: z.array(z.looseObject({ event: z.string(), stated: z.string().nullable() })).nullable(),
    due: z.array(z.looseObject({ due_on: z.string(), jurisdiction_code: z.string(), uid: z.string() })).nullable(),
    next_cursor: cursorOutput,
    disclaimer: z.string(),
  },
  run: async ({ jurisdiction_code: code, uid, from, to, limit, cursor = null, ...filters }, { client, signal }) => {
    if (code !== undefined && uid !== undefined) {
      const { dates, disclaimer, meta } = await client.analytics.dates(code, uid, { signal });
      return { fields: { dates, due: null, next_cursor: null, disclaimer }, coverage: meta.coverage, units: 1 };
    }
    if (from === undefined || to === undefined) {
      throw new TypeError('give jurisdiction_code and uid of one record, or from and to with a filter');
    }
    const asked = { from, to, limit, cursor, ...filters } as Parameters<typeof client.analytics.dueDates>[0];
    const { items, next_cursor, disclaimer, meta } = await client.analytics.dueDates(asked, { signal });
    return { fields: { dates: null, due: items, next_cursor, disclaimer }, coverage: meta.coverage, units: 1 };
  },
});
