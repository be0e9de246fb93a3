/**
 * Sends mail by SMTP. Outside this machine the connection is encrypted and its certificate checked. It decides no
 * wording and no recipient.
 */
import { createTransport } from 'nodemailer';

export interface MailMessage {
  readonly to: readonly string[];
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** Identifies the message: one that is sent twice shows once in most mail readers. */
  readonly messageId: string;
}

export interface Mailer {
  /** Rejects if the server takes the message for none of the addresses. */
  send(message: MailMessage): Promise<void>;
  close(): void;
}

export interface MailerOptions {
  /** `smtp://user:password@host:587` (encrypted by STARTTLS) or `smtps://…:465`. */
  readonly url: string;
  /** The sender's address, such as `Trademark data <noreply@example.com>`. */
  readonly from: string;
}

/** Time limit for a connection, a greeting and a silence; a mail server answers in seconds. */
const TIMEOUT_MS = 20_000;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export function openMailer({ url, from }: MailerOptions): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !LOOPBACK.has(hostname),
    ignoreTLS: !secure && LOOPBACK.has(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    // People of one customer see each other's addresses in the portal, not in a mail that may be passed on.
    send: async ({ to, subject, text, messageId }) => {
      await transport.sendMail({
        from,
        to: from,
        bcc: [...to],
        subject,
        text,
        messageId,
        envelope: { from, to: [...to] },
      });
    },
    close: () => transport.close(),
  };
}
