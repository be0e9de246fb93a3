/** What the text of the search bar was understood as, and what else it may mean, with the matches of each. */
import { html } from 'htm/preact';
import { renderCount } from '../frame/components.ts';
import { type CountedReading, linkReading } from './routes.ts';

/** `isShown`: whether the page shows this reading. */
export function renderReadings(
  readings: readonly CountedReading[],
  { text, keyId, isShown }: { text: string; keyId: string; isShown: (reading: CountedReading) => boolean },
): unknown {
  const shown = readings.find(isShown);
  const others = readings.filter((reading) => reading !== shown && reading.count > 0);
  if (shown === undefined && others.length === 0) return null;
  return html`
    <p id="readings">
      ${shown === undefined ? null : html`Understood as <strong><bdi>${shown.title}</bdi></strong>. `}
      ${others.length === 0 ? null : 'It may also mean: '}
      ${others.map(
        (reading, at) => html`${at > 0 ? ', ' : ''}<a
            key=${reading.title}
            rel="nofollow"
            href=${linkReading(reading, text, keyId)}
          ><bdi>${reading.title}</bdi></a> ${renderCount(reading.count)}`,
      )}
    </p>
  `;
}
