-- The schema after every migration, printed from the catalogue by "npm run schema". Not run by anything: read it
-- next to a migration, to see what it did.

CREATE OR REPLACE FUNCTION public.keep_call_days()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_lost_dictionary()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'payloads are packed with the dictionary %: it can be neither changed nor deleted',
    encode(old.dictionary_id, 'hex') using errcode = 'restrict_violation';
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_lost_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

create table access_audit (
  audit_id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  customer_id uuid,
  key_id text collate "C",
  change jsonb not null,
  address text
);
alter table access_audit add constraint access_audit_pkey PRIMARY KEY (audit_id);
CREATE INDEX access_audit_at ON access_audit USING btree (at, audit_id);
CREATE INDEX access_audit_customer ON access_audit USING btree (customer_id, at);
CREATE INDEX access_audit_key ON access_audit USING btree (key_id, at);
comment on column access_audit.address is 'The network address of who did it; null for a command, and once the customer is removed';

create table access_key (
  key_id text collate "C" not null,
  customer_id uuid not null,
  name text,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone
);
alter table access_key add constraint access_key_pkey PRIMARY KEY (key_id);
alter table access_key add constraint access_key_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
CREATE INDEX access_key_customer ON access_key USING btree (customer_id, created_at);

create table agreement (
  key_id text collate "C" not null,
  product text collate "C" not null,
  rate_limit_per_minute integer not null,
  quota bigint
);
alter table agreement add constraint agreement_pkey PRIMARY KEY (key_id, product);
alter table agreement add constraint agreement_key_id_fkey FOREIGN KEY (key_id) REFERENCES access_key(key_id);
comment on table agreement is 'What the operator sold of a product with a key and has not ended; nothing that the customer does to the key changes it';
comment on column agreement.quota is 'Units a month; null: unlimited';

create table calendar (
  calendar_id uuid not null,
  customer_id uuid not null,
  watch_id uuid,
  docket_id uuid,
  secret_digest bytea not null,
  created_at timestamp with time zone not null,
  created_by uuid not null,
  revoked_at timestamp with time zone
);
alter table calendar add constraint calendar_pkey PRIMARY KEY (calendar_id);
alter table calendar add constraint calendar_created_by_fkey FOREIGN KEY (created_by) REFERENCES portal_user(user_id);
alter table calendar add constraint calendar_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
alter table calendar add constraint calendar_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES watch(watch_id) ON DELETE CASCADE;
alter table calendar add constraint calendar_check CHECK ((num_nonnulls(watch_id, docket_id) = 1));
CREATE INDEX calendar_customer ON calendar USING btree (customer_id, created_at);
CREATE UNIQUE INDEX calendar_secret ON calendar USING btree (secret_digest);
CREATE INDEX calendar_watch ON calendar USING btree (watch_id) WHERE (watch_id IS NOT NULL);

create table call_hour (
  key_id text collate "C" not null,
  hour timestamp with time zone not null,
  refused boolean not null,
  calls bigint not null,
  listed bigint not null
);
alter table call_hour add constraint call_hour_pkey PRIMARY KEY (key_id, hour, refused);
CREATE INDEX call_hour_hour ON call_hour USING btree (hour);

create table call_log (
  key_id text collate "C" not null,
  at timestamp with time zone not null,
  request_id uuid not null,
  product text not null,
  path text not null,
  status smallint,
  units smallint not null,
  duration_ms real not null,
  code text collate "C",
  param text,
  message text
);
alter table call_log add constraint call_log_pkey PRIMARY KEY (key_id, at, request_id);
CREATE INDEX call_log_failed ON ONLY public.call_log USING btree (key_id, at) WHERE (code IS NOT NULL);

create table clock_repair (
  stamp timestamp with time zone not null,
  repaired_at timestamp with time zone not null
);
alter table clock_repair add constraint clock_repair_pkey PRIMARY KEY (stamp);

create table customer (
  customer_id uuid not null,
  name text not null,
  created_at timestamp with time zone not null,
  suspended_at timestamp with time zone,
  suspension_reason text,
  removed_at timestamp with time zone
);
alter table customer add constraint customer_name_key UNIQUE (name);
alter table customer add constraint customer_pkey PRIMARY KEY (customer_id);
alter table customer add constraint customer_name_check CHECK ((name <> ''::text));
alter table customer add constraint customer_removed_is_suspended CHECK (((removed_at IS NULL) OR (suspended_at IS NOT NULL)));
comment on column customer.suspended_at is 'Since when its keys and its people are refused; null while they are not';
comment on column customer.suspension_reason is 'Told to its people when they sign in';
comment on column customer.removed_at is 'Since when nothing here names a person of it, or itself; usage and audit stay';

create table date_reminder (
  user_id uuid not null,
  since timestamp with time zone not null,
  covered_through date not null,
  sending_through date,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  failure text,
  sent_at timestamp with time zone
);
alter table date_reminder add constraint date_reminder_pkey PRIMARY KEY (user_id);
alter table date_reminder add constraint date_reminder_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_user(user_id);
CREATE INDEX date_reminder_due ON date_reminder USING btree (due_at);

create table dismissal (
  matter text collate "C" not null,
  state text not null,
  note text not null,
  actor text not null,
  dismissed_at timestamp with time zone not null
);
alter table dismissal add constraint dismissal_pkey PRIMARY KEY (matter);
CREATE INDEX dismissal_dismissed ON dismissal USING btree (dismissed_at);

create table docket (
  docket_id uuid not null,
  customer_id uuid not null,
  name text not null,
  created_at timestamp with time zone not null,
  rows integer not null,
  survey jsonb not null,
  reading jsonb,
  key_id text collate "C",
  known_through jsonb,
  leased_until timestamp with time zone,
  failure text,
  remembers boolean not null default false,
  previous_id uuid
);
alter table docket add constraint docket_pkey PRIMARY KEY (docket_id);
alter table docket add constraint docket_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
alter table docket add constraint docket_key_id_fkey FOREIGN KEY (key_id) REFERENCES access_key(key_id);
CREATE INDEX docket_customer ON docket USING btree (customer_id, created_at);

create table docket_mark (
  docket_id uuid not null,
  line integer not null,
  part integer not null,
  result text not null,
  state text,
  note text,
  marked_by text not null,
  marked_at timestamp with time zone not null
);
alter table docket_mark add constraint docket_mark_pkey PRIMARY KEY (docket_id, line);
alter table docket_mark add constraint docket_mark_docket_id_fkey FOREIGN KEY (docket_id) REFERENCES docket(docket_id) ON DELETE CASCADE;
alter table docket_mark add constraint docket_mark_state_check CHECK ((state = ANY (ARRAY['done'::text, 'ignored'::text])));

create table docket_memory (
  customer_id uuid not null,
  secret bytea not null,
  created_at timestamp with time zone not null
);
alter table docket_memory add constraint docket_memory_pkey PRIMARY KEY (customer_id);
alter table docket_memory add constraint docket_memory_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);

create table docket_memory_row (
  customer_id uuid not null,
  row_digest bytea not null,
  docket_id uuid not null,
  result text not null,
  finding_digest bytea not null,
  state text,
  note text,
  seen_at timestamp with time zone not null
);
alter table docket_memory_row add constraint docket_memory_row_pkey PRIMARY KEY (customer_id, row_digest);
alter table docket_memory_row add constraint docket_memory_row_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES docket_memory(customer_id) ON DELETE CASCADE;
alter table docket_memory_row add constraint docket_memory_row_state_check CHECK ((state = ANY (ARRAY['done'::text, 'ignored'::text])));
CREATE INDEX docket_memory_row_docket ON docket_memory_row USING btree (customer_id, docket_id);
CREATE INDEX docket_memory_row_seen ON docket_memory_row USING btree (seen_at);

create table docket_part (
  docket_id uuid not null,
  number integer not null,
  rows integer not null,
  cells bytea not null,
  findings bytea,
  counts jsonb,
  units integer not null default 0
);
alter table docket_part add constraint docket_part_pkey PRIMARY KEY (docket_id, number);
alter table docket_part add constraint docket_part_docket_id_fkey FOREIGN KEY (docket_id) REFERENCES docket(docket_id) ON DELETE CASCADE;
alter table docket_part alter cells set storage external;
alter table docket_part alter findings set storage external;

create table filing_alarm (
  alarm_id uuid not null,
  customer_id uuid not null,
  watch_id uuid,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  filing text collate "C" not null,
  filed_on date not null,
  warn_on date not null,
  created_at timestamp with time zone not null,
  created_by uuid not null,
  checked_through timestamp with time zone not null,
  shown_in timestamp with time zone,
  shown_by text,
  dismissed_at timestamp with time zone,
  notify_at timestamp with time zone,
  notify_attempts integer not null default 0,
  notify_failure text,
  is_warned boolean not null default false
);
alter table filing_alarm add constraint filing_alarm_pkey PRIMARY KEY (alarm_id);
alter table filing_alarm add constraint filing_alarm_created_by_fkey FOREIGN KEY (created_by) REFERENCES portal_user(user_id);
alter table filing_alarm add constraint filing_alarm_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
alter table filing_alarm add constraint filing_alarm_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES watch(watch_id) ON DELETE SET NULL;
alter table filing_alarm add constraint filing_alarm_check CHECK (((shown_in IS NULL) = (shown_by IS NULL)));
alter table filing_alarm add constraint filing_alarm_check1 CHECK ((warn_on > filed_on));
alter table filing_alarm add constraint filing_alarm_filing_check CHECK ((filing = ANY (ARRAY['renewal'::text, 'use_declaration'::text, 'opposition'::text, 'other'::text])));
CREATE INDEX filing_alarm_customer ON filing_alarm USING btree (customer_id, created_at);
CREATE INDEX filing_alarm_notify ON filing_alarm USING btree (notify_at) WHERE (notify_at IS NOT NULL);
CREATE INDEX filing_alarm_open ON filing_alarm USING btree (alarm_id) WHERE ((shown_in IS NULL) AND (dismissed_at IS NULL));
CREATE INDEX filing_alarm_record ON filing_alarm USING btree (customer_id, jurisdiction_code, uid);
CREATE INDEX filing_alarm_watch ON filing_alarm USING btree (watch_id) WHERE (watch_id IS NOT NULL);

create table hit_digest (
  user_id uuid not null,
  since timestamp with time zone not null,
  covered_through timestamp with time zone not null,
  sending_through timestamp with time zone,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  failure text,
  sent_at timestamp with time zone
);
alter table hit_digest add constraint hit_digest_pkey PRIMARY KEY (user_id);
alter table hit_digest add constraint hit_digest_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_user(user_id);
CREATE INDEX hit_digest_due ON hit_digest USING btree (due_at);
comment on column hit_digest.covered_through is 'Hits up to this stamp have been told';
comment on column hit_digest.sending_through is 'What the mail that is being sent covers; null between digests';

create table hit_handling (
  watch_id uuid not null,
  stamp timestamp with time zone not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  event text collate "C" not null,
  done_at timestamp with time zone,
  done_by uuid,
  assigned_to uuid,
  note text,
  changed_at timestamp with time zone not null,
  changed_by uuid not null
);
alter table hit_handling add constraint hit_handling_pkey PRIMARY KEY (watch_id, stamp, jurisdiction_code, uid);
alter table hit_handling add constraint hit_handling_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES portal_user(user_id);
alter table hit_handling add constraint hit_handling_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES portal_user(user_id);
alter table hit_handling add constraint hit_handling_done_by_fkey FOREIGN KEY (done_by) REFERENCES portal_user(user_id);
alter table hit_handling add constraint hit_handling_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES watch(watch_id) ON DELETE CASCADE;
alter table hit_handling add constraint hit_handling_check CHECK (((done_at IS NULL) = (done_by IS NULL)));
alter table hit_handling add constraint hit_handling_event_check CHECK ((event = ANY (ARRAY['begins'::text, 'changes'::text, 'stops'::text])));
alter table hit_handling add constraint hit_handling_note_check CHECK (((note <> ''::text) AND (length(note) <= 1000)));
CREATE INDEX hit_handling_assigned ON hit_handling USING btree (assigned_to, watch_id, stamp, jurisdiction_code, uid) WHERE (assigned_to IS NOT NULL);
CREATE INDEX hit_handling_done ON hit_handling USING btree (watch_id, stamp, jurisdiction_code, uid) WHERE (done_at IS NOT NULL);
comment on column hit_handling.stamp is 'With register and uid: of a hit of the watch';
comment on column hit_handling.done_at is 'Null while there is something to do';

create table hit_likeness (
  watch_id uuid not null,
  stamp timestamp with time zone not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  likeness text not null
);
alter table hit_likeness add constraint hit_likeness_pkey PRIMARY KEY (watch_id, stamp, jurisdiction_code, uid);
alter table hit_likeness add constraint hit_likeness_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES watch(watch_id) ON DELETE CASCADE;
comment on table hit_likeness is 'Why a hit of a watch for likeness is alike; written with the hit, and never changed';
comment on column hit_likeness.stamp is 'With register and uid: of a hit of the watch';
comment on column hit_likeness.likeness is 'JSON: the name, the evidence in words, how the goods relate';

create table hit_seen (
  user_id uuid not null,
  watch_id uuid not null,
  seen_through timestamp with time zone not null
);
alter table hit_seen add constraint hit_seen_pkey PRIMARY KEY (user_id, watch_id);
alter table hit_seen add constraint hit_seen_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_user(user_id);
alter table hit_seen add constraint hit_seen_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES watch(watch_id) ON DELETE CASCADE;
CREATE INDEX hit_seen_watch ON hit_seen USING btree (watch_id);

create table invitation (
  token_digest bytea not null,
  customer_id uuid,
  email text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  ended_at timestamp with time zone,
  is_operator boolean not null default false,
  role text collate "C" not null default 'administrator'::text
);
alter table invitation add constraint invitation_pkey PRIMARY KEY (token_digest);
alter table invitation add constraint invitation_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
alter table invitation add constraint invitation_role_check CHECK ((role = ANY (ARRAY['administrator'::text, 'member'::text, 'developer'::text])));
alter table invitation add constraint invitation_side CHECK ((is_operator = (customer_id IS NULL)));
CREATE INDEX invitation_customer ON invitation USING btree (customer_id, created_at);
CREATE UNIQUE INDEX invitation_open ON invitation USING btree (lower(email)) WHERE ((accepted_at IS NULL) AND (ended_at IS NULL));
comment on column invitation.role is 'Of the person who joins with it';

create table key_product (
  key_id text collate "C" not null,
  product text collate "C" not null,
  enabled boolean not null,
  rate_limit_per_minute integer not null,
  quota bigint,
  month date not null,
  units_used bigint not null default 0,
  window_started_at timestamp with time zone,
  window_calls integer not null default 0,
  day date,
  day_units bigint not null default 0
) with (fillfactor=50);
alter table key_product add constraint key_product_pkey PRIMARY KEY (key_id, product);
alter table key_product add constraint key_product_key_id_fkey FOREIGN KEY (key_id) REFERENCES access_key(key_id);
alter table key_product add constraint key_product_day_units_check CHECK ((day_units >= 0));
alter table key_product add constraint key_product_quota_check CHECK ((quota >= 0));
alter table key_product add constraint key_product_rate_limit_per_minute_check CHECK ((rate_limit_per_minute > 0));
alter table key_product add constraint key_product_units_used_check CHECK ((units_used >= 0));

create table key_secret (
  key_id text collate "C" not null,
  number integer not null,
  digest bytea not null,
  created_at timestamp with time zone not null,
  ends_at timestamp with time zone
);
alter table key_secret add constraint key_secret_pkey PRIMARY KEY (key_id, number);
alter table key_secret add constraint key_secret_key_id_fkey FOREIGN KEY (key_id) REFERENCES access_key(key_id);

create table load (
  load_id uuid not null,
  format text not null,
  source text not null,
  state text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  read_count bigint not null default 0,
  new_count bigint not null default 0,
  changed_count bigint not null default 0,
  unchanged_count bigint not null default 0,
  rejected_count bigint not null default 0,
  issue_count bigint not null default 0,
  published_batch integer not null default 0,
  data_current_through timestamp with time zone,
  failure text
);
alter table load add constraint load_pkey PRIMARY KEY (load_id);
alter table load add constraint load_state_check CHECK ((state = ANY (ARRAY['staging'::text, 'publishing'::text, 'finished'::text, 'failed'::text, 'interrupted'::text])));
CREATE INDEX load_started ON load USING btree (started_at);
comment on column load.published_batch is 'Staged batches are numbered from 1; those up to here are published';

create table load_file (
  load_id uuid not null,
  number integer not null,
  name text not null,
  bytes bigint not null,
  digest bytea not null,
  period text collate "C"
);
alter table load_file add constraint load_file_pkey PRIMARY KEY (load_id, number);
comment on column load_file.number is 'From 1, in the order in which they were read';
comment on column load_file.digest is 'SHA-256 of the file as it was delivered';
comment on column load_file.period is 'What it covers, as far as the file or its source says so; in byte order, periods come in the order of time';

create table load_issue (
  load_id uuid not null,
  code text not null,
  path text not null,
  value text not null,
  occurrence_count bigint not null,
  examples jsonb not null
);
alter table load_issue add constraint load_issue_pkey PRIMARY KEY (load_id, code, path, value);
comment on column load_issue.examples is 'The first few places: a list of jurisdiction_code, uid and position';

create table load_reject (
  load_id uuid not null,
  ordinal integer not null,
  position text not null,
  reason text not null,
  raw bytea not null,
  jurisdiction_code text collate "C",
  uid text collate "C",
  closed_at timestamp with time zone,
  closed_by text
);
alter table load_reject add constraint load_reject_pkey PRIMARY KEY (load_id, ordinal);
CREATE INDEX load_reject_open ON load_reject USING btree (load_id) WHERE (closed_at IS NULL);
comment on column load_reject.raw is 'The record as it stands in the source; a very long one is cut here and whole in the rejects file';
comment on column load_reject.uid is 'The record that it states, as jurisdiction_code is its register; null if it does not say';
comment on column load_reject.closed_at is 'When it was stored, rejected again by a later load, or closed by an operator; null while it is open';
comment on column load_reject.closed_by is 'The id of the later load, or who closed it';

create table migration (
  number integer not null,
  name text not null,
  applied_at timestamp with time zone not null default clock_timestamp(),
  works_since integer
);
alter table migration add constraint migration_pkey PRIMARY KEY (number);
comment on column migration.works_since is 'Programs of this schema version and newer work with the schema; null: only programs that know the migration';

create table migration_step (
  number integer not null,
  step integer not null
);
alter table migration_step add constraint migration_step_pkey PRIMARY KEY (number, step);
comment on table migration_step is 'Steps, from 0, of the migration that has begun and is not recorded yet';

create table payload (
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  document text,
  document_packed bytea,
  document_digest bytea,
  document_bytes integer
);
alter table payload add constraint payload_pkey PRIMARY KEY (jurisdiction_code, uid);
alter table payload add constraint payload_held CHECK (
CASE
    WHEN (document IS NULL) THEN ((document_digest IS NOT NULL) AND (document_bytes IS NOT NULL))
    ELSE (num_nonnulls(document_packed, document_digest, document_bytes) = 0)
END);
CREATE INDEX payload_object ON payload USING btree (document_digest) WHERE ((document_digest IS NOT NULL) AND (document_packed IS NULL));
alter table payload alter document_packed set storage external;
comment on column payload.document is 'The full normalized document as JSON text; null: it is packed';
comment on column payload.document_packed is 'The document packed, see server/src/store/documents/packing.ts; null for text, and for an object';
comment on column payload.document_digest is 'SHA-256 of the document, the name of its object; null for text';
comment on column payload.document_bytes is 'Length of the document; null for text';

create table payload_dictionary (
  dictionary_id bytea not null,
  jurisdiction_code text collate "C" not null,
  content bytea not null,
  made_at timestamp with time zone not null
);
alter table payload_dictionary add constraint payload_dictionary_pkey PRIMARY KEY (dictionary_id);
alter table payload_dictionary add constraint payload_dictionary_check CHECK ((dictionary_id = SUBSTRING(sha256(content) FROM 1 FOR 8)));
CREATE INDEX payload_dictionary_register ON payload_dictionary USING btree (jurisdiction_code, made_at);
CREATE TRIGGER payload_dictionary_kept BEFORE DELETE OR UPDATE ON public.payload_dictionary FOR EACH ROW EXECUTE FUNCTION refuse_lost_dictionary();
comment on table payload_dictionary is 'What packed documents were packed with; kept as long as any of them, in backups too';

create table portal_attempt (
  subject bytea not null,
  started_at timestamp with time zone not null,
  attempts integer not null
);
alter table portal_attempt add constraint portal_attempt_pkey PRIMARY KEY (subject);
CREATE INDEX portal_attempt_started ON portal_attempt USING btree (started_at);

create table portal_form (
  token_digest bytea not null,
  content_digest bytea not null,
  led_to text,
  expires_at timestamp with time zone not null
);
alter table portal_form add constraint portal_form_pkey PRIMARY KEY (token_digest);
CREATE INDEX portal_form_expires ON portal_form USING btree (expires_at);

create table portal_key (
  key_id text collate "C" not null
);
alter table portal_key add constraint portal_key_pkey PRIMARY KEY (key_id);
alter table portal_key add constraint portal_key_key_id_fkey FOREIGN KEY (key_id) REFERENCES access_key(key_id);
comment on table portal_key is 'Keys that their customers issued in the portal, within the agreement';

create table portal_reveal (
  session_digest bytea not null,
  subject text collate "C" not null,
  sealed bytea not null,
  expires_at timestamp with time zone not null
);
alter table portal_reveal add constraint portal_reveal_pkey PRIMARY KEY (session_digest, subject);
alter table portal_reveal add constraint portal_reveal_session_digest_fkey FOREIGN KEY (session_digest) REFERENCES portal_session(token_digest) ON DELETE CASCADE;
CREATE INDEX portal_reveal_expires ON portal_reveal USING btree (expires_at);

create table portal_session (
  token_digest bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  viewed_customer_id uuid,
  viewed_since timestamp with time zone
);
alter table portal_session add constraint portal_session_pkey PRIMARY KEY (token_digest);
alter table portal_session add constraint portal_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_user(user_id);
alter table portal_session add constraint portal_session_viewed_customer_id_fkey FOREIGN KEY (viewed_customer_id) REFERENCES customer(customer_id);
CREATE INDEX portal_session_seen ON portal_session USING btree (seen_at);
CREATE INDEX portal_session_user ON portal_session USING btree (user_id);

create table portal_signing (
  only_row boolean not null default true,
  secret bytea not null
);
alter table portal_signing add constraint portal_signing_pkey PRIMARY KEY (only_row);
alter table portal_signing add constraint portal_signing_only_row_check CHECK (only_row);

create table portal_user (
  user_id uuid not null,
  customer_id uuid,
  email text not null,
  password_hash text,
  created_at timestamp with time zone not null,
  signed_in_at timestamp with time zone,
  removed_at timestamp with time zone,
  is_operator boolean not null default false,
  name text,
  role text collate "C" not null default 'administrator'::text,
  hits_seen_through timestamp with time zone not null default now()
);
alter table portal_user add constraint portal_user_pkey PRIMARY KEY (user_id);
alter table portal_user add constraint portal_user_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
alter table portal_user add constraint portal_user_email_check CHECK (((email <> ''::text) AND (email = lower(email))));
alter table portal_user add constraint portal_user_name_check CHECK ((name <> ''::text));
alter table portal_user add constraint portal_user_role_check CHECK ((role = ANY (ARRAY['administrator'::text, 'member'::text, 'developer'::text])));
alter table portal_user add constraint portal_user_side CHECK ((is_operator = (customer_id IS NULL)));
CREATE INDEX portal_user_customer ON portal_user USING btree (customer_id, created_at);
CREATE UNIQUE INDEX portal_user_email ON portal_user USING btree (email) WHERE (removed_at IS NULL);
comment on column portal_user.name is 'How colleagues know the person; null: by the address';
comment on column portal_user.role is 'What a person of a customer may do; of no meaning for an operator';
comment on column portal_user.hits_seen_through is 'Hits with stamps up to this one are seen, of every watch';

create table publish (
  stamp timestamp with time zone not null,
  load_id uuid not null
);
alter table publish add constraint publish_pkey PRIMARY KEY (stamp);
comment on table publish is 'One row for each publish that wrote records';

create table publish_clock (
  only_row boolean not null default true,
  last_stamp timestamp with time zone not null,
  database_id uuid not null default gen_random_uuid(),
  announced_stamp timestamp with time zone,
  lineage uuid not null,
  pseudo_marks_held_at timestamp with time zone
);
alter table publish_clock add constraint publish_clock_pkey PRIMARY KEY (only_row);
alter table publish_clock add constraint publish_clock_check CHECK ((announced_stamp <= last_stamp));
alter table publish_clock add constraint publish_clock_only_row_check CHECK (only_row);
comment on column publish_clock.announced_stamp is 'Publishes up to this stamp are committed on every node; null on one database: those up to last_stamp are';
comment on column publish_clock.lineage is 'Changes when the database has gone back: with every restore, and once when it lacks a publish that a server had seen';
comment on column publish_clock.pseudo_marks_held_at is 'When the documents of all records that were loaded before schema 24 had been read for pseudo marks; null: not yet';

create table publish_digest (
  jurisdiction_code text collate "C" not null,
  updated_at timestamp with time zone not null,
  record_count integer not null,
  digest bigint not null
) with (fillfactor=60);
alter table publish_digest add constraint publish_digest_pkey PRIMARY KEY (jurisdiction_code, updated_at);
alter table publish_digest add constraint publish_digest_record_count_check CHECK ((record_count > 0));
comment on column publish_digest.digest is 'Exclusive or of the first 8 bytes of SHA-256 of record.detail';

create table quota_notice (
  key_id text collate "C" not null,
  product text collate "C" not null,
  month date not null,
  percent integer not null,
  quota bigint not null,
  noticed_at timestamp with time zone not null,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone,
  sent_at timestamp with time zone,
  failure text
);
alter table quota_notice add constraint quota_notice_pkey PRIMARY KEY (key_id, product, month, percent, quota);
alter table quota_notice add constraint quota_notice_key_id_fkey FOREIGN KEY (key_id) REFERENCES access_key(key_id);
CREATE INDEX quota_notice_next ON quota_notice USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

create table recent_search (
  user_id uuid not null,
  digest bytea not null,
  search text not null,
  found bigint,
  searched_at timestamp with time zone not null
);
alter table recent_search add constraint recent_search_pkey PRIMARY KEY (user_id, digest);
alter table recent_search add constraint recent_search_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_user(user_id);
CREATE INDEX recent_search_user ON recent_search USING btree (user_id, searched_at);

create table record (
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  updated_at timestamp with time zone not null,
  first_seen_at timestamp with time zone not null,
  content_digest bytea not null,
  source_version text collate "C",
  line_digest bytea not null default '\x'::bytea,
  mark_variants text collate "C",
  detail text collate "C" not null,
  is_partial boolean not null default false,
  named_parts text collate "C",
  source_digest bytea
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
alter table record add constraint record_pkey PRIMARY KEY (jurisdiction_code, uid);
alter table record add constraint record_check CHECK ((first_seen_at <= updated_at));
CREATE INDEX record_change ON record USING btree (updated_at, jurisdiction_code, uid) WITH (fillfactor='100');
CREATE INDEX record_named_part ON record USING gin (string_to_array(named_parts, chr(31))) WITH (fastupdate=off) WHERE (named_parts IS NOT NULL);
CREATE INDEX record_register_change ON record USING btree (jurisdiction_code, updated_at, uid);
CREATE TRIGGER record_version_kept BEFORE UPDATE ON public.record FOR EACH ROW WHEN ((old.updated_at <> new.updated_at)) EXECUTE FUNCTION refuse_lost_version();
comment on column record.line_digest is 'Of the source line that holds this very content, see server/src/load/line-digest.ts, or of the record as its source states it, without supplements; empty: neither is known';
comment on column record.mark_variants is 'Held translations, transliterations and pseudo marks as they are compared, see server/src/record/held-forms.ts';
comment on column record.detail is 'The record as delivered: JSON text, rendered once at publish';
comment on column record.is_partial is 'No source has stated this record in full yet: an older full statement still completes it (docs/decisions/0049)';
comment on column record.named_parts is 'Parts of supplements that the record names, such as its parties by key, separated by U+001F; null for none';
comment on column record.source_digest is 'The first 8 bytes of the SHA-256 of the source record as it stood; null: not known';

create table record_version (
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  updated_at timestamp with time zone not null,
  replaced_at timestamp with time zone not null,
  cause text not null,
  source_version text collate "C",
  mark_variants text collate "C",
  detail text collate "C" not null,
  has_document boolean not null,
  document text,
  document_packed bytea,
  document_digest bytea,
  document_bytes integer
);
alter table record_version add constraint record_version_pkey PRIMARY KEY (jurisdiction_code, uid, updated_at);
alter table record_version add constraint record_version_cause_check CHECK ((cause = ANY (ARRAY['office'::text, 'correction'::text, 'renormalization'::text, 'removal'::text])));
alter table record_version add constraint record_version_check CHECK ((updated_at < replaced_at));
alter table record_version add constraint record_version_check1 CHECK ((has_document OR (document IS NULL)));
alter table record_version add constraint record_version_held CHECK (
CASE
    WHEN (document_digest IS NULL) THEN (num_nonnulls(document_packed, document_bytes) = 0)
    ELSE (has_document AND (document IS NULL) AND (document_bytes IS NOT NULL))
END);
CREATE INDEX record_version_change ON record_version USING btree (updated_at, jurisdiction_code, uid);
CREATE INDEX record_version_object ON record_version USING btree (document_digest) WHERE ((document_digest IS NOT NULL) AND (document_packed IS NULL));
CREATE INDEX record_version_register_change ON record_version USING btree (jurisdiction_code, updated_at, uid);
alter table record_version alter document_packed set storage external;
comment on table record_version is 'Written by the publish that replaces a version, in its transaction; never changed';
comment on column record_version.updated_at is 'The stamp of this version';
comment on column record_version.replaced_at is 'The stamp of the version that replaced it';
comment on column record_version.cause is 'Why it was replaced';
comment on column record_version.source_version is 'Of this version: the latest at which the source stated it';
comment on column record_version.has_document is 'Whether its payload is kept here, null for none; else its payload is that of the next version';

create table refusal_day (
  key_id text collate "C" not null,
  product text collate "C" not null,
  day date not null,
  code text collate "C" not null,
  calls bigint not null
);
alter table refusal_day add constraint refusal_day_pkey PRIMARY KEY (key_id, product, day, code);

create table register (
  jurisdiction_code text collate "C" not null,
  record_count bigint not null,
  data_current_through timestamp with time zone,
  last_load_id uuid
);
alter table register add constraint register_pkey PRIMARY KEY (jurisdiction_code);
alter table register add constraint register_record_count_check CHECK ((record_count >= 0));

create table register_load (
  jurisdiction_code text collate "C" not null,
  load_id uuid not null,
  read_count bigint,
  flagged_count bigint,
  source text collate "C"
);
alter table register_load add constraint register_load_pkey PRIMARY KEY (jurisdiction_code, load_id);
CREATE INDEX register_load_read ON register_load USING btree (jurisdiction_code, read_count);
CREATE INDEX register_load_source ON register_load USING btree (jurisdiction_code, source);
comment on column register_load.read_count is 'Records of the register that the load read; null: not known';
comment on column register_load.flagged_count is 'Of those, the records with at least one issue; null: not known';
comment on column register_load.source is 'The declared source that brought the load; null: loaded by hand, or by a program from before';

create table saved_search (
  customer_id uuid not null,
  id text collate "C" not null,
  name text not null,
  search text not null,
  created_at timestamp with time zone not null
);
alter table saved_search add constraint saved_search_pkey PRIMARY KEY (customer_id, id);
alter table saved_search add constraint saved_search_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
alter table saved_search add constraint saved_search_name_check CHECK ((name <> ''::text));
CREATE UNIQUE INDEX saved_search_name ON saved_search USING btree (customer_id, name);

create table similar_judgement (
  customer_id uuid not null,
  search text collate "C" not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  is_relevant boolean not null,
  judged_by text not null,
  judged_at timestamp with time zone not null
);
alter table similar_judgement add constraint similar_judgement_pkey PRIMARY KEY (customer_id, search, jurisdiction_code, uid);
alter table similar_judgement add constraint similar_judgement_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
comment on table similar_judgement is 'What people of a customer think of a record that a search for likeness found; who has no opinion has no row';
comment on column similar_judgement.search is 'SHA-256 of the canonical query string of the search, in hex';
comment on column similar_judgement.judged_by is 'The address of the person';

create table source_check (
  source text collate "C" not null,
  checked_at timestamp with time zone not null,
  succeeded_at timestamp with time zone,
  failure text,
  stopped boolean not null,
  next_period text,
  due_at timestamp with time zone,
  gaps text[] not null
);
alter table source_check add constraint source_check_pkey PRIMARY KEY (source);
comment on column source_check.stopped is 'A file of its register failed, so nothing more of the register is loaded';
comment on column source_check.due_at is 'When the next period is overdue; null if the source has no rhythm';

create table source_file (
  source text collate "C" not null,
  name text collate "C" not null,
  revision integer not null,
  period text collate "C" not null,
  fingerprint text not null,
  state text not null,
  bytes bigint,
  digest bytea,
  load_id uuid,
  reason text,
  seen_at timestamp with time zone not null,
  fetched_at timestamp with time zone,
  ended_at timestamp with time zone,
  came_after text collate "C"
);
alter table source_file add constraint source_file_pkey PRIMARY KEY (source, name, revision);
alter table source_file add constraint source_file_state_check CHECK ((state = ANY (ARRAY['seen'::text, 'fetched'::text, 'loaded'::text, 'failed'::text, 'late'::text, 'skipped'::text, 'double'::text, 'superseded'::text])));
CREATE INDEX source_file_content ON source_file USING btree (digest) WHERE (digest IS NOT NULL);
CREATE INDEX source_file_covered ON source_file USING btree (source, period) WHERE (state = ANY (ARRAY['loaded'::text, 'double'::text]));
CREATE INDEX source_file_disorder ON source_file USING btree (source, ended_at) WHERE (came_after IS NOT NULL);
CREATE INDEX source_file_load ON source_file USING btree (load_id) WHERE (load_id IS NOT NULL);
CREATE INDEX source_file_loaded ON source_file USING btree (source, ended_at) WHERE (state = 'loaded'::text);
CREATE INDEX source_file_open ON source_file USING btree (source, period) WHERE (state = ANY (ARRAY['seen'::text, 'fetched'::text, 'failed'::text, 'late'::text, 'skipped'::text]));
comment on column source_file.period is 'In byte order, periods come in the order in which they are loaded';
comment on column source_file.fingerprint is 'What the source says of the content beside its name: size, time, digest';
comment on column source_file.digest is 'SHA-256 of the content';
comment on column source_file.reason is 'Why it failed, is late, is a double or was skipped; else null';
comment on column source_file.came_after is 'The latest period that had been loaded before this file, which is the last one loaded of its period; null if that is no later period';

create table source_row (
  format text collate "C" not null,
  source_table text collate "C" not null,
  row_key text collate "C" not null,
  part text collate "C" not null,
  link text collate "C",
  removed boolean not null,
  version text collate "C",
  body text not null
);
alter table source_row add constraint source_row_pkey PRIMARY KEY (format, source_table, row_key);
CREATE INDEX source_row_link ON source_row USING btree (format, link) WHERE (link IS NOT NULL);
CREATE INDEX source_row_part ON source_row USING btree (format, part);
comment on column source_row.version is 'A supplement of a lower version never replaces one of a higher; of other rows, when a load first brought them, where that matters';
comment on column source_row.body is 'What the row states, as a JSON object of texts by column; of a supplement, whatever it states as JSON';

create table staged_record (
  batch integer not null,
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
  kind text not null default 'statement'::text,
  document_packed bytea,
  document_digest bytea,
  document_bytes integer
);
alter table staged_record add constraint staged_record_kind_check CHECK ((kind = ANY (ARRAY['statement'::text, 'removal'::text, 'rejoin'::text])));
alter table staged_record alter document_packed set storage external;
comment on table staged_record is 'The shape of the staging tables; holds no rows itself';
comment on column staged_record.batch is 'Which publish takes the row, from 1; bounded in rows and bytes';
comment on column staged_record.seq is 'Position in the load: the last of equal versions of a record wins';
comment on column staged_record.detail is 'Null: the record had this very content when it was staged, nothing to publish';
comment on column staged_record.is_partial is 'States a part of the record: the publish merges it onto what is stored, see server/src/store/publish/partials.ts';
comment on column staged_record.kind is 'removal: says that the register no longer has the record, which stays, with an event; rejoin: only names a stored record whose supplements changed; statement: any other';
comment on column staged_record.document_digest is 'Of a payload that is packed already, like the columns beside it';

create table supplement_change (
  part text collate "C" not null,
  load_id uuid not null
);
alter table supplement_change add constraint supplement_change_pkey PRIMARY KEY (part);
comment on column supplement_change.load_id is 'The load that changed it last';

create table usage_day (
  key_id text collate "C" not null,
  product text collate "C" not null,
  day date not null,
  units bigint not null
) with (fillfactor=50);
alter table usage_day add constraint usage_day_pkey PRIMARY KEY (key_id, product, day);
alter table usage_day add constraint usage_day_units_check CHECK ((units >= 0));
CREATE INDEX usage_day_day ON usage_day USING btree (day);

create table watch (
  watch_id uuid not null,
  customer_id uuid not null,
  id text collate "C" not null,
  name text not null,
  kind text collate "C" not null,
  search text,
  item_count integer not null,
  revision integer not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  holds_from timestamp with time zone not null,
  ended_at timestamp with time zone,
  change_number bigint not null,
  reference text
);
alter table watch add constraint watch_customer_id_id_key UNIQUE (customer_id, id);
alter table watch add constraint watch_pkey PRIMARY KEY (watch_id);
alter table watch add constraint watch_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
alter table watch add constraint watch_check CHECK (((kind = ANY (ARRAY['search'::text, 'similar'::text])) = (search IS NOT NULL)));
alter table watch add constraint watch_id_check CHECK ((id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'::text));
alter table watch add constraint watch_item_count_check CHECK ((item_count >= 0));
alter table watch add constraint watch_kind_check CHECK ((kind = ANY (ARRAY['search'::text, 'records'::text, 'owners'::text, 'similar'::text])));
alter table watch add constraint watch_name_check CHECK ((name <> ''::text));
alter table watch add constraint watch_reference_check CHECK ((reference <> ''::text));
alter table watch add constraint watch_revision_check CHECK ((revision > 0));
CREATE INDEX watch_change ON watch USING btree (change_number);
CREATE INDEX watch_ended ON watch USING btree (ended_at) WHERE (ended_at IS NOT NULL);
comment on column watch.search is 'The canonical query string of the search, or of the search for likeness; null for records and owners';
comment on column watch.item_count is 'How many records or owners are listed';
comment on column watch.holds_from is 'How far events had been matched when it was changed: later ones are matched as it is now';
comment on column watch.ended_at is 'Since when nothing more is matched; null while it is live';
comment on column watch.change_number is 'Rises with every change to any watch, in the order of commits';
comment on column watch.reference is 'The customer''s own, such as the number of a matter; null: none';

create table watch_hit (
  watch_id uuid not null,
  stamp timestamp with time zone not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  event text collate "C" not null,
  hit_count integer not null default 1,
  earlier_jurisdiction_codes text[] collate "C",
  earlier_uids text[] collate "C",
  earlier_events text[] collate "C"
);
alter table watch_hit add constraint watch_hit_pkey PRIMARY KEY (watch_id, stamp, jurisdiction_code, uid);
alter table watch_hit add constraint watch_hit_event_check CHECK ((event = ANY (ARRAY['begins'::text, 'changes'::text, 'stops'::text])));
CREATE INDEX watch_hit_stamp ON watch_hit USING btree (stamp, watch_id);
comment on table watch_hit is 'Hits of a watch with one stamp, from one step of the matching; written with its progress, in one transaction; never changed';
comment on column watch_hit.stamp is 'Of the version that begins to match, changes while matching, or stops matching';
comment on column watch_hit.uid is 'Of the last of the hits, as jurisdiction_code and event are';
comment on column watch_hit.hit_count is 'How many hits the row holds';
comment on column watch_hit.earlier_uids is 'Of the hits before the last one, in the order of the history; null: there is one';

create table watch_owner (
  watch_id uuid not null,
  name text collate "C" not null
);
alter table watch_owner add constraint watch_owner_pkey PRIMARY KEY (name, watch_id);
alter table watch_owner add constraint watch_owner_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES watch(watch_id) ON DELETE CASCADE;
CREATE INDEX watch_owner_watch ON watch_owner USING btree (watch_id, name);
comment on column watch_owner.name is 'In the form in which owner names are compared, see server/src/record/names.ts';

create table watch_progress (
  only_row boolean not null default true,
  last_change_number bigint not null,
  stamp timestamp with time zone not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  complete_through timestamp with time zone not null
);
alter table watch_progress add constraint watch_progress_pkey PRIMARY KEY (only_row);
alter table watch_progress add constraint watch_progress_only_row_check CHECK (only_row);
comment on table watch_progress is 'One row: who changes a watch and who writes hits take turns at it';
comment on column watch_progress.stamp is 'With register and uid: events up to this place in the order of the history are matched';
comment on column watch_progress.complete_through is 'Every event up to it is matched';

create table watch_record (
  watch_id uuid not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null
);
alter table watch_record add constraint watch_record_pkey PRIMARY KEY (jurisdiction_code, uid, watch_id);
alter table watch_record add constraint watch_record_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES watch(watch_id) ON DELETE CASCADE;
CREATE INDEX watch_record_watch ON watch_record USING btree (watch_id, jurisdiction_code, uid);

create table webhook (
  webhook_id text collate "C" not null,
  customer_id uuid not null,
  url text not null,
  host text collate "C" not null,
  watch_id uuid,
  secret bytea not null,
  former_secret bytea,
  former_ends_at timestamp with time zone,
  created_at timestamp with time zone not null,
  failures integer not null default 0,
  paused_until timestamp with time zone,
  off_since timestamp with time zone,
  off_reason text,
  tell_at timestamp with time zone,
  tell_attempts integer not null default 0,
  tell_failure text,
  id text collate "C"
);
alter table webhook add constraint webhook_pkey PRIMARY KEY (webhook_id);
alter table webhook add constraint webhook_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
alter table webhook add constraint webhook_check CHECK (((off_since IS NULL) = (off_reason IS NULL)));
alter table webhook add constraint webhook_check1 CHECK (((former_secret IS NULL) = (former_ends_at IS NULL)));
alter table webhook add constraint webhook_id_check CHECK ((id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'::text));
alter table webhook add constraint webhook_off_reason_check CHECK ((off_reason = ANY (ARRAY['customer'::text, 'gone'::text, 'failed'::text])));
CREATE INDEX webhook_customer ON webhook USING btree (customer_id, created_at);
CREATE UNIQUE INDEX webhook_own_id ON webhook USING btree (customer_id, COALESCE(id, webhook_id));
CREATE INDEX webhook_tell ON webhook USING btree (tell_at) WHERE (tell_at IS NOT NULL);
comment on column webhook.host is 'Of the address, with its port: what is called at the same time is counted by it';
comment on column webhook.watch_id is 'The watch it is for; null: all watches of the customer, those to come included';
comment on column webhook.secret is 'What deliveries are signed with, sealed';
comment on column webhook.former_secret is 'The one before, which signs too until former_ends_at';
comment on column webhook.failures is 'Attempts in a row that failed';
comment on column webhook.paused_until is 'Until when nothing is sent because the last attempt failed; null: it did not';
comment on column webhook.off_reason is 'Null while it is live; gone: the receiver answered 410';
comment on column webhook.tell_at is 'When its people are told by mail that it was switched off; null: they were, or need not be';
comment on column webhook.id is 'Chosen by the customer; null: webhook_id, as for those that people add in the portal';

create table webhook_delivery (
  delivery_id uuid not null,
  webhook_id text collate "C" not null,
  watch_id uuid not null,
  after timestamp with time zone not null,
  through timestamp with time zone not null,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone,
  attempts integer not null default 0,
  tried_since timestamp with time zone,
  attempted_at timestamp with time zone,
  answer_status integer,
  answer_bytes integer,
  answer_ms integer,
  failure text,
  delivered_at timestamp with time zone
);
alter table webhook_delivery add constraint webhook_delivery_pkey PRIMARY KEY (delivery_id);
alter table webhook_delivery add constraint webhook_delivery_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES watch(watch_id) ON DELETE CASCADE;
alter table webhook_delivery add constraint webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(webhook_id) ON DELETE CASCADE;
alter table webhook_delivery add constraint webhook_delivery_check CHECK (((due_at IS NULL) = (delivered_at IS NOT NULL)));
CREATE INDEX webhook_delivery_delivered ON webhook_delivery USING btree (delivered_at) WHERE (delivered_at IS NOT NULL);
CREATE INDEX webhook_delivery_due ON webhook_delivery USING btree (webhook_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_delivery_shown ON webhook_delivery USING btree (webhook_id, created_at, delivery_id);
CREATE UNIQUE INDEX webhook_delivery_tried ON webhook_delivery USING btree (webhook_id, watch_id) WHERE ((due_at IS NOT NULL) AND (attempts > 0));
CREATE UNIQUE INDEX webhook_delivery_waiting ON webhook_delivery USING btree (webhook_id, watch_id) WHERE ((due_at IS NOT NULL) AND (attempts = 0));
CREATE INDEX webhook_delivery_watch ON webhook_delivery USING btree (watch_id);
comment on column webhook_delivery.after is 'The hits that it tells of have later stamps';
comment on column webhook_delivery.through is 'The latest stamp of them';
comment on column webhook_delivery.due_at is 'When the next attempt is made; null once it is delivered';
comment on column webhook_delivery.tried_since is 'The first attempt since the webhook was last switched on';
comment on column webhook_delivery.failure is 'Why the last attempt failed; null if it did not';

create table webhook_progress (
  only_row boolean not null default true,
  noted_through timestamp with time zone not null
);
alter table webhook_progress add constraint webhook_progress_pkey PRIMARY KEY (only_row);
alter table webhook_progress add constraint webhook_progress_only_row_check CHECK (only_row);

create table webhook_test (
  test_id uuid not null,
  customer_id uuid not null,
  webhook_id text collate "C",
  created_at timestamp with time zone not null,
  attempted_at timestamp with time zone,
  ended_at timestamp with time zone,
  answer_status integer,
  answer_bytes integer,
  answer_ms integer,
  failure text
);
alter table webhook_test add constraint webhook_test_pkey PRIMARY KEY (test_id);
alter table webhook_test add constraint webhook_test_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(customer_id);
alter table webhook_test add constraint webhook_test_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(webhook_id) ON DELETE SET NULL;
CREATE INDEX webhook_test_customer ON webhook_test USING btree (customer_id, created_at);
CREATE INDEX webhook_test_waiting ON webhook_test USING btree (created_at) WHERE (attempted_at IS NULL);
CREATE INDEX webhook_test_webhook ON webhook_test USING btree (webhook_id, created_at);

create view usage_by_day as
 SELECT usage_day.key_id,
    usage_day.product,
    usage_day.day,
    usage_day.units
   FROM usage_day
UNION ALL
 SELECT key_product.key_id,
    key_product.product,
    key_product.day,
    key_product.day_units AS units
   FROM key_product
  WHERE (key_product.day_units > 0);
