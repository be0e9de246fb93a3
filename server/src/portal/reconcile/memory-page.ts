/** What is remembered of dockets, and how to delete it. */

import { html } from 'htm/preact';
import { MEMORY_DAYS } from '../../store/accounts/docket-memory.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderEmpty, renderTrail } from '../frame/components.ts';
import { renderConfirm } from '../frame/fields.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formFields } from '../frame/pieces.ts';

export function renderMemoryPage(call: MemberCall, isHeld: boolean): Page {
  const back = '/portal/reconcile';
  return buildFormPage(
    {
      title: 'What is remembered of dockets',
      section: 'reconcile',
      trail: renderTrail({ label: 'Dockets', href: back }),
    },
    html`<p>
        When you compare a docket, its rows can be remembered, so that the next upload shows what has changed. For each
        row that is: a fingerprint of its register and number, its result, a fingerprint of what was found, the day, and
        what you marked and noted. Numbers, marks and names are not kept; the fingerprints are made with a key
        of ${call.user.customer} and cannot be turned back into them.
      </p>
      <p>
        None of it is in a backup or in a log. A row is forgotten ${MEMORY_DAYS} days after the last docket that had
        it.
      </p>
      ${
        isHeld
          ? html`
              <p>
                Deleting it takes effect at once and cannot be undone. Dockets that are still here keep their marks and
                notes until they go; the next upload is compared as if it were the first.
              </p>
              ${renderConfirm({
                action: '/portal/reconcile/memory',
                tokens: formFields(call),
                label: 'Delete what is remembered',
                back,
              })}
            `
          : renderEmpty('Nothing is remembered.')
      }`,
  );
}
