/** The disk of a demo node is filled to the last byte, while it is idle and while bots trade; then space is freed. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, Client } from "@pricetime/testkit/client";
import { fill, makeSpace, mountSmallDisk, unmount } from "@pricetime/testkit/small-disk";
import { readiness, startExchange } from "@pricetime/testkit/venue";
import { comes } from "@pricetime/testkit/waiting";
import { type Attack, type Campaign, Checks, type Row } from "../attack.ts";
import type { Scope } from "../scope.ts";
import { isRunning, journalFault } from "../starts.ts";

const DISK_BYTES = 64 << 20;
/** The node checks for free space every second, and less often for snapshots. */
const RECOVERY_MS = 60_000;
const ORDER_EVERY_MS = 50;

/** Undefined if this user may not mount one. */
function smallDisk(scope: Scope): string | undefined {
  const folder = join(scope.folder(), "disk");
  if (!mountSmallDisk(folder, DISK_BYTES)) return undefined;
  scope.defer(() => unmount(folder));
  return folder;
}

const RESTING = {
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  price: "20000",
  quantity: "0.001",
};

function resting(client: Client, newClientOrderId: string): Promise<Answer> {
  return client.signed("POST", "/api/v3/order", { ...RESTING, newClientOrderId });
}

const BOUND = "orders get 503, reads are served, no restart; it recovers once there is space; no order is lost";

async function fillDisk({ scope, seconds }: Campaign, isBusy: boolean): Promise<Row> {
  const does = `the data folder's disk is full for ${seconds} s with ${isBusy ? "a demo's bots and a client trading" : "an idle demo node"}`;
  const checks = new Checks();
  const disk = smallDisk(scope);
  if (disk === undefined) {
    checks.observe("not tried: this user cannot mount a file system");
    return checks.row("full disk", does, BOUND);
  }
  const exchange = await startExchange({ dataFolder: join(disk, "data"), args: ["--bots", isBusy ? "on" : "off"] });
  scope.defer(() => exchange.kill());
  const client = new Client(exchange.rest, exchange.accounts[0]);
  scope.defer(() => client.close());
  checks.expect("an order is accepted before", (await resting(client, "before")).status === 200);
  fill(disk);
  const refused = await spend(seconds, isBusy ? () => resting(client, "").catch(() => undefined) : undefined);
  checks.expect("the process lives on a full disk", isRunning(exchange));
  if (isRunning(exchange)) {
    checks.observe(`${refused} orders rejected meanwhile`);
    const reads = await client.public("/api/v3/depth", { symbol: "BTCUSDT" }).catch(() => undefined);
    checks.expect("reads are served meanwhile", reads?.status === 200);
    makeSpace(disk);
    const beganMs = performance.now();
    const isReady = await comes(async () => (await readiness(exchange)).status === 200, { withinMs: RECOVERY_MS });
    checks.expect(`ready within ${RECOVERY_MS / 1000} s after space was freed`, isReady);
    checks.observe(`ready ${((performance.now() - beganMs) / 1000).toFixed(1)} s after space was freed`);
    const isTaken = await comes(async () => (await resting(client, "after")).status === 200, { withinMs: RECOVERY_MS });
    checks.expect("an order is accepted afterwards", isTaken);
    checks.expect("it stops cleanly", (await exchange.stop()) === 0);
  } else makeSpace(disk);
  const fault = journalFault(exchange.dataFolder);
  checks.expect(`the books are sound: ${fault ?? ""}`, fault === null);
  return checks.row("full disk", does, BOUND);
}

/** Places an order at intervals for so many seconds; resolves to the number of rejected ones. */
async function spend(
  seconds: number,
  order: (() => Promise<{ status: number } | undefined>) | undefined,
): Promise<number> {
  let refused = 0;
  for (const endMs = performance.now() + seconds * 1000; performance.now() < endMs; await sleep(ORDER_EVERY_MS)) {
    if (order !== undefined && (await order())?.status !== 200) refused++;
  }
  return refused;
}

export const fullDisk: Attack = {
  name: "disk",
  run: async (campaign) => {
    const rows: Row[] = [];
    for (const isBusy of campaign.isShort ? [false] : [false, true]) rows.push(await fillDisk(campaign, isBusy));
    return rows;
  },
};
