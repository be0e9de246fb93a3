/**
 * What changed: values of fields, old and new, and places in the payload. Shown side by side for a version, and with a
 * line for each change where many events are in a table. Both show the same, within the same bounds. And when a version
 * was published, why, and from which files.
 */
import type { FieldChange, HistoryCause, HistoryEvent, HistorySource, PayloadChange } from '@tmds/contract/history';
import { html } from 'htm/preact';
import { type Level, renderBadge, renderDisclosure } from '../frame/components.ts';
import { formatCount, formatDate, renderDate, renderInstant } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { renderStatus, titleOfField, wordsOf } from '../frame/wording.ts';
import { type RecordPlace, versionPath } from './places.ts';

/** The bounds of an event's size on a page; its versions have all of it. */
const ENTRIES_SHOWN = 10;
const SECTIONS_SHOWN = 10;
const CHARACTERS_SHOWN = 300;
const SECTION_CHARACTERS_SHOWN = 80;

const CODED: ReadonlySet<string> = new Set(['office', 'owner_countries', 'designated_countries']);

export function renderChangeLines(changes: HistoryEvent['changes']): unknown {
  if (changes.length === 0) return null;
  return html`
    <ul>
      ${changes.map(
        (change) => html`
          <li>
            ${change.field === 'payload' ? 'Also changed' : titleOfField(change.field)}:${' '}
            ${change.field === 'payload' ? html`<bdi>${describePlaces(change)}</bdi>` : renderInLine(change)}
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
      ${entries.slice(0, ENTRIES_SHOWN).map((entry) => html`<li>${renderOne(field, entry)}</li>`)}
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
  if (/_date$|_end$/.test(field) && /^\d{4}-\d\d-\d\d$/.test(value)) return renderDate(value);
  const text = CODED.has(field) ? nameAndCode(value) : value;
  const left = text.length - CHARACTERS_SHOWN;
  if (left <= 0) return html`<bdi>${text}</bdi>`;
  return html`
    <bdi>${text.slice(0, CHARACTERS_SHOWN)}…</bdi>
    <span class="silent"> ${formatCount(left)} more characters</span>
  `;
}

export function describeChange(change: FieldChange | PayloadChange): string {
  if (change.field === 'payload') return `Also changed: ${describePlaces(change)}`;
  const { old: before, new: after } = compareSides(change);
  const [gone, come] = [before, after].map(({ entries }) => describeEntries(change.field, entries)) as [string, string];
  const title = titleOfField(change.field);
  if (before.entries?.length === 0) return `${title}: added ${come}`;
  if (after.entries?.length === 0) return `${title}: removed ${gone}`;
  return `${title}: ${gone} → ${come}`;
}

function describeEntries(field: string, entries: Side['entries']): string {
  if (entries === null) return 'not stated';
  const left = entries.length - ENTRIES_SHOWN;
  const shown = entries.slice(0, ENTRIES_SHOWN).map((entry) => {
    const text = CODED.has(field) ? nameAndCode(entry) : entry;
    return text.length <= CHARACTERS_SHOWN ? text : `${text.slice(0, CHARACTERS_SHOWN)}…`;
  });
  return [...shown, ...(left <= 0 ? [] : [`and ${formatCount(left)} more`])].join('; ');
}

/** A section of a payload, and how many of its entries differ, as far as it is a list. */
interface Place {
  readonly section: string | null;
  readonly entries: number;
}

/** The sections that differ, and how many further places are left. */
function choosePlaces({ paths, more_paths }: PayloadChange): {
  readonly shown: readonly Place[];
  readonly left: number;
} {
  const entries = new Map<string | null, Set<string>>();
  let left = more_paths;
  for (const path of paths) {
    const section = sectionOf(path);
    const known = entries.get(section) ?? new Set();
    if (known.size === 0 && entries.size === SECTIONS_SHOWN && !entries.has(section)) left += 1;
    else entries.set(section, known.add(/^\/[^/]*\/(\d+)/.exec(path)?.[1] ?? ''));
  }
  return {
    shown: [...entries].map(([section, found]) => ({ section, entries: found.has('') ? 0 : found.size })),
    left,
  };
}

/** `Goods and services (2 entries)`. */
function describePlace({ section, entries }: Place): string {
  if (section === null) return 'Everything from the office’s file';
  const count = entries === 0 ? '' : ` (${formatCount(entries)} ${entries === 1 ? 'entry' : 'entries'})`;
  return `${shorten(wordsOf(section))}${count}`;
}

function describePlaces(change: PayloadChange): string {
  const { shown, left } = choosePlaces(change);
  return [...shown.map(describePlace), ...(left === 0 ? [] : [`and ${formatCount(left)} more`])].join(', ');
}

function renderPayload(change: PayloadChange, linkWith: (fields: Readonly<Record<string, string>>) => string): unknown {
  const { shown, left } = choosePlaces(change);
  return html`
    <ul class="entries places">
      <li class="role">Also changed</li>
      ${shown.map((place) => {
        const { section } = place;
        return html`
          <li>
            <a rel="nofollow" href=${linkWith(section === null ? {} : { json: section })}>
              <bdi>${describePlace(place)}</bdi>
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

function shorten(words: string): string {
  return words.length <= SECTION_CHARACTERS_SHOWN ? words : `${words.slice(0, SECTION_CHARACTERS_SHOWN)}…`;
}

const FILES_SHOWN = 5;

export function renderOccasion({ version, cause, previous_version }: HistoryEvent): unknown {
  const verb = previous_version === null ? 'First received' : 'Changed here';
  const detail = CAUSE_DETAILS[cause];
  return html`
    <p class="occasion">
      ${renderBadge(CAUSE_LEVELS[cause], CAUSE_TITLES[cause])}${' '}
      <span>${verb} on ${renderInstant(version)}${detail === undefined ? null : `; ${detail}`}.</span>
    </p>
  `;
}

export function renderSource(source: HistorySource | null): unknown {
  const [first] = source?.files ?? [];
  if (source === null || first === undefined) {
    return html`<p class="hint">It is not known from which file.</p>`;
  }
  const others = source.files.length - 1 + source.more_files;
  return html`
    <p class="hint">
      From <bdi>${first.name}</bdi>${
        others === 0 ? null : ` and ${formatCount(others)} ${others === 1 ? 'other file' : 'other files'}`
      }${first.period === null ? null : html` of <bdi>${formatDate(first.period)}</bdi>`}.${
        source.source_date === null ? null : html` The office dates it <bdi>${formatDate(source.source_date)}</bdi>.`
      }
    </p>
  `;
}

export function renderDigests(source: HistorySource | null): unknown {
  if (source === null || source.files.length === 0) return null;
  return renderDisclosure('The files', renderFiles(source));
}

function renderFiles({ files, more_files, load_id, format }: HistorySource): unknown {
  const shown = files.slice(0, FILES_SHOWN);
  const left = files.length - shown.length + more_files;
  return html`
    <ul class="entries small">
      ${shown.map(
        ({ name, sha256, bytes }) => html`
          <li>
            <bdi>${name}</bdi>, ${formatCount(bytes)} bytes, SHA-256 <code>${sha256}</code>
          </li>
        `,
      )}
      ${left === 0 ? null : html`<li class="silent">and ${formatCount(left)} more</li>`}
      <li class="silent">Load <code>${load_id}</code>${format === null ? null : `, read as ${format}`}</li>
    </ul>
  `;
}

export const CAUSE_TITLES: Readonly<Record<HistoryCause, string>> = {
  first: 'New in our data',
  office: 'Updated by the office',
  correction: 'Corrected by the office',
  renormalization: 'Read differently',
  removal: 'Gone from the office’s data',
};

/** A change that needs a second look is marked. */
const CAUSE_LEVELS: Readonly<Record<HistoryCause, Level>> = {
  first: 'plain',
  office: 'plain',
  correction: 'warn',
  renormalization: 'off',
  removal: 'bad',
};

/** What the title does not say. */
const CAUSE_DETAILS: Readonly<Partial<Record<HistoryCause, string>>> = {
  correction: 'the office’s date of the record is the same as before',
  renormalization: 'unchanged at the office',
  removal: 'the record stays here',
};

/** In one line with other words. */
export function meaningOf(cause: HistoryCause): string {
  const title = CAUSE_TITLES[cause];
  return title.charAt(0).toLowerCase() + title.slice(1);
}
