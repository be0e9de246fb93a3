-- conditions: {"allOf":[671088649],"anyOf":[],"texts":[],"intervals":[],"pinned":[],"isImpossible":true}
-- covers: [], broad: []
-- walks: {"registers":[],"interval":null}
-- paths: walk 1000, walk 60000, walk 15000, walk 60000, walk 60000, gather 30000, walk 60000, walk 60000, gather 300000, walk 600000, walk 600000, gather 3000000, walk 6000000, walk 6000000, gather all

-- walk
(
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select "updated_at", "jurisdiction_code", "uid"
    from (
      select "updated_at", "jurisdiction_code", "uid", first_signature, second_signature from record
      where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $1::int
    ) as record
    where first_signature & $2::bigint = $3::bigint and second_signature & $4::bigint = $5::bigint
  ) as signed cross join lateral (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where record.jurisdiction_code = signed.jurisdiction_code and record.uid = signed.uid limit 1
  ) as record
  where $6::int = any(terms)
  order by signed."updated_at" desc, signed."jurisdiction_code" desc, signed."uid" desc limit $7::int
) union all (
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("updated_at") as "updated_at"
    from (
      select "updated_at", "jurisdiction_code", "uid" from record
      where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $8::int
    ) as bounded
  ) as record
  where rows = $9::int
) limit $10::int;
-- values: [1000,"536870912","536870912","134217728","134217728",671088649,51,1000,1000,51]

-- long walk
(
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select "updated_at", "jurisdiction_code", "uid"
    from (
      select "updated_at", "jurisdiction_code", "uid", first_signature, second_signature from record
      where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $1::int
    ) as record
    where first_signature & $2::bigint = $3::bigint and second_signature & $4::bigint = $5::bigint
  ) as signed cross join lateral (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where record.jurisdiction_code = signed.jurisdiction_code and record.uid = signed.uid limit 1
  ) as record
  where $6::int = any(terms)
  order by signed."updated_at" desc, signed."jurisdiction_code" desc, signed."uid" desc limit $7::int
) union all (
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("updated_at") as "updated_at"
    from (
      select "updated_at", "jurisdiction_code", "uid" from record
      where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $8::int
    ) as bounded
  ) as record
  where rows = $9::int
) limit $10::int;
-- values: [60000,"536870912","536870912","134217728","134217728",671088649,51,60000,60000,51]

-- gather
with fetched as materialized (
  select ctid as place, "updated_at" as value, true as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $1::int[]  limit $2::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid
  from (
    select place, tied.value, record.jurisdiction_code, record.uid
    from (
      select place, value from fetched
      where matches and follows
      order by value desc fetch first ($3::int) rows with ties
    ) as tied join record on record.ctid = tied.place
  ) as told_apart
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $4::int
)
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $5::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [[671088649],30001,51,51,30000]
