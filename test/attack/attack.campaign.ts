/** The campaign of attacks sees on a real node what it must: one that stands still, and one that is killed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "../../attack/attack.ts";
import { attackAll } from "../../attack/campaign.ts";
import { besiege, type Siege } from "../../attack/siege.ts";
import { isSlowness } from "../../attack/verdict.ts";

const SMALL = { symbols: 5, asks: 10, hoard: 10 };
const quietly = { isShort: true, seconds: 3, size: SMALL, say: () => {} };

/** Twenty times what a slow disk beside others makes of an order, and longer than a supervisor waits. */
const PAUSE_MS = 12_000;
const pause: Siege = {
  ...{ name: "pause", does: "" },
  strike: async ({ exchange: { pid } }) => {
    process.kill(pid, "SIGSTOP");
    await sleep(PAUSE_MS);
    process.kill(pid, "SIGCONT");
    return { saw: "" };
  },
};
const FOUND_OUT_MS = 1_500;
const kill: Siege = {
  ...{ name: "kill", does: "" },
  strike: async ({ exchange }) => {
    await exchange.kill();
    // Others find out.
    await sleep(FOUND_OUT_MS);
    return { saw: "" };
  },
};

// As the README says: other systems have no /proc, and one loopback address.
const skip = process.platform !== "linux";
test("a node that stands still and one that ends are seen by the quiet client", {
  skip,
  timeout: 180_000,
}, async () => {
  const sieges: Attack = {
    name: "sieges",
    run: async (campaign) => [await besiege(campaign, pause), await besiege(campaign, kill)],
  };
  const [stood, ended] = await attackAll({ ...quietly, attacks: [sieges] });
  assert.ok(stood?.broken.some(isSlowness), stood?.broken.join("; "));
  assert.ok(stood?.broken.some((what) => what.startsWith("/healthz")));
  assert.ok(!stood?.broken.includes("the process ended"));
  assert.ok(ended?.broken.includes("the process ended"), ended?.broken.join("; "));
  assert.ok(ended?.broken.some((what) => what.startsWith("/healthz")));
});
