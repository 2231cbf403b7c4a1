/** Commands for engine tests, with default values filled in. */
import {
  type AssetNetwork,
  type Command,
  ORDER_TYPES,
  type PlaceOrder,
  type ProposedAct,
  type SymbolFilters,
  type SymbolSpec,
} from "@pricetime/engine";

type Given<Fields, Needed extends keyof Fields> = Pick<Fields, Needed> & Partial<Omit<Fields, "type">>;

/** An order on the first symbol: LIMIT, GTC, and not an iceberg. Its default price and quantity are 0. */
export function placeOrder(order: Given<PlaceOrder, "accountId" | "side">): PlaceOrder {
  // The fields are in a fixed order, so that all commands have the same hidden class.
  return {
    type: "placeOrder",
    accountId: order.accountId,
    symbolId: order.symbolId ?? 0,
    side: order.side,
    orderType: order.orderType ?? "LIMIT",
    timeInForce: order.timeInForce ?? "GTC",
    priceTicks: order.priceTicks ?? 0,
    quantityLots: order.quantityLots ?? 0,
    stopTicks: order.stopTicks ?? 0,
    icebergLots: order.icebergLots ?? 0,
    quoteOrderQty: order.quoteOrderQty ?? 0n,
    clientOrderId: order.clientOrderId ?? "",
  };
}

/** An order list of two orders; the second one is placed when the first is filled. */
export function placeList(kind: "OTO" | "OPO", working: PlaceOrder, pending: PlaceOrder): Command<"placeOto"> {
  const { accountId, symbolId, side, quantityLots } = working;
  return {
    ...{ type: "placeOto", accountId, symbolId, kind, listClientOrderId: kind },
    ...{ working: { side, quantityLots, leg: working }, pendingLimit: null },
    ...{ pendingSide: pending.side, pendingLots: pending.quantityLots, pending },
  };
}

type Withdrawal = Given<Command<"requestWithdrawal">, "withdrawalId" | "accountId" | "asset" | "address" | "amount">;

/** A withdrawal on the asset's default network, without tag, two-factor code or email confirmation. */
export function requestWithdrawal(withdrawal: Withdrawal): Command<"requestWithdrawal"> {
  return {
    type: "requestWithdrawal",
    ...{ network: "", tag: "", name: "", withdrawOrderId: "", totpStep: null, confirmationHash: "" },
    ...withdrawal,
  };
}

// Commands of an operator. Override fields with a spread, for example `by`.

const BY = "test";

export function listAsset(asset: string, precision = 8, networks: readonly AssetNetwork[] = []): Command<"listAsset"> {
  return { type: "listAsset", by: BY, asset: { asset, name: asset, precision, networks } };
}

/** A network that is open for deposits and withdrawals, with a withdrawal fee of 0.01. */
export function networkOf(network: string, more: Partial<AssetNetwork> = {}): AssetNetwork {
  const isOpen = { isDefault: true, depositEnabled: true, withdrawEnabled: true };
  return { network, ...isOpen, withdrawFee: "0.01", withdrawMin: "0.02", withdrawMax: "100", ...more };
}

/**
 * A symbol from `pair`, for example BTC/USDT, which is listed as BTCUSDT. All order types are allowed. Any rounding is
 * accepted, because many tests use few digits and no filters.
 */
export function symbolOf(pair: string, filters: SymbolFilters = {}, more: Partial<SymbolSpec> = {}): SymbolSpec {
  const [baseAsset, quoteAsset] = pair.split("/") as [string, string];
  return {
    symbol: baseAsset + quoteAsset,
    status: "TRADING",
    baseAsset,
    quoteAsset,
    orderTypes: ORDER_TYPES,
    icebergAllowed: true,
    ocoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
    filters,
    acceptRounding: true,
    ...more,
  };
}

/** Lists the symbol that `symbolOf` returns. */
export function listSymbol(pair: string, filters?: SymbolFilters, more?: Partial<SymbolSpec>): Command<"listSymbol"> {
  return { type: "listSymbol", by: BY, symbol: symbolOf(pair, filters, more) };
}

/** Opens an account without trading fees. */
export function openAccount(email: string, more: Partial<Command<"openAccount">> = {}): Command<"openAccount"> {
  return { type: "openAccount", by: BY, email, name: "", makerBps: 0, takerBps: 0, ...more };
}

/**
 * Deposits an asset. The reference is derived from the account and the asset, so a second deposit of the same asset
 * needs another one.
 */
export function deposit(
  accountId: number,
  asset: string,
  amount: string,
  reference = `${accountId}-${asset}`,
): Command<"deposit"> {
  return { type: "deposit", by: BY, accountId, asset, amount, reference };
}

export function createApiKey(
  accountId: number,
  apiKey: string,
  key: Pick<Command<"createApiKey">, "permissions"> & Partial<Command<"createApiKey">>,
): Command<"createApiKey"> {
  return { type: "createApiKey", by: BY, accountId, apiKey, sealedSecret: "", ipAllowList: [], label: "", ...key };
}

// Two operators. One requests actions, and the other approves them.

const [AUTHOR, OTHER] = ["operator:carol", "operator:bob"] as const;

/** Opens both operators as admins with all rights. */
export const TWO_OPERATORS: readonly Command[] = [AUTHOR, OTHER].map((holder) => {
  const name = holder.slice("operator:".length);
  return { type: "openOperator", by: "admin", name, email: `${name}@example.com`, role: "admin" };
});

/** Returns the commands for an action with two operators. `number` is the number of the approval request. */
export function byTwo(number: number, act: ProposedAct): Command[] {
  const proposalId = number.toString(16).padStart(32, "0");
  return [
    { type: "propose", by: AUTHOR, proposalId, act: { ...act, by: AUTHOR }, why: "a test" },
    { type: "approveProposal", by: OTHER, proposalId, version: 1 },
  ];
}
