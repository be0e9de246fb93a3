-- What people do with the rows of a docket, and what is remembered of dockets to say what has changed the next time
-- (docs/design/reconcile.md). Backups leave all of it out, as they leave out dockets.
-- works with programs since 0001

-- step: whether a docket is remembered, and the one that it is compared with
alter table docket
  add column remembers boolean not null default false,
  add column previous_id uuid;
-- step: marks of rows
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
-- step: what is remembered
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
