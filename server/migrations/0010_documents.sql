-- Documents that are held packed, in the database or in a store of objects (docs/decisions/0117). Programs from before
-- work with it until the first document is; what packs it says so in `migration`.
-- works with programs since 0001

-- step: how a document is held
alter table payload alter column document drop not null;
alter table payload add column document_packed bytea;
alter table payload add column document_digest bytea;
alter table payload add column document_bytes int4;
alter table payload alter column document_packed set storage external;
alter table payload add constraint payload_held check (case when document is null
  then document_digest is not null and document_bytes is not null
  else num_nonnulls(document_packed, document_digest, document_bytes) = 0 end) not valid;
comment on column payload.document is 'The full normalized document as JSON text; null: it is packed';
comment on column payload.document_packed is
  'The document packed, see server/src/store/documents/packing.ts; null for text, and for an object';
comment on column payload.document_digest is 'SHA-256 of the document, the name of its object; null for text';
comment on column payload.document_bytes is 'Length of the document; null for text';
alter table record_version add column document_packed bytea;
alter table record_version add column document_digest bytea;
alter table record_version add column document_bytes int4;
alter table record_version alter column document_packed set storage external;
alter table record_version add constraint record_version_held check (case when document_digest is null
  then num_nonnulls(document_packed, document_bytes) = 0
  else has_document and document is null and document_bytes is not null end) not valid;
alter table staged_record add column document_packed bytea;
alter table staged_record add column document_digest bytea;
alter table staged_record add column document_bytes int4;
alter table staged_record alter column document_packed set storage external;
comment on column staged_record.document_digest is 'Of a payload that is packed already, like the columns beside it';
create table payload_dictionary (
  dictionary_id bytea primary key,
  jurisdiction_code text collate "C" not null,
  content bytea not null,
  made_at timestamptz not null,
  check (dictionary_id = substring(sha256(content) for 8))
);
create index payload_dictionary_register on payload_dictionary (jurisdiction_code, made_at);
comment on table payload_dictionary is 'What packed documents were packed with; kept as long as any of them, in backups too';
create function refuse_lost_dictionary() returns trigger language plpgsql as $$
begin
  raise exception 'payloads are packed with the dictionary %: it can be neither changed nor deleted',
    encode(old.dictionary_id, 'hex') using errcode = 'restrict_violation';
end $$;
create trigger payload_dictionary_kept before update or delete on payload_dictionary
  for each row execute function refuse_lost_dictionary();

-- step: every payload is held in one way
alter table payload validate constraint payload_held;

-- step: and every version
alter table record_version validate constraint record_version_held;

-- step (alone): rows that name an object
create index concurrently payload_object on payload (document_digest)
  where document_digest is not null and document_packed is null;

-- step (alone): versions that name an object
create index concurrently record_version_object on record_version (document_digest)
  where document_digest is not null and document_packed is null;
