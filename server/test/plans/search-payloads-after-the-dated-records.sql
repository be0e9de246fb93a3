-- conditions: {"allOf":[268435457],"anyOf":[],"texts":[],"intervals":[],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":[],"interval":null}
-- paths: walk 300, walk 8000, walk 1200, walk 8000, walk 8000, leap 6000, gather 30000, leap 6000, walk 20000, walk 20000, gather 300000, leap 6000, walk 200000, walk 200000, gather 3000000, leap 6000, walk 2000000, walk 2000000, gather all

-- walk
(
  select null, record.jurisdiction_code, record.uid, null, record.updated_at::text, (
  select octet_length(document) from payload
  where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
), true
  from (select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
      where "application_date" is null and (jurisdiction_code, uid) < ($1, $2) order by "application_date" desc, jurisdiction_code desc, uid desc limit $3::int) as record
    where $4::int = any(terms) limit $5::int
) union all (
  select null, null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (select "application_date", jurisdiction_code, uid from record
      where "application_date" is null and (jurisdiction_code, uid) < ($6, $7) order by "application_date" desc, jurisdiction_code desc, uid desc limit $8::int) as bounded
  ) as record
  where rows = $9::int
) limit $10::int;
-- values: ["US","US1",300,268435457,51,"US","US1",300,300,51]

-- long walk
(
  select null, record.jurisdiction_code, record.uid, null, record.updated_at::text, (
  select octet_length(document) from payload
  where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
), true
  from (
      select place, "application_date", jurisdiction_code, uid
      from (select ctid as place, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
      where "application_date" is null and (jurisdiction_code, uid) < ($1, $2) order by "application_date" desc, jurisdiction_code desc, uid desc limit $3::int) as record
    where $4::int = any(terms) limit $5::int
    ) as found join record on record.ctid = found.place
    order by found."application_date" desc, found.jurisdiction_code desc, found.uid desc
) union all (
  select null, null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (select "application_date", jurisdiction_code, uid from record
      where "application_date" is null and (jurisdiction_code, uid) < ($6, $7) order by "application_date" desc, jurisdiction_code desc, uid desc limit $8::int) as bounded
  ) as record
  where rows = $9::int
) limit $10::int;
-- values: ["US","US1",8000,268435457,51,"US","US1",8000,8000,51]

-- gather
with fetched as materialized (
  select ctid as place, "application_date" as value, jurisdiction_code, uid, true as matches
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $1::int[]  limit $2::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and value is null and (jurisdiction_code, uid) < ($3, $4)
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $5::int
)
select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, null, record.updated_at::text, (
  select octet_length(document) from payload
  where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
), matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $6::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [[268435457],30001,"US","US1",51,30000]
