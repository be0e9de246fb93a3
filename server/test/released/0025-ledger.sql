-- The ledger of a database of the last build before the first release. Its tables are those of the baseline.

delete from migration;
insert into migration (number, name, applied_at, works_since) values
  (1, '0001_baseline.sql', '2026-01-02Z', null),
  (2, '0002_quota_notice.sql', '2026-01-03Z', 1),
  (3, '0003_sources.sql', '2026-01-04Z', 1),
  (4, '0004_operators_and_suspension.sql', '2026-01-05Z', 1),
  (5, '0005_history.sql', '2026-01-06Z', 1),
  (6, '0006_watches.sql', '2026-01-07Z', 1),
  (7, '0007_webhooks.sql', '2026-01-08Z', 1),
  (8, '0008_coverage.sql', '2026-01-09Z', 1),
  (9, '0009_dockets.sql', '2026-01-10Z', 1),
  (10, '0010_documents.sql', '2026-01-11Z', 1),
  (11, '0011_citus.sql', '2026-01-12Z', 1),
  (12, '0012_hits_share_rows.sql', '2026-01-13Z', null),
  (13, '0013_coverage_by_index.sql', '2026-02-01Z', 1),
  (14, '0014_lineage.sql', '2026-02-02Z', 13),
  (15, '0015_open_rejects.sql', '2026-02-03Z', 1),
  (16, '0016_people.sql', '2026-02-04Z', 1),
  (17, '0017_saved_searches.sql', '2026-02-05Z', 1),
  (18, '0018_docket_work.sql', '2026-02-06Z', 1),
  (19, '0019_hit_handling.sql', '2026-02-07Z', 1),
  (20, '0020_tests_and_dismissals.sql', '2026-02-08Z', 1),
  (21, '0021_dates_due.sql', '2026-02-09Z', 1),
  (22, '0022_likeness.sql', '2026-02-10Z', null),
  (23, '0023_references_and_named_webhooks.sql', '2026-02-11Z', 22),
  (24, '0024_pseudo_marks.sql', '2026-02-12Z', null),
  (25, '0025_agreements.sql', '2026-02-13Z', null);
