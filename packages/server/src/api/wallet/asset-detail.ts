/** Fees, minimums and suspensions of markets and assets. Interface 4.5. */
import { formatDecimal } from "@pricetime/engine";
import type { AssetSpec, MarketView } from "@pricetime/engine";
import type { Answer, AssetDetail, TradeFee } from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { longList, type MaybeLong } from "../answers/long-list.ts";
import { fixedText } from "../../history/shapes/amounts.ts";
import { marketsOf } from "../markets.ts";
import { assetNamed, defaultNetwork } from "./assets.ts";
import { type OpenNetworks, openNetworks } from "./open-networks.ts";
import { exactNumber, shortDecimal } from "../../history/shapes/exact-number.ts";

/** Bounds of an asset without networks: nothing can be deposited or withdrawn. */
const NONE = { withdrawMin: "0", withdrawFee: "0" };

type FeeShape = (fee: string) => string | ReturnType<typeof exactNumber>;

const ASSETS_A_PIECE = 50;
const MARKETS_A_PIECE = 150;

/** The default network's numbers; deposits or withdrawals are open if they are on any network. */
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

/** The detail as a member of an object by asset. */
function detailJson(open: OpenNetworks, spec: AssetSpec, feeShape: FeeShape): string {
  return `"${spec.asset}":${JSON.stringify(detailShape(open, spec, feeShape))}`;
}

export function wapiAssetDetail(call: Call): MaybeLong {
  return detailsOf(call, exactNumber, `{"success":true,"assetDetail":{`, "}}");
}

/** The fee is text here: clients in typed languages cannot read a number. Decision 17. */
export function assetDetail(call: Call): MaybeLong {
  const name = call.optionalText("asset");
  if (name === undefined) return detailsOf(call, fixedText, "{", "}");
  return `{${detailJson(openNetworks(call), assetNamed(call.venue.engine, name).spec, fixedText)}}`;
}

interface Rates {
  readonly symbol: string;
  /** Fractions: 10 basis points are "0.001". */
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
