/** The requirements for a receiver, shown with the webhooks; docs/webhooks.md has the details. */
import { html } from 'htm/preact';
import { renderCopyable, renderDisclosure } from '../frame/components.ts';

const TYPESCRIPT = `import { Webhook } from 'standardwebhooks';

// body: the text exactly as it came; headers: those of the request
const { data } = new Webhook(secret).verify(body, headers);
const hits = \`/v1/watches/\${data.watch}/hits?since=\${data.since}&cursor=\${data.cursor}\`;`;

const PYTHON = `from standardwebhooks import Webhook

# body: the text exactly as it came; headers: those of the request
data = Webhook(secret).verify(body, headers)["data"]
hits = f"/v1/watches/{data['watch']}/hits?since={data['since']}&cursor={data['cursor']}"`;

export function renderGuide(): unknown {
  return renderDisclosure(
    'Receiver requirements',
    html`
      <ol>
        <li>It checks the signature with a library of Standard Webhooks.</li>
        <li>It answers with a status from 200 to 299 within ten seconds, and reads the hits afterwards.</li>
        <li>It drops deliveries that it has seen: a repeated delivery has the same <code>webhook-id</code>.</li>
        <li>It reads the hits with a key, from the cursor on until the feed has no more.</li>
      </ol>
      ${renderCopyable('TypeScript', TYPESCRIPT, 'guide-typescript')}
      ${renderCopyable('Python', PYTHON, 'guide-python')}
      <p>
        Any other status, a redirect and silence are failures: the delivery is repeated after pauses that grow from
        ten seconds to six hours. After three days, or at once after status 410, the webhook is switched off.
      </p>
    `,
  );
}
