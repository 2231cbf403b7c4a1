/** Writes the email of a notice: an event that concerns the security of an account or an operator. */
import type { NoticeKind, NoticeRecord } from "@pricetime/engine";
import { addressAdded } from "./address-added.ts";
import { addressListEnded } from "./address-list-ended.ts";
import { alreadyKnown } from "./already-known.ts";
import { apiKeyCreated } from "./api-key-created.ts";
import { breakGlass } from "./break-glass.ts";
import { emailChanged } from "./email-changed.ts";
import { frozen } from "./frozen.ts";
import { invitation } from "./invitation.ts";
import { newSignIn } from "./new-sign-in.ts";
import type { NoticeDesk, NoticeWriter } from "./notice-parts.ts";
import { passwordChanged } from "./password-changed.ts";
import { recovered } from "./recovered.ts";
import { recovery } from "./recovery.ts";
import { totpChanged } from "./totp-changed.ts";

const WRITERS: Readonly<Record<NoticeKind, NoticeWriter>> = {
  invitation,
  alreadyKnown,
  recovery,
  recovered,
  passwordChanged,
  newSignIn,
  apiKeyCreated,
  totpChanged,
  addressAdded,
  frozen,
  breakGlass,
  addressListEnded,
  emailChanged,
};

/** One address, and nothing that a mail program or server reads as several. */
const ONE_RECEIVER = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),;<>@\\]+$/u;

export interface NoticeMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly noticeId: number;
}

/** Undefined: there is nothing to send, or no valid address to send it to. */
export function noticeMail(notice: NoticeRecord, desk: NoticeDesk): NoticeMail | undefined {
  const { noticeId, email, kind } = notice;
  const written = ONE_RECEIVER.test(email) ? WRITERS[kind](notice, desk) : undefined;
  if (written === undefined) return undefined;
  const { venue } = desk.to;
  const text = [`This email is from the exchange at ${venue}.`, "", ...written.lines, ""].join("\n");
  return { to: email, subject: `${written.subject} (${withoutScheme(venue)})`, text, noticeId };
}

function withoutScheme(url: string): string {
  return url.slice(url.indexOf("//") + 2);
}
