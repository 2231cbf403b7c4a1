/** Sends a mail over SMTP, or says whether it is worth trying again. */
import { createTransport } from "nodemailer";
import type { Mail } from "./port.ts";

/** So long for each step of a conversation with the mail server. */
const STEP_TIMEOUT_MS = 15_000;
const FIRST_PERMANENT_CODE = 500;

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly tls: boolean;
  /** Nothing goes over a connection that is not encrypted. */
  readonly requireTls: boolean;
  /** Null: the server wants no login. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

export interface Sending {
  /** Rejects with `MailRefused` when the server will never take it, with any error when it may later. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server answered that it will not take this mail. */
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
    // What stands in a mail is text of ours: nothing is fetched from disk or network for it.
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

/** A 5xx about this mail or its receiver. A refused login is the operator's to mend: it is tried again. */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, code = "" } = error as { responseCode?: number; code?: string };
  return responseCode >= FIRST_PERMANENT_CODE && (code === "EENVELOPE" || code === "EMESSAGE");
}
