/** Sends a mail over SMTP, or reports whether another try makes sense. */
import { createTransport } from "nodemailer";
import type { Mail } from "./port.ts";

/** The limit for each step of a conversation with the mail server. */
const STEP_TIMEOUT_MS = 15_000;
const FIRST_PERMANENT_CODE = 500;

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly tls: boolean;
  /** Refuses to send over a connection that is not encrypted. */
  readonly requireTls: boolean;
  /** Null: the server needs no login. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

export interface Sending {
  /**
   * Rejects with `MailRefused` when the server will never take the mail, with `MailUnknown` when it may have taken it,
   * and with any other error when it has not and may later.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server refused this mail for good. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/** The mail was on its way when the connection broke: the server may have taken it. */
export class MailUnknown extends Error {
  override readonly name = "MailUnknown";
}

export function smtpSending(server: SmtpServer, from: string): Sending {
  const { host, port, tls, requireTls, login } = server;
  const transport = createTransport({
    host,
    port,
    secure: tls,
    requireTLS: requireTls && !tls,
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    // A mail is our own text: nothing is fetched from disk or network for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // The message is read once the connection is open; until then the server has not heard of the letter.
  const begun = new WeakSet<object>();
  transport.use("stream", ({ data, message }, done) => {
    message.processFunc((stream) => {
      if (data.headers !== undefined) begun.add(data.headers);
      return stream;
    });
    done();
  });
  return {
    send: async ({ to, subject, text }) => {
      const headers = {};
      try {
        await transport.sendMail({ from, to, subject, text, headers });
      } catch (error) {
        const { message } = error as Error;
        if (isPermanent(error)) throw new MailRefused(message, { cause: error });
        throw begun.has(headers) && !isAnswer(error) ? new MailUnknown(message, { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Whether the server has said no, for now or for good: then it has not taken the mail. */
function isAnswer(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: number };
  return typeof responseCode === "number";
}

/** Whether it is a 5xx about this mail or its receiver. A refused login is the operator's to mend: it is retried. */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, code = "" } = error as { responseCode?: number; code?: string };
  return responseCode >= FIRST_PERMANENT_CODE && (code === "EENVELOPE" || code === "EMESSAGE");
}
