-- The whole schema of the first release. Builds before it had the versions 1 to 25, none of which was released: a
-- database of version 25 has this very schema and is taken over by its number (docs/design/upgrades.md).
-- works with programs since 0025
-- takes over from 0025_agreements.sql
--
-- The tables of records have no sequences and no foreign keys and are keyed by (jurisdiction_code, uid), so that they
-- can be distributed by uid. Identity and order compare byte by byte ("C"), whatever the locale of the database. No
-- extension is needed. A backup, and the rights of roles, follow from the tables that are created here.

--
-- Records
--

-- The records as they are delivered, and what a load compares of them. Searches are answered from an index in memory,
-- which reads `detail` and `mark_variants`. An update always changes `updated_at`, which is indexed, so that room left
-- on a page for it would stay empty: pages are filled. Old versions hold a whole text each, so their room is taken back
-- when one record in twenty has changed, not one in five.
create table record (
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  updated_at timestamptz not null,
  first_seen_at timestamptz not null,
  content_digest bytea not null,
  source_version text collate "C",
  line_digest bytea not null default '',
  mark_variants text collate "C",
  detail text collate "C" not null,
  is_partial boolean not null default false,
  named_parts text collate "C",
  source_digest bytea,
  primary key (jurisdiction_code, uid),
  check (first_seen_at <= updated_at)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
comment on column record.line_digest is
  'Of the source line that holds this very content, see server/src/load/line-digest.ts, or of the record as its source states it, without supplements; empty: neither is known';
comment on column record.mark_variants is
  'Held translations, transliterations and pseudo marks as they are compared, see server/src/record/held-forms.ts';
comment on column record.detail is 'The record as delivered: JSON text, rendered once at publish';
comment on column record.is_partial is
  'No source has stated this record in full yet: an older full statement still completes it (docs/decisions/0049)';
comment on column record.named_parts is
  'Parts of supplements that the record names, such as its parties by key, separated by U+001F; null for none';
comment on column record.source_digest is
  'The first 8 bytes of the SHA-256 of the source record as it stood; null: not known';

-- Finds the records that name a part. Written at once: a list of entries that wait would be read by every look-up.
create index record_named_part on record using gin (string_to_array(named_parts, chr(31)))
  with (fastupdate = off) where named_parts is not null;

-- The change feed. Stamps only rise, so entries are only ever added at the end: its pages are filled.
create index record_change on record (updated_at, jurisdiction_code, uid) with (fillfactor = 100);
create index record_register_change on record (jurisdiction_code, updated_at, uid);

-- A document is held as text, packed, or as an object in a store (docs/design/payloads.md). What is packed already is
-- not compressed again.
create table payload (
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  document text,
  document_packed bytea,
  document_digest bytea,
  document_bytes int4,
  primary key (jurisdiction_code, uid),
  constraint payload_held check (case when document is null
    then document_digest is not null and document_bytes is not null
    else num_nonnulls(document_packed, document_digest, document_bytes) = 0 end)
);
alter table payload alter column document_packed set storage external;
comment on column payload.document is 'The full normalized document as JSON text; null: it is packed';
comment on column payload.document_packed is
  'The document packed, see server/src/store/documents/packing.ts; null for text, and for an object';
comment on column payload.document_digest is 'SHA-256 of the document, the name of its object; null for text';
comment on column payload.document_bytes is 'Length of the document; null for text';
create index payload_object on payload (document_digest)
  where document_digest is not null and document_packed is null;

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

-- What each record was before (docs/design/history.md). Nothing is kept of a version until it is replaced: the current
-- one is in `record`, and every version, current or past, is an event of the history at its own stamp.
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
  document_packed bytea,
  document_digest bytea,
  document_bytes int4,
  primary key (jurisdiction_code, uid, updated_at),
  check (updated_at < replaced_at),
  check (has_document or document is null),
  constraint record_version_held check (case when document_digest is null
    then num_nonnulls(document_packed, document_bytes) = 0
    else has_document and document is null and document_bytes is not null end)
);
alter table record_version alter column document_packed set storage external;
comment on table record_version is 'Written by the publish that replaces a version, in its transaction; never changed';
comment on column record_version.updated_at is 'The stamp of this version';
comment on column record_version.replaced_at is 'The stamp of the version that replaced it';
comment on column record_version.cause is 'Why it was replaced';
comment on column record_version.source_version is 'Of this version: the latest at which the source stated it';
comment on column record_version.has_document is
  'Whether its payload is kept here, null for none; else its payload is that of the next version';

-- The history in the order of stamps, next to the index of `record`.
create index record_version_change on record_version (updated_at, jurisdiction_code, uid);
create index record_version_register_change on record_version (jurisdiction_code, updated_at, uid);
create index record_version_object on record_version (document_digest)
  where document_digest is not null and document_packed is null;

-- No version is replaced without being kept, whatever program writes.
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

--
-- Publishes
--

create table register (
  jurisdiction_code text collate "C" primary key,
  record_count bigint not null check (record_count >= 0),
  data_current_through timestamptz,
  last_load_id uuid
);

-- One row: the last stamp given out, so that stamps rise even when the clock steps back, and which database this is: a
-- dump and its restoration keep that, another database never has it. On several nodes a publish is committed on one
-- after the other, and counts once it is announced (docs/design/standbys-and-nodes.md).
create table publish_clock (
  only_row boolean primary key default true check (only_row),
  last_stamp timestamptz not null,
  database_id uuid not null default gen_random_uuid(),
  announced_stamp timestamptz check (announced_stamp <= last_stamp),
  lineage uuid not null,
  pseudo_marks_held_at timestamptz
);
comment on column publish_clock.announced_stamp is
  'Publishes up to this stamp are committed on every node; null on one database: those up to last_stamp are';
comment on column publish_clock.lineage is
  'Changes when the database has gone back: with every restore, and once when it lacks a publish that a server had seen';
comment on column publish_clock.pseudo_marks_held_at is
  'When the documents of all records that were loaded before schema 24 had been read for pseudo marks; null: not yet';
insert into publish_clock (last_stamp, database_id, lineage, pseudo_marks_held_at)
  select 'epoch', id, id, clock_timestamp() from gen_random_uuid() as id;

-- Each row: the operator said at `repaired_at`, by a clock that was right again, that the stamps up to `stamp` had been
-- given by one that was fast. Feed time goes on from there (docs/design/change-feed.md). Rows are only ever added.
create table clock_repair (
  stamp timestamptz primary key,
  repaired_at timestamptz not null
);

-- What proves a copy equal: how many records of a register bear each stamp, and the exclusive or of the digests of what
-- is delivered of them. Each publish keeps it up, so comparing costs no scan (docs/design/client.md).
create table publish_digest (
  jurisdiction_code text collate "C" not null,
  updated_at timestamptz not null,
  record_count int not null check (record_count > 0),
  digest bigint not null,
  primary key (jurisdiction_code, updated_at)
) with (fillfactor = 60);
comment on column publish_digest.digest is 'Exclusive or of the first 8 bytes of SHA-256 of record.detail';

-- Which load gave a stamp.
create table publish (
  stamp timestamptz primary key,
  load_id uuid not null
);
comment on table publish is 'One row for each publish that wrote records';

--
-- Loads
--

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

-- Which registers a finished load was about: how often each register is loaded follows from it, and what covers it
-- (docs/design/loads.md).
create table register_load (
  jurisdiction_code text collate "C" not null,
  load_id uuid not null,
  read_count bigint,
  flagged_count bigint,
  source text collate "C",
  primary key (jurisdiction_code, load_id)
);
comment on column register_load.read_count is 'Records of the register that the load read; null: not known';
comment on column register_load.flagged_count is 'Of those, the records with at least one issue; null: not known';
comment on column register_load.source is 'The declared source that brought the load; null: loaded by hand, or by a program from before';
create index register_load_source on register_load (jurisdiction_code, source);
create index register_load_read on register_load (jurisdiction_code, read_count);

create table load_issue (
  load_id uuid not null,
  code text not null,
  path text not null,
  value text not null,
  occurrence_count bigint not null,
  examples jsonb not null,
  primary key (load_id, code, path, value)
);
comment on column load_issue.examples is 'The first few places: a list of jurisdiction_code, uid and position';

-- A rejected record is missing until it is stored, or an operator says that it need not be (docs/loading.md).
create table load_reject (
  load_id uuid not null,
  ordinal int not null,
  position text not null,
  reason text not null,
  raw bytea not null,
  jurisdiction_code text collate "C",
  uid text collate "C",
  closed_at timestamptz,
  closed_by text,
  primary key (load_id, ordinal)
);
comment on column load_reject.raw is 'The record as it stands in the source; a very long one is cut here and whole in the rejects file';
comment on column load_reject.uid is 'The record that it states, as jurisdiction_code is its register; null if it does not say';
comment on column load_reject.closed_at is 'When it was stored, rejected again by a later load, or closed by an operator; null while it is open';
comment on column load_reject.closed_by is 'The id of the later load, or who closed it';
create index load_reject_open on load_reject (load_id) where closed_at is null;

-- What a load stages before it publishes. Every load copies this table's shape into an unlogged table of its own
-- (stage_<load id>), which is dropped when the load ends; rows of a killed load go with its table. A line digest has no
-- default: a load that stages a record has to say from which line.
create table staged_record (
  batch int not null,
  seq bigint not null,
  superseded boolean not null default false,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  content_digest bytea not null,
  source_version text collate "C",
  line_digest bytea not null,
  mark_variants text collate "C",
  detail text collate "C",
  payload text,
  is_partial boolean not null default false,
  named_parts text collate "C",
  source_digest bytea,
  kind text not null default 'statement' check (kind in ('statement', 'removal', 'rejoin')),
  document_packed bytea,
  document_digest bytea,
  document_bytes int4
);
alter table staged_record alter column document_packed set storage external;
comment on table staged_record is 'The shape of the staging tables; holds no rows itself';
comment on column staged_record.batch is 'Which publish takes the row, from 1; bounded in rows and bytes';
comment on column staged_record.seq is 'Position in the load: the last of equal versions of a record wins';
comment on column staged_record.detail is 'Null: the record had this very content when it was staged, nothing to publish';
comment on column staged_record.is_partial is
  'States a part of the record: the publish merges it onto what is stored, see server/src/store/publish/partials.ts';
comment on column staged_record.kind is
  'removal: says that the register no longer has the record, which stays, with an event; rejoin: only names a stored record whose supplements changed; statement: any other';
comment on column staged_record.document_digest is 'Of a payload that is packed already, like the columns beside it';

-- Rows of registers that are published as tables: a record is what several rows say together, and a delivery holds only
-- the rows that changed, so all of them are kept (docs/design/statements.md). A row belongs to a part, such as the rows
-- of one application or of one registration, and may name another part. A row that the office took out is kept as
-- removed. Rows of the format "supplement" are statements about records that come in separate files, such as a party's
-- name: they are joined to records when those are published.
create table source_row (
  format text collate "C" not null,
  source_table text collate "C" not null,
  row_key text collate "C" not null,
  part text collate "C" not null,
  link text collate "C",
  removed boolean not null,
  version text collate "C",
  body text not null,
  primary key (format, source_table, row_key)
);
comment on column source_row.version is
  'A supplement of a lower version never replaces one of a higher; of other rows, when a load first brought them, where that matters';
comment on column source_row.body is
  'What the row states, as a JSON object of texts by column; of a supplement, whatever it states as JSON';
create index source_row_part on source_row (format, part);
create index source_row_link on source_row (format, link) where link is not null;

-- Parts whose supplements changed while their records have not been published yet. A load that ends removes its own;
-- what a killed one left is joined by the next load that reads supplements.
create table supplement_change (
  part text collate "C" primary key,
  load_id uuid not null
);
comment on column supplement_change.load_id is 'The load that changed it last';

--
-- Declared sources (docs/design/sync.md)
--

-- A name whose content changes is a further revision of the file; the newest one counts. What follows from these rows
-- and the declaration, such as gaps, is derived.
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
  came_after text collate "C",
  primary key (source, name, revision)
);
comment on column source_file.period is 'In byte order, periods come in the order in which they are loaded';
comment on column source_file.fingerprint is 'What the source says of the content beside its name: size, time, digest';
comment on column source_file.digest is 'SHA-256 of the content';
comment on column source_file.reason is 'Why it failed, is late, is a double or was skipped; else null';
comment on column source_file.came_after is
  'The latest period that had been loaded before this file, which is the last one loaded of its period; null if that is no later period';
-- What a register was loaded from is found by index, however many files there were.
create index source_file_load on source_file (load_id) where load_id is not null;
create index source_file_covered on source_file (source, period) where state in ('loaded', 'double');
create index source_file_open on source_file (source, period)
  where state in ('seen', 'fetched', 'failed', 'late', 'skipped');
create index source_file_loaded on source_file (source, ended_at) where state = 'loaded';
create index source_file_disorder on source_file (source, ended_at) where came_after is not null;
-- A content, whichever source brought it.
create index source_file_content on source_file (digest) where digest is not null;

-- How the last check of each source ended, for servers, which do not hold the declarations.
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

--
-- Customers and their keys
--
-- Who may call, how often, and what was served. A key is one identity with one or more secrets: rotation adds a secret
-- and ends the others, so usage, limits and quota stay with the key. Only digests of secrets are stored.
--

create table customer (
  customer_id uuid primary key,
  name text not null unique check (name <> ''),
  created_at timestamptz not null,
  suspended_at timestamptz,
  suspension_reason text,
  removed_at timestamptz,
  -- What refuses the keys of a suspended customer refuses those of a removed one.
  constraint customer_removed_is_suspended check (removed_at is null or suspended_at is not null)
);
comment on column customer.suspended_at is 'Since when its keys and its people are refused; null while they are not';
comment on column customer.suspension_reason is 'Told to its people when they sign in';
comment on column customer.removed_at is 'Since when nothing here names a person of it, or itself; usage and audit stay';

create table access_key (
  key_id text collate "C" primary key,
  customer_id uuid not null references customer,
  name text,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index access_key_customer on access_key (customer_id, created_at);

create table key_secret (
  key_id text collate "C" not null references access_key,
  number int not null,
  digest bytea not null,
  created_at timestamptz not null,
  -- Null for the newest secret; for a replaced one, when its grace ends.
  ends_at timestamptz,
  primary key (key_id, number)
);

-- What a key may do, and what it has used: one row holds limits and counters, so that a call is judged against the
-- newest limits under the lock that counts it. Only unindexed columns change (HOT updates).
create table key_product (
  key_id text collate "C" not null references access_key,
  product text collate "C" not null,
  enabled boolean not null,
  rate_limit_per_minute int not null check (rate_limit_per_minute > 0),
  -- Units a month; null = unlimited.
  quota bigint check (quota >= 0),
  -- The month (its first day, UTC) that units_used counts.
  month date not null,
  units_used bigint not null default 0 check (units_used >= 0),
  -- The running minute: when its first call came, and the calls it admitted.
  window_started_at timestamptz,
  window_calls int not null default 0,
  -- The UTC day that day_units counts; null before the first unit. A day that has ended moves to usage_day with the
  -- first call of another one.
  day date,
  day_units bigint not null default 0 check (day_units >= 0),
  primary key (key_id, product)
) with (fillfactor = 50);

create table agreement (
  key_id text collate "C" not null references access_key,
  product text collate "C" not null,
  rate_limit_per_minute int not null,
  quota bigint,
  primary key (key_id, product)
);
comment on table agreement is
  'What the operator sold of a product with a key and has not ended; nothing that the customer does to the key changes it';
comment on column agreement.quota is 'Units a month; null: unlimited';

create table portal_key (
  key_id text collate "C" primary key references access_key
);
comment on table portal_key is 'Keys that their customers issued in the portal, within the agreement';

-- Every change to customers and keys: who, when, what. Never a secret.
create table access_audit (
  audit_id uuid primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  customer_id uuid,
  key_id text collate "C",
  change jsonb not null,
  address text
);
comment on column access_audit.address is 'The network address of who did it; null for a command, and once the customer is removed';
create index access_audit_key on access_audit (key_id, at);
create index access_audit_customer on access_audit (customer_id, at);
create index access_audit_at on access_audit (at, audit_id);

--
-- Units and calls
--

-- Units by UTC day, of days that have ended, kept for 24 months.
create table usage_day (
  key_id text collate "C" not null,
  product text collate "C" not null,
  day date not null,
  units bigint not null check (units >= 0),
  primary key (key_id, product, day)
) with (fillfactor = 50);
create index usage_day_day on usage_day (day);

-- Units by UTC day, finished and running; a day may have several rows.
create view usage_by_day as
  select key_id, product, day, units from usage_day
  union all
  select key_id, product, day, day_units from key_product where day_units > 0;

-- Mail about quotas that are used up to a share: each is sent once for a month and a quota, however many processes look.
create table quota_notice (
  key_id text collate "C" not null references access_key,
  product text collate "C" not null,
  -- Its first day, UTC.
  month date not null,
  -- The share of the quota that was reached, in percent.
  percent int not null,
  -- Units a month. A quota that is raised and reached again is another notice.
  quota bigint not null,
  noticed_at timestamptz not null,
  attempts int not null default 0,
  -- Null once it was sent or abandoned.
  next_attempt_at timestamptz,
  sent_at timestamptz,
  failure text,
  primary key (key_id, product, month, percent, quota)
);
create index quota_notice_next on quota_notice (next_attempt_at) where next_attempt_at is not null;

-- Every call with a known key, for 30 days and bounded: for support, written late, lost on a crash. A partition holds
-- one UTC day; keep_call_days makes and drops them.
create table call_log (
  key_id text collate "C" not null,
  at timestamptz not null,
  request_id uuid not null,
  product text not null,
  -- Path and query, and below what the caller got to read, without anything that looks like a key.
  path text not null,
  -- Null when nothing was sent, because the caller had left.
  status smallint,
  units smallint not null,
  duration_ms real not null,
  code text collate "C",
  param text,
  message text,
  primary key (key_id, at, request_id)
) partition by range (at);
create index call_log_failed on call_log (key_id, at) where code is not null;

-- How many calls there were, and how many of them the log lists. A record that does not exist is no refusal.
create table call_hour (
  key_id text collate "C" not null,
  hour timestamptz not null,
  refused boolean not null,
  calls bigint not null,
  listed bigint not null,
  primary key (key_id, hour, refused)
);
create index call_hour_hour on call_hour (hour);

-- Makes the partitions of call_log from yesterday to three days ahead, and drops those older than 30 days. One process
-- does it at a time (server/src/store/accounts/call-log.ts).
create function keep_call_days() returns void language plpgsql as $$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
  part text;
begin
  for day in select today + step from generate_series(-1, 3) as step loop
    part := 'call_log_' || to_char(day, 'YYYYMMDD');
    if to_regclass(part) is null then
      execute format('create table %I partition of call_log for values from (%L) to (%L)', part,
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    end if;
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'call_log'::regclass and c.relname < 'call_log_' || to_char(today - 30, 'YYYYMMDD')
  loop
    execute format('drop table %I', part);
  end loop;
end $$;

-- How many calls were refused, by reason, kept for 24 months.
create table refusal_day (
  key_id text collate "C" not null,
  product text collate "C" not null,
  day date not null,
  code text collate "C" not null,
  calls bigint not null,
  primary key (key_id, product, day, code)
);

--
-- The portal (docs/design/portal.md)
--
-- People who sign in, their sessions, and what limits guessing. Only digests of tokens are stored. Operators belong to
-- no customer, and nobody else does not.
--

create table portal_user (
  user_id uuid primary key,
  customer_id uuid references customer,
  -- Lower case; one person of one customer signs in with it.
  email text not null check (email <> '' and email = lower(email)),
  -- Null for a person who only signs in at the identity provider.
  password_hash text,
  created_at timestamptz not null,
  signed_in_at timestamptz,
  removed_at timestamptz,
  is_operator boolean not null default false,
  name text check (name <> ''),
  role text collate "C" not null default 'administrator'
    check (role in ('administrator', 'member', 'developer')),
  hits_seen_through timestamptz not null default now(),
  constraint portal_user_side check (is_operator = (customer_id is null))
);
comment on column portal_user.name is 'How colleagues know the person; null: by the address';
comment on column portal_user.role is 'What a person of a customer may do; of no meaning for an operator';
comment on column portal_user.hits_seen_through is 'Hits with stamps up to this one are seen, of every watch';
create unique index portal_user_email on portal_user (email) where removed_at is null;
create index portal_user_customer on portal_user (customer_id, created_at);

create table invitation (
  token_digest bytea primary key,
  customer_id uuid references customer,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  ended_at timestamptz,
  is_operator boolean not null default false,
  role text collate "C" not null default 'administrator'
    check (role in ('administrator', 'member', 'developer')),
  constraint invitation_side check (is_operator = (customer_id is null))
);
comment on column invitation.role is 'Of the person who joins with it';
create index invitation_customer on invitation (customer_id, created_at);
-- One address has one open invitation: making another, joining, being removed and changing the password end it.
create unique index invitation_open on invitation (lower(email)) where accepted_at is null and ended_at is null;

create table portal_session (
  token_digest bytea primary key,
  user_id uuid not null references portal_user,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- The customer whose pages an operator views with the session, and since when.
  viewed_customer_id uuid references customer,
  viewed_since timestamptz
);
create index portal_session_user on portal_session (user_id);
create index portal_session_seen on portal_session (seen_at);

-- Attempts at a password or a link, by digest of the account and of the network address.
create table portal_attempt (
  subject bytea primary key,
  started_at timestamptz not null,
  attempts int not null
);
create index portal_attempt_started on portal_attempt (started_at);

-- One row: what cookies are signed with, shared by all processes.
create table portal_signing (
  only_row boolean primary key default true check (only_row),
  secret bytea not null
);

-- Forms of the portal that were sent: each does its work once, and sending it again leads to where the first one led.
create table portal_form (
  token_digest bytea primary key,
  -- Keyed by the token itself, which is not stored, so that nothing typed can be guessed from it.
  content_digest bytea not null,
  -- A path of the portal; null until the work is done, which nobody else sees.
  led_to text,
  expires_at timestamptz not null
);
create index portal_form_expires on portal_form (expires_at);

-- Texts that are shown once, to the session that made them: sealed with a key made of the session's token, of which only
-- the digest is stored. Gone once shown, with the session, and after some minutes.
create table portal_reveal (
  session_digest bytea not null references portal_session on delete cascade,
  subject text collate "C" not null,
  sealed bytea not null,
  expires_at timestamptz not null,
  primary key (session_digest, subject)
);
create index portal_reveal_expires on portal_reveal (expires_at);

-- Searches that people of a customer keep under a name.
create table saved_search (
  customer_id uuid not null references customer,
  id text collate "C" not null,
  name text not null check (name <> ''),
  -- A query string of the explorer: filters only.
  search text not null,
  created_at timestamptz not null,
  primary key (customer_id, id)
);
create unique index saved_search_name on saved_search (customer_id, name);

-- The recent searches of a person, a bounded number of each.
create table recent_search (
  user_id uuid not null references portal_user,
  -- Of `search`, which may be too long for an index.
  digest bytea not null,
  -- The query of the explorer's page.
  search text not null,
  -- How many records it found; null if they were not counted.
  found bigint,
  searched_at timestamptz not null,
  primary key (user_id, digest)
);
create index recent_search_user on recent_search (user_id, searched_at);

create table similar_judgement (
  customer_id uuid not null references customer,
  search text collate "C" not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  is_relevant boolean not null,
  judged_by text not null,
  judged_at timestamptz not null,
  primary key (customer_id, search, jurisdiction_code, uid)
);
comment on table similar_judgement is
  'What people of a customer think of a record that a search for likeness found; who has no opinion has no row';
comment on column similar_judgement.search is 'SHA-256 of the canonical query string of the search, in hex';
comment on column similar_judgement.judged_by is 'The address of the person';

-- Matters that need attention and that an operator has dismissed.
create table dismissal (
  -- Names the matter for as long as it lasts.
  matter text collate "C" primary key,
  -- How the matter was: it is shown again once it has changed.
  state text not null,
  note text not null,
  -- Who it was, as the audit names them.
  actor text not null,
  dismissed_at timestamptz not null
);
create index dismissal_dismissed on dismissal (dismissed_at);

--
-- Watches and their hits (docs/design/watches.md)
--

create table watch (
  watch_id uuid primary key,
  customer_id uuid not null references customer,
  -- Chosen by the customer.
  id text collate "C" not null check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  name text not null check (name <> ''),
  kind text collate "C" not null check (kind in ('search', 'records', 'owners', 'similar')),
  search text,
  item_count int not null check (item_count >= 0),
  revision int not null check (revision > 0),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  holds_from timestamptz not null,
  ended_at timestamptz,
  change_number bigint not null,
  reference text check (reference <> ''),
  unique (customer_id, id),
  check ((kind in ('search', 'similar')) = (search is not null))
);
create index watch_change on watch (change_number);
create index watch_ended on watch (ended_at) where ended_at is not null;
comment on column watch.search is
  'The canonical query string of the search, or of the search for likeness; null for records and owners';
comment on column watch.item_count is 'How many records or owners are listed';
comment on column watch.holds_from is 'How far events had been matched when it was changed: later ones are matched as it is now';
comment on column watch.ended_at is 'Since when nothing more is matched; null while it is live';
comment on column watch.change_number is 'Rises with every change to any watch, in the order of commits';
comment on column watch.reference is 'The customer''s own, such as the number of a matter; null: none';

-- The records of a watch, found by what an event names.
create table watch_record (
  watch_id uuid not null references watch on delete cascade,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  primary key (jurisdiction_code, uid, watch_id)
);
create index watch_record_watch on watch_record (watch_id, jurisdiction_code, uid);

create table watch_owner (
  watch_id uuid not null references watch on delete cascade,
  name text collate "C" not null,
  primary key (name, watch_id)
);
create index watch_owner_watch on watch_owner (watch_id, name);
comment on column watch_owner.name is 'In the form in which owner names are compared, see server/src/record/names.ts';

-- Hits, in the order of the history. A publish writes one row for each watch, not one for each hit.
create table watch_hit (
  -- Of a row of `watch`: hits are written while no watch changes, and a check of each would cost more than writing it.
  watch_id uuid not null,
  stamp timestamptz not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  event text collate "C" not null check (event in ('begins', 'changes', 'stops')),
  hit_count int not null default 1,
  earlier_jurisdiction_codes text[] collate "C",
  earlier_uids text[] collate "C",
  earlier_events text[] collate "C",
  primary key (watch_id, stamp, jurisdiction_code, uid)
);
create index watch_hit_stamp on watch_hit (stamp, watch_id);
comment on table watch_hit is
  'Hits of a watch with one stamp, from one step of the matching; written with its progress, in one transaction; never changed';
comment on column watch_hit.stamp is 'Of the version that begins to match, changes while matching, or stops matching';
comment on column watch_hit.uid is 'Of the last of the hits, as jurisdiction_code and event are';
comment on column watch_hit.hit_count is 'How many hits the row holds';
comment on column watch_hit.earlier_uids is 'Of the hits before the last one, in the order of the history; null: there is one';

create table hit_likeness (
  watch_id uuid not null references watch on delete cascade,
  stamp timestamptz not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  likeness text not null,
  primary key (watch_id, stamp, jurisdiction_code, uid)
);
comment on table hit_likeness is 'Why a hit of a watch for likeness is alike; written with the hit, and never changed';
comment on column hit_likeness.stamp is 'With register and uid: of a hit of the watch';
comment on column hit_likeness.likeness is 'JSON: the name, the evidence in words, how the goods relate';

-- How far events are matched.
create table watch_progress (
  only_row boolean primary key default true check (only_row),
  last_change_number bigint not null,
  stamp timestamptz not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  complete_through timestamptz not null
);
comment on table watch_progress is 'One row: who changes a watch and who writes hits take turns at it';
comment on column watch_progress.stamp is 'With register and uid: events up to this place in the order of the history are matched';
comment on column watch_progress.complete_through is 'Every event up to it is matched';
insert into watch_progress (last_change_number, stamp, jurisdiction_code, uid, complete_through)
  select 0, last_stamp + interval '1 microsecond', '', '', last_stamp from publish_clock;

-- Up to where a person has seen the hits of one watch, where that is later than portal_user.hits_seen_through.
create table hit_seen (
  user_id uuid not null references portal_user,
  watch_id uuid not null references watch on delete cascade,
  seen_through timestamptz not null,
  primary key (user_id, watch_id)
);
create index hit_seen_watch on hit_seen (watch_id);

-- What the people of a customer do about a hit: who handles it, a note, and when it was done. A hit that nobody took up
-- has no row.
create table hit_handling (
  watch_id uuid not null references watch on delete cascade,
  stamp timestamptz not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  -- Of the hit, which is one of many in a row of `watch_hit`.
  event text collate "C" not null check (event in ('begins', 'changes', 'stops')),
  done_at timestamptz,
  done_by uuid references portal_user,
  assigned_to uuid references portal_user,
  note text check (note <> '' and length(note) <= 1000),
  changed_at timestamptz not null,
  changed_by uuid not null references portal_user,
  primary key (watch_id, stamp, jurisdiction_code, uid),
  check ((done_at is null) = (done_by is null))
);
create index hit_handling_done on hit_handling (watch_id, stamp, jurisdiction_code, uid) where done_at is not null;
create index hit_handling_assigned on hit_handling (assigned_to, watch_id, stamp, jurisdiction_code, uid)
  where assigned_to is not null;
comment on column hit_handling.stamp is 'With register and uid: of a hit of the watch';
comment on column hit_handling.done_at is 'Null while there is something to do';

--
-- Webhooks and digests by mail (docs/design/webhooks-and-mail.md)
--

create table webhook (
  webhook_id text collate "C" primary key,
  customer_id uuid not null references customer,
  url text not null,
  host text collate "C" not null,
  watch_id uuid,
  secret bytea not null,
  former_secret bytea,
  former_ends_at timestamptz,
  created_at timestamptz not null,
  failures int not null default 0,
  paused_until timestamptz,
  off_since timestamptz,
  off_reason text check (off_reason in ('customer', 'gone', 'failed')),
  tell_at timestamptz,
  tell_attempts int not null default 0,
  tell_failure text,
  id text collate "C" check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  check ((off_since is null) = (off_reason is null)),
  check ((former_secret is null) = (former_ends_at is null))
);
comment on column webhook.host is 'Of the address, with its port: what is called at the same time is counted by it';
comment on column webhook.watch_id is 'The watch it is for; null: all watches of the customer, those to come included';
comment on column webhook.secret is 'What deliveries are signed with, sealed';
comment on column webhook.former_secret is 'The one before, which signs too until former_ends_at';
comment on column webhook.failures is 'Attempts in a row that failed';
comment on column webhook.paused_until is 'Until when nothing is sent because the last attempt failed; null: it did not';
comment on column webhook.off_reason is 'Null while it is live; gone: the receiver answered 410';
comment on column webhook.tell_at is 'When its people are told by mail that it was switched off; null: they were, or need not be';
comment on column webhook.id is 'Chosen by the customer; null: webhook_id, as for those that people add in the portal';
create index webhook_customer on webhook (customer_id, created_at);
create index webhook_tell on webhook (tell_at) where tell_at is not null;
create unique index webhook_own_id on webhook (customer_id, coalesce(id, webhook_id));

create table webhook_delivery (
  delivery_id uuid primary key,
  webhook_id text collate "C" not null references webhook on delete cascade,
  watch_id uuid not null references watch on delete cascade,
  after timestamptz not null,
  through timestamptz not null,
  created_at timestamptz not null,
  due_at timestamptz,
  attempts int not null default 0,
  tried_since timestamptz,
  attempted_at timestamptz,
  answer_status int,
  answer_bytes int,
  answer_ms int,
  failure text,
  delivered_at timestamptz,
  check ((due_at is null) = (delivered_at is not null))
);
comment on column webhook_delivery.after is 'The hits that it tells of have later stamps';
comment on column webhook_delivery.through is 'The latest stamp of them';
comment on column webhook_delivery.due_at is 'When the next attempt is made; null once it is delivered';
comment on column webhook_delivery.tried_since is 'The first attempt since the webhook was last switched on';
comment on column webhook_delivery.failure is 'Why the last attempt failed; null if it did not';
-- For each webhook and watch, one delivery waits for its first attempt, and takes up every later hit; one is being tried.
create unique index webhook_delivery_waiting on webhook_delivery (webhook_id, watch_id)
  where due_at is not null and attempts = 0;
create unique index webhook_delivery_tried on webhook_delivery (webhook_id, watch_id)
  where due_at is not null and attempts > 0;
create index webhook_delivery_due on webhook_delivery (webhook_id, due_at) where due_at is not null;
create index webhook_delivery_shown on webhook_delivery (webhook_id, created_at, delivery_id);
create index webhook_delivery_delivered on webhook_delivery (delivered_at) where delivered_at is not null;
create index webhook_delivery_watch on webhook_delivery (watch_id);

-- Up to which stamp hits have become deliveries; one row.
create table webhook_progress (
  only_row boolean primary key default true check (only_row),
  noted_through timestamptz not null
);
insert into webhook_progress (noted_through) select complete_through from watch_progress;

create table webhook_test (
  test_id uuid primary key,
  customer_id uuid not null references customer,
  -- Null once the webhook is deleted: the row still counts for how many tests the customer sends.
  webhook_id text collate "C" references webhook on delete set null,
  created_at timestamptz not null,
  -- When its one attempt began; null while it waits, and if it was never sent.
  attempted_at timestamptz,
  ended_at timestamptz,
  answer_status int,
  answer_bytes int,
  answer_ms int,
  failure text
);
create index webhook_test_customer on webhook_test (customer_id, created_at);
create index webhook_test_webhook on webhook_test (webhook_id, created_at);
create index webhook_test_waiting on webhook_test (created_at) where attempted_at is null;

-- People who get a digest a day of the hits of their customer's watches.
create table hit_digest (
  user_id uuid primary key references portal_user,
  since timestamptz not null,
  covered_through timestamptz not null,
  sending_through timestamptz,
  due_at timestamptz not null,
  attempts int not null default 0,
  failure text,
  sent_at timestamptz
);
comment on column hit_digest.covered_through is 'Hits up to this stamp have been told';
comment on column hit_digest.sending_through is 'What the mail that is being sent covers; null between digests';
create index hit_digest_due on hit_digest (due_at);

--
-- Dates ahead (docs/dates.md)
--

-- Calendars of watches and dockets at secret addresses.
create table calendar (
  calendar_id uuid primary key,
  customer_id uuid not null references customer,
  -- Whose dates it has: a watch or a docket.
  watch_id uuid references watch on delete cascade,
  -- Not a reference, because backups leave dockets out. A calendar whose docket is gone is no longer served.
  docket_id uuid,
  -- SHA-256 of the secret in its address.
  secret_digest bytea not null,
  created_at timestamptz not null,
  created_by uuid not null references portal_user,
  revoked_at timestamptz,
  check (num_nonnulls(watch_id, docket_id) = 1)
);
create unique index calendar_secret on calendar (secret_digest);
create index calendar_customer on calendar (customer_id, created_at);
create index calendar_watch on calendar (watch_id) where watch_id is not null;

-- People who are reminded by mail.
create table date_reminder (
  user_id uuid primary key references portal_user,
  since timestamptz not null,
  -- Reminders of days up to this one have been sent.
  covered_through date not null,
  -- The last day of the mail that is being sent; null between mails.
  sending_through date,
  due_at timestamptz not null,
  attempts int not null default 0,
  failure text,
  sent_at timestamptz
);
create index date_reminder_due on date_reminder (due_at);

-- Filings that an office should show.
create table filing_alarm (
  alarm_id uuid primary key,
  customer_id uuid not null references customer,
  -- The watch from whose hit it was made.
  watch_id uuid references watch on delete set null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  filing text collate "C" not null check (filing in ('renewal', 'use_declaration', 'opposition', 'other')),
  filed_on date not null,
  -- From this day on it is overdue.
  warn_on date not null,
  created_at timestamptz not null,
  created_by uuid not null references portal_user,
  -- Versions of the record up to this stamp have been checked.
  checked_through timestamptz not null,
  -- The stamp of the version that shows it, and what in it does.
  shown_in timestamptz,
  shown_by text,
  dismissed_at timestamptz,
  -- When the person who made it is notified that it is shown, or overdue; null: they were, or need not be.
  notify_at timestamptz,
  notify_attempts int not null default 0,
  notify_failure text,
  -- Whether the warning is due, or was sent.
  is_warned boolean not null default false,
  check ((shown_in is null) = (shown_by is null)),
  check (warn_on > filed_on)
);
create index filing_alarm_customer on filing_alarm (customer_id, created_at);
create index filing_alarm_record on filing_alarm (customer_id, jurisdiction_code, uid);
create index filing_alarm_watch on filing_alarm (watch_id) where watch_id is not null;
create index filing_alarm_open on filing_alarm (alarm_id) where shown_in is null and dismissed_at is null;
create index filing_alarm_notify on filing_alarm (notify_at) where notify_at is not null;

--
-- Dockets that people of a customer compare with the registers (docs/design/reconcile.md)
--
-- They are confidential and kept for a day: retention takes them away, and backups leave all of this out.
--

create table docket (
  docket_id uuid primary key,
  customer_id uuid not null references customer,
  -- Of the file.
  name text not null,
  created_at timestamptz not null,
  rows int not null,
  -- What its first reading found: separator and encoding, head, sample, dates.
  survey jsonb not null,
  -- How the rows are read, once a comparison was started.
  reading jsonb,
  key_id text collate "C" references access_key,
  -- Up to when each register was known when the comparison was started.
  known_through jsonb,
  -- A process compares it until then; it puts the end off while it lives.
  leased_until timestamptz,
  -- Why the comparison stopped before its end.
  failure text,
  -- Whether it is remembered, and the one that it is compared with.
  remembers boolean not null default false,
  previous_id uuid
);
create index docket_customer on docket (customer_id, created_at);

-- Compressed already, so PostgreSQL does not try again.
create table docket_part (
  docket_id uuid not null references docket on delete cascade,
  -- From 0, in the order of the file.
  number int not null,
  rows int not null,
  -- Gzipped JSON: the line and the cells of each row; and what was found about each, null until it was compared.
  cells bytea not null,
  findings bytea,
  -- How many rows have each result.
  counts jsonb,
  -- Calls that were charged for it.
  units int not null default 0,
  primary key (docket_id, number)
);
alter table docket_part alter column cells set storage external;
alter table docket_part alter column findings set storage external;

-- What people noted about rows.
create table docket_mark (
  docket_id uuid not null references docket on delete cascade,
  -- Of the row in its file.
  line int not null,
  -- The part that has the row, and its result, so that open rows can be counted without reading them.
  part int not null,
  result text not null,
  -- Null while the row is open: it has a note only.
  state text check (state in ('done', 'ignored')),
  note text,
  marked_by text not null,
  marked_at timestamptz not null,
  primary key (docket_id, line)
);

-- What is remembered of dockets, to say what has changed the next time.
create table docket_memory (
  customer_id uuid primary key references customer,
  -- The key of the digests. Without it, nobody can find out by trying which numbers they are of.
  secret bytea not null,
  created_at timestamptz not null
);
create table docket_memory_row (
  customer_id uuid not null references docket_memory on delete cascade,
  -- Of the register and a number of a row.
  row_digest bytea not null,
  -- The last docket that had the row; it may be gone.
  docket_id uuid not null,
  result text not null,
  finding_digest bytea not null,
  state text check (state in ('done', 'ignored')),
  note text,
  seen_at timestamptz not null,
  primary key (customer_id, row_digest)
);
create index docket_memory_row_docket on docket_memory_row (customer_id, docket_id);
create index docket_memory_row_seen on docket_memory_row (seen_at);
