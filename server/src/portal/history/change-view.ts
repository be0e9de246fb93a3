/** What changed, old and new side by side: values of fields, and places in the payload. */
import type { FieldChange, HistoryEvent, PayloadChange } from '@tmds/contract/history';
import { html } from 'htm/preact';
import { formatCount } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderStatus } from '../frame/statuses.ts';
import { renderTable } from '../frame/table.ts';
import { type RecordPlace, versionPath } from './places.ts';
import { titleOfField } from './words.ts';

/** The bounds of what an event takes on a page; its versions have all of it. */
const ENTRIES_SHOWN = 10;
const PATHS_SHOWN = 10;
const CHARACTERS_SHOWN = 300;
const PATH_CHARACTERS_SHOWN = 80;

const CODED: ReadonlySet<string> = new Set(['office', 'owner_countries', 'designated_countries']);

export function renderChanges({ changes, version }: HistoryEvent, place: RecordPlace): unknown {
  const fields = changes.filter((change) => change.field !== 'payload');
  const payload = changes.find((change) => change.field === 'payload');
  return html`
    ${fields.length === 0 ? null : renderFields(fields)}
    ${payload === undefined ? null : renderPayload(payload, (fields) => versionPath(place, version, fields))}
    ${
      changes.length === 0
        ? html`<p class="hint">No field differs: only translations of the mark do, which are searched and not shown.</p>`
        : null
    }
  `;
}

function renderFields(changes: readonly FieldChange[]): unknown {
  const table = renderTable<FieldChange>({
    label: 'Fields that changed',
    rows: changes,
    keyOf: ({ field }) => field,
    columns: [
      { label: 'Field', isHeader: true, cell: ({ field }) => titleOfField(field) },
      { label: 'Before', style: 'words', cell: (change) => renderSide(change, 'old') },
      { label: 'After', style: 'words', cell: (change) => renderSide(change, 'new') },
    ],
  });

  return html`<div class="sides">${table}</div>`;
}

function renderSide(change: FieldChange, side: 'old' | 'new'): unknown {
  const value = change[side];
  if (value === null || (Array.isArray(value) && value.length === 0))
    return html`<span class="silent">not stated</span>`;
  if (Array.isArray(value)) return renderListSide(change, side);
  return change.field === 'status' ? renderStatus(String(value)) : renderOne(change.field, String(value));
}

/** Of a list that both versions have, only what is gone on one side, and only what is new on the other. */
function renderListSide(change: FieldChange, side: 'old' | 'new'): unknown {
  const [own, other] = [change[side], change[side === 'old' ? 'new' : 'old']].map(textsOfList) as [string[], string[]];
  const others = new Set(other);
  const differing = own.filter((entry) => !others.has(entry));
  const kept = own.length - differing.length;
  const isReordered = differing.length === 0 && own.length === other.length;
  const entries = isReordered ? own : differing;
  const shown = entries.slice(0, ENTRIES_SHOWN);
  const left = entries.length - shown.length;
  const verb = kept === 0 || isReordered || entries.length === 0 ? null : side === 'old' ? 'Removed' : 'Added';
  return html`
    <ul class="entries">
      ${verb === null ? null : html`<li class="role">${verb}</li>`}
      ${shown.map((entry) => html`<li key=${entry}>${renderOne(change.field, entry)}</li>`)}
      ${left === 0 ? null : html`<li class="silent">and ${formatCount(left)} more</li>`}
      ${
        kept === 0 || isReordered
          ? null
          : html`<li class="silent">
              ${entries.length === 0 ? `${formatCount(kept)}, all of them kept` : `and ${formatCount(kept)} as before`}
            </li>`
      }
    </ul>
  `;
}

function textsOfList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function renderOne(field: string, value: string): unknown {
  const text = CODED.has(field) ? nameAndCode(value) : value;
  const left = text.length - CHARACTERS_SHOWN;
  if (left <= 0) return html`<span dir="auto">${text}</span>`;
  return html`
    <span dir="auto">${text.slice(0, CHARACTERS_SHOWN)}…</span>
    <span class="silent"> ${formatCount(left)} more characters</span>
  `;
}

function renderPayload(
  { paths, more_paths }: PayloadChange,
  linkWith: (fields: Readonly<Record<string, string>>) => string,
): unknown {
  const shown = paths.slice(0, PATHS_SHOWN);
  const left = paths.length - shown.length + more_paths;
  return html`
    <ul class="entries places">
      <li class="role">Places in the payload</li>
      ${shown.map((path) => {
        const section = sectionOf(path);
        return html`
          <li key=${path}>
            <a rel="nofollow" href=${linkWith(section === null ? {} : { json: section })}>
              <code><bdi>${path === '' ? 'the whole payload' : shorten(path)}</bdi></code>
            </a>
          </li>
        `;
      })}
      ${left === 0 ? null : html`<li class="silent">and ${formatCount(left)} more</li>`}
    </ul>
  `;
}

/** The member of the payload that a JSON Pointer leads into; null for the payload itself. */
function sectionOf(path: string): string | null {
  const segment = path.split('/')[1];
  return segment === undefined ? null : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function shorten(path: string): string {
  return path.length <= PATH_CHARACTERS_SHOWN ? path : `${path.slice(0, PATH_CHARACTERS_SHOWN)}…`;
}
