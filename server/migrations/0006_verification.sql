-- What proves a copy equal: how many records of a register bear each stamp, and the exclusive or of the digests of what
-- is delivered of them. Each publish keeps it up, so comparing costs no scan (docs/decisions/0014).

create table publish_digest (
  jurisdiction_code text collate "C" not null,
  updated_at timestamptz not null,
  record_count int not null check (record_count > 0),
  digest bigint not null,
  primary key (jurisdiction_code, updated_at)
) with (fillfactor = 60);
comment on column publish_digest.digest is 'Exclusive or of the first 8 bytes of SHA-256 of record.detail';

insert into publish_digest (jurisdiction_code, updated_at, record_count, digest)
select jurisdiction_code, updated_at, count(*),
  bit_xor(('x' || encode(substring(sha256(convert_to(detail, 'UTF8')) for 8), 'hex'))::bit(64)::bigint)
from record group by jurisdiction_code, updated_at;
