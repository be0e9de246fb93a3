/**
 * Stores the secrets that webhooks sign with. A secret must be readable to sign, so it is sealed and not hashed: with
 * the key of the settings, which the database does not hold, or else with one that it holds
 * (docs/design/webhooks-and-mail.md).
 */
import { randomBytes } from 'node:crypto';
import { seal, unseal } from '../access/seal.ts';
import type { Queryable } from '../database/driver/db.ts';
import { findSigningSecret } from '../store/accounts/portal.ts';

export interface SecretBox {
  seal(webhookId: string, secret: string): Promise<Buffer>;
  /** Rejects if the secret was sealed with another key. */
  open(webhookId: string, sealed: Buffer): Promise<string>;
}

/** @param key `TMDS_WEBHOOK_KEY`; null = unset */
export function buildSecretBox(database: Queryable, key: string | null): SecretBox {
  let found: Promise<string | Buffer> | null = key === null ? null : Promise.resolve(key);
  const find = (): Promise<string | Buffer> => {
    found ??= findSigningSecret(database, randomBytes(32)).catch((error: unknown) => {
      found = null;
      throw error;
    });
    return found;
  };
  const useOf = (from: string | Buffer, subject: string) => ({ from, use: 'webhook secret', subject });
  return {
    seal: async (webhookId, secret) => seal(useOf(await find(), webhookId), secret),
    open: async (webhookId, sealed) => unseal(useOf(await find(), webhookId), sealed),
  };
}
