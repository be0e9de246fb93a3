/** The form that gives a key or a webhook a new secret, and how long the old one still works. */

import { html } from 'htm/preact';
import { PageRefusal, type PublicCall, type SignedInCall, typedIn } from './call.ts';
import { renderActions, renderButton, renderLinkButton } from './components.ts';
import { renderChecks } from './fields.ts';
import { formFields } from './pieces.ts';

interface Grace {
  readonly seconds: number;
  /** When the old secret stops working. */
  readonly label: string;
  /** How long it keeps working. */
  readonly duration: string;
}

const GRACES: readonly Grace[] = [
  { seconds: 0, label: 'now', duration: 'no time' },
  { seconds: 3600, label: 'in one hour', duration: 'one hour' },
  { seconds: 86_400, label: 'in one day', duration: 'one day' },
  { seconds: 7 * 86_400, label: 'in seven days', duration: 'seven days' },
];
const GRACE_DEFAULT = '86400';

const findGrace = (seconds: string | null): Grace | undefined =>
  GRACES.find((each) => String(each.seconds) === seconds);

/** The grace period that the form states. Throws PageRefusal. */
export function readGrace({ form }: Pick<PublicCall, 'form'>): Grace {
  const grace = findGrace(form.get('grace'));
  if (grace === undefined) throw new PageRefusal(422, 'Bad request', 'There is no such grace period.');
  return grace;
}

/** `path`: the page of the key or webhook; `legend`: the question about the old secret. */
export function renderRotation(call: SignedInCall, path: string, legend: string): unknown {
  const kept = typedIn(call, 'grace') ?? null;
  return html`
    <form method="post" action=${`${path}/rotate`} class="stack">
      ${formFields(call)}
      ${renderChecks(
        {
          legend,
          name: 'grace',
          choices: GRACES.map(({ seconds, duration }) => ({ value: String(seconds), label: duration })),
          chosen: [findGrace(kept) === undefined ? GRACE_DEFAULT : (kept ?? GRACE_DEFAULT)],
        },
        'radio',
      )}
      ${renderActions(renderButton('Rotate and show the new secret'), renderLinkButton('Cancel', path, 'second'))}
    </form>
  `;
}
