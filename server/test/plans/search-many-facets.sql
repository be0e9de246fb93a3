-- conditions: {"allOf":[671088649,671088682,402653185,939524862],"anyOf":[[578,1176],[268435456,268435457],[811614338,809927040]],"texts":[],"intervals":[],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":["EM","US"],"interval":null}
-- paths: walk 300, walk 8000, walk 1200, walk 8000, walk 8000, leap 6000, gather 30000, leap 6000, walk 20000, walk 20000, gather 300000, leap 6000, walk 200000, walk 200000, gather 3000000, leap 6000, walk 2000000, walk 2000000, gather all

-- walk
(
(
  select to_char(record."registration_date", 'YYYY-MM-DD'), jurisdiction_code, uid, record.detail, null, null, true
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where (jurisdiction_code, "registration_date") >= ($1, $2::date) and (jurisdiction_code, "registration_date") <= ($3, $4::date) order by jurisdiction_code desc, "registration_date" desc, uid desc limit $5::int
  ) as record
  where terms operator(pg_catalog.@>) $6::int[] and terms operator(pg_catalog.&&) $7::int[] and terms operator(pg_catalog.&&) $8::int[]
  limit $9::int
) union all (
  select to_char(record."registration_date", 'YYYY-MM-DD'), jurisdiction_code, uid, null, null, null, false
  from (
    select "registration_date", jurisdiction_code, uid, row_number() over () as place
    from (
      select "registration_date", jurisdiction_code, uid from record
      where (jurisdiction_code, "registration_date") >= ($10, $11::date) and (jurisdiction_code, "registration_date") <= ($12, $13::date) order by jurisdiction_code desc, "registration_date" desc, uid desc limit $14::int
    ) as bounded
  ) as record
  where place = $15::int
) limit $16::int) union all (
(
  select to_char(record."registration_date", 'YYYY-MM-DD'), jurisdiction_code, uid, record.detail, null, null, true
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where (jurisdiction_code, "registration_date") >= ($17, $18::date) and (jurisdiction_code, "registration_date") <= ($19, $20::date) order by jurisdiction_code desc, "registration_date" desc, uid desc limit $21::int
  ) as record
  where terms operator(pg_catalog.@>) $22::int[] and terms operator(pg_catalog.&&) $23::int[] and terms operator(pg_catalog.&&) $24::int[]
  limit $25::int
) union all (
  select to_char(record."registration_date", 'YYYY-MM-DD'), jurisdiction_code, uid, null, null, null, false
  from (
    select "registration_date", jurisdiction_code, uid, row_number() over () as place
    from (
      select "registration_date", jurisdiction_code, uid from record
      where (jurisdiction_code, "registration_date") >= ($26, $27::date) and (jurisdiction_code, "registration_date") <= ($28, $29::date) order by jurisdiction_code desc, "registration_date" desc, uid desc limit $30::int
    ) as bounded
  ) as record
  where place = $31::int
) limit $32::int);
-- values: ["EM","-infinity","EM","infinity",300,[671088649,671088682,402653185,939524862],[268435456,268435457],[811614338,809927040],51,"EM","-infinity","EM","infinity",300,300,51,"US","-infinity","US","infinity",300,[671088649,671088682,402653185,939524862],[268435456,268435457],[811614338,809927040],51,"US","-infinity","US","infinity",300,300,51]

-- gather
with fetched as materialized (
  select "registration_date" as value, jurisdiction_code, uid, true as matches
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $1::int[] and terms operator(pg_catalog.&&) $2::int[] and terms operator(pg_catalog.&&) $3::int[] and terms operator(pg_catalog.&&) $4::int[]  limit $5::int
  ) as record
), page as (
  select value, jurisdiction_code, uid from fetched
  where matches and true
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $6::int
)
select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $7::int as unfinished from fetched
) as told left join (page join record using (jurisdiction_code, uid)) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [[671088649,671088682,402653185,939524862],[578,1176],[268435456,268435457],[811614338,809927040],30001,51,30000]

-- leap, to 2023-11-01
with fetched as materialized (
  select "registration_date" as value, jurisdiction_code, uid, "registration_date" >= $1::date and "registration_date" <= $2::date as matches
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $3::int[] and terms operator(pg_catalog.&&) $4::int[] and terms operator(pg_catalog.&&) $5::int[] and terms operator(pg_catalog.&&) $6::int[] and terms operator(pg_catalog.&&) $7::int[]  limit $8::int
  ) as record
), page as (
  select value, jurisdiction_code, uid from fetched
  where matches and ((value, jurisdiction_code, uid) <
($9::date, $10, $11)
or value is null)
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $12::int
)
select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $13::int as unfinished from fetched
) as told left join (page join record using (jurisdiction_code, uid)) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2023-11-01","2024-02-28",[671088649,671088682,402653185,939524862],[578,1176],[268435456,268435457],[811614338,809927040],[-2125476000,-2125475968,-2125475808,-2125475776],6001,"2024-02-28","US","US9",51,6000]
