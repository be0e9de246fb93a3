-- conditions: {"allOf":[268435457],"anyOf":[],"texts":[],"intervals":[],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":[],"interval":null}
-- paths: walk 600, walk 20000, walk 3000, walk 20000, walk 20000, leap 6000, gather 30000, leap 6000, leap 6000, walk 50000, walk 50000, gather 300000, leap 6000, leap 6000, walk 500000, walk 500000, gather 3000000, leap 6000, leap 6000, walk 5000000, walk 5000000, gather all

-- walk
(
  select null, record.jurisdiction_code, record.uid, null, record.updated_at::text, (
  select octet_length(document) from payload
  where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
), true
  from (
    select "application_date", "jurisdiction_code", "uid"
    from (
      select "application_date", "jurisdiction_code", "uid", first_signature, second_signature from record
      where "application_date" is null and (jurisdiction_code, uid) < ($1, $2) order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $3::int
    ) as record
    where first_signature & $4::bigint = $5::bigint and second_signature & $6::bigint = $7::bigint
  ) as signed cross join lateral (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where record.jurisdiction_code = signed.jurisdiction_code and record.uid = signed.uid limit 1
  ) as record
  where $8::int = any(terms)
  order by signed."application_date" desc, signed."jurisdiction_code" desc, signed."uid" desc limit $9::int
) union all (
  select null, null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (
      select "application_date", "jurisdiction_code", "uid" from record
      where "application_date" is null and (jurisdiction_code, uid) < ($10, $11) order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $12::int
    ) as bounded
  ) as record
  where rows = $13::int
) limit $14::int;
-- values: ["US","US1",600,"2048","2048","8192","8192",268435457,51,"US","US1",600,600,51]

-- long walk
(
  select null, record.jurisdiction_code, record.uid, null, record.updated_at::text, (
  select octet_length(document) from payload
  where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
), true
  from (
    select "application_date", "jurisdiction_code", "uid"
    from (
      select "application_date", "jurisdiction_code", "uid", first_signature, second_signature from record
      where "application_date" is null and (jurisdiction_code, uid) < ($1, $2) order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $3::int
    ) as record
    where first_signature & $4::bigint = $5::bigint and second_signature & $6::bigint = $7::bigint
  ) as signed cross join lateral (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where record.jurisdiction_code = signed.jurisdiction_code and record.uid = signed.uid limit 1
  ) as record
  where $8::int = any(terms)
  order by signed."application_date" desc, signed."jurisdiction_code" desc, signed."uid" desc limit $9::int
) union all (
  select null, null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (
      select "application_date", "jurisdiction_code", "uid" from record
      where "application_date" is null and (jurisdiction_code, uid) < ($10, $11) order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $12::int
    ) as bounded
  ) as record
  where rows = $13::int
) limit $14::int;
-- values: ["US","US1",20000,"2048","2048","8192","8192",268435457,51,"US","US1",20000,20000,51]

-- gather
with fetched as materialized (
  select ctid as place, "application_date" as value, jurisdiction_code, uid, true as matches, "application_date" is null and (jurisdiction_code, uid) < ($1, $2) as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $3::int[]  limit $4::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
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
-- values: ["US","US1",[268435457],30001,51,30000]
