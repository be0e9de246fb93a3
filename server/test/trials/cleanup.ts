/**
 * What a trial run by hand leaves behind is taken away at its end, also after a signal, in reverse order, as a test's
 * context does.
 */

export interface Cleanup {
  after(work: () => Promise<void>): void;
  /** Runs everything that was asked for, also after a failure of one; rejects with the first failure. */
  end(): Promise<void>;
}

export function buildCleanup(): Cleanup {
  const works: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let work = works.pop(); work !== undefined; work = works.pop()) {
      await work().catch((error: unknown) => failures.push(error));
    }
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    if (failures.length > 0) throw failures[0];
  };
  const interrupt = (): void => void end().finally(() => process.exit(1));
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return { after: (work) => void works.push(work), end };
}
