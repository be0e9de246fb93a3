/** Copies the pages that the server shows customers into its package, under the paths that they have here. */
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listSources } from '../server/src/render/documents/catalogue.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
rmSync(`${root}server/pages`, { recursive: true, force: true });
for (const source of listSources()) cpSync(`${root}${source}`, `${root}server/pages/${source}`);
