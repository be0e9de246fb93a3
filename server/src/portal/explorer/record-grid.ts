/** Records as a grid of their images. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { registerName } from '../frame/registers.ts';
import { renderStatus } from '../frame/statuses.ts';
import { renderMarkName } from './mark-name.ts';
import { renderWord } from './mark-word.ts';
import { renderImage } from './record-image.ts';
import { type Opening, recordPath } from './record-path.ts';

export function renderRecordGrid(items: readonly TrademarkDetail[], opening: Opening): unknown {
  return html`
    <ul id="records" class="tiles" tabindex="-1">
      ${items.map((record) => renderTile(record, opening))}
    </ul>
  `;
}

function renderTile(record: TrademarkDetail, opening: Opening): unknown {
  const { jurisdiction_code: register, uid, status } = record;
  const image = renderImage(record, opening);
  return html`
    <li key=${`${register}/${uid}`}>
      <a href=${recordPath(record, opening)}>
        <span class="picture" aria-hidden=${image === null ? 'true' : null}>${image ?? renderDrawn(record)}</span>
        <span dir="auto">${renderMarkName(record)}</span>
      </a>
      <span class="silent">${registerName(register)}</span>
      ${renderStatus(status)}
    </li>
  `;
}

/** A word mark is its own picture. */
function renderDrawn({ mark_name: name }: TrademarkDetail): unknown {
  return name === null ? html`<span class="silent">no image</span>` : renderWord(name);
}
