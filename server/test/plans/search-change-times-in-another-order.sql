-- conditions: {"allOf":[],"anyOf":[],"texts":[],"intervals":[{"column":"updated_at","from":"2026-01-01T00:00:00.000000Z","to":null}],"isPinned":false,"isImpossible":false}
-- covers: []
-- walks: {"register":null,"interval":null}
-- paths: walk 300, walk 20000, recent 6000, walk 20000, walk 20000, recent 60000, walk 200000, walk 200000, recent 600000, walk 2000000, walk 2000000, recent all

-- walk
select to_char(record."application_date", 'YYYY-MM-DD'), jurisdiction_code, uid, record.detail, null, null, "updated_at" >= $1::timestamptz, place
from (
  select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail, row_number() over () as place
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where "application_date" is not null
    order by "application_date" desc, jurisdiction_code desc, uid desc limit $2::int
  ) as bounded
) as record
where "updated_at" >= $3::timestamptz or place = $4::int
limit $5::int;
-- values: ["2026-01-01T00:00:00.000000Z",300,"2026-01-01T00:00:00.000000Z",300,51]

-- recent
with matched as materialized (
  select "application_date" as value, jurisdiction_code, uid, place
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail, row_number() over () as place
    from (select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where "updated_at" >= $1::timestamptz order by updated_at, jurisdiction_code, uid limit $2::int) as bounded
  ) as record
  where true or place = $3::int
), page as (
  select value, jurisdiction_code, uid from matched
  where true
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $4::int
)
select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) as matches, coalesce(bool_or(place = $5::int), false) as unfinished from matched
) as told left join (page join record using (jurisdiction_code, uid)) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2026-01-01T00:00:00.000000Z",6001,6001,51,6001]
