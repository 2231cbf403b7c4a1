/** Converting dust: which balances, at what price, and when it is rejected. Interface S.1, 4.6. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, DUST_ACCOUNT, type DustRules, FEE_ACCOUNT, ORDER_TYPES } from "@pricetime/engine";
import { BY, TestExchange, symbolSpec } from "../harness.ts";
import { Vault } from "./vault.ts";

const [SELLER, BUYER] = [100, 101] as const;
const RULES: DustRules = { dustAsset: "BNB", chargeBps: 200, limitAsset: "BTC", limit: "0.001", pauseMs: 86_400_000 };

/**
 * ETH/BTC at 0.02, BNB/BTC at 0.002, LTC/ETH at 0.5 (two steps from BNB: no price), XRP/BNB at 0.03; DOGE never traded.
 */
class Market extends Vault {
  constructor() {
    super();
    const assets = ["ETH", "BNB", "LTC", "XRP", "DOGE"].map((asset) => [asset, 8] as const);
    this.listAssets(...assets, ["YEN", 0]);
    const pairs: readonly (readonly [string, number])[] = [
      ["ETH/BTC", 2_000_000],
      ["BNB/BTC", 200_000],
      ["LTC/ETH", 50_000_000],
      ["XRP/BNB", 3_000_000],
      ["DOGE/BTC", 0],
      ["YEN/BTC", 10_000],
    ];
    for (const asset of ["BTC", "ETH", "BNB", "LTC", "XRP"]) {
      for (const accountId of [SELLER, BUYER]) this.fund(accountId, "1000", asset);
    }
    this.fund(SELLER, "1000", "YEN");
    for (const [symbolId, [pair, priceTicks]] of pairs.entries()) {
      const spec = { ...symbolSpec(pair.replace("/", ""), pair), orderTypes: ORDER_TYPES };
      this.must({ type: "listSymbol", by: BY, symbol: spec });
      if (priceTicks > 0) this.trade(symbolId, priceTicks);
    }
    this.must({ type: "setDustRules", by: BY, rules: RULES });
    this.fund(DUST_ACCOUNT, "10", "BNB");
  }

  /** Trades one lot, which sets the last price. */
  trade(symbolId: number, priceTicks: number): void {
    for (const [accountId, side] of [
      [SELLER, "SELL"],
      [BUYER, "BUY"],
    ] as const) {
      const kind = { orderType: "LIMIT", timeInForce: "GTC", clientOrderId: side } as const;
      const size = { priceTicks, quantityLots: 1, stopTicks: 0, icebergLots: 0, quoteOrderQty: 0n };
      this.must({ type: "placeOrder", accountId, symbolId, side, ...kind, ...size });
    }
  }

  /** Leaves this amount of the asset in the seller's account. */
  leave(asset: string, units: bigint): void {
    const assetId = this.engine.assets().find(({ spec }) => spec.asset === asset)!.assetId;
    const { free } = this.engine.balance(SELLER, assetId);
    const precision = this.engine.asset(assetId).spec.precision;
    const digits = (free - units).toString().padStart(precision + 1, "0");
    const amount = precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
    this.must({ type: "debit", by: BY, accountId: SELLER, asset, amount, reference: `leave ${this.engine.seq}` });
  }
}

function convert(...assets: readonly string[]): Command<"convertDust"> {
  return { type: "convertDust", accountId: SELLER, assets };
}

/** asset, units of it, gross in units of BNB */
const PRICES = [
  // 0.03 ETH at 0.02 BTC is 0.0006 BTC, at 0.002 a BNB that is 0.3 BNB
  ["ETH", 3_000_000n, 30_000_000n],
  // Exactly the limit: 0.001 BTC.
  ["ETH", 5_000_000n, 50_000_000n],
  // 0.02 XRP at 0.03 BNB, by a direct market.
  ["XRP", 2_000_000n, 60_000n],
  // 7 units at 0.03: 0.21 units, nothing; 67 units: 2.01, two
  ["XRP", 67n, 2n],
  // 0.0005 BTC at 0.002, by the inverse market.
  ["BTC", 50_000n, 25_000_000n],
  // whole yen, at 0.0001 BTC: 0.05 BNB each
  ["YEN", 3n, 15_000_000n],
] as const;

for (const [asset, units, gross] of PRICES) {
  test(`${units} units of ${asset} are worth ${gross} of BNB`, () => {
    const exchange = new Market();
    exchange.leave(asset, units);
    const assetId = exchange.engine.assets().find(({ spec }) => spec.asset === asset)!.assetId;
    const bnb = exchange.engine.assets().find(({ spec }) => spec.asset === "BNB")!.assetId;
    const before = exchange.engine.balance(SELLER, bnb).free;
    const [event] = exchange.run(convert(asset));
    assert.ok(event?.type === "dustConverted", JSON.stringify(event?.type));
    const charge = (gross * 2n + 99n) / 100n;
    const { amount, received, tranId } = event;
    assert.deepEqual([amount, received, event.charge, tranId], [units, gross - charge, charge, 1]);
    exchange.engine.checkInvariants();
    exchange.holds(SELLER, 0n, 0n, assetId);
    exchange.holds(DUST_ACCOUNT, units, 0n, assetId);
    exchange.holds(DUST_ACCOUNT, 10n ** 9n - gross, 0n, bnb);
    exchange.holds(FEE_ACCOUNT, charge, 0n, bnb);
    assert.equal(exchange.engine.balance(SELLER, bnb).free, before + gross - charge);
  });
}

test("several assets in one conversion", () => {
  const exchange = new Market();
  exchange.leave("ETH", 3_000_000n);
  exchange.leave("XRP", 2_000_000n);
  const events = exchange.run(convert("XRP", "ETH"));
  assert.deepEqual(
    events.map((event) => event.type === "dustConverted" && [event.tranId, event.assetId, event.amount]),
    [
      [1, 5, 2_000_000n],
      [1, 2, 3_000_000n],
    ],
  );
});

test("assets that are not dust or have no price reject the complete conversion", () => {
  const exchange = new Market();
  exchange.leave("ETH", 5_000_001n);
  exchange.leave("XRP", 2_000_000n);
  exchange.leave("LTC", 1_000n);
  exchange.refuses(convert("XRP", "ETH"), "DUST_TOO_MUCH");
  exchange.refuses(convert("XRP", "LTC"), "NO_PRICE");
  exchange.refuses(convert("XRP", "BNB"), "DUST_ASSET_ITSELF");
  exchange.refuses(convert("XRP", "DOGE"), "INSUFFICIENT_BALANCE");
  exchange.refuses(convert("XRP", "NONE"), "UNKNOWN_ASSET");
  exchange.refuses(convert("XRP", "XRP"), "INVALID_VALUE");
  exchange.refuses(convert(), "INVALID_VALUE");
  exchange.refuses({ ...convert("XRP"), accountId: 999 }, "UNKNOWN_ACCOUNT");
  exchange.fund(SELLER, "1", "DOGE");
  exchange.refuses(convert("DOGE"), "NO_PRICE");
  exchange.leave("XRP", 34n);
  // One unit, which is all charge.
  exchange.refuses(convert("XRP"), "DUST_TOO_LITTLE");
  exchange.leave("XRP", 33n);
  exchange.refuses(convert("XRP"), "DUST_TOO_LITTLE");
});

test("the reason of a rejection does not depend on the order of the assets", () => {
  const exchange = new Market();
  exchange.leave("ETH", 5_000_001n);
  exchange.leave("XRP", 34n);
  exchange.leave("LTC", 1_000n);
  const names = ["ETH", "XRP", "LTC", "DOGE", "BNB", "NONE"];
  for (let without = 0; without < 2 ** names.length; without++) {
    const named = names.filter((_, at) => (without & (1 << at)) === 0);
    const answers = new Set(turns(named).map((assets) => exchange.answer(convert(...assets))));
    assert.equal(answers.size, 1, `${named.join(" ")}: ${[...answers].join(", ")}`);
  }
  // An unlisted asset is reported first, the others in the order of their listing.
  exchange.refuses(convert("BNB", "LTC", "NONE"), "UNKNOWN_ASSET");
  exchange.refuses(convert("LTC", "ETH"), "DUST_TOO_MUCH");
});

/** Each asset first once, and all in reverse order. */
function turns(names: readonly string[]): string[][] {
  const turned = names.map((_, at) => [...names.slice(at), ...names.slice(0, at)]);
  return [...turned, ...turned.map((each) => each.toReversed()), [...names]];
}

test("of several possible prices the first applies: by symbols for a pair, by assets for an intermediate asset", () => {
  const exchange = new Market();
  const list = (pair: string, symbol: string, priceTicks: number) => {
    exchange.must({ type: "listSymbol", by: BY, symbol: { ...symbolSpec(symbol, pair), orderTypes: ORDER_TYPES } });
    exchange.trade(exchange.engine.marketBySymbol(symbol)!.symbolId, priceTicks);
  };
  list("XRP/BNB", "XRPBNB2", 99_000_000);
  exchange.leave("XRP", 2_000_000n);
  const [direct] = exchange.run(convert("XRP"));
  assert.ok(direct?.type === "dustConverted" && direct.received === 58_800n);
  exchange.must({ type: "setDustRules", by: BY, rules: { ...RULES, pauseMs: 0 } });
  exchange.listAssets(["ADA", 8]);
  for (const accountId of [SELLER, BUYER]) exchange.fund(accountId, "1000", "ADA");
  // 0.03 BNB each by XRP; 0.1 by BTC, which was listed first.
  list("ADA/XRP", "ADAXRP", 100_000_000);
  list("ADA/BTC", "ADABTC", 20_000);
  exchange.leave("ADA", 100_000_000n);
  const [bridged] = exchange.run(convert("ADA"));
  assert.ok(bridged?.type === "dustConverted" && bridged.received + bridged.charge === 10_000_000n);
});

test("locked balances are not dust", () => {
  const exchange = new Market();
  exchange.leave("XRP", 2_000_000n);
  const order = { orderType: "LIMIT", timeInForce: "GTC", clientOrderId: "o", side: "SELL" } as const;
  const size = { priceTicks: 9_000_000, quantityLots: 2_000_000, stopTicks: 0, icebergLots: 0, quoteOrderQty: 0n };
  exchange.must({ type: "placeOrder", accountId: SELLER, symbolId: 3, ...order, ...size });
  exchange.refuses(convert("XRP"), "INSUFFICIENT_BALANCE");
});

test("at most one conversion in 24 hours", () => {
  const exchange = new Market();
  exchange.leave("ETH", 3_000_000n);
  exchange.must(convert("ETH"));
  exchange.leave("XRP", 2_000_000n);
  exchange.restart();
  exchange.nowMs += 86_400_000 - 1;
  exchange.refuses(convert("XRP"), "DUST_TOO_SOON");
  exchange.nowMs += 1;
  exchange.must(convert("XRP"));
});

test("conversions are limited by the balance of the dust account", () => {
  const exchange = new Market();
  exchange.leave("ETH", 3_000_000n);
  // 0.3 BNB are needed, including the charge.
  const take = { type: "debit", by: BY, accountId: DUST_ACCOUNT, asset: "BNB", reference: "take" } as const;
  exchange.must({ ...take, amount: "9.70000001" });
  exchange.refuses(convert("ETH"), "TREASURY_SHORT");
  exchange.fund(DUST_ACCOUNT, "0.00000001", "BNB");
  exchange.must(convert("ETH"));
  exchange.holds(DUST_ACCOUNT, 0n, 0n, 3);
});

test("no conversion without the right to trade, during maintenance, or without rules", () => {
  const exchange = new Market();
  exchange.leave("ETH", 3_000_000n);
  exchange.must({ type: "changeAccount", by: BY, accountId: SELLER, canTrade: false });
  exchange.refuses(convert("ETH"), "ACCOUNT_MAY_NOT_TRADE");
  exchange.must({ type: "changeAccount", by: BY, accountId: SELLER, canTrade: true });
  exchange.must({ type: "setMaintenance", by: BY, isOn: true });
  exchange.refuses(convert("ETH"), "MAINTENANCE");
  const bare = new TestExchange();
  bare.openAccount("a");
  assert.equal(bare.answer(convert("ETH")), "DUST_NOT_OFFERED");
});

test("invalid rules are rejected", () => {
  const exchange = new Market();
  const set = (change: Partial<DustRules>) =>
    ({ type: "setDustRules", by: BY, rules: { ...RULES, ...change } }) as const;
  exchange.refuses(set({ dustAsset: "NONE" }), "UNKNOWN_ASSET");
  exchange.refuses(set({ limitAsset: "NONE" }), "UNKNOWN_ASSET");
  exchange.refuses(set({ limit: "0.000000001" }), "INVALID_VALUE");
  exchange.refuses(set({ chargeBps: 10_001 }), "INVALID_VALUE");
  exchange.refuses(set({ chargeBps: 0.5 }), "INVALID_VALUE");
  exchange.refuses(set({ pauseMs: -1 }), "INVALID_VALUE");
  exchange.must(set({ chargeBps: 0, pauseMs: 0 }));
  exchange.restart();
  assert.deepEqual(exchange.engine.funds.dustRules, { ...RULES, chargeBps: 0, pauseMs: 0 });
  exchange.leave("ETH", 3_000_000n);
  const [event] = exchange.run(convert("ETH"));
  assert.ok(event?.type === "dustConverted" && event.charge === 0n && event.received === 30_000_000n);
});

test("dust is not converted while placing is suspended, because last prices may be wrong", () => {
  for (const scope of ["placing", "trading"] as const) {
    const market = new Market();
    market.leave("ETH", 3_000_000n);
    market.must({ type: "setStop", by: BY, scope, why: "a wrong price", untilMs: null });
    market.refuses(convert("ETH"), "DUST_NOT_OFFERED");
    market.must({ type: "liftStop", by: BY, scope });
    market.must(convert("ETH"));
  }
});
