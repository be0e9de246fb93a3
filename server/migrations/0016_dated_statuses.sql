-- A status is coded together with the year and the decade of its date (docs/decisions/0025). Both follow from terms that
-- are stored, so no file has to be loaded again. Rewrites every record that has a status date and builds the index anew.

-- A load of an older version would go on to store records without them, which nobody would find by them.
do $$
begin
  if exists (
    select from pg_locks where locktype = 'advisory' and granted and objsubid = 2 and classid::bigint = 1953328228
      and database = (select oid from pg_database where datname = current_database())
  ) then
    raise exception 'a load is under way: migrate again when it has ended';
  end if;
end
$$;

-- What one that was killed has staged is of no use either; its file can be loaded again.
do $$
declare stage text;
begin
  for stage in select tablename from pg_tables
    where schemaname = current_schema() and tablename ~ '^stage_[0-9a-f]{32}$'
  loop
    execute format('drop table %I', stage);
  end loop;
end
$$;

create function add_dated_status(terms int[]) returns int[] language sql immutable as $$
  select array_agg(distinct term order by term) from (
    select kept.term from unnest(terms) as kept (term)
    union all
    select (20 << 27) | ((status.term & 134217727) << 22) | (dated.term & 4194303) | ((dated.term >> 22) & 1)
    from unnest(terms) as status (term), unnest(terms) as dated (term)
    where (status.term >> 27) & 31 = 2
      and (dated.term >> 27) & 31 = 16 and (dated.term >> 24) & 7 = 3 and (dated.term >> 22) & 3 in (0, 3)
  ) as coded
$$;

drop index if exists record_search;
update record set terms = add_dated_status(terms) where status_date is not null;
drop function add_dated_status;
create index record_search on record using gin (
  terms,
  mark_names gin_trgm_ops,
  owner_names gin_trgm_ops,
  representative_names gin_trgm_ops
) with (gin_pending_list_limit = 512);
