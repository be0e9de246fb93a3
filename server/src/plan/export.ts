/** Turns the request for an export into a plan: the plan of its search, and how its records are written. Pure. */
import type { ExportRequest } from '../parse/search.ts';
import { planSearch, type SearchPlan } from './search.ts';

export interface ExportPlan extends Pick<ExportRequest, 'format' | 'fields'> {
  readonly search: SearchPlan;
}

/** @throws ApiError `query_too_broad` (rule I-13) */
export function planExport({ search, format, fields }: ExportRequest): ExportPlan {
  return { search: planSearch(search), format, fields };
}
