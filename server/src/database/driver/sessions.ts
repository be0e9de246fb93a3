/**
 * Settings of the sessions that answer requests. They leave the planner a single plan for each statement, so that one
 * plan serves all values, and none depends on statistics.
 */
export const READING_SESSION_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
} as const;
