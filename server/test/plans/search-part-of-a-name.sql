-- conditions: {"allOf":[1176],"anyOf":[],"texts":[{"column":"mark_names","text":"100%_\\","pieces":["100%_\\"],"seams":[]}],"intervals":[],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":["US"],"interval":null}
-- paths: walk 300, walk 20000, walk 5000, walk 20000, walk 20000, gather 6000, walk 20000, walk 20000, gather 60000, walk 200000, walk 200000, gather 600000, walk 2000000, walk 2000000, gather all

-- walk
(
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where (jurisdiction_code, "updated_at") >= ($1, $2::timestamptz) and (jurisdiction_code, "updated_at") < ($3, $4::timestamptz) order by "jurisdiction_code" desc, "updated_at" desc, "uid" desc limit $5::int
  ) as record
  where strpos("mark_names", $6) > 0 limit $7::int
) union all (
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("updated_at") as "updated_at"
    from (
      select "jurisdiction_code", "updated_at", "uid" from record
      where (jurisdiction_code, "updated_at") >= ($8, $9::timestamptz) and (jurisdiction_code, "updated_at") < ($10, $11::timestamptz) order by "jurisdiction_code" desc, "updated_at" desc, "uid" desc limit $12::int
    ) as bounded
  ) as record
  where rows = $13::int
) limit $14::int;
-- values: ["US","-infinity","US","infinity",300,"100%_\\",51,"US","-infinity","US","infinity",300,300,51]

-- gather
with fetched as materialized (
  select ctid as place, "updated_at" as value, true as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $1::int[] and "mark_names" like $2  limit $3::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid
  from (
    select place, tied.value, record.jurisdiction_code, record.uid
    from (
      select place, value from fetched
      where matches and follows
      order by value desc fetch first ($4::int) rows with ties
    ) as tied join record on record.ctid = tied.place
  ) as told_apart
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $5::int
)
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $6::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [[1176],"%100\\%\\_\\\\%",6001,51,51,6000]

-- gather the parts alone
with fetched as materialized (
  select ctid as place, "updated_at" as value, $1::int = any(terms) as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where "mark_names" like $2  limit $3::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid
  from (
    select place, tied.value, record.jurisdiction_code, record.uid
    from (
      select place, value from fetched
      where matches and follows
      order by value desc fetch first ($4::int) rows with ties
    ) as tied join record on record.ctid = tied.place
  ) as told_apart
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $5::int
)
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $6::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [1176,"%100\\%\\_\\\\%",30001,51,51,30000]

-- count along the order
select count(*) from (
  select from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where (jurisdiction_code, "updated_at") >= ($1, $2::timestamptz) and (jurisdiction_code, "updated_at") < ($3, $4::timestamptz) order by "jurisdiction_code" desc, "updated_at" desc, "uid" desc limit $5::int
  ) as record where strpos("mark_names", $6) > 0
  limit $7::int
) as matched;
-- values: ["US","-infinity","US","infinity",20000,"100%_\\",10001]

-- count of a slice
select count(*) from (
  select from record where terms operator(pg_catalog.@>) $1::int[] and terms operator(pg_catalog.&&) $2::int[] and "mark_names" like $3 limit $4::int
) as matched;
-- values: [[1176],[-2013265920],"%100\\%\\_\\\\%",10001]

-- count
select count(*) from (
  select from record where terms operator(pg_catalog.@>) $1::int[] and "mark_names" like $2 limit $3::int
) as matched;
-- values: [[1176],"%100\\%\\_\\\\%",10001]
