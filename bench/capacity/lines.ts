/**
 * Writes generated records to a file, in a separate process next to a load: `lines.ts FILE FIRST RECORDS PAYLOAD`.
 * Compiled sources, because they generate twice as fast.
 */
import { generateLines } from '../../server/dist/generator/generate.js';
import type { PayloadMode } from '../../server/dist/generator/options.js';
import { writeFileOfLines } from '../../server/dist/generator/write.js';
import { SEED } from '../search/data.ts';

const [, , file = '', first = '', records = '', payload = ''] = process.argv;
const options = { seed: SEED, first: Number(first), records: Number(records), payload: payload as PayloadMode };
await writeFileOfLines(generateLines(options), file);
