-- What each record was before (docs/decisions/0098). Nothing is kept of a version until it is replaced: the current one
-- is in `record`, and every version, current or past, is an event of the history at its own stamp.
-- works with programs since 0001

-- step: versions that were replaced
create table record_version (
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  updated_at timestamptz not null,
  replaced_at timestamptz not null,
  cause text not null check (cause in ('office', 'correction', 'renormalization', 'removal')),
  source_version text collate "C",
  mark_variants text collate "C",
  detail text collate "C" not null,
  has_document boolean not null,
  document text,
  primary key (jurisdiction_code, uid, updated_at),
  check (updated_at < replaced_at),
  check (has_document or document is null)
);
comment on table record_version is 'Written by the publish that replaces a version, in its transaction; never changed';
comment on column record_version.updated_at is 'The stamp of this version';
comment on column record_version.replaced_at is 'The stamp of the version that replaced it';
comment on column record_version.cause is 'Why it was replaced';
comment on column record_version.source_version is 'Of this version: the latest at which the source stated it';
comment on column record_version.has_document is
  'Whether its payload is kept here, null for none; else its payload is that of the next version';

-- The history in the order of stamps, beside the index of `record`.
create index record_version_change on record_version (updated_at, jurisdiction_code, uid);
create index record_version_register_change on record_version (jurisdiction_code, updated_at, uid);

-- step: which load gave a stamp
create table publish (
  stamp timestamptz primary key,
  load_id uuid not null
);
comment on table publish is 'One row for each publish that wrote records';

-- step: the files of a load
create table load_file (
  load_id uuid not null,
  number int not null,
  name text not null,
  bytes bigint not null,
  digest bytea not null,
  period text collate "C",
  primary key (load_id, number)
);
comment on column load_file.number is 'From 1, in the order in which they were read';
comment on column load_file.digest is 'SHA-256 of the file as it was delivered';
comment on column load_file.period is 'What it covers, as far as the file or its source says so; in byte order, periods come in the order of time';

-- step: what a record was read from
alter table record add column source_digest bytea;
comment on column record.source_digest is
  'The first 8 bytes of the SHA-256 of the source record as it stood; null: not known';
alter table staged_record add column source_digest bytea;
alter table staged_record add column kind text not null default 'statement'
  check (kind in ('statement', 'removal', 'rejoin'));
comment on column staged_record.kind is
  'removal: says that the register no longer has the record, which stays, with an event; rejoin: only names a stored record whose supplements changed; statement: any other';

-- Programs of older schemas serve on, and load what is new, but they replace versions without keeping them.
-- step: no version is replaced without being kept
create function refuse_lost_version() returns trigger language plpgsql as $$
begin
  if not exists (
    select from record_version kept
    where kept.jurisdiction_code = old.jurisdiction_code and kept.uid = old.uid and kept.updated_at = old.updated_at
      and kept.replaced_at = new.updated_at
  ) then
    raise exception 'the version of % % from before is not kept: load with the tmds of this schema',
      old.jurisdiction_code, old.uid using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger record_version_kept before update on record
  for each row when (old.updated_at <> new.updated_at) execute function refuse_lost_version();
