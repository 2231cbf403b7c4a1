/** Texts that would do harm if a page ran them, and a node that sends them in place of its own. */
import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import type { Watched } from "./browser.ts";
import type { Opened } from "./opened.ts";

/** Without spaces, for names of operators and addresses, which may have none. */
export const IMAGE = "<img/src=x/onerror=window.wasRun=1>";
export const SCRIPT = "<script>window.wasRun=1</script>";
export const FORMULA = "=HYPERLINK(1)";

/** Checks that no script ran and no element was created within `root`. */
export async function assertHarmless(
  { page, complaints }: Watched,
  violations: readonly string[],
  root: "#terminal" | "#account" | "#console",
): Promise<void> {
  assert.equal(await page.evaluate("window.wasRun"), undefined);
  assert.equal(await page.locator(`img, iframe, ${root} script, a[href^='javascript']`).count(), 0);
  assert.deepEqual(violations, []);
  assert.deepEqual(
    complaints.filter((one) => !one.includes("Failed to load resource")),
    [],
  );
}

/** Waits until the region shows the text literally. */
export async function shows({ page }: Opened, region: string, text: string): Promise<void> {
  await page.getByRole("region", { name: region }).first().getByText(text).first().waitFor();
}

/** Responds as the node does, but with a modified text. */
export async function spoil(route: Route, change: (text: string) => string): Promise<void> {
  const answer = await route.fetch();
  // Without the headers of an encoding that was already decoded.
  const body = change(await answer.text());
  await route.fulfill({ status: answer.status(), contentType: "application/json", body });
}

/** Replaces every text in the node's answers except the values of `keep`, as a hostile node could. */
export async function spoilAnswers(page: Page, paths: RegExp, keep: readonly string[] = []): Promise<void> {
  const spoilt = (value: unknown, name = ""): unknown => {
    if (Array.isArray(value)) return value.map((one) => spoilt(one));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spoilt(part, key)]));
    }
    // Decimals stay, because they are not free text.
    return typeof value === "string" && !keep.includes(name) && !/^-?[\d.]+$/.test(value) ? IMAGE : value;
  };
  await page.route(paths, (route) =>
    spoil(route, (text) => (/^[{[]/.test(text) ? JSON.stringify(spoilt(JSON.parse(text))) : text)),
  );
}

/** A spreadsheet must not run a text as a formula. */
export function assertNoFormula(cells: readonly string[]): void {
  for (const cell of cells) assert.doesNotMatch(cell, /^"?[=+@]/, cell);
}
