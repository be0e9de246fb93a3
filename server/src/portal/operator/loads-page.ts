/** The loads, newest first. */
import { html } from 'htm/preact';
import type { LoadSummary } from '../../store/publish/loads.ts';
import type { Page } from '../frame/call.ts';
import { type Level, renderBadge, renderHeading } from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { linkTo, renderFurther, renderListing } from './listing.ts';

export const LOADS_PAGE = 50;

const STATE_LEVELS: Readonly<Record<LoadSummary['state'], Level>> = {
  staging: 'plain',
  publishing: 'plain',
  finished: 'good',
  failed: 'bad',
  interrupted: 'warn',
};

export function renderLoadState({ state }: LoadSummary): unknown {
  return renderBadge(STATE_LEVELS[state], state);
}

export function renderLoads(found: readonly LoadSummary[]): Page {
  const rows = found.slice(0, LOADS_PAGE);
  const last = found.length > LOADS_PAGE ? rows.at(-1) : undefined;
  const further =
    last === undefined ? null : linkTo('/portal/operator/loads', { before: `${last.started_at}_${last.load_id}` });
  const counts = ['read', 'new', 'changed', 'unchanged', 'rejected', 'issues'] as const;
  const body = html`
    ${renderHeading('Loads')}
    ${renderListing({
      label: 'Loads',
      rows,
      keyOf: ({ load_id }) => load_id,
      empty: 'Nothing has been loaded yet.',
      columns: [
        {
          label: 'Load',
          cell: ({ load_id }) => html`
            <a href=${`/portal/operator/loads/${load_id}`}><code>${load_id.slice(0, 8)}</code></a>
          `,
        },
        { label: 'Started', cell: ({ started_at }) => renderInstant(started_at) },
        {
          label: 'State',
          cell: (load) => html`
            ${renderLoadState(load)}${load.failure === null ? null : html`<br /><bdi>${load.failure}</bdi>`}
          `,
        },
        { label: 'Format', cell: ({ format }) => format },
        ...counts.map((name) => ({
          label: name.replace(/^./, (letter) => letter.toUpperCase()),
          cell: (load: LoadSummary) => formatCount(load[name]),
          style: 'number' as const,
        })),
        { label: 'Source', cell: ({ source }) => html`<bdi>${source}</bdi>`, style: 'name' },
      ],
    })}
    ${renderFurther(further, 'Older loads')}
  `;
  return { title: 'Operator: loads', body, section: 'operator/loads' };
}
