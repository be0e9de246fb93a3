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
