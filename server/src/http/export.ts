/** The endpoint of a search as a file; it answers one page, and `stream-pages.ts` lets the others follow. */
import { parseExport } from '../parse/search.ts';
import { type ExportPlan, planExport } from '../plan/export.ts';
import { listRegisters } from '../plan/search.ts';
import { renderExportPage } from '../render/export.ts';
import { defineEndpoint } from './endpoint.ts';
import { readSearch } from './search.ts';

export const exportEndpoint = defineEndpoint({
  name: 'export',
  parse: ({ values }) => parseExport(values),
  plan: planExport,
  covers: ({ search }: ExportPlan) => listRegisters(search.conditions),
  read: ({ search }, services, call) => readSearch(search, services, call),
  render: (page, plan) => renderExportPage(page, plan, plan.search.after === null),
  isStaged: true,
});
