-- What the operator agreed with customers becomes a table (docs/design/portal.md). It was derived from the keys, and from
-- notes of what customers did to them. A program of an older schema would write those notes and not this table, so it has
-- to end first.

create table agreement (
  key_id text collate "C" not null references access_key,
  product text collate "C" not null,
  rate_limit_per_minute int not null,
  quota bigint,
  primary key (key_id, product)
);
comment on table agreement is
  'What the operator sold of a product with a key and has not ended; nothing that the customer does to the key changes it';
comment on column agreement.quota is 'Units a month; null: unlimited';

insert into agreement (key_id, product, rate_limit_per_minute, quota)
select p.key_id, p.product, p.rate_limit_per_minute,
  case when q.key_id is not null and q.given is not distinct from p.quota then q.agreed else p.quota end
from access_key k
join key_product p on p.key_id = k.key_id and p.enabled
left join portal_key o on o.key_id = k.key_id
left join portal_quota q on q.key_id = p.key_id and q.product = p.product
where not coalesce(o.issued_here, false) and (k.revoked_at is null or coalesce(o.revoked_here, false));

drop table portal_quota;
delete from portal_key where not issued_here;
alter table portal_key drop column issued_here, drop column revoked_here;
comment on table portal_key is 'Keys that their customers issued in the portal, within the agreement';
