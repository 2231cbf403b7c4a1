/** Commands of an operator, with what tests seldom care about filled in. Spread one over to change the rest: `by`, say. */
import {
  type AssetNetwork,
  type CreateApiKey,
  type Deposit,
  type ListAsset,
  type ListSymbol,
  type OpenAccount,
  ORDER_TYPES,
  type SymbolFilters,
  type SymbolSpec,
} from "@pricetime/engine";

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
