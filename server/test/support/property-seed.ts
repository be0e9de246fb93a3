/** Gives every property of a whole run the seed of the run. Imported before the tests by `scripts/test.ts`. */
import fc from 'fast-check';
import { SEED } from './cluster.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
