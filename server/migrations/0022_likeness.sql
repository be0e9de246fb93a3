-- Watches for marks that are alike, why each hit is alike (docs/design/watches.md), and what people think of the marks
-- that a search for likeness found (docs/design/likeness.md). A program of an older schema would match events without
-- these watches, and their hits would be lost, so it has to end first.

alter table watch drop constraint watch_kind_check;
alter table watch add constraint watch_kind_check
  check (kind in ('search', 'records', 'owners', 'similar')) not valid;
alter table watch drop constraint watch_check;
alter table watch add constraint watch_check check ((kind in ('search', 'similar')) = (search is not null)) not valid;
alter table watch validate constraint watch_kind_check;
alter table watch validate constraint watch_check;
comment on column watch.search is
  'The canonical query string of the search, or of the search for likeness; null for records and owners';

create table hit_likeness (
  watch_id uuid not null references watch on delete cascade,
  stamp timestamptz not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  likeness text not null,
  primary key (watch_id, stamp, jurisdiction_code, uid)
);
comment on table hit_likeness is 'Why a hit of a watch for likeness is alike; written with the hit, and never changed';
comment on column hit_likeness.stamp is 'With register and uid: of a hit of the watch';
comment on column hit_likeness.likeness is 'JSON: the name, the evidence in words, how the goods relate';

create table similar_judgement (
  customer_id uuid not null references customer,
  search text collate "C" not null,
  jurisdiction_code text collate "C" not null,
  uid text collate "C" not null,
  is_relevant boolean not null,
  judged_by text not null,
  judged_at timestamptz not null,
  primary key (customer_id, search, jurisdiction_code, uid)
);
comment on table similar_judgement is
  'What people of a customer think of a record that a search for likeness found; who has no opinion has no row';
comment on column similar_judgement.search is 'SHA-256 of the canonical query string of the search, in hex';
comment on column similar_judgement.judged_by is 'The address of the person';
