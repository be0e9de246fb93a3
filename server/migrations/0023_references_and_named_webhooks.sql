-- A customer's own reference on a watch (docs/design/watches.md), and ids of webhooks that programs choose
-- (docs/design/webhooks-and-mail.md). Programs that do not know them serve as before: what they make has neither.
-- works with programs since 0022

-- step: references
alter table watch add column reference text;
alter table watch add constraint watch_reference_check check (reference <> '') not valid;
alter table watch validate constraint watch_reference_check;
comment on column watch.reference is 'The customer''s own, such as the number of a matter; null: none';

-- step: ids of webhooks
alter table webhook add column id text collate "C";
alter table webhook add constraint webhook_id_check check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$') not valid;
alter table webhook validate constraint webhook_id_check;
comment on column webhook.id is 'Chosen by the customer; null: webhook_id, as for those that people add in the portal';
create unique index webhook_own_id on webhook (customer_id, coalesce(id, webhook_id));
