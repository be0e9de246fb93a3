/**
 * What every answer says about the completeness of the registers that it covers (header `Coverage`). The facts are read
 * in the background, once a minute (`JOBS.coverage`), so that a call pays no statement for them. Facts that could not be
 * read again for ten minutes are no longer said: no header is better than an old promise.
 */
import type { AskedRegister } from '@tmds/contract/asked';
import {
  COVERAGE_HEADER,
  encodeCoverage,
  type RegisterCompleteness,
  summarizeCoverage,
} from '@tmds/contract/search-coverage';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type Queryable, withLimits } from '../database/driver/db.ts';
import { describeCompleteness } from '../render/coverage.ts';
import { listRegisterFacts } from '../store/records/registers.ts';

const STALE_MS = 600_000;

type CoverageHeaders = Readonly<Record<string, string>>;

/** Which registers an answer covers; null = all. */
export type Covered = readonly string[] | null;

const NOTHING: CoverageHeaders = {};

export class CoverageBoard {
  private readonly clock: Pick<Clock, 'monotonicMs'>;
  private registers: ReadonlyMap<string, RegisterCompleteness> = new Map();
  private readMs: number | null = null;
  /** By scope; cleared when facts are read, and bounded by what is kept: single registers, and all. */
  private readonly kept = new Map<string, CoverageHeaders>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.clock = clock;
  }

  note(registers: readonly RegisterCompleteness[]): void {
    this.registers = new Map(registers.map((each) => [each.jurisdiction_code, each]));
    this.readMs = this.clock.monotonicMs();
    this.kept.clear();
  }

  private get isKnown(): boolean {
    return this.readMs !== null && this.clock.monotonicMs() - this.readMs <= STALE_MS;
  }

  /** Each of the registers, also those that are not served; null while nothing recent is known. */
  list(codes: readonly string[]): AskedRegister[] | null {
    if (!this.isKnown) return null;
    return codes.map((code) => {
      const known = this.registers.get(code);
      if (known !== undefined) return { ...known, searched: true };
      return { jurisdiction_code: code, complete_through: null, late: false, gaps: 0, rejects: 0, searched: false };
    });
  }

  /** The header of an answer; none while nothing recent is known. */
  describe(covered: Covered): CoverageHeaders {
    if (!this.isKnown) return NOTHING;
    const scope = covered === null ? '*' : covered.length === 1 ? covered[0]! : null;
    const known = scope === null ? undefined : this.kept.get(scope);
    if (known !== undefined) return known;
    const headers = this.build(covered);
    if (scope === '*' || (scope !== null && this.registers.has(scope))) this.kept.set(scope, headers);
    return headers;
  }

  private build(covered: Covered): CoverageHeaders {
    const codes = covered ?? [...this.registers.keys()];
    const registers = codes.flatMap((code) => this.registers.get(code) ?? []);
    // A path may hold any text; only what may be the code of a register is repeated in a header.
    const unserved = codes.filter((code) => !this.registers.has(code) && /^[A-Z0-9]{1,5}$/.test(code));
    const value = encodeCoverage(summarizeCoverage(registers, unserved));
    return value === '' ? NOTHING : { [COVERAGE_HEADER.toLowerCase()]: value };
  }
}

export interface CoverageLookOptions {
  readonly database: Queryable;
  readonly board: CoverageBoard;
  readonly clock: Clock;
  readonly log: Log;
}

/** One reading of the facts; never rejects. */
export function buildCoverageLook({ database, board, clock, log }: CoverageLookOptions): () => Promise<void> {
  return async () => {
    try {
      const nowMs = clock.nowMs();
      const facts = await listRegisterFacts(withLimits(database, {}), { register: null, nowMs });
      board.note(facts.map((each) => describeCompleteness(each, nowMs)));
    } catch (error) {
      // `liveness.ts` reports an unavailable database; until then answers say what was known, then nothing.
      log.debug({ err: error }, 'the coverage of registers could not be read');
    }
  };
}
