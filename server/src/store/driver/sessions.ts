/**
 * Settings of the sessions that answer requests: what keeps the planner to the one way that each statement leaves. With
 * one way only, a plan can be kept for all values, and none depends on what the planner knows of the tables.
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
