/** Emails in German and as HTML: complete texts, the customer's language, and untrusted text that stays text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NoticeRecord } from "@pricetime/engine";
import { htmlOf, PLAIN_LOOK } from "../../../src/people/mail/html-email.ts";
import { LinkMaker } from "../../../src/people/mail/links.ts";
import { noticeMail } from "../../../src/people/mail/notices.ts";
import { confirmationMail } from "../../../src/people/mail/owed-mails.ts";
import { GERMAN_EMAILS } from "../../../src/people/mail/words-de.ts";
import { ENGLISH_EMAILS } from "../../../src/people/mail/words-en.ts";

const URL = "https://exchange.example";
const LINKS = { secretOf: (purpose: string, id: string) => `${purpose}-${id}`, hashOf: (secret: string) => secret };
const NOW_MS = Date.parse("2026-11-26T12:40:00Z");

function mailOf(kind: NoticeRecord["kind"], facts: Record<string, string>, language: string | undefined) {
  const venue = { name: "Example Exchange", support: "support@example.com", language: "en" } as const;
  const to = new LinkMaker({ links: LINKS, publicUrl: () => URL, consoleUrl: () => "http://127.0.0.1:1", venue });
  const notice: NoticeRecord = {
    ...{ noticeId: 7, kind, email: "anna@example.com", createdMs: NOW_MS, status: "waiting" },
    facts: { holder: "account:100", ...facts },
  };
  const access = { invitation: () => undefined, recovery: () => undefined } as never;
  return noticeMail(notice, { access, to, nowMs: NOW_MS, languageOf: () => language }) ?? assert.fail();
}

function* textsOf(value: unknown, at = ""): Generator<readonly [at: string, text: string]> {
  if (typeof value === "string") yield [at, value];
  if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* textsOf(inner, `${at}.${name}`);
}

test("German texts are not English, and no line is longer than mail programs show", () => {
  const english = new Map(textsOf(ENGLISH_EMAILS));
  for (const [at, text] of textsOf(GERMAN_EMAILS)) {
    assert.doesNotMatch(text, /\b(?:the|your|you|and|is|are|with|this)\b/i, at);
    if (text.includes(" ")) assert.notEqual(text, english.get(at), at);
    for (const line of text.split("\n")) assert.ok(line.length <= 122, `${at}: ${line.length}`);
  }
});

test("an email has the language of the customer, the name of the venue and its support address", () => {
  const german = mailOf("newSignIn", { ip: "203.0.113.9", client: "" }, "de");
  assert.equal(german.subject, "Neue Anmeldung (Example Exchange)");
  assert.match(german.text, /^Diese E-Mail kommt von Example Exchange, https:\/\/exchange\.example\.\n/);
  assert.match(german.text, /Zeit: +26\.11\.2026, 12:40 UTC\n/);
  assert.match(german.text, /Browser: +\(keine\)\n/);
  assert.match(german.text, /\nSupport: support@example\.com\n$/);
  const client = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36";
  const english = mailOf("newSignIn", { ip: "203.0.113.9", client }, undefined);
  assert.match(english.text, /Browser: +"Chrome 140, Windows"\n/);
  assert.equal(english.subject, "New sign-in (Example Exchange)");
  assert.match(english.text, /Time: +2026-11-26 12:40 UTC\n/);
});

test("operators' emails stay in English", () => {
  const { subject, text } = mailOf("passwordChanged", { holder: "operator:olga" }, "de");
  assert.equal(subject, "Your password was changed (Example Exchange)");
  assert.match(text, /tell another operator at once/);
});

test("a withdrawal is confirmed in German, with the separators of German and its recipient", () => {
  const withdrawal = { withdrawalId: "w1", secret: "s", email: "anna@example.com", language: "de", asset: "BTC" };
  const target = { network: "BTC", address: "bc1q", tag: "", name: "Anna http://x.example" };
  const more = { ...target, amount: "1001.50000000", fee: "0.00010000", receives: "1001.49990000", minutesLeft: 1 };
  const { subject, text } = confirmationMail({ ...withdrawal, ...more }, URL);
  assert.equal(subject, "Bestätigen Sie Ihre Auszahlung von 1.001,50000000 BTC");
  assert.match(text, /innerhalb von 1 Minute:/);
  assert.match(text, /Betrag: +1\.001,50000000 BTC, einschließlich einer Gebühr von 0,00010000 BTC/);
  assert.match(text, /Sie erhalten: +1\.001,49990000 BTC\n +Gesendet über: +BTC\n +An: +bc1q\n/);
  assert.match(text, /Empfänger: +"Anna http:\/x\. example"\n/);
});

test("the HTML version has the facts as a table, the links as links, and no markup of untrusted texts", () => {
  const { text } = mailOf("apiKeyCreated", { account: "a@b.example", label: '<img src=x onerror="alert(1)">' }, "en");
  const html = htmlOf(text, { name: '<script>alert("name")</script>', accent: '#123456"><b>', logoId: "logo" });
  assert.doesNotMatch(html, /<script|<img src=x|<b>/);
  assert.match(html, /<th [^>]*>Label<\/th>/);
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, link]) => link);
  assert.deepEqual(links.length, 1);
  assert.match(links[0] ?? "", /^https:\/\/exchange\.example\/account\/#\/lock-account\?/);
  assert.match(html, /<img src="cid:logo"/);
  assert.doesNotMatch(htmlOf("Only text.", PLAIN_LOOK), /<img|<a /);
});
