-- One more kind of terms (docs/decisions/0020): the seams of names, see server/src/record/seams.ts. They follow from what
-- is stored, so no file has to be loaded again. Rewrites the records that have any and builds the index anew.

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

-- In UTF-8, ascii() tells the code point.
create function list_seams(names text, kind int) returns setof int language sql immutable as $$
  select (19 << 27) | (kind << 12) | ((one::bigint * 961 + other * 31 + initial) % 4093)::int
  from (
    select code as initial, lag(code, 1) over (order by place) as other, lag(code, 2) over (order by place) as one
    from (
      select ascii(character) as code, place
      from string_to_table(names, null) with ordinality as spelled (character, place)
    ) as coded
  ) as threes
  where one is not null and other <> 31
    and (other < 48 or other between 58 and 96 or other between 123 and 191 or other between 8192 and 8303
      or other between 12288 and 12351 or other = 12539 or other between 65280 and 65295)
    and not (initial < 48 or initial between 58 and 96 or initial between 123 and 191 or initial between 8192 and 8303
      or initial between 12288 and 12351 or initial = 12539 or initial between 65280 and 65295)
$$;

create function add_seams(terms int[], marks text, owners text, representatives text) returns int[]
language sql immutable as $$
  select array_agg(distinct term order by term) from (
    select unnest(terms) union all
    select list_seams(marks, 0) union all select list_seams(owners, 1) union all select list_seams(representatives, 2)
  ) as coded (term)
$$;

drop index if exists record_search;
update record set terms = add_seams(terms, mark_names, owner_names, representative_names)
where coalesce(mark_names, owner_names, representative_names) is not null;
create index record_search on record using gin (
  terms,
  mark_names gin_trgm_ops,
  owner_names gin_trgm_ops,
  representative_names gin_trgm_ops
) with (gin_pending_list_limit = 512);
drop function add_seams;
drop function list_seams;
