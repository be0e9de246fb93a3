-- What a register was loaded from is found by index, however many files there were (docs/decisions/0124).
-- works with programs since 0001

-- step: who brought a load, and what a file came after
alter table register_load add column source text collate "C";
alter table source_file add column came_after text collate "C";
comment on column register_load.source is 'The declared source that brought the load; null: loaded by hand, or by a program from before';
comment on column source_file.came_after is
  'The latest period that had been loaded before this file, which is the last one loaded of its period; null if that is no later period';

-- step (batches): the sources of loads
update register_load set source = source_file.source from source_file
where source_file.load_id = register_load.load_id and register_load.source is null
  and (register_load.jurisdiction_code, register_load.load_id) in (
    select loaded.jurisdiction_code, loaded.load_id from register_load as loaded
    where loaded.source is null and exists (select from source_file as file where file.load_id = loaded.load_id)
    limit 1000);

-- step: what came after a later period
update source_file set came_after = placed.newest
from (
  select source, name, revision, period,
    max(period) over (partition by source order by ended_at, period rows between unbounded preceding and 1 preceding)
      as newest
  from (
    select distinct on (source, period) source, name, revision, period, ended_at from source_file
    where state = 'loaded' order by source, period, ended_at desc, name desc, revision desc) as latest
) as placed
where source_file.source = placed.source and source_file.name = placed.name and source_file.revision = placed.revision
  and placed.newest > placed.period;

-- step (alone): the sources of a register
create index concurrently register_load_source on register_load (jurisdiction_code, source);

-- step (alone): loads that read much of a register
create index concurrently register_load_read on register_load (jurisdiction_code, read_count);

-- step (alone): the periods that are loaded
create index concurrently source_file_covered on source_file (source, period) where state in ('loaded', 'double');

-- step (alone): files that are not loaded
create index concurrently source_file_open on source_file (source, period)
  where state in ('seen', 'fetched', 'failed', 'late', 'skipped');

-- step (alone): the last file loaded
create index concurrently source_file_loaded on source_file (source, ended_at) where state = 'loaded';

-- step (alone): files that came after a later period
create index concurrently source_file_disorder on source_file (source, ended_at) where came_after is not null;

-- step (alone): a content, whichever source brought it
create index concurrently source_file_content on source_file (digest) where digest is not null;

-- step (alone): which the index of a content replaces
drop index concurrently if exists source_file_digest;
