/** The mail room of a node, from its configuration. */
import { join } from "node:path";
import type { World } from "../world/port.ts";
import { mailFilesIn } from "./mail-files.ts";
import { MailFolder } from "./mail-folder.ts";
import { MailRoom } from "./mail-room.ts";
import { type SmtpServer, smtpSending } from "./smtp.ts";

export interface MailParts {
  readonly dataFolder: string;
  /** With `smtp` null, mails stay in the outbox. */
  readonly mail: { readonly from: string; readonly smtp: SmtpServer | null };
  readonly publicUrl: () => string;
  readonly log: { warn(fields: object, message: string): void };
  readonly world: World;
  /** Called when mails cannot be written to the folder, or with null when they can be again. */
  readonly onTrouble?: (error: Error | null) => void;
}

/** Opens `<data>/mail`; mails that waited when the last run ended go out now. */
export function openMail({ dataFolder, mail, onTrouble, ...parts }: MailParts): MailRoom {
  const onError = (error: Error): void => parts.log.warn({ err: error }, "a mail cannot be read");
  const folder = new MailFolder(mailFilesIn(join(dataFolder, "mail")), { world: parts.world, onError, onTrouble });
  const sending = mail.smtp === null ? null : smtpSending(mail.smtp, mail.from);
  return new MailRoom({ ...parts, folder, sending });
}
