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
  check (updated_at < replaced_at)
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
alter table staged_record add column is_removal boolean not null default false;
comment on column staged_record.is_removal is
  'Says that the register no longer has the record; the record stays, with an event';
