-- Dates before 1950 are coded as if they lay in that year (docs/decisions/0016): few records have any, and an interval
-- that begins with the oldest is told by half as many lists. Rewrites the records that have one.

-- A load of an older version that still runs has staged them as before. It fails now, and can be run again.
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

create function recode_dates(terms int[], dates date[]) returns int[] language sql immutable as $$
  select array_agg(distinct term order by term) from (
    select old.term from unnest(terms) as old (term) where (old.term >> 27) & 31 <> 16
    union all
    select (16 << 27) | ((field - 1)::int << 24) | coded.value
    from unnest(dates) with ordinality as stated (day, field), lateral (
      select least(greatest(extract(year from day)::int, 1950), 2109) as year, extract(month from day)::int as month,
        extract(day from day)::int as monthday
    ) as parts, lateral (
      values (year << 9), ((1 << 22) | (year << 9) | (month << 5)), ((2 << 22) | (month << 5) | monthday),
        ((3 << 22) | ((year - year % 10) << 9))
    ) as coded (value)
    where day is not null
  ) as recoded
$$;

update record set terms = recode_dates(terms, array[application_date, registration_date, publication_date,
  status_date, expiry_date, termination_date, opposition_period_end])
where least(application_date, registration_date, publication_date, status_date, expiry_date, termination_date,
  opposition_period_end) < '1950-01-01';
drop function recode_dates;
