/**
 * What changed: values of fields, old and new, and places in the payload. Shown side by side for a version, and with a
 * line for each change where many events are in a table. Both show the same, within the same bounds.
 */
import type { FieldChange, HistoryEvent, PayloadChange } from '@tmds/contract/history';
import { html } from 'htm/preact';
import { titleOfField } from '../frame/field-names.ts';
import { formatCount } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderStatus } from '../frame/statuses.ts';
import { renderTable } from '../frame/table.ts';
import { type RecordPlace, versionPath } from './places.ts';

/** The bounds of an event's size on a page; its versions have all of it. */
const ENTRIES_SHOWN = 10;
const PATHS_SHOWN = 10;
const CHARACTERS_SHOWN = 300;
const PATH_CHARACTERS_SHOWN = 80;

const CODED: ReadonlySet<string> = new Set(['office', 'owner_countries', 'designated_countries']);

export function renderChangeLines(changes: HistoryEvent['changes']): unknown {
  if (changes.length === 0) return null;
  return html`
    <ul>
      ${changes.map(
        (change) => html`
          <li key=${change.field}>
            ${titleOfField(change.field)}:${' '}
            ${change.field === 'payload' ? renderPlacesInLine(change) : renderInLine(change)}
          </li>
        `,
      )}
    </ul>
  `;
}

export function renderChanges({ changes, version }: HistoryEvent, place: RecordPlace): unknown {
  const fields = changes.filter((change) => change.field !== 'payload');
  const payload = changes.find((change) => change.field === 'payload');
  return html`
    ${fields.length === 0 ? null : renderFields(fields)}
    ${payload === undefined ? null : renderPayload(payload, (fields) => versionPath(place, version, fields))}
    ${
      changes.length === 0
        ? html`<p class="hint">Only translations of the mark changed, which are searched but not shown.</p>`
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
      {
        label: 'Before',
        style: 'words',
        cell: (change) => renderSide(change.field, compareSides(change).old, 'Removed'),
      },
      { label: 'After', style: 'words', cell: (change) => renderSide(change.field, compareSides(change).new, 'Added') },
    ],
  });

  return html`<div class="sides">${table}</div>`;
}

/** For a changed field, the value of one version; for a list in both versions, only the entries of this one. */
interface Side {
  /** Null if the register states nothing. */
  readonly entries: readonly string[] | null;
  /** Entries that the other version has too; null if it is no list, or if the lists differ in order only. */
  readonly kept: number | null;
}

function compareSides(change: FieldChange): { readonly old: Side; readonly new: Side } {
  const [before, after] = [change.old, change.new].map(listEntries) as [string[] | null, string[] | null];
  const whole = { old: { entries: before, kept: null }, new: { entries: after, kept: null } };
  if (before === null || after === null || !Array.isArray(change.old)) return whole;
  const [gone, come] = [leaveOut(before, after), leaveOut(after, before)];
  // The same entries in another order.
  if (gone.length + come.length === 0 && before.length === after.length) return whole;
  return {
    old: { entries: gone, kept: before.length - gone.length },
    new: { entries: come, kept: after.length - come.length },
  };
}

function listEntries(value: FieldChange['old']): string[] | null {
  if (value === null || (Array.isArray(value) && value.length === 0)) return null;
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function leaveOut(entries: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return entries.filter((entry) => !known.has(entry));
}

const NOT_STATED = html`<span class="silent">not stated</span>`;

function renderSide(field: string, { entries, kept }: Side, verb: 'Removed' | 'Added'): unknown {
  if (entries === null) return NOT_STATED;
  const [only] = entries;
  if (only !== undefined && entries.length === 1 && kept === null) return renderOne(field, only);
  const left = entries.length - ENTRIES_SHOWN;
  const others = kept === null || kept === 0 ? null : formatCount(kept);
  return html`
    <ul class="entries">
      ${others === null || entries.length === 0 ? null : html`<li class="role">${verb}</li>`}
      ${entries.slice(0, ENTRIES_SHOWN).map((entry) => html`<li key=${entry}>${renderOne(field, entry)}</li>`)}
      ${left <= 0 ? null : html`<li class="silent">and ${formatCount(left)} more</li>`}
      ${
        others === null
          ? null
          : html`<li class="silent">${entries.length === 0 ? `${others}, all of them kept` : `and ${others} as before`}</li>`
      }
    </ul>
  `;
}

function renderInLine(change: FieldChange): unknown {
  const { old: before, new: after } = compareSides(change);
  const [gone, come] = [before, after].map(({ entries }) => renderEntriesInLine(change.field, entries)) as [
    unknown,
    unknown,
  ];
  const kept = after.kept ?? 0;
  const rest = kept === 0 ? null : html` <span class="silent">(${formatCount(kept)} as before)</span>`;
  if (before.entries?.length === 0) return html`added ${come}${rest}`;
  if (after.entries?.length === 0) return html`removed ${gone}${rest}`;
  return html`${gone} → ${come}${rest}`;
}

function renderEntriesInLine(field: string, entries: Side['entries']): unknown {
  if (entries === null) return NOT_STATED;
  const left = entries.length - ENTRIES_SHOWN;
  return html`
    ${entries.slice(0, ENTRIES_SHOWN).map((entry, at) => html`${at === 0 ? '' : '; '}${renderOne(field, entry)}`)}
    ${left <= 0 ? null : html` <span class="silent">and ${formatCount(left)} more</span>`}
  `;
}

function renderOne(field: string, value: string): unknown {
  if (field === 'status') return renderStatus(value);
  const text = CODED.has(field) ? nameAndCode(value) : value;
  const left = text.length - CHARACTERS_SHOWN;
  if (left <= 0) return html`<bdi>${text}</bdi>`;
  return html`
    <bdi>${text.slice(0, CHARACTERS_SHOWN)}…</bdi>
    <span class="silent"> ${formatCount(left)} more characters</span>
  `;
}

/** The places in a payload that are shown, and how many are left. */
function choosePlaces({ paths, more_paths }: PayloadChange): {
  readonly shown: readonly string[];
  readonly left: number;
} {
  const shown = paths.slice(0, PATHS_SHOWN);
  return { shown, left: paths.length - shown.length + more_paths };
}

function renderPath(path: string): unknown {
  return html`<code><bdi>${path === '' ? 'the whole document' : shorten(path)}</bdi></code>`;
}

function renderPlacesInLine(change: PayloadChange): unknown {
  const { shown, left } = choosePlaces(change);
  return html`
    ${shown.map((path, at) => html`${at === 0 ? '' : ', '}${renderPath(path)}`)}
    ${left === 0 ? null : html` <span class="silent">and ${formatCount(left)} more</span>`}
  `;
}

function renderPayload(change: PayloadChange, linkWith: (fields: Readonly<Record<string, string>>) => string): unknown {
  const { shown, left } = choosePlaces(change);
  return html`
    <ul class="entries places">
      <li class="role">Also changed</li>
      ${shown.map((path) => {
        const section = sectionOf(path);
        return html`
          <li key=${path}>
            <a rel="nofollow" href=${linkWith(section === null ? {} : { json: section })}>${renderPath(path)}</a>
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
