-- What customers watch, and what each publish hit (docs/decisions/0102). New tables only: programs that do not know them
-- serve and load as before, and what they publish is matched later.
-- works with programs since 0001

-- step: watches
create table watch (
  watch_id uuid primary key,
  customer_id uuid not null references customer,
  -- Chosen by the customer.
  id text collate "C" not null check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  name text not null check (name <> ''),
  kind text collate "C" not null check (kind in ('search', 'records', 'owners')),
  search text,
  item_count int not null check (item_count >= 0),
  revision int not null check (revision > 0),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  holds_from timestamptz not null,
  ended_at timestamptz,
  change_number bigint not null,
  unique (customer_id, id),
  check ((kind = 'search') = (search is not null))
);
create index watch_change on watch (change_number);
create index watch_ended on watch (ended_at) where ended_at is not null;
comment on column watch.search is 'The canonical query string of the search; null for records and owners';
comment on column watch.item_count is 'How many records or owners are listed';
comment on column watch.holds_from is 'How far events had been matched when it was changed: later ones are matched as it is now';
comment on column watch.ended_at is 'Since when nothing more is matched; null while it is live';
comment on column watch.change_number is 'Rises with every change to any watch, in the order of commits';

-- The records of a watch, found by what an event names.
create table watch_record (
  watch_id uuid not null references watch on delete cascade,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  primary key (jurisdiction_code, uid, watch_id)
);
create index watch_record_watch on watch_record (watch_id, jurisdiction_code, uid);

create table watch_owner (
  watch_id uuid not null references watch on delete cascade,
  name text collate "C" not null,
  primary key (name, watch_id)
);
create index watch_owner_watch on watch_owner (watch_id, name);
comment on column watch_owner.name is 'In the form in which owner names are compared, see server/src/record/names.ts';

-- step: hits, in the order of the history
create table watch_hit (
  -- Of a row of `watch`: hits are written while no watch changes, and a check of each would cost more than writing it.
  watch_id uuid not null,
  stamp timestamptz not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  event text collate "C" not null check (event in ('begins', 'changes', 'stops')),
  primary key (watch_id, stamp, jurisdiction_code, uid)
);
create index watch_hit_stamp on watch_hit (stamp, watch_id);
comment on table watch_hit is 'Written with the progress of the matching, in one transaction; never changed';
comment on column watch_hit.stamp is 'Of the version that begins to match, changes while matching, or stops matching';

-- step: how far events are matched
create table watch_progress (
  only_row boolean primary key default true check (only_row),
  last_change_number bigint not null,
  stamp timestamptz not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  complete_through timestamptz not null
);
comment on table watch_progress is 'One row: who changes a watch and who writes hits take turns at it';
comment on column watch_progress.stamp is 'With register and uid: events up to this place in the order of the history are matched';
comment on column watch_progress.complete_through is 'Every event up to it is matched';
insert into watch_progress (last_change_number, stamp, jurisdiction_code, uid, complete_through)
  select 0, last_stamp + interval '1 microsecond', '', '', last_stamp from publish_clock;
