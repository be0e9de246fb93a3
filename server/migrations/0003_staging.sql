-- What a load stages before it publishes. Every load copies this table's shape into an unlogged table of its own
-- (stage_<load id>), which is dropped when the load ends; rows of a killed load go with its table.

create table staged_record (
  batch int not null,
  seq bigint not null,
  superseded boolean not null default false,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  application_date date,
  registration_date date,
  publication_date date,
  status_date date,
  expiry_date date,
  termination_date date,
  opposition_period_end date,
  content_digest bytea not null,
  source_version text collate "C",
  terms int[],
  number_keys text collate "C",
  mark_names text collate "C",
  owner_names text collate "C",
  representative_names text collate "C",
  detail text collate "C",
  payload text
);
comment on table staged_record is 'The shape of the staging tables; holds no rows itself';
comment on column staged_record.batch is 'Which publish takes the row, from 1; bounded in rows and bytes';
comment on column staged_record.seq is 'Position in the load: the last of equal versions of a record wins';
comment on column staged_record.detail is 'Null: the record had this very content when it was staged, nothing to publish';
