/** What a trial run by hand leaves behind is taken away at its end, in reverse order, as a test's context does. */

export interface Cleanup {
  after(work: () => Promise<void>): void;
  /** Runs everything that was asked for, also after a failure of one; rejects with the first failure. */
  end(): Promise<void>;
}

export function buildCleanup(): Cleanup {
  const works: (() => Promise<void>)[] = [];
  return {
    after: (work) => void works.push(work),
    end: async () => {
      const failures: unknown[] = [];
      for (let work = works.pop(); work !== undefined; work = works.pop()) {
        await work().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
