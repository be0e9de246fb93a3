-- conditions: {"allOf":[1207961015,1207964273],"anyOf":[],"texts":[{"column":"number_keys","text":"\u001fA:AB-1\u001f","pieces":[],"seams":[]}],"intervals":[],"pinned":[1207961015,1207964273],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":[],"interval":null}
-- paths: gather 64, gather 2000, walk 300, walk 20000, walk 5000, walk 20000, walk 20000, gather 30000, walk 20000, walk 20000, gather 300000, walk 200000, walk 200000, gather 3000000, walk 2000000, walk 2000000, gather all

-- walk
(
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, true
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $1::int
  ) as record
  where $2::int = any(terms) and $3::int = any(terms) and strpos("number_keys", $4) > 0 limit $5::int
) union all (
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("updated_at") as "updated_at"
    from (
      select "updated_at", "jurisdiction_code", "uid" from record
      where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $6::int
    ) as bounded
  ) as record
  where rows = $7::int
) limit $8::int;
-- values: [300,1207961015,1207964273,"\u001fA:AB-1\u001f",51,300,300,51]

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
    where $2::int = any(terms) and $3::int = any(terms) and strpos("number_keys", $4) > 0 limit $5::int
  ) as found join record on record.ctid = found.place
  order by found."updated_at" desc, found."jurisdiction_code" desc, found."uid" desc
) union all (
  select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), null, null, null, null, null, false
  from (
    select count(*) as rows, min("updated_at") as "updated_at"
    from (
      select "updated_at", "jurisdiction_code", "uid" from record
      where "updated_at" is not null order by "updated_at" desc, "jurisdiction_code" desc, "uid" desc limit $6::int
    ) as bounded
  ) as record
  where rows = $7::int
) limit $8::int;
-- values: [20000,1207961015,1207964273,"\u001fA:AB-1\u001f",51,20000,20000,51]

-- gather few
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, strpos("number_keys", $1) > 0, true
from (
  select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $2::int[] limit $3::int
) as record;
-- values: ["\u001fA:AB-1\u001f",[1207961015,1207964273],65]

-- gather
with fetched as materialized (
  select ctid as place, "updated_at" as value, jurisdiction_code, uid, strpos("number_keys", $1) > 0 as matches, true as follows
  from (
    select ctid, updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record where terms operator(pg_catalog.@>) $2::int[]  limit $3::int
  ) as record
), page as (
  select place, value, jurisdiction_code, uid from fetched
  where matches and follows
  order by value desc nulls last, jurisdiction_code desc, uid desc
  limit $4::int
)
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), record.jurisdiction_code, record.uid, record.detail, null, null, matches, unfinished
from (
  select count(*) filter (where matches) as matches, count(*) > $5::int as unfinished from fetched
) as told left join (page join record on record.ctid = page.place) on true
order by page.value desc nulls last, page.jurisdiction_code desc, page.uid desc;
-- values: ["\u001fA:AB-1\u001f",[1207961015,1207964273],2001,51,2000]
