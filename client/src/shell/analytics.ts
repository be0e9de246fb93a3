/** `dates` and `similar`: what the product `analytics` answers. */
import type { SimilarPage } from '@tmds/contract/likeness';
import { UsageError } from '../docket/options.ts';
import type { DueParameters, SimilarParameters } from '../query.ts';
import { formatCount } from '../replica/progress.ts';
import { note, openList, type ShellCall } from './call.ts';
import { DUE_FLAGS, FILTER_FLAGS, SIMILAR_FLAGS } from './flags.ts';
import { DATES, DUE, SIMILAR } from './views.ts';

const SHOWN_DEFAULT = 100;
const SHOWN_MAX = 100_000;

/** The dates of one record, or what is due between two days. */
export async function runDates(call: ShellCall): Promise<void> {
  const { given, options } = call;
  const [register, uid, ...rest] = given.positionals;
  const isOfOne = register !== undefined && uid !== undefined && rest.length === 0;
  if (!isOfOne && (register !== undefined || !given.has('from') || !given.has('to'))) {
    throw new UsageError('dates takes REGISTER UID, or --from DATE --to DATE with filters');
  }
  const { analytics } = await call.client();
  if (isOfOne) {
    const { dates, disclaimer } = await analytics.dates(register, uid, options);
    await openList(call, DATES)(dates);
    return note(call, disclaimer);
  }
  const asked = { ...given.pick(DUE_FLAGS), ...given.pick(FILTER_FLAGS) } as unknown as DueParameters;
  const max = given.integer('max', 1, SHOWN_MAX) ?? SHOWN_DEFAULT;
  const write = openList(call, DUE);
  let shown = 0;
  let cursor: string | null = null;
  do {
    const limit = Math.min(500, max - shown);
    const page = await analytics.dueDates({ ...asked, limit, ...(cursor === null ? {} : { cursor }) }, options);
    await write(page.items);
    shown += page.items.length;
    cursor = page.next_cursor;
    if (cursor === null || shown >= max) note(call, page.disclaimer);
  } while (cursor !== null && shown < max);
  if (shown === 0) note(call, 'nothing is due');
  if (cursor !== null) note(call, 'there are more: --max, or fewer days');
}

/** Names that could be confused with a mark. */
export async function runSimilar(call: ShellCall): Promise<void> {
  const { given, options } = call;
  const [mark, ...rest] = given.positionals;
  if (mark === undefined || rest.length > 0) throw new UsageError('similar takes a MARK, in quotes if it has blanks');
  const { analytics } = await call.client();
  const asked = { ...given.pick(SIMILAR_FLAGS), ...given.pick(FILTER_FLAGS), mark } as unknown as SimilarParameters;
  const page: SimilarPage = await analytics.similar(asked, options);
  await openList(call, SIMILAR)(page.items);
  note(call, `${formatCount(page.names_compared)} names compared`);
  if (page.bounds_met.length > 0) note(call, `left out by a bound: ${page.bounds_met.join(', ')}`);
}
