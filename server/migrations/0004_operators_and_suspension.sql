-- Operators sign in to the portal beside the people of customers, and a customer can be suspended or removed. New columns
-- are empty or constant, so no table is rewritten; the tables that are checked anew are small. Programs that do not know
-- it serve on, but let a suspended customer in.
-- works with programs since 0003

-- step: customers that are suspended or removed
alter table customer
  add column suspended_at timestamptz,
  add column suspension_reason text,
  add column removed_at timestamptz,
  -- What refuses the keys of a suspended customer refuses those of a removed one.
  add constraint customer_removed_is_suspended check (removed_at is null or suspended_at is not null);
comment on column customer.suspended_at is 'Since when its keys and its people are refused; null while they are not';
comment on column customer.suspension_reason is 'Told to its people when they sign in';
comment on column customer.removed_at is 'Since when nothing here names a person of it, or itself; usage and audit stay';

-- step: operators, who belong to no customer, which nobody else does
alter table portal_user alter column customer_id drop not null;
alter table portal_user add column is_operator boolean not null default false;
alter table portal_user add constraint portal_user_side check (is_operator = (customer_id is null));

alter table invitation alter column customer_id drop not null;
alter table invitation add column is_operator boolean not null default false;
alter table invitation add constraint invitation_side check (is_operator = (customer_id is null));

-- step: the customer whose pages an operator looks at with a session, and since when
alter table portal_session
  add column viewed_customer_id uuid references customer,
  add column viewed_since timestamptz;

-- step: from where something was done
alter table access_audit add column address text;
comment on column access_audit.address is 'The network address of who did it; null for a command, and once the customer is removed';
-- step (alone): the audit of everything, newest first
create index concurrently access_audit_at on access_audit (at, audit_id);
