/** A mail server that keeps what it takes. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { TestContext } from './service.ts';

export interface TakenMail {
  readonly from: string;
  readonly to: string[];
  /** Headers and text as they were sent, with transfer encoding. */
  readonly source: string;
}

export interface MailServer {
  readonly port: number;
  readonly taken: TakenMail[];
  /** How many of the next messages are refused for now. */
  refuse(count: number): void;
}

export async function startMailServer(t: TestContext, options: SMTPServerOptions = {}): Promise<MailServer> {
  const taken: TakenMail[] = [];
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    ...options,
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      text(stream).then((source) => {
        if (refused > 0) {
          refused -= 1;
          return done(Object.assign(new Error('try again later'), { responseCode: 451 }));
        }
        taken.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), source });
        done();
      }, done);
    },
  });
  // A client that trusts nobody breaks the connection off.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    taken,
    refuse: (count) => {
      refused = count;
    },
  };
}
