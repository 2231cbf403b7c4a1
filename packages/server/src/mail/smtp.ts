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
  /** Rejects with `MailRefused` when the server will never take the mail, with any other error when it may later. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server refused this mail for good. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
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
  return {
    send: async ({ to, subject, text }) => {
      try {
        await transport.sendMail({ from, to, subject, text });
      } catch (error) {
        throw isPermanent(error) ? new MailRefused((error as Error).message, { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Whether it is a 5xx about this mail or its receiver. A refused login is the operator's to mend: it is retried. */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, code = "" } = error as { responseCode?: number; code?: string };
  return responseCode >= FIRST_PERMANENT_CODE && (code === "EENVELOPE" || code === "EMESSAGE");
}
