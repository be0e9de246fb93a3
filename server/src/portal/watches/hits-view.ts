/** The hits of a watch: which record, what happened, what changed from what into what. */
import { CAUSE_MEANINGS, type FieldChange, type PayloadChange } from '@tmds/contract/history';
import type { HitEvent, WatchHitItem } from '@tmds/contract/watches';
import { html } from 'htm/preact';
import { type Opening, recordPath } from '../explorer/record-path.ts';
import { type Level, renderBadge } from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';

const EVENTS: Readonly<Record<HitEvent, readonly [Level, string]>> = {
  begins: ['good', 'begins to match'],
  changes: ['plain', 'changes'],
  stops: ['off', 'stops matching'],
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
      { label: 'Changed', style: 'words', cell: renderChanges },
      { label: 'Why', style: 'words', cell: ({ cause }) => CAUSE_MEANINGS[cause] },
    ],
  });
}

function renderChanges({ changes }: WatchHitItem): unknown {
  if (changes.length === 0) return null;
  return html`<ul>${changes.map((change) => html`<li key=${change.field}>${renderChange(change)}</li>`)}</ul>`;
}

function renderChange(change: FieldChange | PayloadChange): unknown {
  if (change.field === 'payload') return describePayload(change);
  const [before, after] = [change.old, change.new].map((value) => html`<bdi>${describeValue(value)}</bdi>`);
  return html`${nameField(change.field)}: ${before} → ${after}`;
}

function nameField(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Paths of a payload that a hit shows. */
const PATHS_MAX = 5;

function describePayload({ paths, more_paths }: PayloadChange): unknown {
  const shown = paths.slice(0, PATHS_MAX);
  const more = paths.length - shown.length + more_paths;
  return html`
    Payload: ${shown.map((path, at) => html`${at === 0 ? '' : ', '}<code>${path === '' ? 'all of it' : path}</code>`)}
    ${more > 0 ? ` and ${formatCount(more)} more places` : null}
  `;
}

/** Of a value that a hit shows, in UTF-16 units. */
const VALUE_CHARACTERS_MAX = 200;

function describeValue(value: FieldChange['old']): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'nothing';
  const text = Array.isArray(value) ? value.join('; ') : String(value);
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text;
}
