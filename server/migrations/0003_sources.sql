-- Files that declared sources offer (docs/decisions/0086). A name whose content changes is a further revision of the file;
-- the newest one counts. What follows from these rows and the declaration, such as gaps, is derived.
create table source_file (
  source text collate "C" not null,
  name text collate "C" not null,
  revision int not null,
  period text collate "C" not null,
  fingerprint text not null,
  state text not null check (state in
    ('seen', 'fetched', 'loaded', 'failed', 'late', 'skipped', 'double', 'superseded')),
  bytes bigint,
  digest bytea,
  load_id uuid,
  reason text,
  seen_at timestamptz not null,
  fetched_at timestamptz,
  ended_at timestamptz,
  primary key (source, name, revision)
);
comment on column source_file.period is 'In byte order, periods come in the order in which they are loaded';
comment on column source_file.fingerprint is 'What the source says of the content beside its name: size, time, digest';
comment on column source_file.digest is 'SHA-256 of the content';
comment on column source_file.reason is 'Why it failed, is late, is a double or was skipped; else null';
create index source_file_digest on source_file (source, digest) where digest is not null;

-- How the last check of each source ended, for those who watch and do not hold the declarations.
create table source_check (
  source text collate "C" primary key,
  checked_at timestamptz not null,
  succeeded_at timestamptz,
  failure text,
  stopped boolean not null,
  next_period text,
  due_at timestamptz,
  gaps text[] not null
);
comment on column source_check.stopped is 'A file of its register failed, so nothing more of the register is loaded';
comment on column source_check.due_at is 'When the next period is overdue; null if the source has no rhythm';
