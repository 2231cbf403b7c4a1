/**
 * What a thief or a fool would try at the wallet of the real program. Each is refused in words of the
 * interface, and afterwards every balance of customers and venue is what it was.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Client, type Parameters, sign } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { codeOf } from "@pricetime/testkit/two-factor";

interface Refusal {
  readonly success?: boolean;
  readonly msg?: string;
  readonly code?: number;
}

let exchange: Exchange;
let alice: DemoAccount;
let dave: DemoAccount;

before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  alice = exchange.accounts[0] ?? assert.fail("no alice");
  const file = readFileSync(join(exchange.dataFolder, "demo.json"), "utf8");
  dave = (JSON.parse(file) as { subAccounts: DemoAccount[] }).subAccounts[0] ?? assert.fail("no dave");
});
after(() => exchange.stop());

/** Everything in the query, as the old wallet doors want it. */
async function ask<T>(account: DemoAccount, method: string, path: string, parameters: Parameters = {}): Promise<T> {
  const sent = new URLSearchParams({ ...parameters, recvWindow: "60000", timestamp: String(Date.now()) } as Record<
    string,
    string
  >).toString();
  const client = new Client(exchange.rest);
  try {
    const query = `${sent}&signature=${sign(account.secretKey, sent)}`;
    return (await client.send<T>(method, path, { query, headers: { "X-MBX-APIKEY": account.apiKey } })).json;
  } finally {
    client.close();
  }
}

const withdraw = (account: DemoAccount, parameters: Parameters): Promise<Refusal & { id?: string }> =>
  ask(account, "POST", "/wapi/v3/withdraw.html", { asset: "BTC", address: STRANGER, amount: "1", ...parameters });
const STRANGER = "astranger1234567890";

/** All that anybody holds. */
async function wealth(): Promise<unknown[]> {
  const accounts = [...exchange.accounts, dave];
  const held = await Promise.all(
    accounts.map(async (account) => (await ask<{ balances: unknown }>(account, "GET", "/api/v3/account")).balances),
  );
  return [...held, await operate(exchange, "GET", "/v1/house-accounts")];
}

async function assertNothingMoves(attack: () => Promise<void>): Promise<void> {
  const earlier = await wealth();
  await attack();
  assert.deepEqual(await wealth(), earlier);
  assert.deepEqual(await operate(exchange, "GET", "/v1/withdrawals"), []);
}

function assertRefused(answer: Refusal, msg: RegExp): void {
  assert.equal(answer.success ?? false, false, JSON.stringify(answer));
  assert.match(answer.msg ?? "", msg);
}

async function untilOver(id: string | undefined): Promise<void> {
  await until("the withdrawal arrives", async () => {
    const { withdrawList } = await ask<{ withdrawList: { id: string; status: number }[] }>(
      alice,
      "GET",
      "/wapi/v3/withdrawHistory.html",
    );
    return withdrawList.find((row) => row.id === id)?.status === 6;
  });
}

test("amounts that are nothing, less than nothing, dust, or more than there is in the world", async () => {
  await assertNothingMoves(async () => {
    for (const amount of ["0", "-1", "-0.00000001", "0.00000001", "0.0005", "1e30", "1e-9", "99999999999999999999"]) {
      assertRefused(await withdraw(alice, { amount }), /./);
    }
    for (const amount of ["NaN", "Infinity", "0x10", "1,5", "", "0.000000001"]) {
      assertRefused(await withdraw(alice, { amount }), /./);
    }
  });
});

test("networks and addresses that are none, and one's own", async () => {
  const own = await ask<{ address: string }>(alice, "GET", "/wapi/v3/depositAddress.html", { asset: "BTC" });
  const subs = await ask<{ address: string }>(dave, "GET", "/wapi/v3/depositAddress.html", { asset: "BTC" });
  await assertNothingMoves(async () => {
    assertRefused(await withdraw(alice, { network: "MOON" }), /network/);
    assertRefused(await withdraw(alice, { network: "__proto__" }), /network/);
    assertRefused(await withdraw(alice, { asset: "NOPE" }), /./);
    assertRefused(await withdraw(alice, { address: "no address" }), /Address validation/);
    // Round in a circle, to oneself or within the family.
    for (const address of [own.address, subs.address]) {
      for (let times = 0; times < 3; times++) assertRefused(await withdraw(alice, { address }), /[Aa]ddress/);
    }
  });
});

test("a sub-account does not reach its master's money, nor anybody a stranger's", async () => {
  const [, bob] = exchange.accounts;
  assert.ok(bob);
  const transfer = (by: DemoAccount, from: DemoAccount, to: DemoAccount): Promise<Refusal> =>
    ask(by, "POST", "/wapi/v3/sub-account/transfer.html", {
      ...{ fromEmail: from.email, toEmail: to.email, asset: "BTC", amount: "1" },
    });
  await assertNothingMoves(async () => {
    assertRefused(await transfer(dave, alice, dave), /main account/);
    assertRefused(await transfer(bob, alice, bob), /relation/);
    assertRefused(await transfer(alice, bob, alice), /relation/);
    assertRefused(await transfer(alice, alice, alice), /./);
    assertRefused(await ask(bob, "GET", "/wapi/v3/sub-account/assets.html", { email: dave.email }), /relation/);
    assertRefused(await withdraw(dave, { amount: "0.01" }), /permission/);
  });
});

test("a key that may not withdraw, a signature that is another's, no signature", async () => {
  const permissions = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"];
  const path = `/v1/accounts/${alice.email}/keys`;
  const key = await operate<{ apiKey: string; secretKey: string }>(exchange, "POST", path, { permissions });
  await assertNothingMoves(async () => {
    assertRefused(await withdraw({ ...alice, ...key }, {}), /You don't have permission/);
    assertRefused(await withdraw({ ...alice, secretKey: dave.secretKey }, {}), /Signature/);
    const client = new Client(exchange.rest);
    const query = `asset=BTC&address=${STRANGER}&amount=1&timestamp=${Date.now()}`;
    const headers = { "X-MBX-APIKEY": alice.apiKey };
    const { json } = await client.send<Refusal>("POST", "/wapi/v3/withdraw.html", { query, headers });
    client.close();
    assertRefused(json, /signature/);
  });
});

test("a two-factor code that was used, one that is wrong, and none", async () => {
  const { secret } = await operate<{ secret: string }>(exchange, "POST", `/v1/accounts/${alice.email}/totp`);
  const code = codeOf(secret);
  const { success, id } = await withdraw(alice, { code });
  assert.equal(success, true);
  await untilOver(id);
  await assertNothingMoves(async () => {
    for (let times = 0; times < 3; times++) assertRefused(await withdraw(alice, { code }), /verification/);
    assertRefused(await withdraw(alice, { code: "000000" }), /verification/);
    assertRefused(await withdraw(alice, {}), /code/);
  });
  await operate(exchange, "DELETE", `/v1/accounts/${alice.email}/totp`);
});

test("a confirmation link that was opened before, a forged one, one for another withdrawal", async () => {
  await operate(exchange, "PATCH", `/v1/accounts/${alice.email}`, { confirmsByEmail: true });
  const { id, success } = await withdraw(alice, {});
  assert.equal(success, true);
  const mails = await operate<{ emailId: string }[]>(exchange, "GET", "/v1/emails");
  const { text } = await operate<{ text: string }>(exchange, "GET", `/v1/emails/${mails[0]?.emailId}`);
  const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? assert.fail(text));
  const open = async (search: string): Promise<number> =>
    (await fetch(exchange.rest + link.pathname + search, { method: "POST" })).status;
  assert.equal(await open(link.search), 200);
  await untilOver(id);
  const forged = new URLSearchParams(link.search);
  forged.set("id", "0".repeat(32));
  await assertNothingMoves(async () => {
    for (let times = 0; times < 3; times++) assert.equal(await open(link.search), 410);
    assert.equal(await open(`?${forged}`), 410);
  });
  await operate(exchange, "PATCH", `/v1/accounts/${alice.email}`, { confirmsByEmail: false });
});
