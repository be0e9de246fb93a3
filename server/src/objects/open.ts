/** Opens the store of objects that the settings name. */
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/settings.ts';
import type { ObjectStore } from './object-store.ts';
import { openS3 } from './s3.ts';

export type ObjectSettings = Pick<Config, 's3Bucket' | 's3Endpoint' | 's3Prefix' | 's3Region' | 's3KeyId' | 's3Secret'>;

/** Null if they name none. Connects to nothing yet. */
export async function openObjects(settings: ObjectSettings, clock: Clock): Promise<ObjectStore | null> {
  const { s3Bucket: bucket, s3Endpoint, s3Prefix, s3Region, s3KeyId: keyId, s3Secret: secret } = settings;
  if (bucket === null || keyId === null || secret === null) return null;
  return await openS3({ bucket, endpoint: s3Endpoint, prefix: s3Prefix, region: s3Region, keyId, secret, clock });
}
