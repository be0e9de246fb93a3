/** The page of what readers were compared with, over every real file, and the figures of it in the portal. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AUDIT_PATH, FIGURES_PATH, makeAudit, renderAudit, renderFigures } from '../support/audit.ts';
import { skipWithout } from '../support/formats.ts';
import { DIFFERENT_RECORDS } from '../support/real-files.ts';

test('docs/audit.md and the figures of the portal say what the real files say, and no value differs [2.2]', {
  skip: skipWithout('trial-inputs'),
}, async () => {
  const audit = await makeAudit();
  for (const { register, format, uids, compared, differences } of audit.rows) {
    assert.deepEqual([...differences], [], `${register} ${format}`);
    assert.equal(compared.size, uids.size, `every record of ${register} ${format} is compared`);
  }
  for (const [name, different] of Object.entries(DIFFERENT_RECORDS)) {
    if (name === 'jpo') continue;
    const found = audit.rows.filter(({ format }) => format === name).reduce((sum, { uids }) => sum + uids.size, 0);
    assert.equal(found, different, name);
  }
  assert.equal(readFileSync(AUDIT_PATH, 'utf8'), renderAudit(audit));
  assert.equal(readFileSync(FIGURES_PATH, 'utf8'), renderFigures(audit));
});
