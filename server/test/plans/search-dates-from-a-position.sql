-- conditions: {"allOf":[268435457],"anyOf":[],"texts":[],"intervals":[],"isPinned":false,"isImpossible":false}
-- covers: []
-- walks: {"register":null,"interval":null}
-- paths: walk 300, walk 20000, gather 6000, walk 20000, walk 20000, gather 60000, walk 200000, walk 200000, gather 600000, walk 2000000, walk 2000000, gather all

-- walk
select to_char(record."application_date", 'YYYY-MM-DD'), jurisdiction_code, uid, record.detail, null, null, terms operator(pg_catalog.@>) $1::int[], place
from (
  select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail, row_number() over () as place
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where "application_date" is not null and ("application_date", jurisdiction_code, uid) < ($2::date, $3, $4)
    order by "application_date" desc, jurisdiction_code desc, uid desc limit $5::int
  ) as bounded
) as record
where terms operator(pg_catalog.@>) $6::int[] or place = $7::int
limit $8::int;
-- values: [[268435457],"2020-02-29","US","US1",300,[268435457],300,51]

-- gather
with matched as materialized (
  select "application_date" as value, jurisdiction_code, uid, place
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail, row_number() over () as place
    from (select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $1::int[]  limit $2::int) as bounded
  ) as record
  where true or place = $3::int
), page as (
  select value, jurisdiction_code, uid from matched
  where ((value, jurisdiction_code, uid) <
($4::date, $5, $6)
or value is null)
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $7::int
)
select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) as matches, coalesce(bool_or(place = $8::int), false) as unfinished from matched
) as told left join (page join record using (jurisdiction_code, uid)) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [[268435457],6001,6001,"2020-02-29","US","US1",51,6001]
