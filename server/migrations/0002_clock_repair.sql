-- Each row: the operator said at `repaired_at`, by a clock that was right again, that the stamps up to `stamp` had been
-- given by one that was fast. Feed time goes on from there (docs/decisions/0050). Rows are only ever added.
create table clock_repair (
  stamp timestamptz primary key,
  repaired_at timestamptz not null
);
