-- What a load read of each register, and which source a load is of (docs/decisions/0101).
-- works with programs since 0001

-- step: what was read of a register
alter table register_load add column read_count bigint;
alter table register_load add column flagged_count bigint;
comment on column register_load.read_count is 'Records of the register that the load read; null: not known';
comment on column register_load.flagged_count is 'Of those, the records with at least one issue; null: not known';

-- step (alone): the source of a load
create index concurrently source_file_load on source_file (load_id) where load_id is not null;
