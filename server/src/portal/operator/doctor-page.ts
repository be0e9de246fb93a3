/** The checks of `tmds doctor`, in the same words. */
import { html } from 'htm/preact';
import type { Finding } from '../../watch/doctor.ts';
import type { Page } from '../frame/call.ts';
import { renderListing } from './listing.ts';

export function renderDoctor(findings: readonly Finding[]): Page {
  const wrong = findings.filter(({ remedy }) => remedy !== null).length;
  const body = html`
    <div class="heading">
      <h1>Doctor</h1>
      <a class="button second" href="/portal/operator/doctor">Check again</a>
    </div>
    <p class=${`notice ${wrong === 0 ? 'good' : 'bad'}`} role="status">
      ${wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${findings.length} checks failed.`}
    </p>
    ${renderListing({
      label: 'Checks',
      rows: findings.map((finding, position) => ({ ...finding, position })),
      keyOf: ({ position }) => String(position),
      empty: 'This process runs no checks.',
      columns: [
        { title: 'What', cell: ({ subject }) => subject },
        {
          title: 'State',
          cell: ({ remedy }) =>
            remedy === null ? html`<span class="state live">ok</span>` : html`<span class="state ended">wrong</span>`,
        },
        { title: 'Seen', cell: ({ seen }) => html`<bdi>${seen}</bdi>`, kind: 'name' },
        { title: 'What to do', cell: ({ remedy, seen }) => (remedy === seen ? null : remedy), kind: 'name' },
      ],
    })}
  `;
  return { title: 'Operator: doctor', body, section: 'operator/doctor', wide: true };
}
