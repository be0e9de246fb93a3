-- conditions: {"allOf":[],"anyOf":[],"texts":[],"intervals":[{"column":"updated_at","from":"2026-01-01T00:00:00.000000Z","to":null}],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":[],"interval":null}
-- paths: walk 300, walk 8000, walk 1200, walk 8000, walk 8000, recent 30000, walk 20000, walk 20000, recent 300000, walk 200000, walk 200000, recent 3000000, walk 2000000, walk 2000000, recent all

-- walk
(
  select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where "application_date" is not null order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $1::int
  ) as record
  where "updated_at" >= $2::timestamptz limit $3::int
) union all (
  select to_char(record."application_date", 'YYYY-MM-DD'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (
      select "application_date", "jurisdiction_code", "uid" from record
      where "application_date" is not null order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $4::int
    ) as bounded
  ) as record
  where rows = $5::int
) limit $6::int;
-- values: [300,"2026-01-01T00:00:00.000000Z",51,300,300,51]

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
    where "updated_at" >= $2::timestamptz limit $3::int
  ) as found join record on record.ctid = found.place
  order by found."application_date" desc, found."jurisdiction_code" desc, found."uid" desc
) union all (
  select to_char(record."application_date", 'YYYY-MM-DD'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (
      select "application_date", "jurisdiction_code", "uid" from record
      where "application_date" is not null order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $4::int
    ) as bounded
  ) as record
  where rows = $5::int
) limit $6::int;
-- values: [8000,"2026-01-01T00:00:00.000000Z",51,8000,8000,51]

-- recent
with fetched as materialized (
  select ctid as place, "application_date" as value, jurisdiction_code, uid, true as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where "updated_at" >= $1::timestamptz order by updated_at, jurisdiction_code, uid limit $2::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $3::int
)
select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $4::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2026-01-01T00:00:00.000000Z",30001,51,30000]
