/**
 * Reads the content of one export file, page after page of the API. Pages are requested like those of the explorer, so
 * a file that is downloaded again within minutes costs nothing for them. Invariant: a file never ends early without
 * saying so.
 */
import type { SearchPage } from '@tmds/contract/record';
import { isoInstant } from '../../base/clock.ts';
import { type Explorer, searchOptions } from '../explorer/ask.ts';
import { type ExportPlan, exportPath, FILE_ROWS_MAX, pageRowsOf, pageTarget } from '../explorer/export-plan.ts';
import type { ExportPart } from './formats.ts';
import type { ExportProgress } from './progress.ts';

export interface FileOrder {
  readonly plan: ExportPlan;
  readonly keyId: string;
  /** Scheme and authority of the portal as the browser reaches it. */
  readonly origin: string;
}

export async function* readParts(
  { services, answers }: Explorer,
  progress: ExportProgress,
  { plan, keyId, origin }: FileOrder,
): AsyncGenerator<ExportPart> {
  let cursor = plan.cursor;
  let rows = 0;
  let refusal: string | null = null;
  let isWhole = false;
  for (let pages = 0; pages * pageRowsOf(plan) < FILE_ROWS_MAX && !isWhole && refusal === null; pages += 1) {
    const target = pageTarget(plan, cursor);
    const options = searchOptions(target, services);
    const question = { keyId, target, stamp: '', ...options };
    const { answer } = await answers.find(question, () => services.callApi(keyId, target, options));
    refusal = answer.refusal?.code ?? null;
    if (refusal !== null) break;
    const { items, next_cursor: next } = answer.body as SearchPage;
    if (items.length > 0) yield items;
    rows += items.length;
    cursor = next ?? cursor;
    isWhole = next === null;
  }
  if (!isWhole) {
    const row = plan.before === null ? null : plan.before + rows;
    const continueAt = `${origin}${exportPath(plan, keyId, cursor === null ? null : { cursor, row })}`;
    yield { reason: refusal ?? 'part_complete', continueAt };
  }
  const at = isoInstant(services.clock.nowMs());
  progress.note(keyId, pageTarget(plan, plan.cursor), { rows, at, cursor: isWhole ? null : cursor, refusal });
}
