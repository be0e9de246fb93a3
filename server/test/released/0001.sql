-- A database of schema version 0001, as it was released.

create table migration (
  number int primary key,
  name text not null,
  applied_at timestamptz not null default clock_timestamp()
);

-- 0001_baseline.sql
-- The whole schema. The record tables have no sequences, triggers or foreign keys and are keyed by (jurisdiction_code,
-- uid), so that they can be distributed by uid. Identity and order compare byte by byte ("C"), whatever the locale of
-- the database. No extension is needed.

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
  primary key (jurisdiction_code, uid),
  check (first_seen_at <= updated_at)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
comment on column record.line_digest is
  'Of the source line that holds this very content, see server/src/load/line-digest.ts, or of the record as its source states it, without supplements; empty: neither is known';
comment on column record.mark_variants is
  'Held translations and transliterations of the mark as they are compared, see server/src/record/row.ts; null for none';
comment on column record.detail is 'The record as delivered: JSON text, rendered once at publish';
comment on column record.is_partial is
  'No source has stated this record in full yet: an older full statement still completes it (docs/decisions/0049)';

comment on column record.named_parts is
  'Parts of supplements that the record names, such as its parties by key, separated by U+001F; null for none';

-- Finds the records that name a part. Written at once: a list of entries that wait would be read by every look-up.
create index record_named_part on record using gin (string_to_array(named_parts, chr(31)))
  with (fastupdate = off) where named_parts is not null;

-- The change feed. Stamps only rise, so entries are only ever added at the end: its pages are filled.
create index record_change on record (updated_at, jurisdiction_code, uid) with (fillfactor = 100);
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

-- One row: the last stamp given out, so that stamps rise even when the clock steps back, and which database this is: a
-- dump and its restoration keep that, another database never has it.
create table publish_clock (
  only_row boolean primary key default true check (only_row),
  last_stamp timestamptz not null,
  database_id uuid not null default gen_random_uuid()
);
insert into publish_clock (last_stamp) values ('epoch');

-- Each row: the operator said at `repaired_at`, by a clock that was right again, that the stamps up to `stamp` had been
-- given by one that was fast. Feed time goes on from there (docs/decisions/0050). Rows are only ever added.
create table clock_repair (
  stamp timestamptz primary key,
  repaired_at timestamptz not null
);

-- What proves a copy equal: how many records of a register bear each stamp, and the exclusive or of the digests of what
-- is delivered of them. Each publish keeps it up, so comparing costs no scan (docs/decisions/0014).

create table publish_digest (
  jurisdiction_code text collate "C" not null,
  updated_at timestamptz not null,
  record_count int not null check (record_count > 0),
  digest bigint not null,
  primary key (jurisdiction_code, updated_at)
) with (fillfactor = 60);
comment on column publish_digest.digest is 'Exclusive or of the first 8 bytes of SHA-256 of record.detail';

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

-- Which registers a finished load was about: how often each register is loaded follows from it.
create table register_load (
  jurisdiction_code text collate "C" not null,
  load_id uuid not null,
  primary key (jurisdiction_code, load_id)
);

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

create table load_reject (
  load_id uuid not null,
  ordinal int not null,
  position text not null,
  reason text not null,
  raw bytea not null,
  primary key (load_id, ordinal)
);
comment on column load_reject.raw is 'The record as it stands in the source; a very long one is cut here and whole in the rejects file';

-- What a load stages before it publishes. Every load copies this table's shape into an unlogged table of its own
-- (stage_<load id>), which is dropped when the load ends; rows of a killed load go with its table. A line digest has no
-- default: who stages a record has to say from which line.
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
  named_parts text collate "C"
);
comment on table staged_record is 'The shape of the staging tables; holds no rows itself';
comment on column staged_record.batch is 'Which publish takes the row, from 1; bounded in rows and bytes';
comment on column staged_record.seq is 'Position in the load: the last of equal versions of a record wins';
comment on column staged_record.detail is 'Null: the record had this very content when it was staged, nothing to publish';
comment on column staged_record.is_partial is
  'States a part of the record: the publish merges it onto what is stored, see server/src/store/publish/partials.ts';

-- Who may call, how often, and what was served. A key is one identity with one or more secrets: rotation adds a secret
-- and ends the others, so usage, limits and quota stay with the key. Only digests of secrets are stored.

create table customer (
  customer_id uuid primary key,
  name text not null unique check (name <> ''),
  created_at timestamptz not null
);

create table invitation (
  token_digest bytea primary key,
  customer_id uuid not null references customer,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  ended_at timestamptz
);
create index invitation_customer on invitation (customer_id, created_at);
-- One address has one open invitation: making another, joining, being removed and changing the password end it.
create unique index invitation_open on invitation (lower(email)) where accepted_at is null and ended_at is null;

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
  -- Null for the newest secret; for a replaced one, when its grace is over.
  ends_at timestamptz,
  primary key (key_id, number)
);

-- What a key was sold, and beside it what it has used: one row holds limits and counters, so that a call is judged
-- against the newest limits under the lock that counts it. Only unindexed columns change (HOT updates).
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
  -- The UTC day that day_units counts; null before the first unit. A day that is over moves to usage_day with the first
  -- call of another one.
  day date,
  day_units bigint not null default 0 check (day_units >= 0),
  primary key (key_id, product)
) with (fillfactor = 50);

-- Units by UTC day, of days that are over, kept for 24 months.
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

-- Every change to customers and keys: who, when, what. Never a secret.
create table access_audit (
  audit_id uuid primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  customer_id uuid,
  key_id text collate "C",
  change jsonb not null
);
create index access_audit_key on access_audit (key_id, at);
create index access_audit_customer on access_audit (customer_id, at);

-- Every call with a known key, for 30 days and bounded (docs/decisions/0081): for support, written late, lost on a crash.
-- A partition holds one UTC day; keep_call_days makes and drops them.
create table call_log (
  key_id text collate "C" not null,
  at timestamptz not null,
  request_id uuid not null,
  product text not null,
  -- Path and query, and below what the caller was told, without anything that looks like a key.
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

-- People who sign in to the portal, their sessions, and what limits guessing. Only digests of tokens are stored.

create table portal_user (
  user_id uuid primary key,
  customer_id uuid not null references customer,
  -- Lower case; who signs in with it is one person of one customer.
  email text not null check (email <> '' and email = lower(email)),
  -- Null for a person who only signs in at the identity provider.
  password_hash text,
  created_at timestamptz not null,
  signed_in_at timestamptz,
  removed_at timestamptz
);
create unique index portal_user_email on portal_user (email) where removed_at is null;
create index portal_user_customer on portal_user (customer_id, created_at);

create table portal_session (
  token_digest bytea primary key,
  user_id uuid not null references portal_user,
  created_at timestamptz not null,
  seen_at timestamptz not null
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

-- Keys the portal issued or revoked: what a customer did does not change what was agreed.
create table portal_key (
  key_id text collate "C" primary key references access_key,
  issued_here boolean not null default false,
  revoked_here boolean not null default false
);

-- Where a customer divides the units of its agreement anew: what the operator had given a key, and what the customer
-- gave it instead. When the key's quota is no longer what the customer gave, the operator has changed it since.
create table portal_quota (
  key_id text collate "C" not null references access_key,
  product text collate "C" not null,
  agreed bigint,
  given bigint,
  primary key (key_id, product)
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

-- Rows of registers that are published as tables: a record is what several rows say together, and a delivery holds only
-- the rows that changed, so all of them are kept (docs/decisions/0071). A row belongs to a part, such as the rows of one
-- application or of one registration, and may name another part. A row that the office took out is kept as removed.
-- Rows of the format "supplement" are statements about records that come in files of their own, such as a party's name:
-- they are joined to records when those are published (docs/decisions/0076).
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
comment on column source_row.version is 'A supplement of a lower version never replaces one of a higher; null for rows of tables';
comment on column source_row.body is
  'What the row states, as a JSON object of texts by column; of a supplement, whatever it states as JSON';
create index source_row_part on source_row (format, part);
create index source_row_link on source_row (format, link) where link is not null;

-- Parts whose supplements changed while their records have not been published yet. A load that ends takes its own out;
-- what a killed one left is joined by the next load that reads supplements (docs/decisions/0076).
create table supplement_change (
  part text collate "C" primary key,
  load_id uuid not null
);
comment on column supplement_change.load_id is 'The load that changed it last';

insert into migration (number, name) values (1, '0001_baseline.sql');
