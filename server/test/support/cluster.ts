/** What the test runner and the tests agree on: the cluster they share, and what there is to run. */

/** Holds the address of the runner's cluster, as `postgresql://…`; unset when a file is run by hand. */
export const CLUSTER_VARIABLE = 'TMDS_TEST_CLUSTER';

/** `1` when the program was built just before the run, so that tests of the command line may run what was built. */
export const BUILT_VARIABLE = 'TMDS_TEST_BUILT';

/** Nothing in a test cluster has to survive a crash of the machine. */
export const TEST_SERVER_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '256MB',
  max_connections: 400,
};
