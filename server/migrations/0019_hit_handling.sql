-- What the people of a customer do about a hit: who handles it, a note, and when it was done (docs/design/portal.md).
-- A hit that nobody took up has no row. Programs that do not know it serve as before.
-- works with programs since 0001

create table hit_handling (
  watch_id uuid not null references watch on delete cascade,
  stamp timestamptz not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  -- Of the hit, which is one of many in a row of `watch_hit`.
  event text collate "C" not null check (event in ('begins', 'changes', 'stops')),
  done_at timestamptz,
  done_by uuid references portal_user,
  assigned_to uuid references portal_user,
  note text check (note <> '' and length(note) <= 1000),
  changed_at timestamptz not null,
  changed_by uuid not null references portal_user,
  primary key (watch_id, stamp, jurisdiction_code, uid),
  check ((done_at is null) = (done_by is null))
);
create index hit_handling_done on hit_handling (watch_id, stamp, jurisdiction_code, uid) where done_at is not null;
create index hit_handling_assigned on hit_handling (assigned_to, watch_id, stamp, jurisdiction_code, uid)
  where assigned_to is not null;
comment on column hit_handling.stamp is 'With register and uid: of a hit of the watch';
comment on column hit_handling.done_at is 'Null while there is something to do';
