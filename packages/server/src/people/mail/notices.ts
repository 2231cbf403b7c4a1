/** Writes the email for a notice, which reports an event that concerns the security of an account or an operator. */
import { DAY_MS, type EngineView, type NoticeKind, type NoticeRecord } from "@pricetime/engine";
import { showBrowser } from "@pricetime/protocol";
import { type EmailVenue, type LinkMaker, LOCK_LINK_LIFE_MS } from "./links.ts";
import { emailWords } from "./words.ts";
import type { EmailWords } from "./words-en.ts";

interface NoticeContext {
  readonly access: EngineView["access"];
  readonly to: LinkMaker;
  readonly nowMs: number;
  /** The texts in the recipient's language. */
  readonly words: EmailWords;
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

/** Formats a time to the minute. */
function timeText(ms: number, words: EmailWords): string {
  if (!(Math.abs(ms) <= LAST_MS)) return words.unknownTime;
  const [, year = "", month = "", day = "", clock = ""] =
    /^([+-]?\d+)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(new Date(ms).toISOString()) ?? [];
  return words.moment(year, month, day, clock);
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
export function said(text: string, none = "(none)"): string {
  const safe = text
    .slice(0, 4 * MAX_SAID_LENGTH)
    .normalize("NFKC")
    .replace(SAFE, "?")
    .replace(DOT_OF_A_NAME, ". ")
    .replace(SLASHES, "/");
  if (safe === "") return none;
  const letters = Array.from(safe);
  const cut = letters.length > MAX_SAID_LENGTH ? `${letters.slice(0, MAX_SAID_LENGTH).join("")}...` : safe;
  return `"${cut}"`;
}

// The end of a security email: what to do if the recipient did not cause the event.

/** A customer gets a link that locks the account. Operators are told to have another operator disable them. */
function warning(notice: NoticeRecord, { to, words }: NoticeContext): readonly string[] {
  const account = customerOf(notice);
  if (account === undefined) {
    return [
      "If this was not you, tell another operator at once. They can end your sessions and disable your access in the",
      "console:",
      "",
      to.home(false),
    ];
  }
  return [words.lock, "", to.lock(account, notice), "", words.lockUntil(LOCK_LINK_LIFE_MS / DAY_MS)];
}

/** Describes who acted, for the owner of the account. */
function actorOf(notice: NoticeRecord, { words }: NoticeContext): string {
  const by = factOf(notice, "by");
  return by === factOf(notice, "holder") ? words.you : said(by, words.none);
}

type Fact = readonly [label: string, value: string];

/** An email that reports an event with its facts, and says what to do if the recipient did not cause it. */
function report(
  notice: NoticeRecord,
  context: NoticeContext,
  { subject, text }: { readonly subject: string; readonly text: string },
  facts: readonly Fact[],
  more: readonly string[] = [],
): NoticeText {
  const time: Fact = [context.words.time, timeText(notice.createdMs, context.words)];
  const lines = [text, "", ...linesOf([time, ...facts]), "", ...more.flatMap((one) => [one, ""])];
  return { subject, lines: [...lines, ...warning(notice, context)] };
}

const addressAdded: NoticeWriter = (notice, context) => {
  const { words } = context;
  const fact = (name: string): string => said(factOf(notice, name), words.none);
  return report(notice, context, words.addressAdded, [
    [words.account, fact("account")],
    [words.network, fact("network")],
    [words.address, fact("address")],
    ...(factOf(notice, "tag") === "" ? [] : [[words.tag, fact("tag")] as const]),
    [words.name, fact("name")],
    [words.addedBy, actorOf(notice, context)],
  ]);
};

const addressListEnded: NoticeWriter = (notice, context) => {
  const { words } = context;
  const facts: Fact[] = [
    [words.account, said(factOf(notice, "account"), words.none)],
    [words.staysUntil, timeText(Number(factOf(notice, "fromMs")), words)],
    [words.offBy, actorOf(notice, context)],
  ];
  return report(notice, context, words.addressListEnded, facts, [words.addressListEnded.keep]);
};

/** Sent after a sign-up with an address that already has an account. The sign-up page does not reveal this. */
const alreadyKnown: NoticeWriter = (_notice, { to, words: { alreadyKnown: words } }) => ({
  subject: words.subject,
  lines: [words.text, "", to.home(true)],
});

const apiKeyCreated: NoticeWriter = (notice, context) => {
  const { words } = context;
  const fact = (name: string): string => said(factOf(notice, name), words.none);
  return report(notice, context, words.apiKeyCreated, [
    [words.account, fact("account")],
    [words.label, fact("label")],
    [words.permissions, fact("permissions")],
    [words.createdBy, actorOf(notice, context)],
  ]);
};

/** Sent to every operator when the emergency override is requested. Every operator except viewers can cancel it. */
const breakGlass: NoticeWriter = (notice, { to, words }) => ({
  subject: "Emergency override: dual approval ends in 24 hours",
  lines: [
    "An operator requested the emergency override. When it takes effect, dual approval is switched off: every action that",
    "now needs an approver can then be carried out by one operator.",
    "",
    ...linesOf([
      ["Requested", timeText(notice.createdMs, words)],
      ["Takes effect", timeText(Number(factOf(notice, "fromMs")), words)],
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
const emailChanged: NoticeWriter = (notice, context) => {
  const { words } = context;
  const facts: Fact[] = [
    [words.newAddress, shown(factOf(notice, "email"))],
    [words.changedBy, actorOf(notice, context)],
  ];
  return report(notice, context, words.emailChanged, facts, [words.emailChanged.same]);
};

const frozen: NoticeWriter = (notice, { to, words }) => ({
  subject: words.frozen.subject,
  lines: [words.frozen.text(timeText(notice.createdMs, words)), "", to.venue],
});

/** Sent to a new customer, to a customer whose account has no password yet, or to an operator. */
const invitation: NoticeWriter = (notice, { access, to, nowMs, words }) => {
  const id = factOf(notice, "invitationId");
  const record = access.invitation(id, nowMs);
  const isCustomer = factOf(notice, "holder") === "" || customerOf(notice) !== undefined;
  const link = to.invitation(id, record?.secretHash, isCustomer);
  if (record === undefined || link === undefined) return undefined;
  const until = timeText(record.untilMs, words);
  const { subject, text, ignore } = words.invitation;
  return isCustomer
    ? { subject, lines: [text(until), "", link, "", ignore] }
    : {
        subject: "Choose a password for your operator access",
        lines: [
          `You are invited to choose a password for your operator access. This link works once, until ${until}:`,
          ...["", link, "", ignore],
        ],
      };
};

const newSignIn: NoticeWriter = (notice, context) => {
  const { words } = context;
  return report(notice, context, words.newSignIn, [
    [words.ip, said(factOf(notice, "ip"), words.none)],
    [words.browser, said(showBrowser(factOf(notice, "client")), words.none)],
  ]);
};

const passwordChanged: NoticeWriter = (notice, context) => {
  const { subject, text } = context.words.passwordChanged;
  return { subject, lines: [text(timeText(notice.createdMs, context.words)), "", ...warning(notice, context)] };
};

const recovered: NoticeWriter = (notice, context) => {
  const { subject, text } = context.words.recovered;
  const time = timeText(notice.createdMs, context.words);
  // Operators cannot withdraw.
  const ofOperator =
    `At ${time}, a new password was set for you with the link from our password reset email. All\n` +
    "sessions have ended.";
  return {
    subject,
    lines: [customerOf(notice) === undefined ? ofOperator : text(time), "", ...warning(notice, context)],
  };
};

/** Has two links: one sets a new password after the waiting period, the other cancels the reset. */
const recovery: NoticeWriter = (notice, context) => {
  const { access, to, nowMs, words } = context;
  const id = factOf(notice, "recoveryId");
  const record = access.recovery(id);
  const isCustomer = customerOf(notice) !== undefined;
  const link = to.recovery(id, record?.secretHash, isCustomer);
  if (record === undefined || link === undefined || nowMs >= record.untilMs) return undefined;
  const [asked, from, until] = [record.askedMs, record.fromMs, record.untilMs].map((ms) => timeText(ms, words));
  const { subject, text, cancel } = words.recovery;
  return {
    subject,
    lines: [
      ...[text(asked ?? "", from ?? "", until ?? ""), "", link, "", cancel, "", to.cancelRecovery(id, isCustomer), ""],
      ...warning(notice, context),
    ],
  };
};

const totpChanged: NoticeWriter = (notice, context) => {
  const { words } = context;
  const isSet = factOf(notice, "change") === "set";
  const facts: Fact[] = [[isSet ? words.onBy : words.offBy, actorOf(notice, context)]];
  return report(notice, context, isSet ? words.totpOn : words.totpOff, facts);
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

export interface NoticeMailContext extends Omit<NoticeContext, "words"> {
  /** The language that the customer has chosen; undefined if none is known. */
  readonly languageOf: (accountId: number) => string | undefined;
}

/** Writes the email for a notice. Undefined if there is nothing to send, or no valid address to send it to. */
export function noticeMail(notice: NoticeRecord, parts: NoticeMailContext): NoticeMail | undefined {
  const { noticeId, email, kind } = notice;
  const words = wordsFor(notice, parts);
  const written = ONE_RECEIVER.test(email) ? WRITERS[kind](notice, { ...parts, words }) : undefined;
  if (written === undefined) return undefined;
  const { venue, named, subjectName } = parts.to;
  const lines = [words.from(named.name ?? "", venue), "", ...written.lines, ...supportLines(named, words), ""];
  return { to: email, subject: `${written.subject} (${subjectName})`, text: lines.join("\n"), noticeId };
}

/** Emails to operators are in English. Invited customers have the language in which they signed up. */
function wordsFor(notice: NoticeRecord, { languageOf, to }: NoticeMailContext): EmailWords {
  const account = customerOf(notice);
  const isOfCustomer = account !== undefined || (factOf(notice, "holder") === "" && notice.kind === "invitation");
  if (!isOfCustomer) return emailWords("en");
  const chosen = account === undefined ? factOf(notice, "language") : languageOf(Number(account));
  return emailWords(chosen, to.named.language);
}

/** The end of an email to a customer, if a support address is configured. */
export const supportLines = ({ support }: EmailVenue, words: EmailWords): readonly string[] =>
  support === null ? [] : ["", words.support(support)];
