/**
 * `npm run licences`: writes docs/licences.md from the lock file, and fails if a licence is not allowed. `npm run sbom`
 * prints the same packages as CycloneDX, by npm itself.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { buildCommand } from './command.ts';
import { listRefused, readLockedPackages, renderLicences } from './locked-packages.ts';

buildCommand('npm run licences --', 'Writes docs/licences.md from package-lock.json.').parse();
const packages = readLockedPackages(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const refused = listRefused(packages);
for (const { name, version, licence } of refused) console.error(`${name} ${version}: ${licence} is not allowed`);
writeFileSync(new URL('../docs/licences.md', import.meta.url), renderLicences(packages));
process.exitCode = refused.length === 0 ? 0 : 1;
