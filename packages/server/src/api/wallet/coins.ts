/** Assets and networks with their fees, minimums and suspensions. Interface 4.5, 4.6, S.16. */
import { type AssetNetwork, type AssetSpec, type EngineView, formatDecimal, type MarketView } from "@pricetime/engine";
import type { Call } from "../call.ts";
import type { Answer, AssetDetail, Coin, CoinNetwork, TradeFee } from "@pricetime/protocol";
import { longList, type MaybeLong } from "../answers/long-list.ts";
import { amountText, exactNumber, fixedText, shortDecimal } from "../../history/shapes/amounts.ts";
import { type AssetBalance, readBalance } from "../account.ts";
import { assetNamed, defaultNetwork, marketsOf } from "../parameters.ts";

// The networks on which an asset can currently be deposited and withdrawn: enabled in the asset's listing, served by
// this node, and not suspended by operators.

interface OpenNetworks {
  takesDeposits(asset: string, network: AssetNetwork): boolean;
  paysWithdrawals(asset: string, network: AssetNetwork): boolean;
}

function openNetworks(call: Call): OpenNetworks {
  const served = new Set(call.venue.walletPorts.wallet.networks().map(({ network }) => network));
  const { engine } = call.venue;
  const { nowMs } = call;
  return {
    takesDeposits: (asset, network) => served.has(network.network) && takesDeposits(engine, asset, network, nowMs),
    paysWithdrawals: (asset, { network, withdrawEnabled }) =>
      served.has(network) && withdrawEnabled && !engine.venue.stopsWithdrawing(asset, network, nowMs),
  };
}

/**
 * Deposits that arrive during a suspension are credited when it ends, but clients should not be invited to send any.
 */
export function takesDeposits(
  engine: EngineView,
  asset: string,
  { network, depositEnabled }: AssetNetwork,
  nowMs: number,
): boolean {
  return depositEnabled && !engine.venue.stopsCoin(asset, network, nowMs);
}

const COINS_A_PIECE = 25;

export interface CoinBalance extends AssetBalance {
  readonly spec: AssetSpec;
  /** The amount locked by the account's open withdrawals. */
  readonly held: bigint;
}

function networkShape(open: OpenNetworks, spec: AssetSpec, network: AssetNetwork): CoinNetwork {
  const minConfirm = network.creditConfirmations ?? 1;
  return {
    network: network.network,
    coin: spec.asset,
    name: network.network,
    isDefault: network.isDefault,
    depositEnable: open.takesDeposits(spec.asset, network),
    withdrawEnable: open.paysWithdrawals(spec.asset, network),
    withdrawFee: fixedText(network.withdrawFee),
    withdrawMin: fixedText(network.withdrawMin),
    withdrawMax: fixedText(network.withdrawMax),
    withdrawIntegerMultiple: fixedText(network.withdrawStep ?? formatDecimal(1n, spec.precision)),
    minConfirm,
    unLockConfirm: network.finalConfirmations ?? minConfirm,
    sameAddress: network.isTagged === true,
    depositDesc: network.depositEnabled ? "" : (network.depositTip ?? ""),
  };
}

/** Amounts locked by the account's open withdrawals, by asset. */
function withdrawingOf(engine: EngineView, accountId: number): ReadonlyMap<number, bigint> {
  const held = new Map<number, bigint>();
  for (const { assetId, amount } of engine.funds.openWithdrawalsOf(accountId)) {
    held.set(assetId, (held.get(assetId) ?? 0n) + amount);
  }
  return held;
}

export function readCoins(engine: EngineView, accountId: number): CoinBalance[] {
  const held = withdrawingOf(engine, accountId);
  return engine.assets().map((asset) => ({
    ...readBalance(engine, accountId, asset),
    spec: asset.spec,
    held: held.get(asset.assetId) ?? 0n,
  }));
}

function coinShape(engine: EngineView, open: OpenNetworks, { asset, spec, balance, held }: CoinBalance): Coin {
  const { assetId } = asset;
  const networkList = spec.networks.map((network) => networkShape(open, spec, network));
  return {
    coin: spec.asset,
    name: spec.name,
    depositAllEnable: networkList.some(({ depositEnable }) => depositEnable),
    withdrawAllEnable: networkList.some(({ withdrawEnable }) => withdrawEnable),
    trading: true,
    isLegalMoney: false,
    free: amountText(engine, assetId, balance.free),
    locked: amountText(engine, assetId, balance.locked - held),
    withdrawing: amountText(engine, assetId, held),
    networkList,
  };
}

export function coins(call: Call): MaybeLong {
  const { engine, turns } = call.venue;
  const accountId = call.accountId();
  const open = openNetworks(call);
  return longList(turns, {
    key: `coins ${accountId}`,
    count: engine.assets().length,
    rowsAPiece: COINS_A_PIECE,
    read: () => ({ rows: readCoins(engine, accountId) }),
    write: (row) => JSON.stringify(coinShape(engine, open, row)),
  });
}

// Trading fees of markets and details of assets.

/** The limits of an asset without networks, which cannot be deposited or withdrawn. */
const NONE = { withdrawMin: "0", withdrawFee: "0" };

type FeeShape = (fee: string) => string | ReturnType<typeof exactNumber>;

const ASSETS_A_PIECE = 50;
const MARKETS_A_PIECE = 150;

/**
 * The minimum and fee are those of the default network. Deposits and withdrawals count as enabled if they are enabled
 * on any network.
 */
function detailShape<Fee>(open: OpenNetworks, spec: AssetSpec, feeShape: (fee: string) => Fee): AssetDetail<Fee> {
  const { asset, networks } = spec;
  const { withdrawMin, withdrawFee } = defaultNetwork(spec) ?? NONE;
  const depositStatus = networks.some((one) => open.takesDeposits(asset, one));
  const tip = networks.find((one) => !one.depositEnabled && one.depositTip !== undefined)?.depositTip;
  return {
    minWithdrawAmount: fixedText(withdrawMin),
    depositStatus,
    withdrawFee: feeShape(withdrawFee),
    withdrawStatus: networks.some((one) => open.paysWithdrawals(asset, one)),
    ...(depositStatus || tip === undefined ? {} : { depositTip: tip }),
  };
}

/** The details of all assets. */
function detailsOf(call: Call, feeShape: FeeShape, before: string, after: string): MaybeLong {
  const open = openNetworks(call);
  const { engine, turns } = call.venue;
  return longList(turns, {
    key: before,
    count: engine.assets().length,
    rowsAPiece: ASSETS_A_PIECE,
    read: () => ({ rows: engine.assets().map(({ spec }) => spec), before, after }),
    write: (spec) => detailJson(open, spec, feeShape),
  });
}

/** The detail of an asset as a member of an object keyed by asset. */
function detailJson(open: OpenNetworks, spec: AssetSpec, feeShape: FeeShape): string {
  return `"${spec.asset}":${JSON.stringify(detailShape(open, spec, feeShape))}`;
}

export function wapiAssetDetail(call: Call): MaybeLong {
  return detailsOf(call, exactNumber, `{"success":true,"assetDetail":{`, "}}");
}

/** The fee is a string in this response, because clients in typed languages cannot read a number here. Decision 17. */
export function assetDetail(call: Call): MaybeLong {
  const name = call.optionalText("asset");
  if (name === undefined) return detailsOf(call, fixedText, "{", "}");
  return `{${detailJson(openNetworks(call), assetNamed(call.venue.engine, name).spec, fixedText)}}`;
}

interface Rates {
  readonly symbol: string;
  /** A fraction as text: 10 basis points are "0.001". */
  readonly maker: string;
  readonly taker: string;
}

function ratesOf(call: Call, write: (rates: Rates) => object, before: string, after: string): MaybeLong {
  const { engine, turns } = call.venue;
  const accountId = call.accountId();
  const asked = marketsOf(call) ?? engine.markets();
  const markets: readonly MarketView[] = "length" in asked ? asked : [asked];
  return longList(turns, {
    key: `${before} ${accountId} ${call.optionalText("symbol") ?? ""}`,
    count: markets.length,
    rowsAPiece: MARKETS_A_PIECE,
    read: () => ({
      rows: markets.map(({ symbolId, spec }) => ({ symbol: spec.symbol, fees: engine.fees(accountId, symbolId) })),
      before,
      after,
    }),
    write: ({ symbol, fees }) =>
      JSON.stringify(write({ symbol, maker: rateText(fees.makerBps), taker: rateText(fees.takerBps) })),
  });
}

function rateText(bps: number): string {
  return shortDecimal(formatDecimal(BigInt(bps), 4, 4));
}

export function wapiTradeFee(call: Call): MaybeLong {
  const shape = ({ symbol, maker, taker }: Rates): Answer<"wapi.tradeFee">["tradeFee"][number] => ({
    symbol,
    maker: exactNumber(maker),
    taker: exactNumber(taker),
  });
  return ratesOf(call, shape, `{"tradeFee":[`, `],"success":true}`);
}

export function tradeFees(call: Call): MaybeLong {
  const shape = ({ symbol, maker, taker }: Rates): TradeFee => ({
    symbol,
    makerCommission: maker,
    takerCommission: taker,
  });
  return ratesOf(call, shape, "[", "]");
}
