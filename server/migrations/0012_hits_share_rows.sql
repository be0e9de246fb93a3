-- Hits of a watch share a row (docs/decisions/0123): a publish writes one for each watch, not one for each hit. Rows of one
-- hit stay as they are. Programs of older schemas would leave out all hits of a row but the last, so they have to end first.

alter table watch_hit
  add column hit_count int not null default 1,
  add column earlier_jurisdiction_codes text[] collate "C",
  add column earlier_uids text[] collate "C",
  add column earlier_events text[] collate "C";
comment on table watch_hit is
  'Hits of a watch with one stamp, from one step of the matching; written with its progress, in one transaction; never changed';
comment on column watch_hit.uid is 'Of the last of the hits, as jurisdiction_code and event are';
comment on column watch_hit.hit_count is 'How many hits the row holds';
comment on column watch_hit.earlier_uids is 'Of the hits before the last one, in the order of the history; null: there is one';
