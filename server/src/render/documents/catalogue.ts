/**
 * The pages that a customer reads on a running server: their addresses below `/docs`, and the Markdown file of each,
 * named from the root of the repository. Pages for operators and for developers of the service are not among them.
 */
import { ERRORS } from '@tmds/contract/errors';

export interface CustomerPage {
  readonly title: string;
  /** One line for lists. */
  readonly summary: string;
  readonly source: string;
}

/** By the name in the address, in the order of lists; each group with its title. */
export const GROUPS: readonly (readonly [title: string, pages: Readonly<Record<string, CustomerPage>>])[] = [
  [
    'Where to begin',
    {
      start: {
        title: 'From a key to the first answers',
        summary: 'the first record, the first change and the first watch: curl, TypeScript, Python, a shell, an agent',
        source: 'docs/guides/start.md',
      },
      docketing: {
        title: 'For a docketing vendor',
        summary: 'keeping dockets of many customers equal to the registers: replica or feed, numbers, dates, proof',
        source: 'docs/guides/docketing.md',
      },
      paralegal: {
        title: 'For a paralegal',
        summary: 'checking a docket, reading the history of a record, following dates and hits in the portal',
        source: 'docs/guides/paralegal.md',
      },
      'in-house': {
        title: 'For an in-house team',
        summary: 'a portfolio in view: owners, watches, renewals, what competitors file',
        source: 'docs/guides/in-house.md',
      },
      clearance: {
        title: 'For clearance',
        summary: 'finding earlier marks by name, likeness, class and figure, and what a search does not cover',
        source: 'docs/guides/clearance.md',
      },
    },
  ],
  [
    'The data',
    {
      api: {
        title: 'Record API',
        summary: 'endpoints, parameters, headers and errors on one page',
        source: 'docs/api.md',
      },
      search: {
        title: 'Searching',
        summary: 'filters, names and numbers, order, pages, counts, what is too broad',
        source: 'docs/guides/search.md',
      },
      many: {
        title: 'Many records at once',
        summary: '500 numbers or identities of several registers in one call, and a whole search as a stream',
        source: 'docs/guides/many.md',
      },
      document: {
        title: 'The document of a record',
        summary: 'every member of the document in `payload`, with its type',
        source: 'docs/document.md',
      },
      dates: {
        title: 'Dates',
        summary: 'dates that offices state, dates that follow from the law, and whether they agree',
        source: 'docs/dates.md',
      },
      'dates-agreement': {
        title: 'Agreement of dates',
        summary: 'how often computed dates equal those of the offices, measured on real records',
        source: 'docs/dates-agreement.md',
      },
      likeness: {
        title: 'Likeness',
        summary: 'how names that could be confused with a mark are found, and how many of them are',
        source: 'docs/likeness.md',
      },
    },
  ],
  [
    'What changes',
    {
      changes: {
        title: 'The change feed',
        summary: 'every change of a record exactly once: cursors, the horizon, when the service goes back',
        source: 'docs/guides/changes.md',
      },
      history: {
        title: 'History',
        summary: 'every version of a record, what changed, why, and from which source',
        source: 'docs/history.md',
      },
      watches: {
        title: 'Watches',
        summary: 'searches, lists of records and owners that are watched, and their hits',
        source: 'docs/guides/watches.md',
      },
      webhooks: {
        title: 'Webhooks',
        summary: 'what is sent when a watch has hits, how it is signed, what a receiver does',
        source: 'docs/webhooks.md',
      },
      snapshots: {
        title: 'Snapshots and deltas',
        summary: 'all records as files, from which your own copy starts, and what changed in a day, a week or a month',
        source: 'docs/guides/snapshots.md',
      },
    },
  ],
  [
    'Programs',
    {
      client: {
        title: 'Client for TypeScript and JavaScript, and for shells',
        summary: 'typed calls, walks, retries, feeds, the replica, `tmds-client`',
        source: 'client/README.md',
      },
      'client-api': {
        title: 'Methods of the client',
        summary: 'every method of the TypeScript client with its endpoint',
        source: 'client/api.md',
      },
      python: {
        title: 'Client for Python',
        summary: 'typed calls, walks, retries, feeds and verification of webhooks, with no dependency',
        source: 'clients/python/README.md',
      },
      agents: {
        title: 'Tools for language models',
        summary: 'nine tools that only read, at `/mcp` or from a package: what they answer, and what it costs',
        source: 'mcp/README.md',
      },
      replica: {
        title: 'The replica',
        summary: 'what a copy in SQLite or PostgreSQL promises, and what enforces it',
        source: 'client/SPEC.md',
      },
      'replica-running': {
        title: 'Running a replica',
        summary: 'as a service: faults, exit statuses, logs, proof and repair',
        source: 'client/running.md',
      },
      cookbook: {
        title: 'Queries for a replica',
        summary: 'SQL for the questions that come first',
        source: 'client/cookbook.md',
      },
      'join-docket': {
        title: 'Join your docket',
        summary: 'numbers as people write them, matched with a replica in SQL and in code',
        source: 'docs/guides/join-docket.md',
      },
    },
  ],
  [
    'The service',
    {
      errors: {
        title: 'Errors',
        summary: 'every error code, with its condition and whether to retry',
        source: 'docs/errors.md',
      },
      promises: {
        title: 'What the service promises',
        summary: 'what holds, what is measured, and where the figures are published',
        source: 'docs/guides/promises.md',
      },
      deprecation: {
        title: 'Changes of the interface',
        summary: 'what may change, how an end is announced, the headers `Deprecation` and `Sunset`',
        source: 'docs/guides/deprecation.md',
      },
      changelog: {
        title: 'Changelog',
        summary: 'what is new in each version',
        source: 'CHANGELOG.md',
      },
    },
  ],
];

/** Of all groups. */
export const CUSTOMER_PAGES: Readonly<Record<string, CustomerPage>> = Object.assign(
  {},
  ...GROUPS.map(([, pages]) => pages),
);

/** Files that pages link to. */
export const CUSTOMER_FILES: Readonly<Record<string, { readonly source: string; readonly type: string }>> = {
  'document.schema.json': { source: 'docs/document.schema.json', type: 'application/schema+json; charset=utf-8' },
  'collection.json': { source: 'docs/collection.json', type: 'application/json; charset=utf-8' },
  'docket.csv': { source: 'docs/docket.csv', type: 'text/csv; charset=utf-8' },
};

/** One page for each error code, below the page of all. */
const ERROR_PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(ERRORS).map((code) => [`errors/${code}`, `docs/errors/${code}.md`]),
);

/** The source of every page, by its name in the address. */
export const PAGE_SOURCES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(CUSTOMER_PAGES).map(([name, { source }]) => [name, source])),
  ...ERROR_PAGES,
};

/** The files of the repository that the pages are made of. */
export function listSources(): string[] {
  return [...Object.values(PAGE_SOURCES), ...Object.values(CUSTOMER_FILES).map(({ source }) => source)];
}
