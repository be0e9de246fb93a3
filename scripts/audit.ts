/** Writes docs/audit.md, and the figures of it that the portal shows, from all real register files next to the checkout. */
import { writeFileSync } from 'node:fs';
import { AUDIT_PATH, FIGURES_PATH, makeAudit, renderAudit, renderFigures } from '../server/test/support/audit.ts';
import { skipWithout } from '../server/test/support/formats.ts';

const missing = skipWithout('trial-inputs');
if (missing !== false) {
  console.error(missing);
  process.exitCode = 1;
} else {
  const audit = await makeAudit();
  writeFileSync(AUDIT_PATH, renderAudit(audit));
  writeFileSync(FIGURES_PATH, renderFigures(audit));
  console.log('docs/audit.md written');
}
