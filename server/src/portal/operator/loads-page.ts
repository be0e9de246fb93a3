/** The loads, newest first. */
import { html } from 'htm/preact';
import type { LoadSummary } from '../../store/publish/loads.ts';
import type { Page } from '../frame/call.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { linkTo, renderFurther, renderListing } from './listing.ts';

export const LOADS_PAGE = 50;

const STATE_CLASSES: Readonly<Record<LoadSummary['state'], string>> = {
  staging: 'waiting',
  publishing: 'waiting',
  finished: 'live',
  failed: 'ended',
  interrupted: 'ended',
};

export function renderLoadState({ state }: LoadSummary): unknown {
  return html`<span class=${`state ${STATE_CLASSES[state]}`}>${state}</span>`;
}

export function renderLoads(found: readonly LoadSummary[]): Page {
  const rows = found.slice(0, LOADS_PAGE);
  const last = found.length > LOADS_PAGE ? rows.at(-1) : undefined;
  const further =
    last === undefined ? null : linkTo('/portal/operator/loads', { before: `${last.started_at}_${last.load_id}` });
  const counts = ['read', 'new', 'changed', 'unchanged', 'rejected', 'issues'] as const;
  const body = html`
    <h1>Loads</h1>
    ${renderListing({
      label: 'Loads',
      rows,
      keyOf: ({ load_id }) => load_id,
      empty: 'Nothing has been loaded yet.',
      columns: [
        {
          title: 'Load',
          cell: ({ load_id }) => html`
            <a href=${`/portal/operator/loads/${load_id}`}><code>${load_id.slice(0, 8)}</code></a>
          `,
        },
        { title: 'Started', cell: ({ started_at }) => renderInstant(started_at) },
        { title: 'State', cell: renderLoadState },
        { title: 'Format', cell: ({ format }) => format },
        ...counts.map((name) => ({
          title: name.replace(/^./, (letter) => letter.toUpperCase()),
          cell: (load: LoadSummary) => formatCount(load[name]),
          kind: 'number' as const,
        })),
        { title: 'Source', cell: ({ source }) => html`<bdi>${source}</bdi>`, kind: 'name' },
      ],
    })}
    ${renderFurther(further, 'Older loads')}
  `;
  return { title: 'Operator: loads', body, section: 'operator/loads', wide: true };
}
