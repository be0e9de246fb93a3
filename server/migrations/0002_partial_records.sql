-- Records that were only ever stated in part, such as a removal of a mark that was never loaded: what arrives later,
-- of an older version too, completes them (docs/decisions/0049).
alter table record add column is_partial boolean not null default false;
comment on column record.is_partial is
  'No source has stated this record in full yet: an older full statement still completes it';

alter table staged_record add column is_partial boolean not null default false;
comment on column staged_record.is_partial is
  'States a part of the record: the publish merges it onto what is stored, see server/src/store/partials.ts';
