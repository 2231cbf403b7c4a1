/** A test sets the balances of an account. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runIn } from "../program/cli/command-line.ts";
import { startLab } from "./checkpoints/running-lab.ts";

test("balances are set, whatever they were; what is locked stays; the ledger balances; a wrong one changes nothing", async (t) => {
  const lab = await startLab(t);
  const { email } = lab.accounts[0]!;
  const path = `/v1/lab/accounts/${encodeURIComponent(email)}/balances`;
  const headOf = async (): Promise<unknown> => (await lab.ask("GET", "/v1/journal"))["chainHash"];
  const { nowMs: timestamp } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  const fields = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "100" };
  await lab.ask("POST", path, { USDT: "250.5" });
  const answer = await lab.clients[0]!.signed("POST", "/api/v3/order", { ...fields, timestamp });
  assert.equal(answer.status, 200, answer.text);
  const set = await lab.ask("POST", path, { USDT: "0.1", BTC: "21000000", ETH: "0" });
  assert.deepEqual(set["balances"], {
    USDT: { free: "0.10000000", locked: "100.00000000" },
    BTC: { free: "21000000.00000000", locked: "0.00000000" },
    ETH: { free: "0.00000000", locked: "0.00000000" },
  });
  const head = await headOf();
  assert.deepEqual((await lab.ask("POST", path, { USDT: "0.1" }))["balances"], {
    USDT: { free: "0.10000000", locked: "100.00000000" },
  });
  assert.equal(await headOf(), head, "what is so already is not journaled");
  for (const [body, status, error] of [
    [{ USDT: "5", NONE: "1" }, 404, "UNKNOWN_ASSET"],
    [{ USDT: "5", BTC: "0.000000001" }, 400, "INVALID_VALUE"],
    [{ USDT: "5", BTC: "1".padEnd(30, "0") }, 400, "BAD_REQUEST"],
    [{ USDT: "5", BTC: "-1" }, 400, "BAD_REQUEST"],
    [{ USDT: 5 }, 400, "BAD_REQUEST"],
    [{}, 400, "BAD_REQUEST"],
  ] as const) {
    const refused = await lab.ask("POST", path, body, status);
    assert.equal(refused["error"], error, JSON.stringify([body, refused]));
  }
  await lab.ask("POST", "/v1/lab/accounts/nobody/balances", { USDT: "5" }, 404);
  assert.equal(await headOf(), head);
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "paid" });
  const told = async (line: string): Promise<string> => {
    const { code, out, err } = await runIn(lab.folder, `lab balances ${line}`);
    return `${code} ${out}${err}`;
  };
  assert.match(
    await told(`${email} USDT=12 ETH=3.5`),
    /^0 .*USDT +12.00000000 +100.00000000.*ETH +3.50000000 +0.00000000/s,
  );
  assert.match(await told(`${email} USDT`), /^1 .*ASSET=AMOUNT/);
  await lab.ask("POST", "/v1/lab/checkpoints/paid/restore");
  assert.match(await told(`${email} ETH=3.5`), /^0 /, "the same once more");
});

test("the start of a lab is where whoever sets it up says", async (t) => {
  const lab = await startLab(t);
  const { email } = lab.accounts[0]!;
  const first = await lab.ask("POST", "/v1/lab/reset");
  await lab.ask("POST", `/v1/lab/accounts/${email}/balances`, { USDT: "1" });
  const { hash, ...start } = await lab.ask("PUT", "/v1/lab/reset");
  assert.notEqual(hash, first["hash"]);
  await lab.ask("POST", `/v1/lab/accounts/${email}/balances`, { USDT: "2" });
  assert.deepEqual(await lab.ask("POST", "/v1/lab/reset"), { ...start, hash });
});
