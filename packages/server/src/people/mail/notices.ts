/** Writes the email for a notice, which reports an event that concerns the security of an account or an operator. */
import { DAY_MS, type EngineView, type NoticeKind, type NoticeRecord } from "@pricetime/engine";
import { type EmailVenue, type LinkMaker, LOCK_LINK_LIFE_MS } from "./links.ts";

interface NoticeContext {
  readonly access: EngineView["access"];
  readonly to: LinkMaker;
  readonly nowMs: number;
}

export interface NoticeText {
  /** Contains only fixed text: user input never reaches a header. */
  readonly subject: string;
  readonly lines: readonly string[];
}

/** Writes the email for one kind of notice. Returns undefined if its link has expired and no email is sent. */
type NoticeWriter = (notice: NoticeRecord, context: NoticeContext) => NoticeText | undefined;

/** Returns a fact of a notice by name; "" if it is absent. */
function factOf({ facts }: NoticeRecord, name: string): string {
  return Object.hasOwn(facts, name) ? (facts[name] ?? "") : "";
}

const CUSTOMER = "account:";

/** Returns the account that the email is about; undefined for an operator, or if the account does not exist yet. */
function customerOf(notice: NoticeRecord): string | undefined {
  const holder = factOf(notice, "holder");
  return holder.startsWith(CUSTOMER) ? holder.slice(CUSTOMER.length) : undefined;
}

/** The latest time that `Date` supports. */
const LAST_MS = 8.64e15;

/** Formats a time to the minute: `2026-11-26 12:40 UTC`. */
function timeText(ms: number): string {
  if (!(Math.abs(ms) <= LAST_MS)) return "(unknown time)";
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Formats facts as aligned lines: `  IP address:  "203.0.113.9"`. Long values are not wrapped. */
export function linesOf(facts: readonly (readonly [label: string, value: string])[]): readonly string[] {
  const width = Math.max(...facts.map(([label]) => label.length)) + 3;
  return facts.map(([label, value]) => `  ${`${label}:`.padEnd(width)}${value}`);
}

// Sanitizes untrusted text for email, such as the browser name of a sign-in or the label of an API key.

/** Maximum length; longer text is truncated. */
const MAX_SAID_LENGTH = 160;
const SAFE = /[^\p{L}\p{N} .,:;/()+_=-]/gu;
/** Patterns that mail programs turn into links: a dot before a letter, and the slashes after `http:`. */
const DOT_OF_A_NAME = /\.(?=\p{L})/gu;
const SLASHES = /\/{2,}/gu;

/**
 * Returns one quoted line without line breaks, quotes, text direction marks or anything that mail programs turn into a
 * link.
 */
function said(text: string): string {
  const safe = text
    .slice(0, 4 * MAX_SAID_LENGTH)
    .normalize("NFKC")
    .replace(SAFE, "?")
    .replace(DOT_OF_A_NAME, ". ")
    .replace(SLASHES, "/");
  if (safe === "") return "(none)";
  const letters = Array.from(safe);
  const cut = letters.length > MAX_SAID_LENGTH ? `${letters.slice(0, MAX_SAID_LENGTH).join("")}...` : safe;
  return `"${cut}"`;
}

// The end of a security email: what to do if the recipient did not cause the event.

/** A customer gets a link that locks the account. Operators are told to have another operator disable them. */
function warning(notice: NoticeRecord, { to }: NoticeContext): readonly string[] {
  const account = customerOf(notice);
  if (account === undefined) {
    return [
      "If this was not you, tell another operator at once. They can end your sessions and disable your access in the",
      "console:",
      "",
      to.home(false),
    ];
  }
  return [
    "If this was not you, lock your account at once. All sessions, API keys and open orders end, and trading and",
    "withdrawals are disabled until the exchange unlocks the account:",
    "",
    to.lock(account, notice),
    "",
    `This link is valid for ${LOCK_LINK_LIFE_MS / DAY_MS} days.`,
  ];
}

/** Describes who acted, for the owner of the account. */
function actorOf(notice: NoticeRecord): string {
  const by = factOf(notice, "by");
  return by === factOf(notice, "holder") ? "you (signed in)" : said(by);
}

const addressAdded: NoticeWriter = (notice, context) => {
  const tag = factOf(notice, "tag");
  return {
    subject: "Withdrawal address added",
    lines: [
      "An address was added to the withdrawal addresses of your account:",
      "",
      ...linesOf([
        ["Time", timeText(notice.createdMs)],
        ["Account", said(factOf(notice, "account"))],
        ["Network", said(factOf(notice, "network"))],
        ["Address", said(factOf(notice, "address"))],
        ...(tag === "" ? [] : [["Tag", said(tag)] as const]),
        ["Name", said(factOf(notice, "name"))],
        ["Added by", actorOf(notice)],
      ]),
      "",
      ...warning(notice, context),
    ],
  };
};

const addressListEnded: NoticeWriter = (notice, context) => ({
  subject: "Withdrawal address allowlist turned off",
  lines: [
    "The withdrawal address allowlist of your account was turned off. Until the waiting period ends, withdrawals still go",
    "only to the addresses in your address book; after that, they can go to any address:",
    "",
    ...linesOf([
      ["Time", timeText(notice.createdMs)],
      ["Account", said(factOf(notice, "account"))],
      ["Stays on until", timeText(Number(factOf(notice, "fromMs")))],
      ["Turned off by", actorOf(notice)],
    ]),
    "",
    "To keep the allowlist, sign in and turn it on again under Addresses.",
    "",
    ...warning(notice, context),
  ],
});

/** Sent after a sign-up with an address that already has an account. The sign-up page does not reveal this. */
const alreadyKnown: NoticeWriter = (_notice, { to }) => ({
  subject: "You already have an account",
  lines: [
    "Someone, perhaps you, tried to open an account with this email address, which already has one. Nothing was changed.",
    "If you have forgotten your password, reset it from the sign-in page:",
    "",
    to.home(true),
  ],
});

const apiKeyCreated: NoticeWriter = (notice, context) => ({
  subject: "API key created",
  lines: [
    "An API key was created for your account:",
    "",
    ...linesOf([
      ["Time", timeText(notice.createdMs)],
      ["Account", said(factOf(notice, "account"))],
      ["Label", said(factOf(notice, "label"))],
      ["Permissions", said(factOf(notice, "permissions"))],
      ["Created by", actorOf(notice)],
    ]),
    "",
    ...warning(notice, context),
  ],
});

/** Sent to every operator when the emergency override is requested. Every operator except viewers can cancel it. */
const breakGlass: NoticeWriter = (notice, { to }) => ({
  subject: "Emergency override: dual approval ends in 24 hours",
  lines: [
    "An operator requested the emergency override. When it takes effect, dual approval is switched off: every action that",
    "now needs an approver can then be carried out by one operator.",
    "",
    ...linesOf([
      ["Requested", timeText(notice.createdMs)],
      ["Takes effect", timeText(Number(factOf(notice, "fromMs")))],
      ["Requested by", said(factOf(notice, "by"))],
      ["Reason", said(factOf(notice, "why"))],
    ]),
    "",
    "If this is not right, cancel the override in the console before it takes effect. Every operator except viewers can",
    "cancel it:",
    "",
    to.home(false),
  ],
});

const PLAIN_ADDRESS = /^[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,190}$/;

/** Shows a plain address verbatim, so that the customer recognizes it; any other is quoted and sanitized. */
const shown = (email: string): string => (PLAIN_ADDRESS.test(email) ? email : said(email));

/** Sent to the previous address after an account's email address changed. */
const emailChanged: NoticeWriter = (notice, context) => ({
  subject: "Your email address was changed",
  lines: [
    "The email address of your account was changed. You now sign in with the new address, and emails about your account",
    "are sent to it:",
    "",
    ...linesOf([
      ["Time", timeText(notice.createdMs)],
      ["New address", shown(factOf(notice, "email"))],
      ["Changed by", actorOf(notice)],
    ]),
    "",
    "Your password and two-factor authentication stay the same.",
    "",
    ...warning(notice, context),
  ],
});

const frozen: NoticeWriter = (notice, { to }) => ({
  subject: "Your account is locked",
  lines: [
    `Your account was locked at ${timeText(notice.createdMs)}. All sessions, API keys and open orders have ended, and`,
    "trading and withdrawals are disabled. To unlock the account, contact the exchange:",
    "",
    to.venue,
  ],
});

/** Sent to a new customer, to a customer whose account has no password yet, or to an operator. */
const invitation: NoticeWriter = (notice, { access, to, nowMs }) => {
  const id = factOf(notice, "invitationId");
  const record = access.invitation(id, nowMs);
  const isCustomer = factOf(notice, "holder") === "" || customerOf(notice) !== undefined;
  const link = to.invitation(id, record?.secretHash, isCustomer);
  if (record === undefined || link === undefined) return undefined;
  const what = isCustomer ? "your account" : "your operator access";
  return {
    subject: `Choose a password for ${what}`,
    lines: [
      `You are invited to choose a password for ${what}. This link works once, until ${timeText(record.untilMs)}:`,
      "",
      link,
      "",
      "If you did not expect this email, ignore it. Without the link, no password can be set.",
    ],
  };
};

const newSignIn: NoticeWriter = (notice, context) => ({
  subject: "New sign-in",
  lines: [
    "Your password was used to sign in from a new browser or IP address:",
    "",
    ...linesOf([
      ["Time", timeText(notice.createdMs)],
      ["IP address", said(factOf(notice, "ip"))],
      ["Browser", said(factOf(notice, "client"))],
    ]),
    "",
    ...warning(notice, context),
  ],
});

const passwordChanged: NoticeWriter = (notice, context) => ({
  subject: "Your password was changed",
  lines: [`Your password was changed at ${timeText(notice.createdMs)}.`, "", ...warning(notice, context)],
});

const recovered: NoticeWriter = (notice, context) => ({
  subject: "Your password was reset",
  lines: [
    `At ${timeText(notice.createdMs)}, a new password was set for you with the link from our password reset email. All`,
    `sessions have ended${customerOf(notice) === undefined ? "" : ", and withdrawals are suspended for 24 hours"}.`,
    "",
    ...warning(notice, context),
  ],
});

/** Has two links: one sets a new password after the waiting period, the other cancels the reset. */
const recovery: NoticeWriter = (notice, context) => {
  const { access, to, nowMs } = context;
  const id = factOf(notice, "recoveryId");
  const record = access.recovery(id);
  const isCustomer = customerOf(notice) !== undefined;
  const link = to.recovery(id, record?.secretHash, isCustomer);
  if (record === undefined || link === undefined || nowMs >= record.untilMs) return undefined;
  return {
    subject: "Reset your password",
    lines: [
      `A password reset was requested for you at ${timeText(record.askedMs)}. If you requested it, set a new password`,
      `with this link. It works from ${timeText(record.fromMs)} until ${timeText(record.untilMs)}:`,
      "",
      link,
      "",
      "If you did not request it, cancel the reset with this link. The link above then stops working:",
      "",
      to.cancelRecovery(id, isCustomer),
      "",
      ...warning(notice, context),
    ],
  };
};

const totpChanged: NoticeWriter = (notice, context) => {
  const isSet = factOf(notice, "change") === "set";
  return {
    subject: `Two-factor authentication was turned ${isSet ? "on" : "off"}`,
    lines: [
      isSet
        ? "You now need a code from your authenticator app to sign in:"
        : "Codes from your authenticator app are no longer required:",
      "",
      ...linesOf([
        ["Time", timeText(notice.createdMs)],
        [isSet ? "Turned on by" : "Turned off by", actorOf(notice)],
      ]),
      "",
      ...warning(notice, context),
    ],
  };
};

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

/** Matches a single address that no mail program or server interprets as several. */
const ONE_RECEIVER = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),;<>@\\]+$/u;

export interface NoticeMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly noticeId: number;
}

/** Writes the email for a notice. Undefined if there is nothing to send, or no valid address to send it to. */
export function noticeMail(notice: NoticeRecord, context: NoticeContext): NoticeMail | undefined {
  const { noticeId, email, kind } = notice;
  const written = ONE_RECEIVER.test(email) ? WRITERS[kind](notice, context) : undefined;
  if (written === undefined) return undefined;
  const { venue, named, subjectName } = context.to;
  const from = named.name === null ? "the exchange at" : `${named.name},`;
  const text = [`This email is from ${from} ${venue}.`, "", ...written.lines, ...supportLines(named), ""].join("\n");
  return { to: email, subject: `${written.subject} (${subjectName})`, text, noticeId };
}

/** The end of an email to a customer, if a support address is configured. */
export const supportLines = ({ support }: EmailVenue): readonly string[] =>
  support === null ? [] : ["", `Contact support: ${support}`];
