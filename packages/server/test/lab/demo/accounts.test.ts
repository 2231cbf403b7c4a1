import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  type AssetSpec,
  DUST_ACCOUNT,
  type EngineView,
  formatDecimal,
  parseDecimal,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { applyListing } from "../../../src/people/admin/listing.ts";
import { createSealer } from "../../../src/platform/secrets/seal.ts";
import {
  DEMO_ACCOUNTS,
  DEMO_SUB_ACCOUNTS,
  openDemoAccounts,
  removeDemoFile,
  withdrawDemoKeys,
  writeDemoFile,
} from "../../../src/lab/demo/accounts.ts";
import { openBotAccounts } from "../../../src/lab/demo/bots/bot-accounts.ts";
import { DEMO_ASSETS, demoNetworks, openDemoVenue } from "../../../src/lab/demo/assets.ts";
import { demoListing, liveMarkets, renewDemoListing } from "../../../src/lab/demo/listing.ts";
import { DEMO_MARKETS, withoutNewFilters } from "../../../src/lab/demo/markets.ts";
import { type DemoNode, setPassword } from "../../../src/lab/demo/operator.ts";
import { isPassword } from "../../../src/people/sign-in/passwords.ts";
import { type RunningEngine, startEngine } from "../../people/admin/running.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const FEES = { makerBps: 10, takerBps: 10 };
const EVERYBODY = [...DEMO_ACCOUNTS, ...DEMO_SUB_ACCOUNTS];
const NOTHING = { assets: [], symbols: [] };

async function startDemo(): Promise<RunningEngine & DemoNode> {
  const running = startEngine();
  await applyListing({ ...demoListing(NOTHING), exchangeFilters: null }, running.engine, running.sequencer);
  return { ...running, view: running.engine, world: MACHINE };
}

test("the demo's symbols are all listed, and every fill of them is exact", async () => {
  const { engine } = await startDemo();
  assert.equal(engine.markets().length, DEMO_MARKETS.length);
  for (const { spec, scale, quoteAssetId } of engine.markets()) {
    assert.ok(scale.priceDecimals + scale.quantityDecimals <= engine.asset(quoteAssetId).spec.precision, spec.symbol);
    assert.equal(Object.keys(withoutNewFilters(spec.filters)).length, 9, spec.symbol);
    assert.equal(spec.filters.trailingDelta?.maxTrailingAboveDelta, 2000);
  }
  const { filters } = engine.marketBySymbol("BTCUSDT")?.spec ?? assert.fail();
  assert.equal(filters.priceFilter?.tickSize, "0.01");
  assert.equal(filters.lotSize?.stepSize, "0.000001");
  assert.equal(filters.minNotional?.minNotional, "10");
});

test("prices of the demo are some hundred ticks and minimums are reachable", () => {
  const values = new Map(DEMO_ASSETS.map(({ spec, startValue }) => [spec.asset, startValue]));
  for (const { spec } of DEMO_MARKETS) {
    const price = (values.get(spec.baseAsset) ?? 0) / (values.get(spec.quoteAsset) ?? 0);
    const { priceFilter, lotSize, minNotional } = spec.filters;
    assert.ok(price / Number(priceFilter?.tickSize) > 100, spec.symbol);
    assert.ok(price * 5 < Number(priceFilter?.maxPrice), spec.symbol);
    assert.ok(Number(lotSize?.maxQty) * price > 1000 * Number(minNotional?.minNotional), spec.symbol);
    assert.ok(Number(lotSize?.stepSize) * price < Number(minNotional?.minNotional), spec.symbol);
  }
});

test("each demo account has its keys and its money", async () => {
  const node = await startDemo();
  await openDemoAccounts(node, FEES);
  const promised: readonly (readonly [string, string])[] = [
    ["BTC", "1000"],
    ["ETH", "10000"],
    ["USDT", "50000000"],
  ];
  assert.deepEqual(
    DEMO_ACCOUNTS.map(({ name }) => name),
    ["alice", "bob", "carol"],
  );
  for (const { email, apiKey, secretKey } of DEMO_ACCOUNTS) {
    const { accountId } = node.engine.accountByEmail(email) ?? assert.fail(email);
    assert.match(apiKey, /^[A-Za-z0-9]{64}$/);
    assert.match(secretKey, /^[A-Za-z0-9]{64}$/);
    assert.match(apiKey + secretKey, /DemoKey.*DemoSecret/);
    const key = node.engine.apiKey(apiKey) ?? assert.fail();
    assert.equal(key.accountId, accountId);
    assert.equal(key.permissions.length, 5);
    assert.equal(node.sealer.unseal(key.sealedSecret), secretKey);
    const free = (assetId: number): bigint => node.engine.balance(accountId, assetId).free;
    for (const { assetId, spec } of node.engine.assets()) assert.ok(free(assetId) > 0n, spec.asset);
    for (const [asset, least] of promised) {
      const { assetId } = node.engine.assets().find(({ spec }) => spec.asset === asset) ?? assert.fail();
      assert.ok(free(assetId) >= (parseDecimal(least, 8) ?? 0n), `${asset} ${formatDecimal(free(assetId), 8)}`);
    }
  }
  node.engine.checkInvariants();
});

test("the first demo account has a sub-account, whose key does all but withdraw", async () => {
  const node = await startDemo();
  await openDemoAccounts(node, FEES);
  const master = node.engine.accountByEmail(DEMO_ACCOUNTS[0]?.email ?? "")?.accountId ?? assert.fail();
  assert.deepEqual(
    DEMO_SUB_ACCOUNTS.map(({ email }) => node.engine.accountByEmail(email)?.accountId),
    node.engine.subAccounts(master),
  );
  for (const { email, apiKey, secretKey } of DEMO_SUB_ACCOUNTS) {
    const key = node.engine.apiKey(apiKey) ?? assert.fail();
    assert.equal(key.accountId, node.engine.accountByEmail(email)?.accountId);
    assert.deepEqual(key.permissions, ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"]);
    assert.equal(node.sealer.unseal(key.sealedSecret), secretKey);
  }
});

test("every coin of the demo moves by a network that the node has, and the venue can buy dust", async () => {
  const node = await startDemo();
  await openDemoVenue(node);
  const networks = demoNetworks([{ kind: "manual", network: "BANK", addresses: [], sharedAddress: "" }]);
  assert.deepEqual(
    networks.map(({ kind, network }) => `${kind} ${network}`),
    ["manual BANK", ...["ETH", "TRX", "BTC", "BSC", "BNB", "DOGE", "LTC"].map((name) => `sandbox ${name}`)],
  );
  for (const { spec } of node.engine.assets()) {
    assert.equal(spec.networks.filter(({ isDefault }) => isDefault).length, 1, spec.asset);
    for (const { network, depositEnabled, withdrawEnabled, withdrawMin, withdrawFee } of spec.networks) {
      assert.ok(
        networks.some((known) => known.network === network),
        `${spec.asset} ${network}`,
      );
      assert.ok(depositEnabled && withdrawEnabled && Number(withdrawMin) > Number(withdrawFee), spec.asset);
    }
  }
  const { dustAsset } = node.engine.funds.dustRules ?? assert.fail();
  const { assetId } = node.engine.assets().find(({ spec }) => spec.asset === dustAsset) ?? assert.fail();
  assert.ok(node.engine.balance(DUST_ACCOUNT, assetId).free > 0n);
  for (const asset of node.engine.assets()) {
    assert.ok(node.engine.balance(TREASURY_ACCOUNT, asset.assetId).free > 0n, asset.spec.asset);
  }
  node.engine.checkInvariants();
});

test("a restart journals nothing", async () => {
  const node = await startDemo();
  await openDemoAccounts(node, FEES);
  await openDemoVenue(node);
  await openBotAccounts(node, DEMO_MARKETS);
  const { seq } = node.engine;
  await openDemoAccounts(node, FEES);
  await openDemoVenue(node);
  await openBotAccounts(node, DEMO_MARKETS);
  assert.equal(node.engine.seq, seq);
});

test("bots have accounts, keys and addresses of their own", async () => {
  const node = await startDemo();
  await openDemoAccounts(node, FEES);
  const first = await openBotAccounts(node, DEMO_MARKETS);
  const again = await openBotAccounts(node, DEMO_MARKETS);
  assert.deepEqual(again, first);
  const all = [...first.values()].flatMap(({ bids, asks, depth, taker }) => [...bids, ...asks, ...depth, ...taker]);
  assert.equal(new Set(all.map(({ apiKey }) => apiKey)).size, all.length);
  assert.ok(all.length > 4 * DEMO_MARKETS.length && all.length < 255);
  assert.ok((first.get("BTCUSDT")?.taker.length ?? 0) > (first.get("TRXBTC")?.taker.length ?? 0), "the busy have more");
  assert.equal(new Set(all.map(({ ip }) => ip)).size, all.length);
  const demoKeys = new Set(DEMO_ACCOUNTS.map(({ apiKey }) => apiKey));
  for (const { apiKey } of all) assert.ok(!demoKeys.has(apiKey));
});

test("a lost master key gives the bots and the demo accounts new seals", async () => {
  const node = await startDemo();
  await openDemoAccounts(node, FEES);
  const before = await openBotAccounts(node, DEMO_MARKETS);
  const other = { ...node, sealer: createSealer("22".repeat(32), MACHINE) };
  await openDemoAccounts(other, FEES);
  const after = await openBotAccounts(other, DEMO_MARKETS);
  assert.notDeepEqual(after, before);
  const { apiKey, secretKey } = DEMO_ACCOUNTS[0] ?? assert.fail();
  assert.equal(other.sealer.unseal(node.engine.apiKey(apiKey)?.sealedSecret ?? ""), secretKey);
});

test("customers of the demo have the password that the pages show, and one that a visitor has chosen stays", async () => {
  const node = await startDemo();
  await openDemoAccounts(node, FEES);
  const [alice] = DEMO_ACCOUNTS;
  const { accountId } = node.engine.accountByEmail(alice?.email ?? "") ?? assert.fail();
  const hash = (): string => node.sealer.unseal(node.engine.access.sealedPassword(`account:${accountId}`) ?? "");
  assert.ok(await isPassword(hash(), alice?.password ?? ""));
  await setPassword(node, { accountId, email: alice?.email ?? "", passwordHash: "chosen" });
  const { seq } = node.engine;
  await openDemoAccounts(node, FEES);
  assert.deepEqual([hash(), node.engine.seq], ["chosen", seq]);
  for (const { email } of DEMO_SUB_ACCOUNTS) {
    const sub = node.engine.accountByEmail(email)?.accountId;
    assert.equal(node.engine.access.sealedPassword(`account:${sub}`), undefined);
  }
});

test("outside demo mode the keys and the password that everybody knows go", async () => {
  const node = await startDemo();
  await openDemoAccounts(node, FEES);
  assert.equal(await withdrawDemoKeys(node), 4);
  for (const { apiKey } of EVERYBODY) assert.equal(node.engine.apiKey(apiKey), undefined);
  const { seq } = node.engine;
  assert.equal(await withdrawDemoKeys(node), 0);
  assert.equal(node.engine.seq, seq);
  for (const { email, password } of DEMO_ACCOUNTS) {
    const holder = `account:${node.engine.accountByEmail(email)?.accountId}`;
    const hash = node.sealer.unseal(node.engine.access.sealedPassword(holder) ?? "");
    assert.equal(await isPassword(hash, password), false, email);
  }
});

test("what the configuration lists joins the demo's, or takes its place", async () => {
  const btcusdt = DEMO_MARKETS[0]?.spec ?? assert.fail();
  const bare = { ...btcusdt, filters: {} };
  const { assets, symbols } = demoListing({
    assets: [{ asset: "X", name: "X", precision: 2, networks: [] }],
    symbols: [bare],
  });
  assert.equal(assets.length, DEMO_ASSETS.length + 1);
  assert.equal(symbols.length, DEMO_MARKETS.length);
  assert.deepEqual(symbols[0], bare);
});

test("a symbol of the demo is left out when its assets are listed with other decimals, and all else is listed", async () => {
  const { engine, sequencer } = startEngine();
  const coarse = { asset: "LTC", name: "Mine", precision: 2, networks: [] };
  await applyListing({ assets: [coarse], symbols: [], exchangeFilters: null }, engine, sequencer);
  const specs = (): AssetSpec[] => engine.assets().map(({ spec }) => spec);
  await applyListing({ ...demoListing(NOTHING, specs()), exchangeFilters: null }, engine, sequencer);
  assert.equal(engine.marketBySymbol("LTCUSDT"), undefined);
  assert.equal(engine.markets().length, DEMO_MARKETS.length - 1);
  const { symbols } = demoListing({ assets: [{ ...coarse, asset: "BTC" }], symbols: [] });
  assert.ok(symbols.length > 0 && symbols.every(({ symbol }) => !symbol.includes("BTC")));
});

/** The demo's listing in version 0.1.0. */
async function startOldDemo(): Promise<Awaited<ReturnType<typeof startDemo>>> {
  const node = await startDemo();
  const { filters } = node.engine.marketBySymbol("BTCUSDT")?.spec ?? assert.fail();
  const { lotSize, marketLotSize } = filters;
  assert.ok(lotSize !== undefined && marketLotSize !== undefined);
  const [old, oldMarket] = [
    { ...lotSize, maxQty: "9000" },
    { ...marketLotSize, maxQty: "300" },
  ];
  const oldFilters = { ...withoutNewFilters(filters), lotSize: old, marketLotSize: oldMarket };
  await node.sequencer.run({ type: "setSymbolFilters", symbol: "BTCUSDT", filters: oldFilters, by: "test" });
  const { networks } = usdtOf(node.engine);
  const oldNetworks = networks.slice(0, 1);
  await node.sequencer.run({ type: "setAssetNetworks", asset: "USDT", networks: oldNetworks, by: "test" });
  return node;
}

const usdtOf = (engine: EngineView): AssetSpec =>
  engine.assets().find(({ spec }) => spec.asset === "USDT")?.spec ?? assert.fail();
const largestOf = (engine: EngineView): string | undefined =>
  engine.marketBySymbol("BTCUSDT")?.spec.filters.marketLotSize?.maxQty;

test("what a demo of 0.1.0 listed is brought up to date, once", async () => {
  const node = await startOldDemo();
  await renewDemoListing(node, NOTHING);
  assert.deepEqual(node.engine.marketBySymbol("BTCUSDT")?.spec, DEMO_MARKETS[0]?.spec);
  assert.deepEqual(usdtOf(node.engine), DEMO_ASSETS[0]?.spec);
  const { seq } = node.engine;
  await renewDemoListing(node, NOTHING);
  assert.equal(node.engine.seq, seq);
});

test("what an operator has changed since, or the configuration lists, is left alone", async () => {
  const configured = await startOldDemo();
  const [usdt, btcusdt] = [usdtOf(configured.engine), configured.engine.marketBySymbol("BTCUSDT")?.spec];
  await renewDemoListing(configured, { assets: [usdt], symbols: [btcusdt ?? assert.fail()] });
  assert.equal(largestOf(configured.engine), "300");
  assert.equal(usdtOf(configured.engine).networks.length, 1);

  const changed = await startOldDemo();
  const { filters } = changed.engine.marketBySymbol("BTCUSDT")?.spec ?? assert.fail();
  const own = { ...filters, maxNumOrders: { limit: 7 } };
  await changed.sequencer.run({ type: "setSymbolFilters", symbol: "BTCUSDT", filters: own, by: "test" });
  await changed.sequencer.run({ type: "setAssetNetworks", asset: "USDT", networks: [], by: "test" });
  await renewDemoListing(changed, NOTHING);
  assert.deepEqual(changed.engine.marketBySymbol("BTCUSDT")?.spec.filters, own);
  assert.deepEqual(usdtOf(changed.engine).networks, []);
});

test("the bots see symbols as they are listed", async () => {
  const { engine, sequencer } = await startDemo();
  await sequencer.run({ type: "setSymbolFilters", symbol: "BTCUSDT", filters: {}, by: "test" });
  const markets = liveMarkets(engine);
  assert.equal(markets.length, DEMO_MARKETS.length);
  assert.deepEqual(markets[0]?.spec.filters, {});
});

test("demo.json is for its owner, and goes when the demo goes", () => {
  const folder = temporaryFolder();
  try {
    const addresses = { rest: "http://127.0.0.1:1", ws: "ws://127.0.0.1:1", admin: "http://127.0.0.1:2" };
    const file = { ...addresses, adminToken: "t", accounts: DEMO_ACCOUNTS, subAccounts: DEMO_SUB_ACCOUNTS };
    writeDemoFile(folder, file);
    const path = join(folder, "demo.json");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), file);
    removeDemoFile(folder);
    removeDemoFile(folder);
    assert.throws(() => statSync(path));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
