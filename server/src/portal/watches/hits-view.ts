/** The hits of a watch: which record, what happened, and what changed, in the words of its history. */
import type { HitEvent, WatchHitItem } from '@tmds/contract/watches';
import { html } from 'htm/preact';
import { type Opening, recordPath } from '../explorer/record-path.ts';
import { type Level, renderBadge } from '../frame/components.ts';
import { renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { renderChangeLines } from '../history/change-view.ts';
import { meaningOf } from '../history/words.ts';

export const EVENTS: Readonly<Record<HitEvent, readonly [Level, string]>> = {
  begins: ['good', 'new match'],
  changes: ['plain', 'changed'],
  stops: ['off', 'no longer matches'],
};

export function renderHits(hits: readonly WatchHitItem[], opening: Opening): unknown {
  return renderTable<WatchHitItem>({
    label: 'Hits',
    rows: hits,
    keyOf: ({ version, jurisdiction_code, uid }) => `${version} ${jurisdiction_code} ${uid}`,
    columns: [
      {
        label: 'Record',
        isHeader: true,
        style: 'name',
        cell: (hit) => html`<a href=${recordPath(hit, opening)}>${hit.jurisdiction_code} <bdi>${hit.uid}</bdi></a>`,
      },
      { label: 'When', cell: ({ version }) => renderInstant(version, 'second') },
      { label: 'What', cell: ({ event }) => renderBadge(...EVENTS[event]) },
      { label: 'Changed', style: 'words', cell: ({ changes }) => renderChangeLines(changes) },
      { label: 'Why', style: 'words', cell: ({ cause }) => meaningOf(cause) },
    ],
  });
}
