/** Fills the tests column of docs/rules.md from the rules that test titles cite. */
import { readFileSync, writeFileSync } from 'node:fs';
import { RULES_PATH, renderRules } from '../server/test/support/rules.ts';

const current = readFileSync(RULES_PATH, 'utf8');
const rendered = renderRules(current);
if (rendered !== current) writeFileSync(RULES_PATH, rendered);
console.log(rendered === current ? 'docs/rules.md is up to date' : 'docs/rules.md rewritten');
