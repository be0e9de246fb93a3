-- conditions: {"allOf":[671088649,671088682,402653185,939524862],"anyOf":[[578,1176],[268435456,268435457],[811614338,809927040]],"texts":[],"intervals":[],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":["EM","US"],"interval":null}
-- paths: walk 600, walk 20000, walk 3000, walk 20000, walk 20000, leap 6000, gather 30000, leap 6000, leap 6000, walk 50000, walk 50000, gather 300000, leap 6000, leap 6000, walk 500000, walk 500000, gather 3000000, leap 6000, leap 6000, walk 5000000, walk 5000000, gather all

-- walk
(
(
  select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, true, $1::int
  from (
    select "jurisdiction_code", "registration_date", "uid"
    from (
      select "jurisdiction_code", "registration_date", "uid", first_signature, second_signature from record
      where (jurisdiction_code, "registration_date") >= ($2, $3::date) and (jurisdiction_code, "registration_date") <= ($4, $5::date) order by "jurisdiction_code" desc, "registration_date" desc, "uid" desc limit $6::int
    ) as record
    where first_signature & $7::bigint = $8::bigint and second_signature & $9::bigint = $10::bigint and first_signature & $11::bigint <> 0 and second_signature & $12::bigint <> 0 and first_signature & $13::bigint <> 0 and second_signature & $14::bigint <> 0
  ) as signed cross join lateral (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where record.jurisdiction_code = signed.jurisdiction_code and record.uid = signed.uid limit 1
  ) as record
  where $15::int = any(terms) and $16::int = any(terms) and $17::int = any(terms) and $18::int = any(terms) and terms operator(pg_catalog.&&) $19::int[] and terms operator(pg_catalog.&&) $20::int[]
  order by signed."jurisdiction_code" desc, signed."registration_date" desc, signed."uid" desc limit $21::int
) union all (
  select to_char(record."registration_date", 'YYYY-MM-DD'), null, null, null, null, null, false, $22::int
  from (
    select count(*) as rows, min("registration_date") as "registration_date"
    from (
      select "jurisdiction_code", "registration_date", "uid" from record
      where (jurisdiction_code, "registration_date") >= ($23, $24::date) and (jurisdiction_code, "registration_date") <= ($25, $26::date) order by "jurisdiction_code" desc, "registration_date" desc, "uid" desc limit $27::int
    ) as bounded
  ) as record
  where rows = $28::int
) limit $29::int) union all (
(
  select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, true, $30::int
  from (
    select "jurisdiction_code", "registration_date", "uid"
    from (
      select "jurisdiction_code", "registration_date", "uid", first_signature, second_signature from record
      where (jurisdiction_code, "registration_date") >= ($31, $32::date) and (jurisdiction_code, "registration_date") <= ($33, $34::date) order by "jurisdiction_code" desc, "registration_date" desc, "uid" desc limit $35::int
    ) as record
    where first_signature & $36::bigint = $37::bigint and second_signature & $38::bigint = $39::bigint and first_signature & $40::bigint <> 0 and second_signature & $41::bigint <> 0 and first_signature & $42::bigint <> 0 and second_signature & $43::bigint <> 0
  ) as signed cross join lateral (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where record.jurisdiction_code = signed.jurisdiction_code and record.uid = signed.uid limit 1
  ) as record
  where $44::int = any(terms) and $45::int = any(terms) and $46::int = any(terms) and $47::int = any(terms) and terms operator(pg_catalog.&&) $48::int[] and terms operator(pg_catalog.&&) $49::int[]
  order by signed."jurisdiction_code" desc, signed."registration_date" desc, signed."uid" desc limit $50::int
) union all (
  select to_char(record."registration_date", 'YYYY-MM-DD'), null, null, null, null, null, false, $51::int
  from (
    select count(*) as rows, min("registration_date") as "registration_date"
    from (
      select "jurisdiction_code", "registration_date", "uid" from record
      where (jurisdiction_code, "registration_date") >= ($52, $53::date) and (jurisdiction_code, "registration_date") <= ($54, $55::date) order by "jurisdiction_code" desc, "registration_date" desc, "uid" desc limit $56::int
    ) as bounded
  ) as record
  where rows = $57::int
) limit $58::int);
-- values: [0,"EM","-infinity","EM","infinity",600,"2413929400807456768","2413929400807456768","17626680000640","17626680000640","68719478784","17592186052608","17179869188","576460752303427584",671088649,671088682,402653185,939524862,[268435456,268435457],[811614338,809927040],51,0,"EM","-infinity","EM","infinity",600,600,51,1,"US","-infinity","US","infinity",600,"2413929400807456768","2413929400807456768","17626680000640","17626680000640","68719478784","17592186052608","17179869188","576460752303427584",671088649,671088682,402653185,939524862,[268435456,268435457],[811614338,809927040],51,1,"US","-infinity","US","infinity",600,600,51]

-- gather
with fetched as materialized (
  select ctid as place, "registration_date" as value, jurisdiction_code, uid, true as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $1::int[] and terms operator(pg_catalog.&&) $2::int[] and terms operator(pg_catalog.&&) $3::int[] and terms operator(pg_catalog.&&) $4::int[]  limit $5::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $6::int
)
select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $7::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: [[671088649,671088682,402653185,939524862],[578,1176],[268435456,268435457],[811614338,809927040],30001,51,30000]

-- leap, to 2023-09-01
with fetched as materialized (
  select ctid as place, "registration_date" as value, jurisdiction_code, uid, "registration_date" >= $1::date and "registration_date" <= $2::date as matches, (("registration_date", jurisdiction_code, uid) <
($3::date, $4, $5)
or "registration_date" is null) as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $6::int[] and terms operator(pg_catalog.&&) $7::int[] and terms operator(pg_catalog.&&) $8::int[] and terms operator(pg_catalog.&&) $9::int[] and terms operator(pg_catalog.&&) $10::int[]  limit $11::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $12::int
)
select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $13::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2023-09-01","2024-02-28","2024-02-28","US","US9",[671088649,671088682,402653185,939524862],[578,1176],[268435456,268435457],[811614338,809927040],[-2125476064,-2125476032,-2125476000,-2125475968,-2125475808,-2125475776],6001,51,6000]

-- leap to the page
with fetched as materialized (
  select ctid as place, "registration_date" as value, jurisdiction_code, uid, "registration_date" >= $1::date as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $2::int[] and terms operator(pg_catalog.&&) $3::int[] and terms operator(pg_catalog.&&) $4::int[] and terms operator(pg_catalog.&&) $5::int[] and terms operator(pg_catalog.&&) $6::int[]  limit $7::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $8::int
)
select to_char(record."registration_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $9::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2001-05-01",[671088649,671088682,402653185,939524862],[578,1176],[268435456,268435457],[811614338,809927040],[-2129681408,-2129680896,-2129680384,-2129679872,-2129679360,-2129678848,-2129678336,-2129677824,-2117094400,-2117089280,-2117084160,-2117079040,-2117073920,-2117068800,-2117063680,-2117058560,-2117053440,-2117048320,-2125487456,-2125487424,-2125487392,-2125487360,-2125487328,-2125487296,-2125487264,-2125487232],6001,51,6000]
