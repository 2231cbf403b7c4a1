/**
 * A withdrawal is paid after a backup, and the exchange is restored from that backup while the network continues: as the
 * guide to backup and restore describes, the withdrawal is not paid again.
 */
import assert from "node:assert/strict";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { restoreBackup, takeBackup } from "@pricetime/server/data-folder";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";

const COIN = "DOGE";
const PAYEE = "somebodyelses1234567";
/** Blocks come every 50 ms. */
const MANY_BLOCKS_MS = 3000;

async function withdraw(exchange: Exchange): Promise<string> {
  const client = new Client(exchange.rest, exchange.accounts[0]);
  try {
    const request = { coin: COIN, address: PAYEE, amount: 100 };
    const { status, text, json } = await client.signed<{ id: string }>(
      "POST",
      "/sapi/v1/capital/withdraw/apply",
      request,
    );
    assert.equal(status, 200, text);
    return json.id;
  } finally {
    client.close();
  }
}

interface Open {
  readonly withdrawalId: string;
  readonly txIds: readonly string[];
}
const open = (exchange: Exchange): Promise<Open[]> => operate<Open[]>(exchange, "GET", "/v1/withdrawals");

async function allPaid(exchange: Exchange): Promise<void> {
  await until("the withdrawal is paid", async () => (await open(exchange)).length === 0);
}

async function errorOf(exchange: Exchange): Promise<string> {
  const networks = await operate<{ network: string; error: string }[]>(exchange, "GET", "/v1/networks");
  const { error } = networks.find(({ network }) => network === COIN) ?? assert.fail();
  return error;
}

function paid(dataFolder: string): number {
  const chain = new DatabaseSync(join(dataFolder, "sandbox", `${COIN}.sqlite`), { readOnly: true });
  const sql = "SELECT count(*) AS n FROM transactions WHERE address = ? AND height IS NOT NULL AND is_success = 1";
  const { n } = chain.prepare(sql).get(PAYEE) as { n: number };
  chain.close();
  return n;
}

test("a restored exchange does not pay a withdrawal again that was paid after the backup", async (t) => {
  const place = temporaryFolder();
  t.after(() => rmSync(place, { recursive: true, force: true }));
  const config = join(place, "config.yaml");
  writeFileSync(config, `wallet: { networks: [{ kind: sandbox, network: ${COIN}, blockMs: 50 }] }\n`);
  const args = ["--bots", "off", "--limits", "off", "--config", config];
  const [dataFolder, folder, restored] = ["data", "backup", "restored"].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  const first = await startExchange({ dataFolder, args });
  t.after(() => first.kill());
  const fault = `/v1/networks/${COIN}/sandbox/fault`;
  await operate(first, "POST", fault, { kind: "unreachable", durationMs: 600_000 });
  const id = await withdraw(first);
  await takeBackup({ dataFolder, folder, withKey: true, isFull: false, nowMs: Date.now });
  await operate(first, "POST", fault, { kind: "unreachable", durationMs: 0 });
  await allPaid(first);
  await first.stop();
  assert.equal(paid(dataFolder), 1);

  await restoreBackup({ folder, dataFolder: restored, isFull: false });
  // The network is not restored.
  cpSync(join(dataFolder, "sandbox"), join(restored, "sandbox"), { recursive: true });
  const second = await startExchange({ dataFolder: restored, args });
  t.after(() => second.kill());
  await until("the node reports that payments are on hold", async () =>
    /payments are held/.test(await errorOf(second)),
  );
  await sleep(MANY_BLOCKS_MS);
  assert.deepEqual(
    (await open(second)).map(({ withdrawalId, txIds }) => [withdrawalId, txIds]),
    [[id, []]],
  );
  assert.match(await errorOf(second), /payments are held until .*payments\.held is removed/);
  assert.match(second.output(), /payments are held/);

  // The operator has checked the withdrawal.
  await operate(second, "POST", `/v1/withdrawals/${id}/fail`, { why: "it was paid before the restore" });
  rmSync(join(restored, "payments.held"));
  await withdraw(second);
  await allPaid(second);
  await second.stop();
  assert.equal(paid(restored), 2, "only the second withdrawal is paid");
});
