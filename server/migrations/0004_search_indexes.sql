-- The indexes of searches (docs/decisions/0005, 0009). One inverted index answers every membership filter and every part
-- of a name; one index per sort field and one more per register and sort field give the orders that pages are cut from.
-- record_change and record_register_change exist since 0001.

create index record_application_date on record (application_date, jurisdiction_code, uid);
create index record_registration_date on record (registration_date, jurisdiction_code, uid);
create index record_register_application_date on record (jurisdiction_code, application_date, uid);
create index record_register_registration_date on record (jurisdiction_code, registration_date, uid);

create index record_search on record using gin (
  terms,
  mark_names gin_trgm_ops,
  owner_names gin_trgm_ops,
  representative_names gin_trgm_ops
);

-- The newest index wins where two cost the same, as any two do on an empty table: let it be the primary key, so that a
-- plan made then still looks records up by their whole identity when the table has grown.
alter table record drop constraint record_pkey, add primary key (jurisdiction_code, uid);
