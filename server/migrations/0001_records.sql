-- The records, their payloads, the registers, and what a load leaves behind. The record tables have no sequences,
-- triggers or foreign keys and are keyed by (jurisdiction_code, uid), so that they can be distributed by uid.
-- Identity and order compare byte by byte ("C"), whatever the locale of the database.

create extension if not exists pg_trgm;

create table record (
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  updated_at timestamptz not null,
  first_seen_at timestamptz not null,
  application_date date,
  registration_date date,
  publication_date date,
  status_date date,
  expiry_date date,
  termination_date date,
  opposition_period_end date,
  content_digest bytea not null,
  source_version text collate "C",
  terms int[] not null,
  number_keys text collate "C",
  mark_names text collate "C",
  owner_names text collate "C",
  representative_names text collate "C",
  detail text collate "C" not null,
  primary key (jurisdiction_code, uid),
  check (first_seen_at <= updated_at)
);
comment on column record.terms is 'Coded values of every membership filter, see server/src/record/terms.ts';
comment on column record.detail is 'The record as delivered: JSON text, rendered once at publish';

-- The change feed and searches by change time.
create index record_change on record (updated_at, jurisdiction_code, uid);
create index record_register_change on record (jurisdiction_code, updated_at, uid);

create table payload (
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  document text not null,
  primary key (jurisdiction_code, uid)
);
comment on column payload.document is 'The full normalized document as JSON text';

create table register (
  jurisdiction_code text collate "C" primary key,
  record_count bigint not null check (record_count >= 0),
  data_current_through timestamptz,
  last_load_id uuid
);

-- One row: the last stamp given out, so that stamps rise even when the clock steps back.
create table publish_clock (
  only_row boolean primary key default true check (only_row),
  last_stamp timestamptz not null
);
insert into publish_clock (last_stamp) values ('epoch');

create table load (
  load_id uuid primary key,
  format text not null,
  source text not null,
  state text not null check (state in ('staging', 'publishing', 'finished', 'failed', 'interrupted')),
  started_at timestamptz not null,
  finished_at timestamptz,
  read_count bigint not null default 0,
  new_count bigint not null default 0,
  changed_count bigint not null default 0,
  unchanged_count bigint not null default 0,
  rejected_count bigint not null default 0,
  issue_count bigint not null default 0,
  published_batch int not null default 0,
  data_current_through timestamptz,
  failure text
);
comment on column load.published_batch is 'Staged batches are numbered from 1; those up to here are published';
create index load_started on load (started_at);

create table load_issue (
  load_id uuid not null,
  code text not null,
  path text not null,
  value text not null,
  occurrence_count bigint not null,
  primary key (load_id, code, path, value)
);

create table load_reject (
  load_id uuid not null,
  ordinal int not null,
  position text not null,
  reason text not null,
  raw bytea not null,
  primary key (load_id, ordinal)
);
comment on column load_reject.raw is 'The record as it stands in the source; a very long one is cut here and whole in the rejects file';
