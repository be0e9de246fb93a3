-- Three more kinds of terms (docs/decisions/0018): the decade of each date, the slice of the record, and the pairs of its
-- status with its other facets. They follow from what is stored, so no file has to be loaded again. Rewrites every record
-- and builds the index anew.

-- A load of an older version that still runs has staged terms without them. It fails now, and can be run again.
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

create function add_terms(terms int[], dates date[], content_digest bytea) returns int[] language sql immutable as $$
  select array_agg(distinct term order by term) from (
    select old.term from unnest(terms) as old (term)
    union all
    select (16 << 27) | ((field - 1)::int << 24) | (3 << 22) | ((year - year % 10) << 9)
    from unnest(dates) with ordinality as stated (day, field), lateral (
      select least(greatest(extract(year from day)::int, 1850), 2109) as year
    ) as parts
    where day is not null
    union all
    select (17 << 27) | (get_byte(content_digest, 0) % 64)
    union all
    select (18 << 27) | ((status.term & 134217727) << 20) | (((facet.term >> 27) & 31) << 16) | (facet.term & 134217727)
    from unnest(terms) as status (term), unnest(terms) as facet (term)
    where (status.term >> 27) & 31 = 2 and (facet.term >> 27) & 31 in (0, 1, 3, 4, 5, 7, 8)
      and facet.term & 134217727 < 65536
  ) as coded
$$;

drop index if exists record_search;
update record set terms = add_terms(terms, array[application_date, registration_date, publication_date,
  status_date, expiry_date, termination_date, opposition_period_end], content_digest);
create index record_search on record using gin (
  terms,
  mark_names gin_trgm_ops,
  owner_names gin_trgm_ops,
  representative_names gin_trgm_ops
) with (gin_pending_list_limit = 512);
drop function add_terms;
