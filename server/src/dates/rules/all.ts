/** Every rule, as the page of rules lists them. Order counts: of the rules of a line the first that fits is used. */
import type { Rule } from '../rule.ts';
import { AMERICAS } from './americas.ts';
import { ASIA_PACIFIC } from './asia-pacific.ts';
import { EUROPE } from './europe.ts';
import { INTERNATIONAL } from './international.ts';

export const RULES: readonly Rule[] = [...AMERICAS, ...EUROPE, ...ASIA_PACIFIC, ...INTERNATIONAL];
