import type { Payload } from '@tmds/contract/record';
import type { World } from './core.ts';
import type { Draft } from './record.ts';
export type PayloadMode = 'full' | 'small' | 'none';
export function buildPayload(_world: World, _draft: Draft, _mode: PayloadMode): Payload | null {
  return null;
}
