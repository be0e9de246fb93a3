-- Which history of the database its feeds are cut from (rule I-47).
-- works with programs since 0013

alter table publish_clock add column lineage uuid;
update publish_clock set lineage = database_id;
alter table publish_clock alter column lineage set not null;
comment on column publish_clock.lineage is
  'Changes when the database has gone back: with every restore, and once when it lacks a publish that a server had seen';
