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
  accepted_at timestamptz
);
create index invitation_customer on invitation (customer_id, created_at);

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
  primary key (key_id, product)
) with (fillfactor = 50);

-- Units by UTC day, kept for 24 months.
create table usage_day (
  key_id text collate "C" not null,
  product text collate "C" not null,
  day date not null,
  units bigint not null check (units >= 0),
  primary key (key_id, product, day)
) with (fillfactor = 50);
create index usage_day_day on usage_day (day);

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

-- The last refused calls of each key and how many there were: for support, written late and lost on a crash.
create table refusal (
  key_id text collate "C" not null,
  at timestamptz not null,
  request_id text not null,
  product text not null,
  code text not null,
  param text,
  primary key (key_id, at, request_id)
);

create table refusal_day (
  key_id text collate "C" not null,
  product text collate "C" not null,
  day date not null,
  code text collate "C" not null,
  calls bigint not null,
  primary key (key_id, product, day, code)
);
