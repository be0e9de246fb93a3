-- Terms in few, long lists (docs/decisions/0016): a hashed number or name becomes the two terms of the lower and the
-- upper 12 bits of its hash, and a date its year, month and yearday instead of its year and day. Both follow from what is
-- stored, so no file has to be loaded again. Rewrites every record and builds the index anew.

-- A load of an older version that still runs has staged terms of the old kind. It fails now, and can be run again.
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

create function recode_terms(terms int[], dates date[]) returns int[] language sql immutable as $$
  select array_agg(distinct term order by term) from (
    select recoded.term
    from unnest(terms) as old (term), lateral (
      select old.term where (old.term >> 27) & 31 not between 9 and 16
      union all
      select (old.term & ~134217727) | (old.term & 4095) where (old.term >> 27) & 31 between 9 and 15
      union all
      select (old.term & ~134217727) | 4096 | ((old.term >> 12) & 4095) where (old.term >> 27) & 31 between 9 and 15
    ) as recoded (term)
    union all
    select (16 << 27) | ((field - 1)::int << 24) | coded.value
    from unnest(dates) with ordinality as stated (day, field), lateral (
      select least(greatest(extract(year from day)::int, 1850), 2109) as year, extract(month from day)::int as month,
        extract(day from day)::int as monthday
    ) as parts, lateral (
      values (year << 9), ((1 << 22) | (year << 9) | (month << 5)), ((2 << 22) | (month << 5) | monthday)
    ) as coded (value)
    where day is not null
  ) as recoded
$$;

drop index if exists record_search;
update record set terms = recode_terms(terms, array[application_date, registration_date, publication_date,
  status_date, expiry_date, termination_date, opposition_period_end]);
create index record_search on record using gin (
  terms,
  mark_names gin_trgm_ops,
  owner_names gin_trgm_ops,
  representative_names gin_trgm_ops
) with (gin_pending_list_limit = 512);
drop function recode_terms;
