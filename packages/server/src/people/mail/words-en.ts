import { decimalIn } from "../../api/withdrawal-confirmation-words.ts";

/** The texts of emails in English. A text of several lines contains the line breaks. Values are already sanitized. */

const minutes = (count: number): string => `${count} ${count === 1 ? "minute" : "minutes"}`;

export const ENGLISH_EMAILS = {
  none: "(none)",
  unknownTime: "(unknown time)",
  moment: (year: string, month: string, day: string, clock: string): string => `${year}-${month}-${day} ${clock} UTC`,
  decimal: (text: string): string => decimalIn("en", text),
  from: (venue: string, url: string): string =>
    venue === "" ? `This email is from the exchange at ${url}.` : `This email is from ${venue}, ${url}.`,
  support: (address: string): string => `Contact support: ${address}`,
  you: "you (signed in)",
  // Labels of facts.
  time: "Time",
  account: "Account",
  network: "Network",
  address: "Address",
  tag: "Tag",
  name: "Name",
  addedBy: "Added by",
  staysUntil: "Stays on until",
  offBy: "Turned off by",
  onBy: "Turned on by",
  label: "Label",
  permissions: "Permissions",
  createdBy: "Created by",
  newAddress: "New address",
  changedBy: "Changed by",
  ip: "IP address",
  browser: "Browser",
  amount: "Amount",
  reference: "Reference",
  // What to do if the recipient did not cause the event.
  lock: `If this was not you, lock your account at once. All sessions, API keys and open orders end, and trading and
withdrawals are disabled until the exchange unlocks the account:`,
  lockUntil: (days: number): string => `This link is valid for ${days} days.`,
  // Each kind of email.
  addressAdded: {
    subject: "Withdrawal address added",
    text: "An address was added to the withdrawal addresses of your account:",
  },
  addressListEnded: {
    subject: "Withdrawal address allowlist turned off",
    text: `The withdrawal address allowlist of your account was turned off. Until the waiting period ends, withdrawals still go
only to the addresses in your address book; after that, they can go to any address:`,
    keep: "To keep the allowlist, sign in and turn it on again under Addresses.",
  },
  alreadyKnown: {
    subject: "You already have an account",
    text: `Someone, perhaps you, tried to open an account with this email address, which already has one. Nothing was changed.
If you have forgotten your password, reset it from the sign-in page:`,
  },
  apiKeyCreated: { subject: "API key created", text: "An API key was created for your account:" },
  emailChanged: {
    subject: "Your email address was changed",
    text: `The email address of your account was changed. You now sign in with the new address, and emails about your account
are sent to it:`,
    same: "Your password and two-factor authentication stay the same.",
  },
  frozen: {
    subject: "Your account is locked",
    text: (
      time: string,
    ): string => `Your account was locked at ${time}. All sessions, API keys and open orders have ended, and
trading and withdrawals are disabled. To unlock the account, contact the exchange:`,
  },
  invitation: {
    subject: "Choose a password for your account",
    text: (until: string): string =>
      `You are invited to choose a password for your account. This link works once, until ${until}:`,
    ignore: "If you did not expect this email, ignore it. Without the link, no password can be set.",
  },
  newSignIn: {
    subject: "New sign-in",
    text: "Your password was used to sign in from a new browser or IP address:",
  },
  passwordChanged: {
    subject: "Your password was changed",
    text: (time: string): string => `Your password was changed at ${time}.`,
  },
  recovered: {
    subject: "Your password was reset",
    text: (
      time: string,
    ): string => `At ${time}, a new password was set for you with the link from our password reset email. All
sessions have ended, and withdrawals are suspended for 24 hours.`,
  },
  recovery: {
    subject: "Reset your password",
    text: (asked: string, from: string, until: string): string =>
      `A password reset was requested for you at ${asked}. If you requested it, set a new password
with this link. It works from ${from} until ${until}:`,
    cancel: "If you did not request it, cancel the reset with this link. The link above then stops working:",
  },
  totpOn: {
    subject: "Two-factor authentication was turned on",
    text: "You now need a code from your authenticator app to sign in:",
  },
  totpOff: {
    subject: "Two-factor authentication was turned off",
    text: "Codes from your authenticator app are no longer required:",
  },
  withdrawal: {
    subject: (amount: string): string => `Confirm your withdrawal of ${amount}`,
    text: "A withdrawal was requested from your account:",
    amount: (amount: string, fee: string): string => `${amount}, including a fee of ${fee}`,
    receives: "You receive",
    via: "Sent via",
    to: "To",
    tag: "Tag or reference",
    recipient: "Recipient",
    confirm: (count: number): string => `If you requested it, confirm it within ${minutes(count)}:`,
    otherwise: (security: string): string =>
      `If you did not request it, do not confirm it: the withdrawal is canceled when the link expires. Then change your
password, and check your sessions and API keys: ${security}`,
  },
} as const;

/** The type of a translation: the same texts, of which none is missing and none is added. */
export type EmailWords<English = typeof ENGLISH_EMAILS> = English extends string
  ? string
  : English extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof English]: EmailWords<English[Name]> };
