/** Verifies a replica and, on request, repairs what differs and verifies again; what both ways to verify share. */
import type { ReconcileClient } from './lineage.ts';
import { repair } from './repair.ts';
import type { ReplicaSink } from './sink.ts';
import { isWrong, type Verification, type VerifyOptions, verify } from './verify.ts';

export interface ProofRunOptions extends Pick<VerifyOptions, 'callsMax' | 'payloads' | 'signal'> {
  readonly client: ReconcileClient;
  readonly sink: ReplicaSink;
  readonly repair: boolean;
}

export interface ProofRun {
  /** Before the repair. */
  readonly first: Verification;
  /** After the repair; the first one if nothing was repaired. */
  readonly last: Verification;
  /** Derived tables that differed before the repair. */
  readonly derived: readonly string[];
  /** Records that were corrected; null: nothing was repaired. */
  readonly repaired: number | null;
}

export async function runProof({ repair: isRepaired, ...options }: ProofRunOptions): Promise<ProofRun> {
  const first = await verify(options);
  const derived = first.derived.filter(isWrong).map(({ table }) => table);
  if (!isRepaired || (first.differences.length === 0 && derived.length === 0)) {
    return { first, last: first, derived, repaired: null };
  }
  const { client, sink, signal } = options;
  const repaired = await repair({ client, sink, differences: first.differences, derived, signal });
  return { first, last: await verify(options), derived, repaired };
}
