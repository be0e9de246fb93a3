-- Mail about quotas that are used up to a share: each is sent once for a month and a quota, however many processes look.
create table quota_notice (
  key_id text collate "C" not null references access_key,
  product text collate "C" not null,
  -- Its first day, UTC.
  month date not null,
  -- The share of the quota that was reached, in percent.
  percent int not null,
  -- Units a month. A quota that is raised and reached again is another notice.
  quota bigint not null,
  noticed_at timestamptz not null,
  attempts int not null default 0,
  -- Null once it was sent or given up.
  next_attempt_at timestamptz,
  sent_at timestamptz,
  failure text,
  primary key (key_id, product, month, percent, quota)
);
create index quota_notice_next on quota_notice (next_attempt_at) where next_attempt_at is not null;
