import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { DEMO_ACCOUNTS, DEMO_SUB_ACCOUNTS } from "../../../src/lab/demo/accounts.ts";
import { banner, type BannerParts } from "../../../src/program/start/banner.ts";

const demo = { bots: true, accounts: DEMO_ACCOUNTS, subAccounts: DEMO_SUB_ACCOUNTS };
const parts: BannerParts = {
  version: "1.2.3",
  command: "npx pricetime",
  ...{ rest: "http://h:1", ws: "ws://h:1", admin: "http://h:2", dataFolder: "/d" },
  ...{ symbols: ["BTCUSDT"], limits: false, isOpenToOthers: false, demo, lab: [] },
};

test("a demo's banner has its addresses, a key and commands, and fits a terminal", () => {
  const text = banner(parts);
  const [alice] = DEMO_ACCOUNTS;
  const all = ["1.2.3", "http://h:1/docs", "ws://h:1/ws", "http://h:2", "BTCUSDT", "/d", "bots on, limits off"];
  for (const shown of [...all, alice?.apiKey ?? "", alice?.secretKey ?? ""]) assert.ok(text.includes(shown), shown);
  assert.match(text, /^ {2}npx pricetime order BTCUSDT buy 0\.01 at 20000 --data \/d$/m);
  assert.match(text, /demo\.json in the data folder has the keys of bob, carol and dave\./);
  const symbols = Array.from({ length: 20 }, (_, at) => `SYMBOL${at}USDT`);
  for (const line of banner({ ...parts, symbols }).split("\n")) assert.ok(line.length <= 80, line);
  assert.ok(banner({ ...parts, symbols }).split("\n").length < 35);
});

test("the default data folder is not mentioned", () => {
  assert.match(banner({ ...parts, dataFolder: resolve("data") }), /at 20000$/m);
  assert.match(banner({ ...parts, dataFolder: "/my data" }), /at 20000 --data "\/my data"$/m);
});

test("a demo that is reachable by others warns that its keys are public", () => {
  assert.match(banner({ ...parts, isOpenToOthers: true }), /Warning: other machines/);
  assert.doesNotMatch(banner(parts), /Warning: other machines/);
});

test("a node that is not a demo shows addresses and no keys", () => {
  const text = banner({ ...parts, demo: null, symbols: [] });
  assert.match(text, /^Pricetime 1\.2\.3$/m);
  assert.match(text, /symbols +none yet/);
  assert.doesNotMatch(text, /bots|API key|demo/);
});
