/** The requirements for a receiver, and two that run as they are; docs/webhooks.md has the details. */
import { html } from 'htm/preact';
import { renderCopyable, renderDisclosure } from '../frame/components.ts';

export const RECEIVER_JAVASCRIPT = `import { createServer } from 'node:http';
import { env } from 'node:process';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(env.WEBHOOK_SECRET);
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  try {
    const { type, data } = webhook.verify(body, request.headers);
    response.writeHead(204).end();
    if (type === 'test') console.log('The test event is here.');
    if (type === 'watch.hits') console.log('Read the hits of', data.watch, 'from', data.since, data.cursor);
  } catch (error) {
    console.log('Not accepted:', error.message);
    response.writeHead(401).end();
  }
});
server.listen(env.PORT ?? 8080, () => console.log('Listening on port', server.address().port));`;

const RECEIVER_PYTHON = `import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = webhook.verify(body, dict(self.headers.items()))
        except WebhookVerificationError as error:
            print("Not accepted:", error)
            self.send_response(401)
        else:
            print(event["type"], event["data"])
            self.send_response(204)
        self.end_headers()

HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()`;

export function renderGuide(): unknown {
  return renderDisclosure(
    'Receiver requirements',
    html`
      <ol>
        <li>It checks the signature with a library of Standard Webhooks.</li>
        <li>It answers with a status from 200 to 299 within ten seconds, and reads the hits afterwards.</li>
        <li>It drops deliveries that it has seen: a repeated delivery has the same <code>webhook-id</code>.</li>
        <li>It ignores types of events that it does not know, such as <code>test</code>.</li>
        <li>It reads the hits with a key, from the cursor on until the feed has no more.</li>
      </ol>
      <p>
        These two print what arrives. They need the library <code>standardwebhooks</code>, and the signing secret in
        <code>WEBHOOK_SECRET</code>. Behind a server that has a certificate, they are receivers to start from.
      </p>
      ${renderCopyable('JavaScript: npm install standardwebhooks, then node receiver.mjs', RECEIVER_JAVASCRIPT, 'guide-javascript')}
      ${renderCopyable('Python: pip install standardwebhooks, then python receiver.py', RECEIVER_PYTHON, 'guide-python')}
      <p>
        Any other status, a redirect and silence are failures: the delivery is repeated after pauses that grow from
        ten seconds to six hours. After three days, or at once after status 410, the webhook is switched off. A test
        event is sent once and switches nothing off.
      </p>
    `,
  );
}
