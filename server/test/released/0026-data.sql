-- Data for schema version 0026: every table has rows, and those that grow with records and calls have thousands.

insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, source_version, line_digest,
  mark_variants, detail, is_partial, named_parts)
select 'XA', 'U' || n, timestamptz '2026-01-01Z' + n * interval '1 second', '2026-01-01Z', sha256(n::text::bytea),
  case when n % 3 = 0 then n::text end, sha256(('line' || n)::bytea), case when n % 5 = 0 then 'variant ' || n end,
  json_build_object('jurisdiction_code', 'XA', 'uid', 'U' || n, 'text', repeat(md5(n::text), 20))::text,
  n % 7 = 0, case when n % 2 = 0 then 'part' || n || chr(31) || 'part' || n + 1 end
from generate_series(1, 4000) n;
insert into payload select jurisdiction_code, uid, json_build_object('uid', uid)::text from record;
insert into payload_dictionary values (substring(sha256('dictionary') for 8), 'XA', 'dictionary', '2026-01-01Z');
insert into record_version
select jurisdiction_code, uid, first_seen_at - interval '1 day', updated_at, 'office', null, null, detail, false
from record;
insert into publish_digest select jurisdiction_code, updated_at, 1, n from record, generate_series(1, 1) n;
insert into register values ('XA', 4000, '2026-01-02Z', null);
update publish_clock set last_stamp = '2026-01-03Z';
insert into clock_repair values ('2026-01-01Z', '2026-01-02Z');

insert into load (load_id, format, source, state, started_at, finished_at, read_count)
select gen_random_uuid(), 'ndjson', 'file ' || n, 'finished', '2026-01-01Z', '2026-01-01Z', n
from generate_series(1, 50) n;
insert into register_load select 'XA', load_id from load;
insert into load_file select load_id, 1, 'file', 1, sha256('file'), '2026-01' from load;
insert into publish select timestamptz '2026-01-01Z' + row_number() over () * interval '1 second', load_id from load;
insert into source_file (source, name, revision, period, fingerprint, state, seen_at)
select 'daily', 'file ' || n, 1, '2026-01', 'size', 'loaded', '2026-01-01Z' from generate_series(1, 2000) n;
insert into source_check values ('daily', '2026-01-01Z', '2026-01-01Z', null, false, null, null, '{}');
insert into load_issue select load_id, 'code', 'path', n::text, n, '[]' from load, generate_series(1, 60) n;
insert into load_reject select load_id, n, 'line ' || n, 'reason', 'raw' from load, generate_series(1, 60) n;
insert into source_row
select case when n % 2 = 0 then 'jpo' else 'supplement' end, 'table', 'row' || n, 'part' || n, 'link' || n, false, null, '{}'
from generate_series(1, 3000) n;
insert into supplement_change select 'part' || n, load_id from (select load_id from load limit 1) one, generate_series(1, 2000) n;

insert into customer select gen_random_uuid(), 'customer ' || n, '2026-01-01Z' from generate_series(1, 20) n;
insert into access_key
select 'key' || row_number() over () || '_' || n, customer_id, 'name', '2026-01-01Z', case when n = 3 then now() end
from customer, generate_series(1, 3) n;
insert into key_secret select key_id, n, sha256((key_id || n)::bytea), '2026-01-01Z', case when n = 1 then now() end
from access_key, generate_series(1, 2) n;
insert into key_product (key_id, product, enabled, rate_limit_per_minute, quota, month, units_used, day, day_units)
select key_id, product, true, 1000, 100000, '2026-01-01', 10, '2026-01-02', 5
from access_key, unnest(array['records', 'analytics']) product;
insert into agreement select key_id, product, 1000, 100000 from key_product;
insert into quota_notice select key_id, product, '2026-01-01', 80, 100000, '2026-01-02Z' from key_product;
insert into usage_day select key_id, product, date '2025-01-01' + n, n from key_product, generate_series(0, 40) n;
insert into refusal_day select key_id, product, date '2025-01-01' + n, 'rate_limited', n
from key_product, generate_series(0, 40) n;
insert into access_audit
select gen_random_uuid(), '2026-01-01Z', 'test', 'key.issue', customer_id, key_id, '{}' from access_key, generate_series(1, 40);
select keep_call_days();
insert into call_log
select key_id, now() - n * interval '1 minute', gen_random_uuid(), 'records', '/v1/trademarks', 200, 1, 1.5
from access_key, generate_series(1, 60) n;
insert into call_hour select key_id, date_trunc('hour', now()) - n * interval '1 hour', false, n, n
from access_key, generate_series(1, 40) n;

insert into portal_user select gen_random_uuid(), customer_id, name || '@example.org', 'hash', '2026-01-01Z' from customer;
insert into invitation
select sha256(name::bytea), customer_id, name || '@example.com', '2026-01-01Z', '2026-02-01Z' from customer;
insert into portal_session select sha256(email::bytea), user_id, now(), now() from portal_user;
insert into portal_attempt select sha256(email::bytea), now(), 1 from portal_user;
insert into portal_signing values (true, sha256('signing'));
insert into portal_key select key_id from access_key;
insert into portal_form select sha256(email::bytea), sha256('form'), '/portal', now() from portal_user;
insert into portal_reveal select token_digest, 'key', 'sealed', now() from portal_session;
insert into saved_search select customer_id, 'id', 'name', 'nice_classes=9', '2026-01-01Z' from customer;
insert into recent_search select user_id, sha256('search'), 'nice_classes=9', 1, '2026-01-01Z' from portal_user;
insert into similar_judgement
select customer_id, 'digest', 'XA', 'U' || n, true, name, '2026-01-01Z' from customer, generate_series(1, 100) n;
insert into dismissal values ('matter', 'state', 'note', 'operator', '2026-01-01Z');

insert into watch (watch_id, customer_id, id, name, kind, item_count, revision, created_at, changed_at, holds_from, change_number)
select gen_random_uuid(), customer_id, kind, kind, kind, 1, 1, '2026-01-01Z', '2026-01-01Z', '2026-01-01Z', 1
from customer, unnest(array['records', 'owners']) kind;
insert into watch_record select watch_id, 'XA', 'U' || n from watch, generate_series(1, 60) n where kind = 'records';
insert into watch_owner select watch_id, 'OWNER ' || n from watch, generate_series(1, 60) n where kind = 'owners';
insert into watch_hit select watch_id, '2026-01-01Z', 'XA', 'U' || n, 'begins' from watch, generate_series(1, 60) n;
insert into hit_likeness select watch_id, stamp, jurisdiction_code, uid, '{}' from watch_hit;
insert into hit_seen select user_id, watch_id, '2026-01-01Z' from portal_user join watch using (customer_id);
insert into hit_handling (watch_id, stamp, jurisdiction_code, uid, event, note, changed_at, changed_by)
select watch_id, stamp, jurisdiction_code, uid, event, 'note', '2026-01-01Z', user_id
from watch_hit join watch using (watch_id) join portal_user using (customer_id);
insert into webhook (webhook_id, customer_id, url, host, secret, created_at)
select name, customer_id, 'https://example.org/', 'example.org:443', 'secret', '2026-01-01Z' from customer;
insert into webhook_delivery (delivery_id, webhook_id, watch_id, after, through, created_at, delivered_at)
select gen_random_uuid(), webhook_id, watch.watch_id, '2026-01-01Z', '2026-01-02Z', '2026-01-02Z', '2026-01-02Z'
from webhook join watch using (customer_id), generate_series(1, 60) n;
insert into webhook_test (test_id, customer_id, webhook_id, created_at)
select gen_random_uuid(), customer_id, webhook_id, '2026-01-01Z' from webhook;
insert into hit_digest select user_id, '2026-01-01Z', '2026-01-01Z', null, '2026-01-02Z' from portal_user;

insert into docket (docket_id, customer_id, name, created_at, rows, survey)
select gen_random_uuid(), customer_id, 'docket.csv', '2026-01-01Z', 1, '{}' from customer;
insert into docket_part (docket_id, number, rows, cells) select docket_id, n, 1, 'cells' from docket, generate_series(0, 9) n;
insert into docket_mark select docket_id, 1, 0, 'found', 'done', null, 'somebody', '2026-01-01Z' from docket;
insert into docket_memory select customer_id, 'secret', '2026-01-01Z' from customer;
insert into docket_memory_row
select customer_id, sha256(n::text::bytea), docket_id, 'found', sha256('finding'), null, null, '2026-01-01Z'
from docket, generate_series(1, 100) n;
insert into calendar (calendar_id, customer_id, docket_id, secret_digest, created_at, created_by)
select gen_random_uuid(), customer_id, docket_id, sha256(user_id::text::bytea), '2026-01-01Z', user_id
from docket join portal_user using (customer_id);
insert into date_reminder select user_id, '2026-01-01Z', '2026-01-01', null, '2026-01-02Z' from portal_user;
insert into filing_alarm (alarm_id, customer_id, jurisdiction_code, uid, filing, filed_on, warn_on, created_at, created_by,
  checked_through)
select gen_random_uuid(), customer_id, 'XA', 'U1', 'renewal', '2026-01-01', '2026-02-01', '2026-01-01Z', user_id,
  '2026-01-01Z'
from portal_user;

analyze;
