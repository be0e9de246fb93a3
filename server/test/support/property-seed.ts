/** Gives every property of a whole run the seed of the run. Imported before the tests by `scripts/test.ts`. */
import fc from 'fast-check';
import { SEED } from './depth.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
