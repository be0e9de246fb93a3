/** Writes the documents that derive from tables: the interface description, the API page, a page for each error. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DOCUMENT_SCHEMA } from '@tmds/contract/document';
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { renderParameterTypes, renderRecordTypes } from '../client/scripts/types.ts';
import { buildDescription } from '../server/src/render/description/document.ts';
import { buildDocumentPage } from '../server/src/render/description/document-page.ts';
import {
  buildApiPage,
  buildErrorPage,
  buildErrorsPage,
  renderMarkdown,
} from '../server/src/render/description/pages.ts';
import { buildCollection } from '../server/src/render/description/samples.ts';
import { PYTHON_FILES } from './python/files.ts';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));

writeFileSync(`${docs}openapi.json`, `${JSON.stringify(buildDescription({ recordPrefix: 'records' }), null, 2)}\n`);
writeFileSync(`${docs}collection.json`, `${JSON.stringify(buildCollection(), null, 2)}\n`);
writeFileSync(`${docs}document.md`, renderMarkdown(buildDocumentPage()));
writeFileSync(`${docs}document.schema.json`, `${JSON.stringify(DOCUMENT_SCHEMA, null, 2)}\n`);
writeFileSync(`${docs}errors.md`, renderMarkdown(buildErrorsPage()));
writeFileSync(`${docs}api.md`, renderMarkdown(buildApiPage()));
rmSync(`${docs}errors`, { recursive: true, force: true });
mkdirSync(`${docs}errors`);
for (const code of Object.keys(ERRORS) as ErrorCode[]) {
  writeFileSync(`${docs}errors/${code}.md`, renderMarkdown(buildErrorPage(code)));
}

const client = fileURLToPath(new URL('../client/src/', import.meta.url));
writeFileSync(`${client}parameters.ts`, renderParameterTypes());
writeFileSync(`${client}record.ts`, renderRecordTypes());

const python = fileURLToPath(new URL('../clients/python/src/tmds_client/', import.meta.url));
for (const [name, render] of Object.entries(PYTHON_FILES)) writeFileSync(`${python}${name}`, render());
