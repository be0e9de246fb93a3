/** Lists that are cut into pages: the position after which one continues, and the link to the next. */
import { renderPager } from './components.ts';

const INSTANT = String.raw`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z`;
const POSITIONS = {
  uuid: new RegExp(`^(${INSTANT})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`),
  key: new RegExp(`^(${INSTANT})_([\\w-]{1,64})$`),
};

/** An instant of the calendar and an id; null for a text that none of our pages made. */
export function readPosition(
  query: URLSearchParams,
  of: keyof typeof POSITIONS = 'uuid',
): { readonly at: string; readonly id: string } | null {
  const [, at = '', id = ''] = POSITIONS[of].exec(query.get('before') ?? '') ?? [];
  const ms = Date.parse(at);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(at.slice(0, 10)) ? { at, id } : null;
}

/** The first `max` rows, and what `next` makes of the last of them; null if there are no more. */
export function cutPage<Row, Next>(
  found: readonly Row[],
  max: number,
  next: (last: Row) => Next,
): { readonly rows: readonly Row[]; readonly further: Next | null } {
  const rows = found.slice(0, max);
  return { rows, further: found.length > max ? next(rows.at(-1)!) : null };
}

export function linkTo(path: string, parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  const query = new URLSearchParams(given).toString();
  return query === '' ? path : `${path}?${query}`;
}

export function renderFurther(href: string | null, label: string, rel: string | null = 'nofollow'): unknown {
  return href === null ? null : renderPager([{ label, href, ...(rel === null ? {} : { rel }) }]);
}
