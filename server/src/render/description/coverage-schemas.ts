/** The schemas of the coverage of a register, of answers to lists of numbers and identities, and of exports. */
import {
  COVERAGE_LISTED_MAX,
  type CoverageIssues,
  type CoverageLoad,
  type CoverageReport,
  type CoverageSeries,
  type LatePeriod,
  MISSING_REASONS,
  type MissingPeriod,
  SOURCE_CONDITIONS,
} from '@tmds/contract/coverage';
import { closed, instant, type Json, refer } from './schema-parts.ts';

const instantOrNull = { ...instant, type: ['string', 'null'] };
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string' };
const period = { type: 'string', minLength: 1, examples: ['2026-11-20', '2026-W47', '2026-11', '2026', '2240'] };
const periodOrNull = { type: ['string', 'null'] };
const loadId = { type: 'string', format: 'uuid', description: 'Names the load.' };

function said(schema: Json, description: string): Json {
  return { ...schema, description };
}

export function buildCoverageSchema(): Json {
  return closed<CoverageReport>(
    {
      jurisdiction_code: said(text, 'Register code.'),
      record_count: said(count, 'Records of the register.'),
      data_current_through: said(
        instantOrNull,
        'The instant up to which the register is complete, as far as its files, or the operator, state it.',
      ),
      conclusion: said(
        { ...text, minLength: 1 },
        'What can be concluded from silence, in a sentence made of the rest.',
      ),
      series: {
        type: 'array',
        items: buildSeriesSchema(),
        description:
          'The files that were loaded, in series: one for each declared source, and for each format loaded by hand.',
      },
      last_load: { anyOf: [buildLoadSchema(), { type: 'null' }], description: 'Null before the first load.' },
      open_rejects: said(
        count,
        'Records and files that loads rejected, and that are not in the register: no later load has stored them.',
      ),
      issues: {
        anyOf: [buildIssuesSchema(), { type: 'null' }],
        description: 'Null while no load that counted them has read at least half as many records as the register has.',
      },
    },
    'What can be concluded when a register reports no change.',
  );
}

function buildSeriesSchema(): Json {
  const missing = closed<MissingPeriod>({
    period: said(period, 'The missing period.'),
    reason: {
      type: 'string',
      enum: MISSING_REASONS,
      description: 'absent: no file of it came. Else why it is not loaded.',
    },
  });
  const late = closed<LatePeriod>({
    period: said(period, 'The late period.'),
    after: said(period, 'The newest period loaded before it.'),
    loaded_at: said(instant, 'When it was loaded.'),
  });
  return closed<CoverageSeries>({
    source: said({ type: ['string', 'null'] }, 'Name of the source; null for files loaded by hand.'),
    format: said(text, 'Format of the files.'),
    condition: said({ type: ['string', 'null'], enum: [...SOURCE_CONDITIONS, null] }, 'How the source stands.'),
    first_period: said(periodOrNull, 'Null if it is not known which periods the files are of.'),
    last_period: said(periodOrNull, 'The last period that was loaded; null if it is not known.'),
    complete_through: said(
      periodOrNull,
      'The last period loaded before which none is missing; null while the expected periods are unknown.',
    ),
    expected: said(
      { type: 'boolean' },
      'Whether the expected periods are known, from a rhythm or consecutive numbers; if not, more may be missing.',
    ),
    missing: listed(missing, 'Periods up to the last one that are not loaded, the first ones first.'),
    missing_count: said(count, 'How many are missing, those that are not listed included.'),
    out_of_order: listed(late, 'Periods that were last loaded after a later period; the most recently loaded first.'),
    out_of_order_count: said(count, 'How many there are, those that are not listed included.'),
    order_matters: said(
      { type: 'boolean' },
      'False if its statements say how old they are, so that one loaded out of order undoes nothing newer.',
    ),
    next_period: said(periodOrNull, 'The next expected period; null without a rhythm.'),
    overdue_at: said(instantOrNull, 'When that becomes overdue.'),
    last_loaded_at: said(instantOrNull, 'When a file of the series was last loaded.'),
    checked_at: said(instantOrNull, 'When the list of the files was last read.'),
  });
}

function listed(items: Json, description: string): Json {
  return { type: 'array', items, maxItems: COVERAGE_LISTED_MAX, description };
}

function buildLoadSchema(): Json {
  const description = 'The last load of the register. Its counts are of all registers that it read.';
  const rejected = said(count, 'Records and files that could not be read, and are not in the register.');
  return closed<CoverageLoad>(
    {
      load_id: loadId,
      format: said(text, 'Format of its files.'),
      finished_at: said(instant, 'When it finished.'),
      read: said(count, 'Records that it read.'),
      new: said(count, 'Records that were not there before.'),
      changed: said(count, 'Records whose content changed.'),
      unchanged: said(count, 'Records that were there already, with the same content.'),
      rejected,
      issues: said(count, 'Values that could not be read as the format expects them.'),
    },
    description,
  );
}

function buildIssuesSchema(): Json {
  return closed<CoverageIssues>(
    {
      load_id: loadId,
      finished_at: said(instant, 'When that load finished.'),
      read: said({ ...count, minimum: 1 }, 'Records of the register that the load read.'),
      flagged: said(count, 'How many of those records have at least one issue.'),
      share: said({ type: 'number', minimum: 0, maximum: 1 }, '`flagged` of `read`.'),
    },
    'How many records had issues in the last load that read at least half as many as the register has.',
  );
}

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
