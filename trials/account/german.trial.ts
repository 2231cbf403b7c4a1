/** The account pages in German: no text is left in English, the choice is kept, and emails come in the same language. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PAGES } from "@pricetime/web/customer-pages";
import { german } from "@pricetime/web/german";
import * as words from "@pricetime/web/words";
import { rigOf, skip } from "../pages/rig.ts";
import { newCustomer } from "./account.ts";
import { go, type Opened } from "../pages/opened.ts";
import { grant, letterTo, openVenue, PASSWORD, trade } from "./venue.ts";

const { venue, browser } = await rigOf(() => openVenue());
const EMAIL = "anna@example.com";

function* pairsOf(english: unknown, translated: unknown): Generator<readonly [english: string, translated: string]> {
  if (typeof english === "string") yield [english, String(translated)];
  if (typeof english !== "object" || english === null) return;
  for (const [name, inner] of Object.entries(english)) yield* pairsOf(inner, Reflect.get(Object(translated), name));
}

/** The English texts of the account pages that are different in German. */
const ENGLISH_TEXTS: ReadonlySet<string> = new Set(
  Object.entries(german)
    .flatMap(([name, texts]) => [...pairsOf(Reflect.get(words, name), texts)])
    .filter(([english, translated]) => english !== translated)
    .map(([english]) => english),
);

/** Every visible text, and every text for screen readers. */
const SHOWN = `[...document.querySelectorAll("body *")].filter((one) => one.checkVisibility()).flatMap((one) => [
  ...[...one.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent),
  ...["aria-label", "placeholder", "title", "alt"].map((name) => one.getAttribute(name) ?? ""),
]).map((text) => text.trim()).filter((text) => text !== "")`;

async function assertGerman({ page }: Opened, at: string): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  const texts = await page.evaluate<string[]>(SHOWN);
  assert.ok(texts.length > 5, at);
  assert.deepEqual([...new Set(texts.filter((text) => ENGLISH_TEXTS.has(text)))], [], at);
  assert.equal(await page.evaluate("document.documentElement.lang"), "de");
}

test("every page is in German once it is chosen, also after a reload, and emails follow", { skip }, async (t) => {
  const anna = await newCustomer(browser, venue, EMAIL);
  const { page } = anna;
  await grant(venue, EMAIL, "BTC", "2");
  await trade(venue, "BTCUSDT", "20000", "0.5");

  await t.test("pages", async () => {
    await page.getByRole("button", { name: "Deutsch" }).click();
    await page.getByRole("heading", { level: 1, name: "Übersicht" }).waitFor();
    for (const name of PAGES) {
      await go(anna, `#/${name}`);
      await assertGerman(anna, name);
      assert.deepEqual(await anna.violations(), [], name);
    }
    await page.reload();
    await assertGerman(anna, "after a reload");
  });

  await t.test("an email about the account is in German", async () => {
    await go(anna, "#/security");
    const form = page.getByRole("form", { name: "Passwort", exact: true });
    await form.getByLabel("Aktuelles Passwort").fill(PASSWORD);
    await form.getByLabel("Neues Passwort").fill(`${PASSWORD} 2`);
    await form.getByLabel("Passwort wiederholen").fill(`${PASSWORD} 2`);
    await form.getByRole("button", { name: "Passwort ändern" }).click();
    await page.getByText("Ihr Passwort wurde geändert.").waitFor();
    const email = await letterTo(venue, EMAIL, "Ihr Passwort wurde am");
    assert.match(email, /sperren Sie Ihr Konto sofort/);
    assert.doesNotMatch(email, /If this was not you/);
  });

  await t.test("the sign-in and the errors of the node", async () => {
    await page.getByRole("button", { name: "Abmelden" }).click();
    const form = page.getByRole("form", { name: "Anmelden" });
    await form.getByLabel("E-Mail-Adresse").fill(EMAIL);
    await form.getByLabel("Passwort", { exact: true }).fill("wrong password");
    await form.getByRole("button", { name: "Anmelden", exact: true }).click();
    await form.getByText("Die E-Mail-Adresse oder das Passwort ist falsch.").waitFor();
    await assertGerman(anna, "sign-in");
    for (const name of ["sign-up", "lost", "invitation", "recovery", "cancel-recovery", "lock-account"]) {
      await go(anna, `#/${name}`);
      await assertGerman(anna, name);
    }
    await page.getByRole("button", { name: "English" }).click();
    await go(anna, "#/overview");
    await page.getByRole("form", { name: "Sign in" }).waitFor();
  });
  assert.deepEqual(anna.outside, []);
  await anna.close();
});
