/** Writes docs/unmapped.md from all real register files next to the checkout. */
import { writeFileSync } from 'node:fs';
import { skipWithout } from '../server/test/support/formats.ts';
import { renderUnmapped, UNMAPPED_PATH } from '../server/test/support/unmapped.ts';

const missing = skipWithout('trial-inputs');
if (missing !== false) {
  console.error(missing);
  process.exitCode = 1;
} else {
  writeFileSync(UNMAPPED_PATH, await renderUnmapped());
  console.log('docs/unmapped.md written');
}
