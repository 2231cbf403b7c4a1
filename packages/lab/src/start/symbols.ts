/** Symbols as a test wants them, set up through the admin API. */
import { type Admin, part } from "../client/admin.ts";
import type { SymbolWanted } from "../types.ts";

interface Listed {
  readonly symbol: string;
  readonly status: string;
}

/** What a listing is made of: exchangeInfo says more, which follows from it. */
const FIELDS = [
  ...["symbol", "status", "baseAsset", "quoteAsset", "orderTypes", "filters"],
  ...["icebergAllowed", "ocoAllowed", "quoteOrderQtyMarketAllowed"],
] as const;

/** Lets these symbols trade and no others; those that are described are listed first. Throws for one that is unknown. */
export async function keepSymbols(admin: Admin, wanted: readonly (string | SymbolWanted)[]): Promise<void> {
  for (const each of wanted) if (typeof each === "object") await list(admin, each);
  const names = wanted.map((each) => (typeof each === "string" ? each : each.symbol));
  const listed = await admin.ask<readonly Listed[]>("GET", "/v1/symbols");
  const unknown = names.filter((symbol) => !listed.some((each) => each.symbol === symbol));
  if (unknown.length > 0)
    throw new RangeError(
      `${unknown.join(", ")} is not listed. Use one of ${listed.map(({ symbol }) => symbol).join(", ")}.`,
    );
  for (const { symbol, status } of listed) {
    if (names.includes(symbol) || status !== "TRADING") continue;
    await admin.ask("PUT", `/v1/symbols/${part(symbol)}/status`, { status: "BREAK" });
  }
}

async function list(admin: Admin, wanted: SymbolWanted): Promise<void> {
  const { baseAsset, quoteAsset, baseAssetPrecision, quoteAssetPrecision } = wanted;
  const assets = await admin.ask<readonly { readonly asset: string }[]>("GET", "/v1/assets");
  for (const [asset, precision] of [[baseAsset, baseAssetPrecision] as const, [quoteAsset, quoteAssetPrecision]]) {
    if (assets.some((each) => each.asset === asset)) continue;
    await admin.ask("POST", "/v1/assets", { asset, name: asset, ...(precision !== undefined && { precision }) });
  }
  const fields = FIELDS.flatMap((name) => (wanted[name] === undefined ? [] : [[name, wanted[name]] as const]));
  await admin.ask("POST", "/v1/symbols", Object.fromEntries(fields));
}
