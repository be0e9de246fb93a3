/** The checks of `tmds doctor`, in the same words. */
import { html } from 'htm/preact';
import type { Finding } from '../../monitor/doctor.ts';
import type { Page } from '../frame/call.ts';
import { renderBadge, renderHeading, renderLinkButton, renderNotice } from '../frame/components.ts';
import { renderListing } from './listing.ts';

export function renderDoctor(findings: readonly Finding[]): Page {
  const wrong = findings.filter(({ remedy }) => remedy !== null).length;
  const body = html`
    ${renderHeading('Doctor', renderLinkButton('Check again', '/portal/operator/doctor', 'second'))}
    ${
      wrong === 0
        ? renderNotice('good', 'Nothing is wrong.', 'status')
        : renderNotice('bad', `${wrong} of ${findings.length} checks failed.`, 'status')
    }
    ${renderListing({
      label: 'Checks',
      rows: findings.map((finding, position) => ({ ...finding, position })),
      keyOf: ({ position }) => String(position),
      empty: 'This process runs no checks.',
      columns: [
        { label: 'What', cell: ({ subject }) => subject },
        {
          label: 'State',
          cell: ({ remedy }) => (remedy === null ? renderBadge('good', 'ok') : renderBadge('bad', 'wrong')),
        },
        { label: 'Seen', cell: ({ seen }) => html`<bdi>${seen}</bdi>`, style: 'name' },
        { label: 'What to do', cell: ({ remedy, seen }) => (remedy === seen ? null : remedy), style: 'name' },
      ],
    })}
  `;
  return { title: 'Operator: doctor', body, section: 'operator/doctor' };
}
