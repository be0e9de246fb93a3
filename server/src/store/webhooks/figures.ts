/** Figures about webhooks that operators watch. */
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

export interface WebhookFigures {
  readonly live: number;
  /** Switched off by their customers. */
  readonly off: number;
  /** Switched off because of the receiver's answers or failures. */
  readonly failed: number;
  /** Open deliveries of live webhooks. */
  readonly waiting: number;
  /** Age of the oldest of them; 0 if there is none. */
  readonly waiting_seconds: number;
}

export async function countWebhookFigures(db: Queryable): Promise<WebhookFigures> {
  const [figures] = await db.query<WebhookFigures>(sql`
    select count(*) filter (where off_since is null)::float8 as live,
      count(*) filter (where off_reason = 'customer')::float8 as off,
      count(*) filter (where off_reason <> 'customer')::float8 as failed,
      coalesce(sum(open.deliveries), 0)::float8 as waiting,
      coalesce(extract(epoch from now() - min(open.since)), 0)::float8 as waiting_seconds
    from webhook left join (
      select d.webhook_id, count(*) as deliveries, min(d.created_at) as since from webhook_delivery d
      where d.due_at is not null group by d.webhook_id
    ) as open on open.webhook_id = webhook.webhook_id and webhook.off_since is null`);
  return figures!;
}
