-- conditions: {"allOf":[268435457],"anyOf":[],"texts":[],"intervals":[],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":[],"interval":null}
-- paths: walk 600, walk 20000, walk 3000, walk 20000, walk 20000, leap 6000, gather 30000, leap 6000, leap 6000, walk 50000, walk 50000, gather 300000, leap 6000, leap 6000, walk 500000, walk 500000, gather 3000000, leap 6000, leap 6000, walk 5000000, walk 5000000, gather all

-- walk
(
  select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select "application_date", "jurisdiction_code", "uid"
    from (
      select "application_date", "jurisdiction_code", "uid", first_signature, second_signature from record
      where "application_date" is not null and ("application_date", jurisdiction_code, uid) < ($1::date, $2, $3) order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $4::int
    ) as record
    where first_signature & $5::bigint = $6::bigint and second_signature & $7::bigint = $8::bigint
  ) as signed cross join lateral (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where record.jurisdiction_code = signed.jurisdiction_code and record.uid = signed.uid limit 1
  ) as record
  where $9::int = any(terms)
  order by signed."application_date" desc, signed."jurisdiction_code" desc, signed."uid" desc limit $10::int
) union all (
  select to_char(record."application_date", 'YYYY-MM-DD'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (
      select "application_date", "jurisdiction_code", "uid" from record
      where "application_date" is not null and ("application_date", jurisdiction_code, uid) < ($11::date, $12, $13) order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $14::int
    ) as bounded
  ) as record
  where rows = $15::int
) limit $16::int;
-- values: ["2020-02-29","US","US1",600,"2048","2048","8192","8192",268435457,51,"2020-02-29","US","US1",600,600,51]

-- long walk
(
  select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select "application_date", "jurisdiction_code", "uid"
    from (
      select "application_date", "jurisdiction_code", "uid", first_signature, second_signature from record
      where "application_date" is not null and ("application_date", jurisdiction_code, uid) < ($1::date, $2, $3) order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $4::int
    ) as record
    where first_signature & $5::bigint = $6::bigint and second_signature & $7::bigint = $8::bigint
  ) as signed cross join lateral (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where record.jurisdiction_code = signed.jurisdiction_code and record.uid = signed.uid limit 1
  ) as record
  where $9::int = any(terms)
  order by signed."application_date" desc, signed."jurisdiction_code" desc, signed."uid" desc limit $10::int
) union all (
  select to_char(record."application_date", 'YYYY-MM-DD'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("application_date") as "application_date"
    from (
      select "application_date", "jurisdiction_code", "uid" from record
      where "application_date" is not null and ("application_date", jurisdiction_code, uid) < ($11::date, $12, $13) order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $14::int
    ) as bounded
  ) as record
  where rows = $15::int
) limit $16::int;
-- values: ["2020-02-29","US","US1",20000,"2048","2048","8192","8192",268435457,51,"2020-02-29","US","US1",20000,20000,51]

-- gather
with fetched as materialized (
  select ctid as place, "application_date" as value, jurisdiction_code, uid, true as matches, (("application_date", jurisdiction_code, uid) <
($1::date, $2, $3)
or "application_date" is null) as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $4::int[]  limit $5::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $6::int
)
select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $7::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2020-02-29","US","US1",[268435457],30001,51,30000]

-- leap, to 2019-09-01
with fetched as materialized (
  select ctid as place, "application_date" as value, jurisdiction_code, uid, "application_date" >= $1::date and "application_date" <= $2::date as matches, (("application_date", jurisdiction_code, uid) <
($3::date, $4, $5)
or "application_date" is null) as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $6::int[] and terms operator(pg_catalog.&&) $7::int[]  limit $8::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $9::int
)
select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $10::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2019-09-01","2020-02-29","2020-02-29","US","US1",[268435457],[-2142255328,-2142255296,-2142255264,-2142255232,-2142255072,-2142255040],6001,51,6000]

-- leap to the page
with fetched as materialized (
  select ctid as place, "application_date" as value, jurisdiction_code, uid, "application_date" >= $1::date and "application_date" <= $2::date as matches, (("application_date", jurisdiction_code, uid) <
($3::date, $4, $5)
or "application_date" is null) as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $6::int[] and terms operator(pg_catalog.&&) $7::int[]  limit $8::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $9::int
)
select to_char(record."application_date", 'YYYY-MM-DD'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $10::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["2001-05-01","2020-02-29","2020-02-29","US","US1",[268435457],[-2146458624,-2146458112,-2146457600,-2146457088,-2146456576,-2146456064,-2146455552,-2146455040,-2133871616,-2142264672,-2142264640,-2142264608,-2142264576,-2142264544,-2142264512,-2142264480,-2142264448,-2142255072,-2142255040],6001,51,6000]
