/** What the test runner passes to the tests: where their cluster and folder are, and whether the program was built. */
import { tmpdir } from 'node:os';

/** Holds the address of the runner's cluster, as `postgresql://…`; unset when you run a file by hand. */
export const CLUSTER_VARIABLE = 'TMDS_TEST_CLUSTER';

/** The address of a Citus coordinator with workers; databases are then made there (CONTRIBUTING). */
export const CITUS_VARIABLE = 'TMDS_TEST_CITUS_URL';
/** The folder of the run, which is in memory where there is room, and is removed after it; unset when run by hand. */
export const FOLDER_VARIABLE = 'TMDS_TEST_FOLDER';

/** Where tests put the clusters that they make. */
export function findFolder(): string {
  return process.env[FOLDER_VARIABLE] ?? tmpdir();
}

/** `1` when the program was built just before the run, so that command-line tests can run the built program. */
export const BUILT_VARIABLE = 'TMDS_TEST_BUILT';

/** `1` in the proofs, where tests try all their cases. */
export const FULL_VARIABLE = 'TMDS_TEST_FULL';
/** Chooses the cases that tests try every day. */
export const SEED_VARIABLE = 'TMDS_TEST_SEED';

/** Chooses cases. The everyday gate always has the same, the proofs another one each time. */
export const SEED = Number(process.env[SEED_VARIABLE] ?? 1);

/** Data in a test cluster need not survive a crash of the machine. */
export const TEST_SERVER_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  shared_buffers: '256MB',
  max_connections: 400,
};
