/** Debian's Chromium, and the processor time of all its processes, as Linux reports it. */
import { existsSync } from "node:fs";
import assert from "node:assert/strict";
import { type Browser, chromium } from "playwright-core";
import { processorMs } from "@pricetime/testkit/process-usage";

const PROGRAM = "/usr/bin/chromium";

export function openChromium(): Promise<Browser> {
  assert.ok(existsSync(PROGRAM), `${PROGRAM} is not there: apt-get install chromium`);
  // In containers, Chromium's sandbox is not available.
  return chromium.launch({ executablePath: PROGRAM, args: ["--no-sandbox"] });
}

/** The kinds of processes. The GPU process draws into memory if there is no GPU. */
export const KINDS = ["renderer", "GPU", "browser", "others"] as const;
export type Kind = (typeof KINDS)[number];
/** Milliseconds of a core since the process began. */
export type Spent = ReadonlyMap<number, { readonly kind: Kind; readonly ms: number }>;

export async function spentBy(browser: Browser): Promise<Spent> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  assert.ok(processInfo.some(({ type }) => type === "renderer"));
  return new Map(
    processInfo.map(({ id, type }) => {
      const kind = KINDS.find((name) => name === type) ?? "others";
      return [id, { kind, ms: processorMs(id) }];
    }),
  );
}

export type Shares = Readonly<Record<Kind | "all", number>>;

/** Fractions of one core between two measurements. A process that started in between counts from its start. */
export function sharesOf(before: Spent, after: Spent, elapsedMs: number): Shares {
  const shares = { renderer: 0, GPU: 0, browser: 0, others: 0, all: 0 };
  for (const [pid, { kind, ms }] of after) {
    const share = (ms - (before.get(pid)?.ms ?? 0)) / elapsedMs;
    shares[kind] += share;
    shares.all += share;
  }
  return shares;
}
