-- conditions: {"allOf":[1176],"anyOf":[],"texts":[],"intervals":[],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":["US"],"interval":null}
-- paths: walk all

-- full page
select string_agg(detail, ',') filter (where place <= $1::int), count(*),
  max(to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) filter (where place = $2::int), max(jurisdiction_code) filter (where place = $3::int), max(uid) filter (where place = $4::int)
from (
  select "updated_at", jurisdiction_code, uid, detail, row_number() over () as place
  from (
    select "updated_at", jurisdiction_code, uid, detail from record
    where (jurisdiction_code, "updated_at") >= ($5, $6::timestamptz) and (jurisdiction_code, "updated_at") < ($7, $8::timestamptz) and (jurisdiction_code, "updated_at", uid) < ($9, $10::timestamptz, $11) order by "jurisdiction_code" desc, "updated_at" desc, "uid" desc limit $12::int
  ) as bounded
) as record;
-- values: [50,50,50,50,"US","-infinity","US","infinity","US","2026-01-02T03:04:05.678901Z","US1",51]

-- walk
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), jurisdiction_code, uid, record.detail, null, null, true
from record where (jurisdiction_code, "updated_at") >= ($1, $2::timestamptz) and (jurisdiction_code, "updated_at") < ($3, $4::timestamptz) and (jurisdiction_code, "updated_at", uid) < ($5, $6::timestamptz, $7) order by "jurisdiction_code" desc, "updated_at" desc, "uid" desc limit $8::int;
-- values: ["US","-infinity","US","infinity","US","2026-01-02T03:04:05.678901Z","US1",51]
