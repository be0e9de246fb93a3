-- conditions: {"allOf":[],"anyOf":[],"texts":[],"intervals":[{"column":"application_date","from":"2024-01-01","to":"2024-12-31"}],"pinned":[],"isImpossible":false}
-- covers: [[-2142253024,-2142252992,-2142252960,-2142252928,-2142252896,-2142252864,-2142252832,-2142252800,-2142252768,-2142252736,-2142252704,-2142252672]], broad: []
-- walks: {"registers":[],"interval":{"column":"application_date","from":"2024-01-01","to":"2024-12-31"}}
-- paths: walk all

-- full page
select string_agg(detail, ',') filter (where place <= $1::int), count(*),
  max(to_char(record."application_date", 'YYYY-MM-DD')) filter (where place = $2::int), max(jurisdiction_code) filter (where place = $3::int), max(uid) filter (where place = $4::int)
from (
  select "application_date", jurisdiction_code, uid, detail, row_number() over () as place
  from (
    select "application_date", jurisdiction_code, uid, detail from record
    where "application_date" is not null and "application_date" >= $5::date and "application_date" <= $6::date order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $7::int
  ) as bounded
) as record;
-- values: [50,50,50,50,"2024-01-01","2024-12-31",51]

-- walk
select to_char(record."application_date", 'YYYY-MM-DD'), jurisdiction_code, uid, record.detail, null, null, true
from record where "application_date" is not null and "application_date" >= $1::date and "application_date" <= $2::date order by "application_date" desc, "jurisdiction_code" desc, "uid" desc limit $3::int;
-- values: ["2024-01-01","2024-12-31",51]
