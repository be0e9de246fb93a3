/**
 * What else a search that finds nothing may have meant: without accents, the beginning or a part of a name, other
 * registers, without one of the filters. Each comes with its exact count, which costs no unit.
 */
import { FILTER_DATES } from '@tmds/contract/enums';
import { normalForm } from '@tmds/contract/text';
import { html } from 'htm/preact';
import { renderCount } from '../frame/components.ts';
import { formatDate } from '../frame/pieces.ts';
import { countMatches } from '../search/readings.ts';
import type { PortalServices } from '../services.ts';
import type { LinkWith, SearchPairs } from './search-pairs.ts';
import { describeFilters, labelOf, listFilters } from './search-words.ts';

interface Near {
  readonly title: string;
  readonly pairs: SearchPairs;
}

export interface CountedNear extends Near {
  readonly count: number;
}

const NEAR_MAX = 8;
const DROPPED_MAX = 3;

const NAME = /^(mark_name|owner_name|representative_name)(_contains|_startswith)?$/;

const PHRASES = {
  mark_name: 'Marks named',
  mark_name_startswith: 'Marks starting with',
  mark_name_contains: 'Marks containing',
  owner_name: 'Owners named',
  owner_name_startswith: 'Owners starting with',
  owner_name_contains: 'Owners containing',
  representative_name: 'Representatives named',
  representative_name_startswith: 'Representatives starting with',
  representative_name_contains: 'Representatives containing',
} as const;

function listNear(pairs: SearchPairs): Near[] {
  const filters = listFilters(pairs);
  const change = (from: string, name: string, value: string): Near => ({
    title: `${PHRASES[name as keyof typeof PHRASES] ?? labelOf(name)} “${value}”`,
    pairs: filters.map((pair) => (pair[0] === from ? [name, value] : pair)),
  });
  const ofNames = filters.flatMap(([name, text]): Near[] => {
    const [, family, ending = ''] = NAME.exec(name) ?? [];
    if (family === undefined) return [];
    const plain = normalForm(normalForm(text, 'NFD').replace(/\p{M}/gu, ''));
    const [longest = ''] = text.split(/\s+/u).sort((one, other) => other.length - one.length);
    return [
      ...(plain === text ? [] : [change(name, name, plain)]),
      ...(ending === '' ? [change(name, `${family}_startswith`, text)] : []),
      ...(ending === '_contains' ? [] : [change(name, `${family}_contains`, text)]),
      ...(plain === text || ending === '_contains' ? [] : [change(name, `${family}_contains`, plain)]),
      ...(longest === text || longest.length < 3 ? [] : [change(name, `${family}_contains`, longest)]),
    ];
  });
  const swapped = swapDays(filters);
  const isScoped = filters.some(([name]) => name === 'jurisdiction');
  const elsewhere = isScoped
    ? ofNames.map(({ title, pairs: near }) => ({
        title: `${title} in all registers`,
        pairs: near.filter(([name]) => name !== 'jurisdiction'),
      }))
    : [];
  const dropped = filters
    .filter(([name]) => name !== 'jurisdiction' && !NAME.test(name))
    .slice(0, DROPPED_MAX)
    .flatMap((pair): Near[] =>
      filters.length < 2
        ? []
        : [{ title: `Without ${describeFilters([pair])}`, pairs: filters.filter((other) => other !== pair) }],
    );
  return [...swapped, ...ofNames.slice(0, NEAR_MAX - DROPPED_MAX), ...dropped, ...elsewhere].slice(0, NEAR_MAX);
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function swapDays(filters: SearchPairs): Near[] {
  return FILTER_DATES.flatMap((date): Near[] => {
    const [from, to] = [`${date}_from`, `${date}_to`];
    const dayOf = (wanted: string): string => filters.find(([name]) => name === wanted)?.[1] ?? '';
    const [first, last] = [dayOf(to), dayOf(from)];
    if (!DAY.test(first) || !DAY.test(last) || first >= last) return [];
    const days: Readonly<Record<string, string>> = { [from]: first, [to]: last };
    return [
      {
        title: `${labelOf(date)} from ${formatDate(first)} to ${formatDate(last)}`,
        pairs: filters.map(([name, value]) => [name, days[name] ?? value]),
      },
    ];
  });
}

/** Those that find something, and were counted in time. */
export async function countNear(
  customerId: string,
  pairs: SearchPairs,
  services: Pick<PortalServices, 'countFacets'>,
): Promise<CountedNear[]> {
  const counted = await Promise.all(
    listNear(pairs).map(async (near) => ({ ...near, count: await countMatches(customerId, near.pairs, services) })),
  );
  return counted.flatMap((near) => (near.count === null || near.count === 0 ? [] : [{ ...near, count: near.count }]));
}

/** `pairs`: the search that found nothing. Null if nothing near it finds anything. */
export function renderNear(near: readonly CountedNear[], pairs: SearchPairs, linkWith: LinkWith): unknown {
  if (near.length === 0) return null;
  const removed = Object.fromEntries(pairs.map(([name]) => [name, null]));
  return html`
    <section id="near" aria-label="Searches near this one">
      <p>These find something:</p>
      <ul>
        ${near.map(({ title, pairs: set, count }) => {
          const href = linkWith({ ...removed, cursor: null, ...Object.fromEntries(set) });
          return html`<li><a rel="nofollow" href=${href}><bdi>${title}</bdi></a>${' '}${renderCount(count)}</li>`;
        })}
      </ul>
    </section>
  `;
}
