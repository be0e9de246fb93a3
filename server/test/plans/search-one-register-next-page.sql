-- conditions: {"allOf":[1176],"anyOf":[],"texts":[],"intervals":[],"isPinned":false,"isImpossible":false}
-- covers: []
-- walks: {"register":"US","interval":null}
-- paths: walk all

-- walk
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), jurisdiction_code, uid, record.detail, null, null, true, place
from (
  select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail, row_number() over () as place
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where (jurisdiction_code, "updated_at") >= ($1, $2::timestamptz) and (jurisdiction_code, "updated_at") < ($3, $4::timestamptz) and (jurisdiction_code, "updated_at", uid) < ($5, $6::timestamptz, $7)
    order by jurisdiction_code desc, "updated_at" desc, uid desc limit $8::int
  ) as bounded
) as record
where true or place = $9::int
limit $10::int;
-- values: ["US","-infinity","US","infinity","US","2026-01-02T03:04:05.678901Z","US1",51,0,51]
