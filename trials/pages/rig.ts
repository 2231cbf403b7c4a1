/** What a trial in a browser stands on: a venue and Chromium, begun before its first test and ended after its last. */
import { existsSync } from "node:fs";
import { after } from "node:test";
import type { Browser } from "playwright-core";
import { skipUnless } from "@pricetime/testkit/skip";
import { CHROMIUM, openBrowser } from "./browser.ts";

/** The `skip` of every test of such a trial: false where there is a browser. */
export const skip = skipUnless(existsSync(CHROMIUM), `${CHROMIUM} is not there: apt-get install chromium`);

export interface Rig<Venue> {
  readonly venue: Venue;
  readonly browser: Browser;
}

/** Once a file, awaited where it begins. Without Chromium nothing is begun, and nobody may look at what it gives. */
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
