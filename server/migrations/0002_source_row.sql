-- Rows of registers that are published as tables: a record is what several rows say together, and a delivery holds only
-- the rows that changed, so all of them are kept (docs/decisions/0071). A row belongs to a part, such as the rows of one
-- application or of one registration, and may name another part. A row that the office took out is kept as removed.
create table source_row (
  format text collate "C" not null,
  source_table text collate "C" not null,
  row_key text collate "C" not null,
  part text collate "C" not null,
  link text collate "C",
  removed boolean not null,
  body text not null,
  primary key (format, source_table, row_key)
);
comment on column source_row.body is 'What the row states, as a JSON object of texts by column';
create index source_row_part on source_row (format, part);
create index source_row_link on source_row (format, link) where link is not null;
