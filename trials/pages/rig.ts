/** What a browser trial requires: a node and Chromium, started before its first test and stopped after its last. */
import { existsSync } from "node:fs";
import { after } from "node:test";
import type { Browser } from "playwright-core";
import { skipUnless } from "@pricetime/testkit/skip";
import { CHROMIUM, openBrowser, WHOLE_CHROMIUM } from "./browser.ts";

/** The `skip` option of every test of such a trial: false if there is a browser. */
export const skip = skipUnless(
  existsSync(CHROMIUM) && existsSync(WHOLE_CHROMIUM),
  "no browser: apt-get install chromium chromium-headless-shell",
);

export interface Rig<Venue> {
  readonly venue: Venue;
  readonly browser: Browser;
}

/**
 * Call it once in a file, with `await`, at its top. Without Chromium nothing is started, and the returned values must
 * not be used.
 */
export async function rigOf<Venue extends { stop(): Promise<unknown> }>(
  open: () => Promise<Venue>,
): Promise<Rig<Venue>> {
  if (skip !== false) return {} as Rig<Venue>;
  const [venue, browser] = await Promise.all([open(), openBrowser()]);
  after(async () => {
    await browser.close();
    await venue.stop();
  });
  return { venue, browser };
}
