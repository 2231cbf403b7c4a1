/** Commands as tests give them to an engine, with the usual values filled in. */
import {
  type AssetNetwork,
  type Command,
  type CreateApiKey,
  type Deposit,
  type ListAsset,
  type ListSymbol,
  type OpenAccount,
  ORDER_TYPES,
  type PlaceOrder,
  type ProposedAct,
  type RequestWithdrawal,
  type SymbolFilters,
  type SymbolSpec,
} from "@pricetime/engine";

type Given<Fields, Needed extends keyof Fields> = Pick<Fields, Needed> & Partial<Omit<Fields, "type">>;

/** On the first symbol, LIMIT and GTC, with nothing hidden; at no price, for no quantity. */
export function placeOrder(order: Given<PlaceOrder, "accountId" | "side">): PlaceOrder {
  // Each field in its place: all have one shape, whoever made them.
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

type Withdrawal = Given<RequestWithdrawal, "withdrawalId" | "accountId" | "asset" | "address" | "amount">;

/** On the asset's default network, without tag, code or mail. */
export function requestWithdrawal(withdrawal: Withdrawal): RequestWithdrawal {
  return {
    type: "requestWithdrawal",
    ...{ network: "", tag: "", name: "", withdrawOrderId: "", totpStep: null, confirmationHash: "" },
    ...withdrawal,
  };
}

// Commands of an operator. Spread one over to change the rest, such as `by`.

const BY = "test";

export function listAsset(asset: string, precision = 8, networks: readonly AssetNetwork[] = []): ListAsset {
  return { type: "listAsset", by: BY, asset: { asset, name: asset, precision, networks } };
}

/** A network whose way in and out is open, at a fee of 0.01. */
export function networkOf(network: string, more: Partial<AssetNetwork> = {}): AssetNetwork {
  const isOpen = { isDefault: true, depositEnabled: true, withdrawEnabled: true };
  return { network, ...isOpen, withdrawFee: "0.01", withdrawMin: "0.02", withdrawMax: "100", ...more };
}

/**
 * `pair`: as BTC/USDT, which is listed as BTCUSDT. All types of order are allowed, and any rounding is accepted: many tests
 * have few digits and no filters.
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

/** As `symbolOf`. */
export function listSymbol(pair: string, filters?: SymbolFilters, more?: Partial<SymbolSpec>): ListSymbol {
  return { type: "listSymbol", by: BY, symbol: symbolOf(pair, filters, more) };
}

/** Without fees. */
export function openAccount(email: string, more: Partial<OpenAccount> = {}): OpenAccount {
  return { type: "openAccount", by: BY, email, name: "", makerBps: 0, takerBps: 0, ...more };
}

/** Each account is given an asset once, unless there is another reference. */
export function deposit(
  accountId: number,
  asset: string,
  amount: string,
  reference = `${accountId}-${asset}`,
): Deposit {
  return { type: "deposit", by: BY, accountId, asset, amount, reference };
}

export function createApiKey(
  accountId: number,
  apiKey: string,
  key: Pick<CreateApiKey, "permissions"> & Partial<CreateApiKey>,
): CreateApiKey {
  return { type: "createApiKey", by: BY, accountId, apiKey, sealedSecret: "", ipAllowList: [], label: "", ...key };
}

// Two operators, and acts that one proposes and the other approves.

const [AUTHOR, OTHER] = ["operator:carol", "operator:bob"] as const;

/** Opens both, who may do everything. */
export const TWO_OPERATORS: readonly Command[] = [AUTHOR, OTHER].map((holder) => {
  const name = holder.slice("operator:".length);
  return { type: "openOperator", by: "admin", name, email: `${name}@example.com`, role: "admin" };
});

/** `number` tells proposals apart. */
export function byTwo(number: number, act: ProposedAct): Command[] {
  const proposalId = number.toString(16).padStart(32, "0");
  return [
    { type: "propose", by: AUTHOR, proposalId, act: { ...act, by: AUTHOR }, why: "a test" },
    { type: "approveProposal", by: OTHER, proposalId, version: 1 },
  ];
}
