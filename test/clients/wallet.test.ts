/**
 * Wallets of published clients, with only the address changed: one of 2020 that still calls /wapi
 * makes an address, sees a deposit arrive, withdraws with a code and sees it through; ccxt of 2022 and
 * of today, and the connector, do the same at the later doors.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { codeOf } from "@pricetime/testkit/two-factor";
import { type Ccxt, ccxt, ccxt1x, connectCcxt } from "@pricetime/testkit/ccxt";

type Row = Readonly<Record<string, string | number>>;
interface OldClient {
  depositAddress(payload: object): Promise<Row>;
  depositHistory(payload?: object): Promise<{ depositList: Row[]; success: boolean }>;
  withdraw(payload: object): Promise<Row>;
  withdrawHistory(payload?: object): Promise<{ withdrawList: Row[]; success: boolean }>;
  tradeFee(): Promise<{ tradeFee: Row[]; success: boolean }>;
  assetDetail(): Promise<{ assetDetail: Record<string, Row>; success: boolean }>;
}
const require = createRequire(import.meta.url);
const oldLibrary = require("binance-api-node-0.9") as { default: (options: object) => OldClient };
const { Spot } = require("@binance/connector") as {
  Spot: new (
    apiKey: string,
    secretKey: string,
    options: object,
  ) => Readonly<Record<string, (...input: unknown[]) => Promise<{ data: Row & Row[] }>>>;
};

/** A network that makes a block only when it is told to. */
const NETWORK = "DOGE";
let exchange: Exchange;
let folder = "";

before(async () => {
  folder = temporaryFolder();
  const config = join(folder, "config.yaml");
  writeFileSync(config, `wallet: { networks: [{ kind: sandbox, network: ${NETWORK}, blockMs: 0 }] }\n`);
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off", "--config", config] });
});
after(async () => {
  await exchange.stop();
  rmSync(folder, { recursive: true, force: true });
});

function post<T>(path: string, body: object = {}): Promise<T> {
  return operate<T>(exchange, "POST", path, body);
}
const mine = (blocks: number): Promise<object> => post(`/v1/networks/${NETWORK}/sandbox/mine`, { blocks });

/** Another customer's: as good as a stranger's. */
async function othersAddress(): Promise<string> {
  const body = { network: NETWORK };
  const other = await post<{ address: string }>("/v1/accounts/carol@demo.pricetime/deposit-addresses", body);
  return other.address;
}

test("binance-api-node of 2020: a deposit 0, 6, 1; a withdrawal with a code through to 6", async () => {
  const [alice] = exchange.accounts;
  assert.ok(alice);
  const client = oldLibrary.default({ apiKey: alice.apiKey, apiSecret: alice.secretKey, httpBase: exchange.rest });

  const { address, success, asset } = await client.depositAddress({ asset: NETWORK });
  assert.deepEqual([success, asset, typeof address], [true, NETWORK, "string"]);
  await post(`/v1/networks/${NETWORK}/sandbox/faucet`, { asset: NETWORK, amount: "123.4567891", address });
  const deposit = async (): Promise<Row | undefined> =>
    (await client.depositHistory({ asset: NETWORK })).depositList[0];
  await mine(1);
  const pending = await untilAnswer("it is seen", deposit, (row) => row !== undefined);
  assert.deepEqual([pending?.status, pending?.amount, pending?.address], [0, 123.4567891, address]);
  await mine(1);
  await untilAnswer("it is credited", deposit, (row) => row?.status === 6);
  await mine(2);
  await untilAnswer("it is final", deposit, (row) => row?.status === 1);

  const { secret } = await post<{ secret: string }>(`/v1/accounts/${alice.email}/totp`);
  const payload = { asset: NETWORK, address: await othersAddress(), amount: 100, name: "a friend" };
  const refused = await client.withdraw({ ...payload });
  assert.deepEqual([refused.success, refused.code], [false, -1102]);
  const code = codeOf(secret);
  const taken = await client.withdraw({ ...payload, code });
  assert.deepEqual([taken.success, taken.msg], [true, "success"], JSON.stringify(taken));
  const replayed = await client.withdraw({ ...payload, code });
  assert.deepEqual([replayed.success, replayed.msg], [false, "Withdraw verification exception."]);

  const withdrawal = async (): Promise<Row | undefined> => (await client.withdrawHistory()).withdrawList[0];
  const sent = await untilAnswer("it is signed", withdrawal, (row) => row?.txId !== undefined);
  assert.deepEqual([sent?.id, sent?.status, sent?.amount, sent?.transactionFee], [taken.id, 4, 95, 5]);
  // Signed is not yet sent: a block that comes between the two has it not.
  const mined = async (): Promise<Row | undefined> => {
    await mine(1);
    return withdrawal();
  };
  const done = await untilAnswer("it is completed", mined, (row) => row?.status === 6);
  assert.equal(done?.txId, sent?.txId);

  const { tradeFee } = await client.tradeFee();
  assert.equal(typeof tradeFee[0]?.maker, "number");
  const { assetDetail } = await client.assetDetail();
  assert.equal(assetDetail[NETWORK]?.withdrawFee, 5);
});

for (const [name, library] of [
  ["ccxt 1.95", ccxt1x],
  ["ccxt 4", ccxt],
] as const satisfies readonly (readonly [string, Ccxt])[]) {
  test(`${name}: address, deposit, withdrawal, fees`, async () => {
    const bob = exchange.accounts[1];
    assert.ok(bob);
    const client = connectCcxt(library, exchange.rest, bob);
    const { address } = await client.fetchDepositAddress(NETWORK);
    await post(`/v1/networks/${NETWORK}/sandbox/faucet`, { asset: NETWORK, amount: "50", address });
    await mine(4);
    const deposits = await untilAnswer(
      "the deposit is there",
      () => client.fetchDeposits(NETWORK),
      (rows) => rows.every(({ status }) => status === "ok") && rows.length > 0,
    );
    assert.deepEqual(
      [deposits.at(-1)?.amount, deposits.at(-1)?.currency, deposits.at(-1)?.address],
      [50, NETWORK, address],
    );
    const { id } = await client.withdraw(NETWORK, 20, await othersAddress());
    assert.match(id ?? "", /^[0-9a-f]{32}$/);
    const mined = await untilAnswer(
      "the withdrawal is there",
      async () => {
        await mine(1);
        return (await client.fetchWithdrawals(NETWORK)).find((row) => row.id === id);
      },
      (row) => row?.status === "ok",
    );
    assert.equal(mined?.fee?.cost, 5);
    await assert.rejects(client.withdraw(NETWORK, 1e9, await othersAddress()), library.ExchangeError);
    const status = await client.fetchStatus();
    assert.equal(status.status, "ok");
    await client.close?.();
  });
}

test("the connector: the same doors by their names", async () => {
  const bob = exchange.accounts[1];
  assert.ok(bob);
  const client = new Spot(bob.apiKey, bob.secretKey, { baseURL: exchange.rest });
  const call = async (method: string, ...input: unknown[]): Promise<Row & Row[]> => {
    const run = client[method];
    assert.ok(run, `the connector has no ${method}`);
    return (await run.apply(client, input)).data;
  };
  assert.equal((await call("depositAddress", NETWORK)).coin, NETWORK);
  assert.match(String((await call("withdraw", NETWORK, await othersAddress(), 20)).id), /^[0-9a-f]{32}$/);
  assert.ok((await call("withdrawHistory")).length > 0);
  assert.ok((await call("depositHistory")).length > 0);
  assert.equal((await call("accountStatus")).data, "Normal");
  assert.ok((await call("tradingStatus")).data);
  assert.equal((await call("apiPermissions")).enableWithdrawals, true);
  assert.ok((await call("assetDetail"))[NETWORK as never]);
  assert.ok((await call("tradeFee")).length > 0);
  assert.equal((await call("dustLog")).total, 0);
  assert.equal((await call("assetDevidendRecord")).total, 0);
  assert.equal((await call("accountSnapshot", "SPOT")).code, 200);
  assert.equal((await call("systemStatus")).status, 0);
});
