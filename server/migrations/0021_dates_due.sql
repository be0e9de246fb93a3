-- Calendars at secret addresses, reminders by mail, and alarms for what an office does not show (docs/dates.md). Programs
-- that do not know them serve as before.
-- works with programs since 0001

-- step: calendars of watches and dockets
create table calendar (
  calendar_id uuid primary key,
  customer_id uuid not null references customer,
  -- Whose dates it has: a watch or a docket.
  watch_id uuid references watch on delete cascade,
  -- Not a reference, because backups leave dockets out. A calendar whose docket is gone is served no more.
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

-- step: people who are reminded by mail
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

-- step: filings that an office should show
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
  -- Who made it is notified that it is shown, or overdue; null: they were, or need not be.
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
