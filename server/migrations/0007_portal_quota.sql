-- Where a customer divides the units of its agreement anew: what the operator had given a key, and what the customer
-- gave it instead. When the key's quota is no longer what the customer gave, the operator has changed it since.
create table portal_quota (
  key_id text collate "C" not null references access_key,
  product text collate "C" not null,
  agreed bigint,
  given bigint,
  primary key (key_id, product)
);
