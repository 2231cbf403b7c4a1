/** Properties of the style sheets, checked in their text. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const FOLDER = join(import.meta.dirname, "../src/style");

interface Rule {
  readonly selector: string;
  readonly body: string;
}

/** All rules of the style sheets, including those in media queries. */
function rulesOf(css: string): Rule[] {
  const bare = css.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/@media[^{]*\{/g, "");
  return [...bare.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = "", body = ""]) => ({
    selector: selector.trim(),
    body,
  }));
}

const rules = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".css"))
  .flatMap((name) => rulesOf(readFileSync(join(FOLDER, name), "utf8")));

test("success and failure keep their colors in every color scheme for prices", () => {
  const swapping = rules.filter(({ selector }) => selector.includes("data-colours"));
  assert.ok(swapping.length >= 2);
  for (const { selector, body } of swapping) assert.doesNotMatch(body, /--(?:good|bad)/, selector);
  const named = rules.filter(({ body }) => /--(?:good|bad)[-\w]*:/.test(body));
  for (const { selector, body } of named)
    assert.doesNotMatch(body, /--(?:good|bad)[-\w]*:\s*var\(--(?:up|down)/, selector);
  const telling = rules.filter(({ selector }) =>
    /\.(?:state|banner|notice|bad|good|problem|refusal|refused|lab-failed)\b|:invalid/.test(selector),
  );
  assert.ok(telling.some(({ body }) => body.includes("var(--good)")));
  assert.ok(telling.some(({ body }) => body.includes("var(--bad)")));
  for (const { selector, body } of telling) assert.doesNotMatch(body, /var\(--(?:up|down)/, selector);
});

test("the text of a status is hidden visually, but not from screen readers", () => {
  const hidden = rules.filter(({ body }) => /display:\s*none/.test(body));
  for (const { selector } of hidden) assert.doesNotMatch(selector, /\.state\b|\.unseen/, selector);
});
