-- The day of a date without its year, of which there are 366, is coded as its day in a round of four years, of which there
-- are 1461: its lists are a quarter as long (docs/decisions/0024). It follows from the dates, so no file has to be loaded
-- again. Rewrites every record that has a date and builds the index anew.

-- A load of an older version would go on to store records with the terms of before, by which nobody looks any more.
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

create function recode_days(terms int[], dates date[]) returns int[] language sql immutable as $$
  select array_agg(distinct term order by term) from (
    select kept.term from unnest(terms) as kept (term)
    where (kept.term >> 27) & 31 <> 16 or (kept.term >> 22) & 3 <> 2
    union all
    select (16 << 27) | ((field - 1)::int << 24) | (2 << 22) | (((day - date '2000-01-01') % 1461 + 1461) % 1461)
    from unnest(dates) with ordinality as stated (day, field)
    where day is not null
  ) as recoded
$$;

drop index if exists record_search;
update record set terms = recode_days(terms, array[application_date, registration_date, publication_date,
  status_date, expiry_date, termination_date, opposition_period_end])
where coalesce(application_date, registration_date, publication_date, status_date, expiry_date, termination_date,
  opposition_period_end) is not null;
drop function recode_days;
create index record_search on record using gin (
  terms,
  mark_names gin_trgm_ops,
  owner_names gin_trgm_ops,
  representative_names gin_trgm_ops
) with (gin_pending_list_limit = 512);
