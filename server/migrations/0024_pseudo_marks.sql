-- Pseudo marks are held with the variants of a mark, for searches for likeness (docs/design/likeness.md). A program of an
-- older schema would find them by mark_name, so it has to end first. Those of records that were loaded before are read
-- from their documents while servers run.

alter table publish_clock add column pseudo_marks_held_at timestamptz;
comment on column publish_clock.pseudo_marks_held_at is
  'When the documents of all records that were loaded before schema 24 had been read for pseudo marks; null: not yet';
update publish_clock set pseudo_marks_held_at = clock_timestamp() where not exists (select from record);

comment on column record.mark_variants is
  'Held translations, transliterations and pseudo marks as they are compared, see server/src/record/held-forms.ts';
