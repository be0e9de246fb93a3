/** The schemas of answers to lists of numbers and identities, and of exports. */
import { closed, type Json, refer } from './schema-parts.ts';

const count = { type: 'integer', minimum: 0 };
const code = { type: 'string', description: 'Register code.' };

const coverage = {
  anyOf: [{ type: 'array', items: refer('schemas', 'AskedRegister') }, { type: 'null' }],
  description: 'The registers that were asked for, by code; null while nothing recent is known.',
};

function buildItems(description: string): Json {
  return { type: 'array', items: refer('schemas', 'TrademarkDetail'), description };
}

export function buildAskedSchemas(): Json {
  return {
    AskedRegister: closed(
      {
        jurisdiction_code: code,
        searched: {
          type: 'boolean',
          description: 'False if no register has this code: nothing was searched, and the rest says nothing.',
        },
        complete_through: {
          type: ['string', 'null'],
          format: 'date',
          description: 'The last day through which nothing is known to be missing; null if unknown.',
        },
        late: { type: 'boolean', description: 'Whether newer files are overdue.' },
        gaps: { ...count, description: 'Files that are missing, or that came out of order.' },
        rejects: { ...count, description: 'Records and files that loads rejected.' },
      },
      'What silence of a register means.',
    ),
    NumbersPage: closed(
      {
        items: buildItems('The records of this page, each once.'),
        asked: {
          type: 'array',
          items: closed({
            jurisdiction_code: code,
            number: { type: 'string', description: 'As it was asked for.' },
            positions: {
              type: 'array',
              items: count,
              description: 'The places of its records in `items`, from 0. Empty: no record on this page.',
            },
          }),
          description: 'Every number, in the order in which they were asked for.',
        },
        coverage,
        next_cursor: {
          type: ['string', 'null'],
          description: 'Send it back verbatim for the next page; null: no more.',
        },
      },
      'Records of several registers by their numbers.',
    ),
    IdentitiesPage: closed(
      {
        items: buildItems('The records, each once.'),
        asked: {
          type: 'array',
          items: closed({
            jurisdiction_code: code,
            uid: { type: 'string', description: 'As it was asked for.' },
            position: {
              ...count,
              type: ['integer', 'null'],
              description: 'The place of its record in `items`, from 0; null if there is none.',
            },
          }),
          description: 'Every identity, in the order in which they were asked for.',
        },
        coverage,
      },
      'Records of several registers by their identities.',
    ),
    ExportText: {
      type: 'string',
      description: 'Records, a line or row each, and the positions from which an export continues.',
      examples: [
        '{"jurisdiction_code":"US","uid":"US500000097123456"}\n{"next_cursor":"AXN0Zm9"}\n' +
          '{"jurisdiction_code":"US","uid":"US500000097123457"}\n{"next_cursor":null}\n',
      ],
    },
  };
}
