-- conditions: {"allOf":[],"anyOf":[],"texts":[],"intervals":[{"column":"updated_at","from":"2026-01-01T00:00:00.000000Z","to":"2026-02-01T00:00:00.000000Z"}],"pinned":[],"isImpossible":false}
-- covers: [], broad: []
-- walks: {"registers":[],"interval":{"column":"updated_at","from":"2026-01-01T00:00:00.000000Z","to":"2026-02-01T00:00:00.000000Z"}}
-- paths: walk all

-- full page
select string_agg(detail, ',') filter (where place <= $1::int), count(*),
  max(to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) filter (where place = $2::int), max(jurisdiction_code) filter (where place = $3::int), max(uid) filter (where place = $4::int)
from (
  select "updated_at", jurisdiction_code, uid, detail, row_number() over () as place
  from (
    select "updated_at", jurisdiction_code, uid, detail from record
    where "updated_at" is not null and "updated_at" >= $5::timestamptz and "updated_at" < $6::timestamptz order by "updated_at" asc, "jurisdiction_code" asc, "uid" asc limit $7::int
  ) as bounded
) as record;
-- values: [50,50,50,50,"2026-01-01T00:00:00.000000Z","2026-02-01T00:00:00.000000Z",51]

-- walk
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), jurisdiction_code, uid, record.detail, null, null, true
from record where "updated_at" is not null and "updated_at" >= $1::timestamptz and "updated_at" < $2::timestamptz order by "updated_at" asc, "jurisdiction_code" asc, "uid" asc limit $3::int;
-- values: ["2026-01-01T00:00:00.000000Z","2026-02-01T00:00:00.000000Z",51]
