/** Sends emails over SMTP, and classifies errors by whether another attempt may succeed. */
import { createTransport } from "nodemailer";
import type { SmtpConfig } from "../../platform/config/config.ts";
import { htmlOf, PLAIN_LOOK } from "./html-email.ts";
import type { Mail } from "./port.ts";

// Limits on sending emails.

/** Attempts per email: the last is about 90 minutes after the first. */
export const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** How long to wait before a command that was not journaled is submitted again. */
export const TELL_AGAIN_MS = 1000;
/** How long closing waits for the email in transit. */
export const LAST_MAIL_MS = 2000;

/** Returns the pause after a failed attempt. */
export function pauseAfter(attempts: number, firstPauseMs = FIRST_PAUSE_MS): number {
  return Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** (attempts - 1));
}

/** The timeout of each step of an SMTP session. */
const STEP_TIMEOUT_MS = 15_000;
const FIRST_PERMANENT_CODE = 500;

export interface Sending {
  /**
   * Sends one email. Rejects with `MailRefused` if the server has permanently rejected it, with `MailUnknown` if the
   * server may have accepted it, and with any other error if another attempt may succeed.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail server permanently rejected this email. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/** The connection broke during the transfer; the server may have accepted the email. */
export class MailUnknown extends Error {
  override readonly name = "MailUnknown";
}

/** How emails look: the venue's name, its color and its logo. */
export interface EmailBranding {
  readonly name: string | null;
  readonly accent: string | null;
  /** The logo as PNG. */
  readonly logo: Buffer | null;
}

const NO_EMAIL_BRANDING: EmailBranding = { name: null, accent: null, logo: null };
const LOGO_ID = "logo@venue";

export function smtpSending(server: SmtpConfig, address: string, branding = NO_EMAIL_BRANDING): Sending {
  const { name, accent, logo } = branding;
  const from = name === null ? address : { name, address };
  const look = { name, accent: accent ?? PLAIN_LOOK.accent, logoId: logo === null ? null : LOGO_ID };
  const attached = logo === null ? {} : { attachments: [{ filename: "logo.png", cid: LOGO_ID, content: logo }] };
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
    // All parts of an email are passed in memory: nothing is fetched from disk or network.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // The message is first read when the connection is open; before that, the server has received nothing of the email.
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
        await transport.sendMail({ from, to, subject, text, html: htmlOf(text, look), ...attached, headers });
      } catch (error) {
        const { message } = error as Error;
        if (isPermanent(error)) throw new MailRefused(message, { cause: error });
        throw begun.has(headers) && !isAnswer(error) ? new MailUnknown(message, { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Whether the server rejected the email, temporarily or permanently. If so, it has not accepted it. */
function isAnswer(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: number };
  return typeof responseCode === "number";
}

/**
 * Whether the error is a 5xx reply about this email or its recipient. A failed login is retried, because the operator
 * can fix it.
 */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, code = "" } = error as { responseCode?: number; code?: string };
  return responseCode >= FIRST_PERMANENT_CODE && (code === "EENVELOPE" || code === "EMESSAGE");
}
