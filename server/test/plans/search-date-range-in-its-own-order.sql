-- conditions: {"allOf":[],"anyOf":[],"texts":[],"intervals":[{"column":"application_date","from":"2024-01-01","to":"2024-12-31"}],"isPinned":false,"isImpossible":false}
-- covers: [[-2146447360]]
-- walks: {"register":null,"interval":{"column":"application_date","from":"2024-01-01","to":"2024-12-31"}}
-- paths: walk all

-- walk
select to_char(record."application_date", 'YYYY-MM-DD'), jurisdiction_code, uid, record.detail, null, null, true, place
from (
  select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail, row_number() over () as place
  from (
    select updated_at, application_date, registration_date, publication_date, status_date, expiry_date,
      termination_date, opposition_period_end, jurisdiction_code, uid, terms, number_keys, mark_names, owner_names,
      representative_names, detail from record
    where "application_date" is not null and "application_date" >= $1::date and "application_date" <= $2::date
    order by "application_date" desc, jurisdiction_code desc, uid desc limit $3::int
  ) as bounded
) as record
where true or place = $4::int
limit $5::int;
-- values: ["2024-01-01","2024-12-31",51,0,51]
