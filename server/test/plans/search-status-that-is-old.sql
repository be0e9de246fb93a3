-- conditions: {"allOf":[268435457],"anyOf":[],"texts":[],"intervals":[{"column":"status_date","from":null,"to":"2005-12-31"}],"pinned":[],"isImpossible":false}
-- covers: [[-1605420031,-1605414911,-1605409791,-1605404671,-1605399551,-1605394432,-1605393920,-1605393408,-1605392896,-1605392384,-1605391872]], broad: []
-- walks: {"registers":[],"interval":null}
-- paths: walk 300, walk 8000, walk 1200, walk 8000, walk 8000, gather 30000, walk 20000, walk 20000, gather 300000, walk 200000, walk 200000, gather 3000000, walk 2000000, walk 2000000, gather all

-- walk
(
  select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where "application_date" is not null order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $1::int
  ) as record
  where $2::int = any(terms) and "status_date" <= $3::date limit $4::int
) union all (
  select to_char(record."application_date", 'YYYY-MM-DD'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (
      select "application_date", "jurisdiction_code", "uid" from record
      where "application_date" is not null order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $5::int
    ) as bounded
  ) as record
  where rows = $6::int
) limit $7::int;
-- values: [300,268435457,"2005-12-31",51,300,300,51]

-- long walk
(
  select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select place, "application_date", "jurisdiction_code", "uid"
    from (
      select ctid as place, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
      where "application_date" is not null order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $1::int
    ) as record
    where $2::int = any(terms) and "status_date" <= $3::date limit $4::int
  ) as found join record on record.ctid = found.place
  order by found."application_date" desc, found."jurisdiction_code" desc, found."uid" desc
) union all (
  select to_char(record."application_date", 'YYYY-MM-DD'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (
      select "application_date", "jurisdiction_code", "uid" from record
      where "application_date" is not null order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $5::int
    ) as bounded
  ) as record
  where rows = $6::int
) limit $7::int;
-- values: [8000,268435457,"2005-12-31",51,8000,8000,51]

-- gather
with fetched as materialized (
  select ctid as place, "application_date" as value, jurisdiction_code, uid, "status_date" <= $1::date as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.&&) $2::int[]  limit $3::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $4::int
)
select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $5::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2005-12-31",[-1605420031,-1605414911,-1605409791,-1605404671,-1605399551,-1605394432,-1605393920,-1605393408,-1605392896,-1605392384,-1605391872],30001,51,30000]
