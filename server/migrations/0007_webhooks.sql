-- Where customers are told that their watches have hits (docs/decisions/0104), and who gets a digest by mail (0105).
-- works with programs since 0001

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
create index webhook_customer on webhook (customer_id, created_at);
create index webhook_tell on webhook (tell_at) where tell_at is not null;

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
-- Of each webhook and watch one delivery waits for its first attempt, and takes up every later hit; one is being tried.
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
