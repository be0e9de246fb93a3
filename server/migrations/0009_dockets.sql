-- Dockets that people of a customer compare with the registers (docs/decisions/0106). They are confidential and kept for
-- a day: retention takes them away, backups leave them out.
-- works with programs since 0001

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
  failure text
);
create index docket_customer on docket (customer_id, created_at);

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
