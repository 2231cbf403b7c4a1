/**
 * The language of the account pages. Pages read their texts from the objects of the English modules; another language
 * replaces the properties of these objects, and its texts are loaded only when they are needed.
 */
import {
  customerAddresses,
  customerDeposits,
  customerDust,
  customerHistory,
  customerKeys,
  customerOutside,
  customerOverview,
  customerPages,
  customerSecurity,
  customerStatements,
  customerSubAccounts,
  customerWithdrawals,
  customerWords,
} from "./customer-en.ts";
import { numberFields, numbers, orderWords, pagesWords } from "./pages-en.ts";
import { customerFees, portfolioWords } from "./portfolio-en.ts";
import { customerProof, proofFaults } from "./proof-en.ts";
import type { Translated } from "./translated.ts";

export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" };

/** The texts that are translated. */
const shownTexts = () => ({
  ...{ customerWords, customerPages, customerOutside, customerOverview, customerDeposits, customerWithdrawals },
  ...{ customerAddresses, customerHistory, customerSubAccounts, customerDust, customerFees, customerStatements },
  ...{ customerKeys, customerSecurity, customerProof, proofFaults, pagesWords, orderWords, portfolioWords },
  ...{ numbers, numberFields },
});
export type Texts = Translated<ReturnType<typeof shownTexts>>;

/** The first of the languages that the browser prefers, such as `de-AT`, which the pages have. */
export function preferredLanguage(languages: readonly string[], otherwise: Language): Language {
  for (const one of languages) {
    const [name] = one.toLowerCase().split("-");
    const found = LANGUAGES.find((language) => language === name);
    if (found !== undefined) return found;
  }
  return otherwise;
}

/** A copy of the English texts, made before another language replaces them. */
let english: Texts | undefined;

/** Replaces the texts of the account pages. Rejects if they cannot be loaded. */
export async function showLanguage(language: Language): Promise<void> {
  const shown = shownTexts();
  english ??= copyOf(shown);
  const texts: Texts = language === "en" ? english : (await import("./de/german.ts")).german;
  for (const name of Object.keys(shown) as (keyof Texts)[]) Object.assign(shown[name], texts[name]);
}

const copyOf = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, words]) => [name, { ...words }])) as unknown as Texts;
