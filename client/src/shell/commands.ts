/** The table of commands: what each is for, its flags, and what runs it. Help and completion derive from it. */
import { FLAG_NAMES as RECONCILE_FLAGS, UsageError } from '../docket/options.ts';
import { runDates, runSimilar } from './analytics.ts';
import type { ShellCall } from './call.ts';
import { type CompletedCommand, renderCompletion, SHELLS, type Shell } from './completion.ts';
import { runChanges, runHistory, runHits } from './feeds.ts';
import {
  COMMON_FLAGS,
  DUE_FLAGS,
  EVENT_FLAGS,
  EXPAND_FLAG,
  EXPORT_FLAGS,
  FEED_FLAGS,
  FILTER_FLAGS,
  type FlagTable,
  LIST_FLAGS,
  MAX_FLAG,
  SEARCH_FLAGS,
  SIMILAR_FLAGS,
} from './flags.ts';
import { runListen } from './listen.ts';
import { runExport, runGet, runSearch } from './records.ts';
import { runWatch, WATCH_WORDS } from './watches.ts';
import { runWebhooks, WEBHOOK_WORDS } from './webhooks.ts';

export interface Command {
  /** What follows the name. */
  readonly takes: string;
  readonly summary: string;
  /** Without the common ones. */
  readonly flags: FlagTable;
  readonly words?: readonly string[];
  readonly run: (call: ShellCall) => Promise<void>;
}

const CURSOR_FLAG: FlagTable = {
  cursor: { name: 'cursor', value: 'CURSOR', description: 'Continue the same search from here.' },
};

export const COMMANDS: Readonly<Record<string, Command>> = {
  search: {
    takes: '[filters]',
    summary: 'Show the records that match.',
    flags: { ...MAX_FLAG, ...CURSOR_FLAG, ...SEARCH_FLAGS, ...EXPAND_FLAG, ...FILTER_FLAGS },
    run: runSearch,
  },
  get: {
    takes: 'REGISTER UID',
    summary: 'Show a record, as it is or as it was; or many by their numbers or UIDs.',
    flags: {
      ...LIST_FLAGS,
      number: {
        name: 'number',
        value: 'NUMBER',
        description: 'Find it by a number in any usual form, instead of its UID.',
      },
      version: { name: 'version', value: 'INSTANT', description: 'As it was in this version of its history.' },
      ...EXPAND_FLAG,
    },
    run: runGet,
  },
  history: {
    takes: '[REGISTER UID] [filters]',
    summary: 'Show what changed in a record, or in all that match, and why.',
    flags: { ...FEED_FLAGS, ...EVENT_FLAGS, ...FILTER_FLAGS },
    run: runHistory,
  },
  changes: {
    takes: '',
    summary: 'Show the records that changed, oldest change first.',
    flags: {
      register: { name: 'register', value: 'CODE', description: 'One register. Default: all.' },
      ...FEED_FLAGS,
      ...EXPAND_FLAG,
    },
    run: runChanges,
  },
  hits: { takes: 'WATCH', summary: 'Show the hits of a watch.', flags: FEED_FLAGS, run: runHits },
  dates: {
    takes: 'REGISTER UID | --from DATE --to DATE [filters]',
    summary: 'Show what is due, as offices state it and as it follows from the law.',
    flags: { ...MAX_FLAG, ...DUE_FLAGS, ...FILTER_FLAGS },
    run: runDates,
  },
  similar: {
    takes: 'MARK [filters]',
    summary: 'Show marks whose names could be confused with one, and why.',
    flags: { ...SIMILAR_FLAGS, ...FILTER_FLAGS },
    run: runSimilar,
  },
  watch: {
    takes: 'list | show ID | put ID [filters] | end ID | why ID --record REGISTER/UID',
    summary: 'List, show, create, change and end watches; say why a record did not hit one.',
    flags: {
      name: { name: 'name', value: 'TEXT', description: 'put: how people call it. Default: the ID.' },
      reference: { name: 'reference', value: 'TEXT', description: 'put: your own, such as the number of a matter.' },
      owner: {
        name: 'owner',
        value: 'NAME',
        isList: true,
        description: 'put: an owner to watch; may be given several times.',
      },
      record: {
        name: 'record',
        value: 'REGISTER/UID',
        isList: true,
        description: 'put: a record to watch; may be given several times. why: the record that is asked about.',
      },
      ...FILTER_FLAGS,
    },
    words: WATCH_WORDS,
    run: runWatch,
  },
  webhooks: {
    takes: 'list | show ID | put ID --url ADDRESS | delete ID | test ID | deliveries ID | renew ID',
    summary: 'List, show, add, change, test and delete webhooks.',
    flags: {
      url: { name: 'url', value: 'ADDRESS', description: 'put: of your receiver; https, and public.' },
      watch: { name: 'watch', value: 'ID', description: 'put: the watch that it is for. Default: all.' },
      off: { name: 'off', value: null, description: 'put: send nothing; pending messages wait.' },
      grace: {
        name: 'grace',
        value: 'SECONDS',
        description: 'renew: how long the old secret signs too. Default: 0.',
      },
      max: { name: 'max', value: 'N', description: 'deliveries: at most this many. Default: 50.' },
    },
    words: WEBHOOK_WORDS,
    run: runWebhooks,
  },
  listen: {
    takes: '',
    summary: 'Receive webhooks here: verify, show and forward them.',
    flags: {
      port: { name: 'port', value: 'N', description: 'Listen at this port. Default: 8787.' },
      host: {
        name: 'host',
        value: 'ADDRESS',
        description: 'Listen at this address of the machine. Default: 127.0.0.1.',
      },
      forward: {
        name: 'forward',
        value: 'URL',
        description: 'Send each message there, unchanged; a failure is repeated.',
      },
    },
    run: runListen,
  },
  export: {
    takes: 'FILE|- [filters]',
    summary: 'Write all records that match into a file.',
    flags: {
      format: {
        name: 'format',
        value: 'WORD',
        choices: ['ndjson', 'csv'],
        description: 'Default: by the ending of the file, otherwise ndjson.',
      },
      max: { name: 'max', value: 'N', description: 'At most this many; a page of 500 costs a unit. Default: all.' },
      ...EXPORT_FLAGS,
      ...SEARCH_FLAGS,
      ...EXPAND_FLAG,
      ...FILTER_FLAGS,
    },
    run: runExport,
  },
  completion: {
    takes: SHELLS.join('|'),
    summary: 'Print a script that completes commands and flags in a shell.',
    flags: {},
    words: SHELLS,
    run: async ({ given, terminal }) => {
      const [shell, ...rest] = given.positionals;
      if (!SHELLS.some((each) => each === shell) || rest.length > 0) {
        throw new UsageError(`completion takes ${SHELLS.join(', ')}`);
      }
      await terminal.write(renderCompletion(shell as Shell, listCompleted()));
    },
  },
};

export const RECONCILE_SUMMARY = 'Compare a docket, a CSV file with a row for each mark, with the registers.';

function listCompleted(): CompletedCommand[] {
  const own = Object.entries(COMMANDS).map(([name, { summary, flags, words }]) => ({
    name,
    summary,
    flags: [...Object.values(flags), ...Object.values(COMMON_FLAGS)],
    ...(words === undefined ? {} : { words }),
  }));
  const reconcile = RECONCILE_FLAGS.map(({ name, takesValue }) => ({
    name,
    description: '',
    value: takesValue ? 'VALUE' : null,
    ...(name === 'out' ? { isFile: true } : {}),
  }));
  return [...own, { name: 'reconcile', summary: RECONCILE_SUMMARY, flags: reconcile }];
}
