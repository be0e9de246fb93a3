/** The stamp of a publish, and what it adds to each record that the publish writes. */

export interface Stamp {
  /** As PostgreSQL prints it, to be bound as timestamptz. */
  stamp: string;
  /** The wire's form (rule I-31). */
  instant: string;
  /** Whether the publish is committed on several nodes, and has to be announced (`announce.ts`). */
  is_distributed: boolean;
}

/** The parts that complete a staged `detail`: the text before the instant of first sight, and the text after it. */
export function stampTexts({ instant }: Pick<Stamp, 'instant'>): { start: string; end: string } {
  return {
    start: `,"record_update_date":"${instant.slice(0, 10)}","first_seen_at":"`,
    end: `","updated_at":"${instant}"}`,
  };
}
