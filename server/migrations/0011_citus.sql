-- Publishes of a database whose tables lie on several nodes (docs/decisions/0112). There a publish is committed on one
-- node after the other, and counts once it is on all of them. On one database it counts when it is committed.
-- works with programs since 0001

alter table publish_clock add column announced_stamp timestamptz check (announced_stamp <= last_stamp);
comment on column publish_clock.announced_stamp is
  'Publishes up to this stamp are committed on every node; null on one database: those up to last_stamp are';
