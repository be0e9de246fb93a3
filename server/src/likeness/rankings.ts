/** What a scan is given of the names that are held, and what it makes. */
import type { LikenessStrategy } from '@tmds/contract/likeness';
import type { Ranking } from './ranking.ts';

/** Which names are compared: 1 by the number of the name. Null: all. */
export type HeldNames = Uint8Array | null;

/** The lists of the chosen strategies. */
export type Rankings = ReadonlyMap<LikenessStrategy, Ranking>;
