/** The texts of the page that confirms a withdrawal, in the customer's language. */
import type { EngineView } from "@pricetime/engine";
import { EMAIL_LANGUAGES, type EmailLanguage } from "../platform/config/branding-schema.ts";

/** A decimal of an amount, with the separators of the language. */
export function decimalIn(language: EmailLanguage, text: string): string {
  const [whole = "", part] = text.split(".");
  const point = language === "de" ? "," : ".";
  return BigInt(whole).toLocaleString(language) + (part === undefined ? "" : point + part);
}

const ENGLISH = {
  language: "en",
  ask: "Confirm your withdrawal",
  amount: "Amount",
  fee: "Fee (included)",
  receives: "You receive",
  // These fit a transfer on a chain and a bank transfer.
  via: "Sent via",
  to: "To",
  tag: "Tag or reference",
  recipient: "Recipient",
  confirm: "Confirm withdrawal",
  notYours: "If you did not request it, do not confirm it: sign in, cancel the withdrawal, and change your password.",
  decimal: (text: string): string => decimalIn("en", text),
  confirmed: "Withdrawal confirmed",
  processing: "Your withdrawal is being processed. You can close this page.",
  awaitsApproval: "Your withdrawal is awaiting approval by the exchange. You can close this page.",
  toAccount: "View your withdrawals",
  over: "This link is no longer valid",
  whyOver:
    "The withdrawal was already confirmed or has ended, or the link is incomplete. Its status is in the history of your account.",
  unavailable: "Temporarily unavailable",
  openAgain: "Open the link again in a moment. The page then shows whether the withdrawal still needs to be confirmed.",
  wrongMethod: "Method not allowed",
} as const;

export type ConfirmationWords = {
  readonly [Name in keyof typeof ENGLISH]: (typeof ENGLISH)[Name] extends string ? string : (typeof ENGLISH)[Name];
};

const GERMAN: ConfirmationWords = {
  language: "de",
  ask: "Auszahlung bestätigen",
  amount: "Betrag",
  fee: "Gebühr (enthalten)",
  receives: "Sie erhalten",
  via: "Gesendet über",
  to: "An",
  tag: "Tag oder Verwendungszweck",
  recipient: "Empfänger",
  confirm: "Auszahlung bestätigen",
  notYours:
    "Haben Sie sie nicht beantragt, bestätigen Sie nicht: Melden Sie sich an, stornieren Sie die Auszahlung und ändern Sie Ihr Passwort.",
  decimal: (text) => decimalIn("de", text),
  confirmed: "Auszahlung bestätigt",
  processing: "Ihre Auszahlung wird bearbeitet. Sie können diese Seite schließen.",
  awaitsApproval: "Ihre Auszahlung wartet auf die Freigabe durch die Börse. Sie können diese Seite schließen.",
  toAccount: "Ihre Auszahlungen ansehen",
  over: "Dieser Link ist nicht mehr gültig",
  whyOver:
    "Die Auszahlung wurde bereits bestätigt oder ist beendet, oder der Link ist unvollständig. Der Status steht im Verlauf Ihres Kontos.",
  unavailable: "Vorübergehend nicht verfügbar",
  openAgain:
    "Öffnen Sie den Link in Kürze noch einmal. Die Seite zeigt dann, ob die Auszahlung noch zu bestätigen ist.",
  wrongMethod: "Methode nicht erlaubt",
};

const CONFIRMATION_WORDS: Readonly<Record<EmailLanguage, ConfirmationWords>> = { en: ENGLISH, de: GERMAN };

/** The texts in the language; in `otherwise` if the language is undefined or unknown. */
export function confirmationWords(language: string | undefined, otherwise: EmailLanguage): ConfirmationWords {
  return CONFIRMATION_WORDS[EMAIL_LANGUAGES.find((known) => known === language) ?? otherwise];
}

/** The language that a customer has chosen, also for sub-accounts; undefined if there is none. */
export function languageIn(view: Pick<EngineView, "account">, accountId: number): string | undefined {
  const account = view.account(accountId);
  const masterId = account?.masterId ?? null;
  return account?.language ?? (masterId === null ? undefined : view.account(masterId)?.language);
}
