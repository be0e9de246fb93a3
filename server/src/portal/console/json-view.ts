/**
 * The body of an answer as JSON: whole when it is short, otherwise folded member by member, up to a bound for the page.
 * The page names what does not fit; the file of the answer has it.
 */
import { html } from 'htm/preact';
import { isLosslessNumber, stringify } from 'lossless-json';
import { formatCount } from '../frame/pieces.ts';

/** A value up to this many characters is shown in one part. */
const WHOLE_CHARACTERS_MAX = 4_000;
/** Characters that a page shows in all. */
const PAGE_CHARACTERS_MAX = 60_000;
/** Entries of a list that are folded one by one. */
const ENTRIES_MAX = 50;
/** Folds within folds. */
const DEPTH_MAX = 6;
/** A longer text, such as an inline image, is cut. */
const TEXT_CHARACTERS_MAX = 2_000;

interface Room {
  /** Characters that the page has room for. */
  left: number;
  /** The size of each container, so that none is measured twice. */
  readonly sizes: Map<object, number>;
  hasCut: boolean;
}

export function renderJsonBody(body: unknown): unknown {
  const room: Room = { left: PAGE_CHARACTERS_MAX, sizes: new Map(), hasCut: false };
  const shown = isShort(body, room) ? renderText('the body', writeJson(body, room)) : renderMembers(body, room, 0);
  return html`
    <div class="json">
      ${shown}
      ${room.hasCut ? html`<p class="hint">Long texts are cut here; the file of the answer has them whole.</p>` : null}
    </div>
  `;
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isLosslessNumber(value);

const isShort = (value: unknown, room: Room): boolean => measure(value, room) <= WHOLE_CHARACTERS_MAX;

/** About how many characters its JSON has, without the blanks. */
function measure(value: unknown, room: Room): number {
  if (!isContainer(value)) return typeof value === 'string' ? value.length + 2 : String(value).length;
  const known = room.sizes.get(value);
  if (known !== undefined) return known;
  const members = Object.entries(value);
  const names = Array.isArray(value) ? 0 : members.reduce((sum, [name]) => sum + name.length + 3, 0);
  const size = members.reduce((sum, [, member]) => sum + measure(member, room) + 1, names + 2);
  room.sizes.set(value, size);
  return size;
}

/** Members that are texts, numbers and the like are shown together; each of the others is folded. */
function renderMembers(value: unknown, room: Room, depth: number): unknown {
  if (!isContainer(value) || depth >= DEPTH_MAX) return renderText('a part', writeJson(value, room));
  const members = Array.isArray(value)
    ? value.map((entry, at): [string, unknown] => [`[${at}]`, entry])
    : Object.entries(value);
  const folded = members.filter(([, member]) => isContainer(member));
  const plain = members.filter(([, member]) => !isContainer(member));
  const shown = folded.slice(0, ENTRIES_MAX);
  const together = Array.isArray(value) ? plain.map(([, member]) => member) : Object.fromEntries(plain);
  return html`
    ${plain.length === 0 ? null : renderText('members', writeJson(together, room))}
    ${shown.map(([name, member]) => renderFolded(name, member as object, room, depth))}
    ${
      folded.length === shown.length
        ? null
        : html`<p class="hint">${formatCount(folded.length - shown.length)} more are in the file of the answer.</p>`
    }
  `;
}

function renderFolded(name: string, value: object, room: Room, depth: number): unknown {
  const size = measure(value, room);
  const extent = Array.isArray(value)
    ? `${formatCount(value.length)} ${value.length === 1 ? 'entry' : 'entries'}`
    : `about ${formatCount(size)} characters`;
  const label = html`<code><bdi>${name}</bdi></code> <span class="role">${extent}</span>`;
  if (room.left <= 0) return html`<p key=${name}>${label} <span class="role">only in the file</span></p>`;
  const isOpen = depth === 0 && Array.isArray(value);
  return html`
    <details key=${name} open=${isOpen}>
      <summary>${label}</summary>
      ${isShort(value, room) ? renderText(name, writeJson(value, room)) : renderMembers(value, room, depth + 1)}
    </details>
  `;
}

function renderText(label: string, text: string): unknown {
  return html`<pre tabindex="0" role="region" aria-label=${`JSON of ${label}`}><code>${text}</code></pre>`;
}

/** Takes room on the page, and cuts the text that does not fit. */
function writeJson(value: unknown, room: Room): string {
  const shorten = (_name: string, member: unknown): unknown => {
    if (typeof member !== 'string' || member.length <= TEXT_CHARACTERS_MAX) return member;
    room.hasCut = true;
    return `${member.slice(0, TEXT_CHARACTERS_MAX)}… (${formatCount(member.length)} characters)`;
  };
  const text = stringify(value, shorten, 2) ?? 'null';
  const left = Math.max(0, room.left);
  room.left -= text.length;
  if (text.length <= left) return text;
  room.hasCut = true;
  return `${text.slice(0, left)}…`;
}
