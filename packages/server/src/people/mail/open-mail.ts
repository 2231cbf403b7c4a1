/** Opens the email outbox of a node from its configuration. */
import type { Config } from "../../platform/config/config.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";
import { join } from "node:path";
import type { EngineView, Entry, Event } from "@pricetime/engine";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { World } from "../../platform/world/port.ts";
import { mailFilesIn, MailFolder } from "./mail-folder.ts";
import { FileOutbox } from "./mail-room.ts";
import type { LetterParts } from "./owed-mails.ts";
import type { EmailTenure } from "./mail-run.ts";
import { NoticeEmails, WithdrawalEmails } from "./node-mails.ts";
import type { EmailVenue, LinkParts } from "./links.ts";
import type { MailRecord, Outbox } from "./port.ts";
import { ClusterEmails } from "./cluster-mails.ts";
import { type EmailBranding, type Sending, smtpSending } from "./smtp.ts";

export function watchMails(metrics: Pick<Metrics, "gauge">, mails: { readonly waiting: number }): void {
  metrics.gauge("pricetime_emails_queued", "Emails in the queue", () => mails.waiting);
}

export interface MailParts {
  readonly dataFolder: string;
  /** If `smtp` is null, emails stay in the outbox. */
  readonly mail: Config["email"];
  /** How emails look. Default: without a name. */
  readonly emailBranding?: EmailBranding;
  readonly publicUrl: () => string;
  readonly venue?: EmailVenue | undefined;
  readonly log: { warn(fields: object, message: string): void };
  readonly world: World;
  /** Called with an error while emails cannot be written to the folder, and with null when they can be again. */
  readonly onTrouble?: (error: Error | null) => void;
  /** See `MailFolder`. */
  readonly onWritten?: (mail: MailRecord) => void;
}

/** Opens `<data>/mail`. Emails that were queued when the last run ended are sent now. */
export function openMail({ dataFolder, mail, emailBranding, onTrouble, onWritten, ...parts }: MailParts): FileOutbox {
  const onError = (error: Error): void => parts.log.warn({ err: error }, "cannot read a stored email");
  const told = { world: parts.world, onError, onTrouble, onWritten };
  const folder = new MailFolder(mailFilesIn(join(dataFolder, "mail")), told);
  return new FileOutbox({ ...parts, folder, sending: sendingOf(mail, emailBranding) });
}

function sendingOf({ smtp, from }: MailParts["mail"], branding: EmailBranding | undefined): Sending | null {
  return smtp === null ? null : smtpSending(smtp, from, branding);
}

/** The email-related parts of a node. */
export interface NodeMail {
  readonly outbox: Outbox & { readonly waiting: number; close(): Promise<void> };
  /** Writes the emails of applied entries, and at the start those of entries that the previous run missed. */
  readonly letters: { applied(entry: Entry, events: readonly Event[]): void; catchUp(nowMs: number): void };
  /** Tasks that one node of a cluster owns at a time; none on a single node. */
  readonly parts: readonly MailPart[];
}

interface MailPart {
  readonly role: string;
  whyNot(): Promise<string>;
  start(tenure: EmailTenure): void;
  stop(): Promise<void>;
}

export interface NodeMailParts extends MailParts, Omit<LetterParts, "view">, LinkParts {
  readonly view: Pick<EngineView, "funds" | "account" | "asset" | "access" | "nodes">;
  /** Whether the node belongs to a cluster. */
  readonly isShared: boolean;
  readonly isOfLab: boolean;
  readonly sequencer: Pick<Sequencer, "run">;
}

export function openNodeMail(parts: NodeMailParts): NodeMail {
  if (parts.isShared) {
    const letters = new ClusterEmails({ ...parts, sending: sendingOf(parts.mail, parts.emailBranding) });
    return { outbox: letters, letters, parts: [letters] };
  }
  const outbox = openMail({ ...parts, onWritten: (mail) => notices.onWritten(mail) });
  const notices = new NoticeEmails({ ...parts, mails: outbox });
  const withdrawals = new WithdrawalEmails({ ...parts, mails: outbox });
  return { outbox, letters: bothOf(withdrawals, notices), parts: [] };
}

function bothOf(withdrawals: NodeMail["letters"], notices: NodeMail["letters"]): NodeMail["letters"] {
  return {
    applied: (entry, events) => {
      withdrawals.applied(entry, events);
      notices.applied(entry, events);
    },
    catchUp: (nowMs) => {
      withdrawals.catchUp(nowMs);
      notices.catchUp(nowMs);
    },
  };
}
