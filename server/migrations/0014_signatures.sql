-- Signatures (docs/decisions/0022): two words of bits that follow from the terms of a record, see
-- server/src/record/signature.ts, stored with it and carried by the index of every order. No file has to be loaded again.
-- Rewrites every record and builds every index anew.

-- A load of an older version that still runs has staged records without them. It fails now, and can be run again.
do $$
declare stage text;
begin
  for stage in select tablename from pg_tables
    where schemaname = current_schema() and tablename ~ '^stage_[0-9a-f]{32}$'
  loop
    execute format('drop table %I', stage);
  end loop;
end
$$;

-- With every bit set nothing is ruled out.
alter table record add column first_signature bigint not null default -1,
  add column second_signature bigint not null default -1;
alter table staged_record add column first_signature bigint, add column second_signature bigint;

comment on column record.first_signature is
  'A bit for every facet and whole name of the record, see server/src/record/signature.ts';
comment on column record.second_signature is 'The same by another multiplier';

create function sign_terms(terms int[], multiplier bigint) returns bigint language sql immutable as $$
  select coalesce(bit_or(1::bigint << (((term::bigint * multiplier) & 4294967295) >> 26)::int), 0)
  from unnest(terms) as coded (term)
  where (term >> 27) & 31 between 1 and 8 or ((term >> 27) & 31 between 13 and 15 and term & 4096 = 0)
$$;

drop index if exists record_change;
drop index if exists record_register_change;
drop index if exists record_application_date;
drop index if exists record_registration_date;
drop index if exists record_register_application_date;
drop index if exists record_register_registration_date;
drop index if exists record_search;
update record set first_signature = sign_terms(terms, 2654435769), second_signature = sign_terms(terms, 2246822507);
drop function sign_terms;

create index record_change on record (updated_at, jurisdiction_code, uid)
  include (first_signature, second_signature);
create index record_register_change on record (jurisdiction_code, updated_at, uid)
  include (first_signature, second_signature);
create index record_application_date on record (application_date, jurisdiction_code, uid)
  include (first_signature, second_signature);
create index record_registration_date on record (registration_date, jurisdiction_code, uid)
  include (first_signature, second_signature);
create index record_register_application_date on record (jurisdiction_code, application_date, uid)
  include (first_signature, second_signature);
create index record_register_registration_date on record (jurisdiction_code, registration_date, uid)
  include (first_signature, second_signature);
create index record_search on record using gin (
  terms,
  mark_names gin_trgm_ops,
  owner_names gin_trgm_ops,
  representative_names gin_trgm_ops
) with (gin_pending_list_limit = 512);

-- An index is read without the table only where a vacuum has found a page to be settled: after changes to one record in
-- fifty, not one in five.
alter table record set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);

-- Which way a search takes first goes by how common its terms are: with a sample of this size those of one record in
-- 2,000 are known, instead of one in 150. Taken at the next analyze.
alter table record alter column terms set statistics 1000;

-- Where two cost the same the newest index wins (0004): let it be the primary key.
alter table record drop constraint record_pkey, add primary key (jurisdiction_code, uid);
