-- Searches that people of a customer keep under a name (docs/design/portal.md).
-- works with programs since 0001

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
