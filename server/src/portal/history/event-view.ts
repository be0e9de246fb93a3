/** When a version was published, why, and from which files. */

import type { HistoryEvent, HistorySource } from '@tmds/contract/history';
import { html } from 'htm/preact';
import { renderBadge, renderDisclosure } from '../frame/components.ts';
import { formatCount, formatDate, renderInstant } from '../frame/pieces.ts';
import { CAUSE_DETAILS, CAUSE_LEVELS, CAUSE_TITLES } from './words.ts';

/** Files that are listed; the answer of the API has more. */
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
        ({ name, sha256, bytes }, at) => html`
          <li key=${at}>
            <bdi>${name}</bdi>, ${formatCount(bytes)} bytes, SHA-256 <code>${sha256}</code>
          </li>
        `,
      )}
      ${left === 0 ? null : html`<li class="silent">and ${formatCount(left)} more</li>`}
      <li class="silent">Load <code>${load_id}</code>${format === null ? null : `, read as ${format}`}</li>
    </ul>
  `;
}
