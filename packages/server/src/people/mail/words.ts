/** Chooses the language of an email: the customer's, or the venue's if none is known. */
import type { EmailLanguage } from "../../platform/config/branding-schema.ts";
import { GERMAN_EMAILS } from "./words-de.ts";
import { ENGLISH_EMAILS, type EmailWords } from "./words-en.ts";

const EMAIL_WORDS: Readonly<Record<EmailLanguage, EmailWords>> = { en: ENGLISH_EMAILS, de: GERMAN_EMAILS };

/** The texts of the language; those of `otherwise` if the language is unknown. */
export function emailWords(language: string | undefined, otherwise: EmailLanguage = "en"): EmailWords {
  const known = Object.entries(EMAIL_WORDS).find(([name]) => name === language);
  return known?.[1] ?? EMAIL_WORDS[otherwise];
}
