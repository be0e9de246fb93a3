/**
 * Reports the format and contents of a file, by the same stages that a load uses to read and normalize; their results
 * are counted instead of stored. It needs no database, and its memory does not grow with the file.
 */
import type { Instant } from '@tmds/contract/record';
import { OperatorError } from '../../base/errors.ts';
import type { CountedIssue } from '../../store/publish/findings.ts';
import { type Delivery, listLineFiles, readDelivery, readSet } from '../delivery/delivery.ts';
import {
  type Format,
  type FormatItem,
  type IssueCounter,
  isLineFormat,
  isSetFormat,
  openIssueCounter,
  type SupplementItem,
} from '../formats/format.ts';
import type { KeptRows } from '../kept/kept.ts';
import { buildStagedRow, prepareItem } from '../rows/encode.ts';
import type { Source } from '../sources/source.ts';
import type { Choice } from './choose.ts';
import { openTally, type Tally, type TallyCounter } from './tally.ts';
import { listVintage, type VintageFact } from './vintage.ts';

interface RejectExample {
  position: string;
  reason: string;
  /** The beginning of the raw record. */
  source: string;
}

/** The rows of one table of a set. */
interface TableTally {
  rows: number;
  /** How many of these state that a row is gone. */
  removed: number;
}

interface Period {
  from: string | null;
  through: string | null;
  /** What states the period: the delivery itself, or the field of the records whose dates these are. */
  by: string | null;
}

export interface Inspection extends Tally {
  file: string;
  bytes: number | null;
  /** What it seems to be by its beginning; null if it was not checked. */
  seen: string | null;
  format: string;
  /** Which edition it is in, as the first file read says. */
  vintage: VintageFact[];
  /** The first file read: the file itself, or a member of the archive. */
  vintage_of: string | null;
  period: Period;
  rejected: number;
  /** The first few. */
  rejects: RejectExample[];
  issues: CountedIssue[];
  /** Only of a format of joined tables, whose records are made from rows kept in the database; else null. */
  tables: Record<string, TableTally> | null;
  /** Statements about records of other files, such as parties, by their kind. */
  supplements: Record<string, number>;
  /** Why the file could not be read to its end; null if it was. */
  failure: string | null;
}

interface InspectOptions {
  source: Source;
  format: Format;
  /** What `chooseFormat` found; null if the file was not checked. */
  choice: Choice | null;
  /** `--register CODE`, upper case. */
  register: string | null;
}

interface InspectionRun {
  /** Records and rejects found so far. */
  read(): number;
  /** Never throws because of the file: a truncated file is reported with what it held up to that point. */
  run(): Promise<Inspection>;
}

const REJECTS_SHOWN_MAX = 20;
const REJECT_LENGTH_MAX = 2_000;

interface Findings {
  tally: TallyCounter;
  issues: IssueCounter;
  rejected: number;
  rejects: RejectExample[];
  frontiers: Instant[];
  tables: Map<string, TableTally>;
  supplements: Map<string, number>;
}

export function openInspection(options: InspectOptions): InspectionRun {
  const findings: Findings = {
    tally: openTally(),
    issues: openIssueCounter(),
    rejected: 0,
    rejects: [],
    frontiers: [],
    tables: new Map(),
    supplements: new Map(),
  };
  return {
    read: () => findings.tally.read() + findings.rejected,
    async run() {
      let failure: string | null = null;
      try {
        for await (const item of listItems(options, findings)) noteItem(findings, item);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        failure = error.message;
      }
      return summarize(options, findings, failure);
    },
  };
}

function listItems({ source, format, register }: InspectOptions, findings: Findings): AsyncIterable<FormatItem> {
  const delivery: Delivery = {
    format,
    sources: [source],
    register,
    allowEmpty: false,
    noteFrontier(instant) {
      const [first = instant, last = instant] = findings.frontiers;
      findings.frontiers = [instant < first ? instant : first, instant > last ? instant : last];
    },
    noteIssue: (issue, times, place) => findings.issues.note(issue, times, place ?? null),
  };
  if (isSetFormat(format) && !format.readsFiles) return readSet(delivery, format, Promise.resolve(countRows(findings)));
  if (isLineFormat(format)) return readLineFiles(delivery);
  return readDelivery(delivery, (...file) => format.read(...file));
}

async function* readLineFiles(delivery: Delivery): AsyncGenerator<FormatItem> {
  for await (const file of listLineFiles(delivery)) {
    if ('reason' in file) yield file;
    else yield* delivery.format.read(file, { register: delivery.register });
  }
}

/** Counts the rows instead of keeping them. Without the rows of earlier deliveries no record can be made of them. */
function countRows({ tables }: Findings): KeptRows {
  return {
    async add(rows) {
      for (const { table, removed } of rows) {
        const tally = tables.get(table) ?? { rows: 0, removed: 0 };
        tally.rows += 1;
        if (removed) tally.removed += 1;
        tables.set(table, tally);
      }
    },
    settle: async () => ({ waiting: [], superseded: [] }),
    async *groups() {},
  };
}

function noteItem(findings: Findings, item: FormatItem): void {
  if (item.kind === 'supplement') {
    noteSupplement(findings, item);
    return;
  }
  const prepared = prepareItem(item);
  const built = prepared.kind === 'record' ? buildStagedRow(prepared) : prepared;
  if (built.kind === 'reject') {
    findings.rejected += 1;
    if (findings.rejects.length >= REJECTS_SHOWN_MAX) return;
    const { position, reason, raw } = built;
    const source = Buffer.from(raw as string)
      .toString('utf8')
      .slice(0, REJECT_LENGTH_MAX)
      .toWellFormed();
    findings.rejects.push({ position, reason, source });
    return;
  }
  if (prepared.kind !== 'record') return;
  findings.tally.add(prepared);
  const { jurisdiction_code, uid } = prepared.record;
  for (const issue of prepared.issues) {
    findings.issues.note(issue, 1, { jurisdiction_code, uid, position: prepared.position });
  }
}

function noteSupplement({ supplements, issues }: Findings, item: SupplementItem): void {
  // A row that leads to another only says which record its statement is about.
  for (const { kind, link } of item.rows) {
    if (link === null) supplements.set(kind, (supplements.get(kind) ?? 0) + 1);
  }
  for (const issue of item.issues) issues.note(issue, 1, null);
}

function summarize({ source, format, choice }: InspectOptions, findings: Findings, failure: string | null): Inspection {
  const { rejected, rejects, tables } = findings;
  const tally = findings.tally.list();
  return {
    file: source.name,
    bytes: source.totalBytes,
    seen: choice?.recognition.seen ?? null,
    format: format.name,
    vintage: choice === null ? [] : listVintage(choice.head),
    vintage_of: choice?.head.name ?? null,
    period: findPeriod(tally, findings.frontiers),
    ...tally,
    rejected,
    rejects,
    issues: findings.issues.list().sort((one, other) => other.count - one.count),
    supplements: Object.fromEntries([...findings.supplements].sort()),
    tables: isSetFormat(format) && !format.readsFiles ? Object.fromEntries([...tables].sort()) : null,
    failure,
  };
}

/** The dates of the records that give a period: the first of these that any record states. */
const PERIOD_FIELDS = ['external_update_date', 'status_date', 'publication_date', 'application_date'] as const;

function findPeriod({ fields }: Tally, frontiers: readonly Instant[]): Period {
  const [from = null, through = from] = frontiers;
  if (from !== null) return { from, through, by: 'the delivery' };
  for (const by of PERIOD_FIELDS) {
    const { earliest = null, latest = null } = fields[by] ?? {};
    if (earliest !== null) return { from: earliest, through: latest, by };
  }
  return { from: null, through: null, by: null };
}
