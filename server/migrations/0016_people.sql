-- People of a customer have names and roles, see which hits are new to them, and find their recent searches again
-- (docs/design/portal.md). Everybody keeps all rights: people and invitations of before are administrators'. Programs
-- that do not know it serve as before, and let everybody in as an administrator.
-- works with programs since 0001

-- step: names, roles, and up to where hits are seen
alter table portal_user
  add column name text check (name <> ''),
  add column role text collate "C" not null default 'administrator'
    check (role in ('administrator', 'member', 'developer')),
  add column hits_seen_through timestamptz not null default now();
comment on column portal_user.name is 'How colleagues know the person; null: by the address';
comment on column portal_user.role is 'What a person of a customer may do; of no meaning for an operator';
comment on column portal_user.hits_seen_through is 'Hits with stamps up to this one are seen, of every watch';

alter table invitation
  add column role text collate "C" not null default 'administrator'
    check (role in ('administrator', 'member', 'developer'));
comment on column invitation.role is 'Of the person who joins with it';

-- step: up to where a person has seen the hits of one watch, where that is later
create table hit_seen (
  user_id uuid not null references portal_user,
  watch_id uuid not null references watch on delete cascade,
  seen_through timestamptz not null,
  primary key (user_id, watch_id)
);
create index hit_seen_watch on hit_seen (watch_id);

-- step: the recent searches of a person, a bounded number of each
create table recent_search (
  user_id uuid not null references portal_user,
  -- Of `search`, which may be too long for an index.
  digest bytea not null,
  -- The query of the explorer's page.
  search text not null,
  -- How many records it found; null if they were not counted.
  found bigint,
  searched_at timestamptz not null,
  primary key (user_id, digest)
);
create index recent_search_user on recent_search (user_id, searched_at);
