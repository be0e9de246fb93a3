/**
 * Decides whose search is next. Customers take turns, and so do the keys of a customer: the one with the fewest running
 * searches comes first, then the one that has had the least time. A search runs from its match until its page is sent,
 * so a turn covers all its costs: threads, database, and the one thread that sends. Only the patient threads serve
 * customers who crowd (`company.ts`), so these have at most as many searches running as there are patient threads. It
 * knows nothing about threads except these two kinds. Invariants: no waiting search is overtaken forever; searches of
 * one key keep their order.
 */
import type { Company } from './company.ts';

/** On whose behalf a search runs. */
export interface Turn {
  readonly customer: string;
  readonly key: string;
}

/** The time that a search took, in milliseconds. */
export interface Spent {
  /** Until a thread began with it. */
  readonly waitedMs: number;
  /** The time of a thread, for matching. */
  readonly matchMs: number;
  /** From the beginning of the match to the end of the turn. */
  readonly totalMs: number;
}

/** A customer, or one key of a customer. */
interface Line {
  readonly name: string;
  running: number;
  waiting: number;
  /**
   * The total time of its searches, in milliseconds, starting from the smallest total among those that were there
   * before.
   */
  spentMs: number;
}

interface KeyLine<Job> extends Line {
  readonly jobs: Job[];
}

interface CustomerLine<Job> extends Line {
  readonly keys: Map<string, KeyLine<Job>>;
}

export class SearchTurns<Job extends { readonly turn: Turn }> {
  private readonly customers = new Map<string, CustomerLine<Job>>();
  private readonly waitingMax: number;
  private readonly patientThreads: number;
  private readonly company: Pick<Company, 'crowds' | 'noteUse'>;
  private waitingCount = 0;

  constructor(
    company: Pick<Company, 'crowds' | 'noteUse'>,
    { waitingMax, patientThreads }: { readonly waitingMax: number; readonly patientThreads: number },
  ) {
    this.company = company;
    this.waitingMax = waitingMax;
    this.patientThreads = patientThreads;
  }

  get waiting(): number {
    return this.waitingCount;
  }

  /**
   * Adds a search to the queue. Returns the search that is removed to make room, which may be this one; null while
   * there is room.
   */
  add(job: Job): Job | null {
    const isFull = this.waitingCount >= this.waitingMax;
    const displaced = isFull ? this.findDisplaced(job) : null;
    if (displaced === job) return job;
    if (displaced !== null) this.remove(displaced);
    const customer = this.openCustomer(job.turn.customer);
    const key = openKey(customer, job.turn.key);
    key.jobs.push(job);
    for (const line of [customer, key]) line.waiting += 1;
    this.waitingCount += 1;
    return displaced;
  }

  /** The search that a thread is to run now; null if none may have a thread of this kind. */
  next(isPatient: boolean, nowMs: number): Job | null {
    const customer = first([...this.customers.values()].filter((line) => this.mayRun(line, isPatient, nowMs)));
    const key = customer === null ? null : first([...customer.keys.values()]);
    if (customer === null || key === null) return null;
    for (const line of [customer, key]) {
      line.running += 1;
      line.waiting -= 1;
    }
    this.waitingCount -= 1;
    return key.jobs.shift()!;
  }

  /** Whether a search would run if there were a thread of this kind. */
  waitsFor(isPatient: boolean, nowMs: number): boolean {
    return [...this.customers.values()].some((line) => line.waiting > 0 && this.mayRun(line, isPatient, nowMs));
  }

  private mayRun(line: CustomerLine<Job>, isPatient: boolean, nowMs: number): boolean {
    // Without patient threads, turns alone are what a customer gets.
    const crowds = this.patientThreads > 0 && this.company.crowds(line.name, nowMs);
    if (crowds !== isPatient) return false;
    return !isPatient || line.running < this.patientThreads;
  }

  /** A search that was running has ended, with its page or without. */
  end({ turn }: Job, { waitedMs, matchMs, totalMs }: Spent, nowMs: number): void {
    const customer = this.customers.get(turn.customer)!;
    const key = customer.keys.get(turn.key)!;
    this.company.noteUse(turn.customer, { tookMs: matchMs, waitedMs }, nowMs);
    for (const line of [customer, key]) {
      line.running -= 1;
      line.spentMs += totalMs;
    }
    this.forget(customer, key);
  }

  /** False if the search does not wait. */
  remove(job: Job): boolean {
    const customer = this.customers.get(job.turn.customer);
    const key = customer?.keys.get(job.turn.key);
    const at = key?.jobs.indexOf(job) ?? -1;
    if (customer === undefined || key === undefined || at < 0) return false;
    key.jobs.splice(at, 1);
    for (const line of [customer, key]) line.waiting -= 1;
    this.waitingCount -= 1;
    this.forget(customer, key);
    return true;
  }

  /** Every waiting search, which waits no longer. */
  clear(): Job[] {
    const jobs = [...this.customers.values()].flatMap(({ keys }) => [...keys.values()].flatMap((key) => key.jobs));
    for (const job of jobs) this.remove(job);
    return jobs;
  }

  private forget(customer: CustomerLine<Job>, key: KeyLine<Job>): void {
    if (key.waiting + key.running === 0) customer.keys.delete(key.name);
    if (customer.waiting + customer.running === 0) this.customers.delete(customer.name);
  }

  /** The newest search of the customer with the most waiting. */
  private findDisplaced(job: Job): Job {
    const longest = [...this.customers.values()].reduce((one, other) => (other.waiting > one.waiting ? other : one));
    const own = this.customers.get(job.turn.customer)?.waiting ?? 0;
    if (own + 1 >= longest.waiting) return job;
    const keys = [...longest.keys.values()].reduce((one, other) => (other.waiting > one.waiting ? other : one));
    return keys.jobs.at(-1)!;
  }

  private openCustomer(name: string): CustomerLine<Job> {
    const known = this.customers.get(name);
    if (known !== undefined) return known;
    const opened = { ...beginLine(name, this.customers.values()), keys: new Map() };
    this.customers.set(name, opened);
    return opened;
  }
}

function openKey<Job>(customer: CustomerLine<Job>, name: string): KeyLine<Job> {
  const known = customer.keys.get(name);
  if (known !== undefined) return known;
  const opened = { ...beginLine(name, customer.keys.values()), jobs: [] };
  customer.keys.set(name, opened);
  return opened;
}

/** A newcomer has no advantage over those who were there before. */
function beginLine(name: string, others: Iterable<Line>): Line {
  let spentMs = Number.POSITIVE_INFINITY;
  for (const other of others) spentMs = Math.min(spentMs, other.spentMs);
  return { name, running: 0, waiting: 0, spentMs: Number.isFinite(spentMs) ? spentMs : 0 };
}

function first<Some extends Line>(lines: readonly Some[]): Some | null {
  let found: Some | null = null;
  for (const line of lines) {
    if (line.waiting === 0) continue;
    if (found === null || line.running < found.running) found = line;
    else if (line.running === found.running && line.spentMs < found.spentMs) found = line;
  }
  return found;
}
