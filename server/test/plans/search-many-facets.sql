-- conditions: {"allOf":[671088649,671088682,402653185,939524862],"anyOf":[[578,1176],[268435456,268435457],[811614338,809927040]],"texts":[],"intervals":[],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":["EM","US"],"interval":null}
-- paths: walk 300, walk 8000, walk 1200, walk 8000, walk 8000, leap 6000, gather 30000, leap 6000, walk 20000, walk 20000, gather 300000, leap 6000, walk 200000, walk 200000, gather 3000000, leap 6000, walk 2000000, walk 2000000, gather all

-- walk
(
(
  select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, true, $1::int
  from (select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
      where (jurisdiction_code, "registration_date") >= ($2, $3::date) and (jurisdiction_code, "registration_date") <= ($4, $5::date) order by jurisdiction_code desc, "registration_date" desc, uid desc limit $6::int) as record
    where $7::int = any(terms) and $8::int = any(terms) and $9::int = any(terms) and $10::int = any(terms) and terms operator(pg_catalog.&&) $11::int[] and terms operator(pg_catalog.&&) $12::int[] limit $13::int
) union all (
  select to_char(record."registration_date", 'YYYY-MM-DD'), null, null, null, null, null, false, $14::int
  from (
    select count(*) as rows, min("registration_date") as "registration_date"
    from (select "registration_date", jurisdiction_code, uid from record
      where (jurisdiction_code, "registration_date") >= ($15, $16::date) and (jurisdiction_code, "registration_date") <= ($17, $18::date) order by jurisdiction_code desc, "registration_date" desc, uid desc limit $19::int) as bounded
  ) as record
  where rows = $20::int
) limit $21::int) union all (
(
  select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, true, $22::int
  from (select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
      where (jurisdiction_code, "registration_date") >= ($23, $24::date) and (jurisdiction_code, "registration_date") <= ($25, $26::date) order by jurisdiction_code desc, "registration_date" desc, uid desc limit $27::int) as record
    where $28::int = any(terms) and $29::int = any(terms) and $30::int = any(terms) and $31::int = any(terms) and terms operator(pg_catalog.&&) $32::int[] and terms operator(pg_catalog.&&) $33::int[] limit $34::int
) union all (
  select to_char(record."registration_date", 'YYYY-MM-DD'), null, null, null, null, null, false, $35::int
  from (
    select count(*) as rows, min("registration_date") as "registration_date"
    from (select "registration_date", jurisdiction_code, uid from record
      where (jurisdiction_code, "registration_date") >= ($36, $37::date) and (jurisdiction_code, "registration_date") <= ($38, $39::date) order by jurisdiction_code desc, "registration_date" desc, uid desc limit $40::int) as bounded
  ) as record
  where rows = $41::int
) limit $42::int);
-- values: [0,"EM","-infinity","EM","infinity",300,671088649,671088682,402653185,939524862,[268435456,268435457],[811614338,809927040],51,0,"EM","-infinity","EM","infinity",300,300,51,1,"US","-infinity","US","infinity",300,671088649,671088682,402653185,939524862,[268435456,268435457],[811614338,809927040],51,1,"US","-infinity","US","infinity",300,300,51]

-- gather
with fetched as materialized (
  select ctid as place, "registration_date" as value, jurisdiction_code, uid, true as matches
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $1::int[] and terms operator(pg_catalog.&&) $2::int[] and terms operator(pg_catalog.&&) $3::int[] and terms operator(pg_catalog.&&) $4::int[]  limit $5::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and true
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $6::int
)
select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $7::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [[671088649,671088682,402653185,939524862],[578,1176],[268435456,268435457],[811614338,809927040],30001,51,30000]

-- leap, to 2023-11-01
with fetched as materialized (
  select ctid as place, "registration_date" as value, jurisdiction_code, uid, "registration_date" >= $1::date and "registration_date" <= $2::date as matches
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $3::int[] and terms operator(pg_catalog.&&) $4::int[] and terms operator(pg_catalog.&&) $5::int[] and terms operator(pg_catalog.&&) $6::int[] and terms operator(pg_catalog.&&) $7::int[]  limit $8::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and ((value, jurisdiction_code, uid) <
($9::date, $10, $11)
or value is null)
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $12::int
)
select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $13::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2023-11-01","2024-02-28",[671088649,671088682,402653185,939524862],[578,1176],[268435456,268435457],[811614338,809927040],[-2125476000,-2125475968,-2125475808,-2125475776],6001,"2024-02-28","US","US9",51,6000]
