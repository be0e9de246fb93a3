-- Customers send test events to their webhooks (docs/design/webhooks-and-mail.md), and operators dismiss what needs
-- attention (docs/design/portal.md). Programs that do not know it serve as before: they send no test, and show every
-- matter.
-- works with programs since 0001

-- step: test events
create table webhook_test (
  test_id uuid primary key,
  customer_id uuid not null references customer,
  -- Null once the webhook is deleted: the row still counts for how many tests the customer sends.
  webhook_id text collate "C" references webhook on delete set null,
  created_at timestamptz not null,
  -- When its one attempt began; null while it waits, and if it was never sent.
  attempted_at timestamptz,
  ended_at timestamptz,
  answer_status int,
  answer_bytes int,
  answer_ms int,
  failure text
);
create index webhook_test_customer on webhook_test (customer_id, created_at);
create index webhook_test_webhook on webhook_test (webhook_id, created_at);
create index webhook_test_waiting on webhook_test (created_at) where attempted_at is null;

-- step: matters that an operator has dismissed
create table dismissal (
  -- Names the matter for as long as it lasts.
  matter text collate "C" primary key,
  -- How the matter was: it is shown again once it is otherwise.
  state text not null,
  note text not null,
  -- Who it was, as the audit names them.
  actor text not null,
  dismissed_at timestamptz not null
);
create index dismissal_dismissed on dismissal (dismissed_at);
