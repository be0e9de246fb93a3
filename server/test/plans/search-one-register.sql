-- conditions: {"allOf":[1176],"anyOf":[],"texts":[],"intervals":[],"isPinned":false,"isImpossible":false}
-- covers: [], broad: []
-- walks: {"register":"US","interval":null}
-- paths: walk all

-- walk
select to_char(record."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), jurisdiction_code, uid, record.detail, null, null, true
from record where (jurisdiction_code, "updated_at") >= ($1, $2::timestamptz) and (jurisdiction_code, "updated_at") < ($3, $4::timestamptz) order by jurisdiction_code desc, "updated_at" desc, uid desc limit $5::int;
-- values: ["US","-infinity","US","infinity",51]
