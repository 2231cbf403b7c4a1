/** What a clock may be advanced to: a fill, a price, a deposit. */
import type { EngineView, Entry, Event, MarketView } from "@pricetime/engine";
import { toScale } from "@pricetime/engine";
import { z } from "zod";
import { AdminRefusal } from "../../people/admin/answer.ts";
import { findAccount, accountName, findAsset } from "../../people/admin/parse.ts";
import { unknownName } from "../../people/admin/known-names.ts";
import { assetName, decimal, text } from "../../platform/config/listing-schema.ts";
import type { Follower } from "../../api/edge/telling-order.ts";

/** Exactly one of them. */
export const awaitedSchema = z.union([
  z.strictObject({ fill: z.strictObject({ account: accountName.exactOptional(), symbol: text.exactOptional() }) }),
  z.strictObject({
    price: z.union([
      z.strictObject({ symbol: text, atLeast: decimal }),
      z.strictObject({ symbol: text, atMost: decimal }),
    ]),
  }),
  z.strictObject({
    deposit: z.strictObject({ account: accountName.exactOptional(), coin: assetName.exactOptional() }),
  }),
]);
type Awaited = z.output<typeof awaitedSchema>;
type IsIt = (event: Event) => boolean;

/** Follows the exchange for those that wait for an event. */
export class AwaitedEvents implements Follower {
  readonly #view: EngineView;
  readonly #waiting = new Set<{ readonly isIt: IsIt; isThere: boolean }>();

  constructor(view: EngineView) {
    this.#view = view;
  }

  applied(_entry: Entry, events: readonly Event[]): void {
    for (const waiting of this.#waiting) waiting.isThere ||= events.some(waiting.isIt);
  }

  /** `isReached`: it has happened since. Throws `AdminRefusal` for unknown names. */
  await(awaited: Awaited): { readonly isReached: () => boolean; readonly end: () => void } {
    const waiting = { isIt: isIt(this.#view, awaited), isThere: false };
    this.#waiting.add(waiting);
    return { isReached: () => waiting.isThere, end: () => void this.#waiting.delete(waiting) };
  }
}

function isIt(view: EngineView, awaited: Awaited): IsIt {
  if ("fill" in awaited) {
    const { account, symbol } = awaited.fill;
    const accountId = account === undefined ? undefined : findAccount(view, account).accountId;
    const symbolId = symbol === undefined ? undefined : findMarket(view, symbol).symbolId;
    return (event) =>
      event.type === "trade" &&
      (symbolId === undefined || event.symbolId === symbolId) &&
      (accountId === undefined || [event.taker, event.maker].some(({ order }) => order.accountId === accountId));
  }
  if ("price" in awaited) {
    const { symbol, ...bound } = awaited.price;
    const { symbolId, scale } = findMarket(view, symbol);
    const ticks = toScale("atLeast" in bound ? bound.atLeast : bound.atMost, scale.priceDecimals);
    if (ticks < 0) throw new AdminRefusal(400, "INVALID_VALUE", `price: ${symbol} cannot have it`);
    const isThere = (priceTicks: number): boolean => ("atLeast" in bound ? priceTicks >= ticks : priceTicks <= ticks);
    return (event) => event.type === "trade" && event.symbolId === symbolId && isThere(event.priceTicks);
  }
  const { account, coin } = awaited.deposit;
  const accountId = account === undefined ? undefined : findAccount(view, account).accountId;
  const assetId = coin === undefined ? undefined : findAsset(view, coin).assetId;
  return (event) =>
    event.type === "depositChanged" &&
    event.moved > 0n &&
    (accountId === undefined || event.deposit.accountId === accountId) &&
    (assetId === undefined || event.deposit.assetId === assetId);
}

function findMarket(view: EngineView, symbol: string): MarketView {
  const found = view.marketBySymbol(symbol);
  if (found !== undefined) return found;
  const all = view.markets().map(({ spec }) => spec.symbol);
  throw unknownName("UNKNOWN_SYMBOL", "symbol", symbol, all);
}
