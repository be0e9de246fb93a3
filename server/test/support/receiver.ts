/** Somebody's receiver of webhooks on this machine, which does as the test says. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from './service.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answering = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Resolves when this many requests have been received since the start. */
  waitFor(count: number): Promise<void>;
  /** What it does from now on. */
  answer: Answering;
}

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Answering =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** Default: takes everything. */
export async function startReceiver(t: TestContext, answer: Answering = answerWith(204)): Promise<Receiver> {
  let noticed: (() => void)[] = [];
  const listener: RequestListener = (request, response) => {
    text(request).then(
      (body) => {
        const received = { path: request.url ?? '', headers: request.headers, body };
        receiver.received.push(received);
        for (const notice of noticed) notice();
        noticed = [];
        receiver.answer(response, received);
      },
      () => undefined,
    );
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received: [],
    answer,
    waitFor: async (count) => {
      while (receiver.received.length < count) await new Promise<void>((resolve) => noticed.push(resolve));
    },
  };
  return receiver;
}
