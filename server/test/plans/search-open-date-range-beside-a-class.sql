-- conditions: {"allOf":[671088649],"anyOf":[],"texts":[],"intervals":[{"column":"application_date","from":null,"to":"1987-12-31"}],"pinned":[],"isImpossible":false}
-- covers: [[-2133902336,-2133897216,-2133892096,-2146469888,-2146469376,-2146468864,-2146468352,-2146467840,-2146467328,-2146466816,-2146466304]], broad: []
-- walks: {"registers":[],"interval":null}
-- paths: walk 300, walk 20000, walk 5000, walk 20000, walk 20000, gather 30000, walk 20000, walk 20000, gather 300000, walk 200000, walk 200000, gather 3000000, walk 2000000, walk 2000000, gather all

-- walk
(
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $1::int
  ) as record
  where $2::int = any(terms) and "application_date" <= $3::date limit $4::int
) union all (
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("updated_at") as "updated_at"
    from (
      select "updated_at", "jurisdiction_code", "uid" from record
      where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $5::int
    ) as bounded
  ) as record
  where rows = $6::int
) limit $7::int;
-- values: [300,671088649,"1987-12-31",51,300,300,51]

-- long walk
(
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select place, "updated_at", "jurisdiction_code", "uid"
    from (
      select ctid as place, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
      where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $1::int
    ) as record
    where $2::int = any(terms) and "application_date" <= $3::date limit $4::int
  ) as found join record on record.ctid = found.place
  order by found."updated_at" desc, found."jurisdiction_code" desc, found."uid" desc
) union all (
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("updated_at") as "updated_at"
    from (
      select "updated_at", "jurisdiction_code", "uid" from record
      where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $5::int
    ) as bounded
  ) as record
  where rows = $6::int
) limit $7::int;
-- values: [20000,671088649,"1987-12-31",51,20000,20000,51]

-- gather
with fetched as materialized (
  select ctid as place, "updated_at" as value, "application_date" <= $1::date as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $2::int[] and terms operator(pg_catalog.&&) $3::int[]  limit $4::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid
  from (
    select place, tied.value, record.jurisdiction_code, record.uid
    from (
      select place, value from fetched
      where matches and follows
      order by value desc fetch first ($5::int) rows with ties
    ) as tied join record on record.ctid = tied.place
  ) as told_apart
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $6::int
)
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $7::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["1987-12-31",[671088649],[-2133902336,-2133897216,-2133892096,-2146469888,-2146469376,-2146468864,-2146468352,-2146467840,-2146467328,-2146466816,-2146466304],30001,51,51,30000]
