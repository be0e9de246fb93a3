-- A rejected record is missing until it is stored, or an operator says that it need not be (docs/loading.md).
-- works with programs since 0001

-- step: what became of a reject
alter table load_reject
  add column jurisdiction_code text collate "C",
  add column uid text collate "C",
  add column closed_at timestamptz,
  add column closed_by text;
comment on column load_reject.uid is 'The record that it states, as jurisdiction_code is its register; null if it does not say';
comment on column load_reject.closed_at is 'When it was stored, rejected again by a later load, or closed by an operator; null while it is open';
comment on column load_reject.closed_by is 'The id of the later load, or who closed it';
comment on column source_row.version is
  'A supplement of a lower version never replaces one of a higher; of other rows, when a load first brought them, where that matters';
-- step (alone): the open ones
create index concurrently load_reject_open on load_reject (load_id) where closed_at is null;
