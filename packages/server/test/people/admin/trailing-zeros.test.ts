/** The admin API accepts decimals with trailing zeros in amounts, filters and candles. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
before(async () => {
  venue = await AdminVenue.open();
  await venue.wanted(201, "POST", "/v1/assets", { asset: "CENT", name: "Cent", precision: 2 });
  await venue.wanted(201, "POST", "/v1/symbols", {
    ...{ symbol: "COINCENT", baseAsset: "COIN", quoteAsset: "CENT", acceptRounding: true },
  });
  const funds = { account: "treasury", asset: "CENT", amount: "100", reference: "funds" };
  await venue.wanted(201, "POST", "/v1/deposits", funds);
});
after(() => venue.close());

const DAY_MS = 86_400_000;
let last = 0;
/** A name that is unique in this test. */
const fresh = (): string => `N${++last}`;

type Request = (amount: string) => readonly [method: string, path: string, body: object];

/** One request of each kind with a decimal of CENT, which has two places. */
const REQUESTS: Readonly<Record<string, Request>> = {
  deposit: (amount) => ["POST", "/v1/deposits", { account: 100, asset: "CENT", amount, reference: fresh() }],
  debit: (amount) => ["POST", "/v1/debits", { account: 100, asset: "CENT", amount, reference: fresh() }],
  network: (withdrawMin) => [
    ...(["PUT", "/v1/assets/CENT/networks"] as const),
    [{ network: "HAND", withdrawMin, approvalAbove: withdrawMin, depositMin: withdrawMin }],
  ],
  asset: (withdrawFee) => [
    ...(["POST", "/v1/assets"] as const),
    { asset: fresh(), name: "New", precision: 2, networks: [{ network: "HAND", withdrawFee }] },
  ],
  symbol: (minNotional) => [
    ...(["POST", "/v1/symbols"] as const),
    {
      ...{ symbol: fresh(), baseAsset: "COIN", quoteAsset: "CENT", acceptRounding: true },
      filters: [
        { filterType: "PRICE_FILTER", minPrice: minNotional, maxPrice: "0", tickSize: minNotional },
        { filterType: "MIN_NOTIONAL", minNotional, applyToMarket: true, avgPriceMins: 5 },
      ],
    },
  ],
  dividend: (amount) => [
    ...(["POST", "/v1/dividends"] as const),
    { heldAsset: "COIN", paidAsset: "CENT", amount, info: "x", reference: fresh() },
  ],
  "dust rules": (limit) => [
    ...(["PUT", "/v1/dust-rules"] as const),
    { dustAsset: "COIN", chargeBps: 0, limitAsset: "CENT", limit, pauseMs: 0 },
  ],
  candles: (price) => [
    ...(["POST", `/v1/symbols/COINCENT/backfilled-candles`] as const),
    { interval: "1d", candles: [[++last * DAY_MS, price, price, price, price, "0.000000000", "0.000", 0, "0", "0"]] },
  ],
};

/** The status and, after a failure, the code. */
async function outcomeOf(request: Request, amount: string): Promise<string> {
  const [method, path, body] = request(amount);
  const reply = await venue.admin.call(method, path, body);
  return `${reply.status} ${String(reply.body["error"] ?? "")}`;
}

for (const [name, request] of Object.entries(REQUESTS)) {
  test(`${name}: a decimal and the same with trailing zeros have equal outcomes`, async () => {
    for (const [plain, longer] of [
      ["2", "2.0000000000"],
      ["0.5", "0.50000000"],
      ["0.05", "0.05000000000000000000"],
    ] as const) {
      assert.match(await outcomeOf(request, plain), /^20[0-9] /, plain);
      assert.match(await outcomeOf(request, longer), /^20[0-9] /, longer);
    }
    // Imported candles have their own scale.
    const tooFine = name === "candles" ? ["0.000000005", "0.00000000500000"] : ["0.005", "0.00500000"];
    for (const text of tooFine) assert.equal(await outcomeOf(request, text), "400 INVALID_VALUE");
  });
}
