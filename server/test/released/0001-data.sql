-- Data for schema version 0001: every table has rows, and those that grow with records and calls have thousands.

insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, source_version, line_digest,
  mark_variants, detail, is_partial, named_parts)
select 'XA', 'U' || n, timestamptz '2026-01-01Z' + n * interval '1 second', '2026-01-01Z', sha256(n::text::bytea),
  case when n % 3 = 0 then n::text end, sha256(('line' || n)::bytea), case when n % 5 = 0 then 'variant ' || n end,
  json_build_object('jurisdiction_code', 'XA', 'uid', 'U' || n, 'text', repeat(md5(n::text), 20))::text,
  n % 7 = 0, case when n % 2 = 0 then 'part' || n || chr(31) || 'part' || n + 1 end
from generate_series(1, 4000) n;
insert into payload select jurisdiction_code, uid, json_build_object('uid', uid)::text from record;
insert into publish_digest select jurisdiction_code, updated_at, 1, n from record, generate_series(1, 1) n;
insert into register values ('XA', 4000, '2026-01-02Z', null);
update publish_clock set last_stamp = '2026-01-03Z';
insert into clock_repair values ('2026-01-01Z', '2026-01-02Z');

insert into load (load_id, format, source, state, started_at, finished_at, read_count)
select gen_random_uuid(), 'ndjson', 'file ' || n, 'finished', '2026-01-01Z', '2026-01-01Z', n
from generate_series(1, 50) n;
insert into register_load select 'XA', load_id from load;
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
insert into portal_key select key_id, true, false from access_key;
insert into portal_quota select key_id, 'records', 10, 20 from access_key;
insert into portal_form select sha256(email::bytea), sha256('form'), '/portal', now() from portal_user;
insert into portal_reveal select token_digest, 'key', 'sealed', now() from portal_session;

analyze;
