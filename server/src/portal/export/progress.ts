/**
 * How far the exports of the last searches went, so that the page of an export can offer the next part. Kept in this
 * process only and up to a bound; the end of a file also states where to continue.
 */
export interface Exported {
  readonly rows: number;
  /** When the file ended; UTC. */
  readonly at: string;
  /** Where the next part begins; null after the last row. */
  readonly cursor: string | null;
  /** Why the file ended early; null if it is whole. */
  readonly refusal: string | null;
}

export interface ExportProgress {
  note(keyId: string, target: string, exported: Exported): void;
  find(keyId: string, target: string): Exported | null;
}

const EXPORTS_MAX = 200;

/** `target`: the call of the first page of the part. */
export function buildExportProgress(): ExportProgress {
  const kept = new Map<string, Exported>();
  const nameOf = (keyId: string, target: string): string => JSON.stringify([keyId, target]);
  return {
    note: (keyId, target, exported) => {
      const name = nameOf(keyId, target);
      kept.delete(name);
      kept.set(name, exported);
      const [oldest] = kept.keys();
      if (kept.size > EXPORTS_MAX && oldest !== undefined) kept.delete(oldest);
    },
    find: (keyId, target) => kept.get(nameOf(keyId, target)) ?? null,
  };
}
