-- What source line a record was read from, so that a load can tell without reading a line that it changes nothing
-- (docs/decisions/0017). A load of an older version knows nothing of it: it must not overwrite a record and leave the
-- digest of another line. What such a load has staged goes, and it cannot stage anything again: there is no default.
do $$
declare stage text;
begin
  for stage in select tablename from pg_tables
    where schemaname = current_schema() and tablename ~ '^stage_[0-9a-f]{32}$'
  loop
    execute format('drop table %I', stage);
  end loop;
end
$$;

alter table record add column line_digest bytea not null default '';
alter table staged_record add column line_digest bytea not null;
comment on column record.line_digest is
  'Of the source line that holds this very content, see server/src/load/line-digest.ts; empty: not from a line, or not known';
