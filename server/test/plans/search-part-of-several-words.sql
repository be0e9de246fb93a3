-- conditions: {"allOf":[],"anyOf":[[533,620]],"texts":[{"column":"mark_names","text":" blue & water","pieces":["blue","water"],"seams":[-1744829672]}],"intervals":[],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":["DE","FR"],"interval":null}
-- paths: walk 300, walk 20000, walk 5000, walk 20000, walk 20000, gather 6000, walk 20000, walk 20000, gather 60000, walk 200000, walk 200000, gather 600000, walk 2000000, walk 2000000, gather all

-- walk
(
(
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, true, $1::int
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where (jurisdiction_code, "updated_at") >= ($2, $3::timestamptz) and (jurisdiction_code, "updated_at") < ($4, $5::timestamptz) order by "jurisdiction_code" desc, "updated_at" desc, "uid" desc limit $6::int
  ) as record
  where strpos("mark_names", $7) > 0 limit $8::int
) union all (
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), null, null, null, null, null, false, $9::int
  from (
    select count(*) as rows, min("updated_at") as "updated_at"
    from (
      select "jurisdiction_code", "updated_at", "uid" from record
      where (jurisdiction_code, "updated_at") >= ($10, $11::timestamptz) and (jurisdiction_code, "updated_at") < ($12, $13::timestamptz) order by "jurisdiction_code" desc, "updated_at" desc, "uid" desc limit $14::int
    ) as bounded
  ) as record
  where rows = $15::int
) limit $16::int) union all (
(
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, true, $17::int
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where (jurisdiction_code, "updated_at") >= ($18, $19::timestamptz) and (jurisdiction_code, "updated_at") < ($20, $21::timestamptz) order by "jurisdiction_code" desc, "updated_at" desc, "uid" desc limit $22::int
  ) as record
  where strpos("mark_names", $23) > 0 limit $24::int
) union all (
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), null, null, null, null, null, false, $25::int
  from (
    select count(*) as rows, min("updated_at") as "updated_at"
    from (
      select "jurisdiction_code", "updated_at", "uid" from record
      where (jurisdiction_code, "updated_at") >= ($26, $27::timestamptz) and (jurisdiction_code, "updated_at") < ($28, $29::timestamptz) order by "jurisdiction_code" desc, "updated_at" desc, "uid" desc limit $30::int
    ) as bounded
  ) as record
  where rows = $31::int
) limit $32::int);
-- values: [0,"DE","-infinity","DE","infinity",300," blue & water",51,0,"DE","-infinity","DE","infinity",300,300,51,1,"FR","-infinity","FR","infinity",300," blue & water",51,1,"FR","-infinity","FR","infinity",300,300,51]

-- gather
with fetched as materialized (
  select ctid as place, "updated_at" as value, strpos("mark_names", $1) > 0 as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.&&) $2::int[] and terms operator(pg_catalog.@>) $3::int[] and "mark_names" like $4  limit $5::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid
  from (
    select place, tied.value, record.jurisdiction_code, record.uid
    from (
      select place, value from fetched
      where matches and follows
      order by value desc fetch first ($6::int) rows with ties
    ) as tied join record on record.ctid = tied.place
  ) as told_apart
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $7::int
)
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $8::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [" blue & water",[533,620],[-1744829672],"%blue%water%",6001,51,51,6000]

-- gather the parts alone
with fetched as materialized (
  select ctid as place, "updated_at" as value, terms operator(pg_catalog.&&) $1::int[] and strpos("mark_names", $2) > 0 as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $3::int[] and "mark_names" like $4  limit $5::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid
  from (
    select place, tied.value, record.jurisdiction_code, record.uid
    from (
      select place, value from fetched
      where matches and follows
      order by value desc fetch first ($6::int) rows with ties
    ) as tied join record on record.ctid = tied.place
  ) as told_apart
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $7::int
)
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $8::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [[533,620]," blue & water",[-1744829672],"%blue%water%",30001,51,51,30000]

-- count along the order
select count(*) from (
  select from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $1::int
  ) as record where jurisdiction_code = any($2::text[]) and strpos("mark_names", $3) > 0
  limit $4::int
) as matched;
-- values: [20000,["DE","FR"]," blue & water",10001]

-- count of a slice
select count(*) from (
  select from record where terms operator(pg_catalog.&&) $1::int[] and terms operator(pg_catalog.&&) $2::int[] and terms operator(pg_catalog.@>) $3::int[] and "mark_names" like $4 and strpos("mark_names", $5) > 0 limit $6::int
) as matched;
-- values: [[533,620],[-2013265920],[-1744829672],"%blue%water%"," blue & water",10001]

-- count
select count(*) from (
  select from record where terms operator(pg_catalog.&&) $1::int[] and terms operator(pg_catalog.@>) $2::int[] and "mark_names" like $3 and strpos("mark_names", $4) > 0 limit $5::int
) as matched;
-- values: [[533,620],[-1744829672],"%blue%water%"," blue & water",10001]
