/** What a key was charged for: as it is stored, and as the service says. */
import type { Queryable } from '../../src/database/driver/db.ts';
import { listUsageDays } from '../../src/store/accounts/usage.ts';
import type { TestService } from './service.ts';

export async function countUnits(db: Queryable, keyId: string): Promise<number> {
  const days = await listUsageDays(db, { keyId, month: null });
  return days.reduce((sum, { units }) => sum + units, 0);
}

/** As `/v1/usage` answers. */
export async function readUnits(service: Pick<TestService, 'call'>, key: string): Promise<number> {
  const { body } = await service.call('/v1/usage', { key });
  return (body as { products: { calls: number }[] }).products[0]!.calls;
}
