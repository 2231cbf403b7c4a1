/** Fees, minimums and open doors: of markets and of assets. Interface 4.5, FACTS 6.1. */
import { formatDecimal } from "@pricetime/engine";
import type { AssetSpec, AssetView, MarketView } from "@pricetime/engine";
import type { Answer, AssetDetail, TradeFee } from "@pricetime/protocol";
import type { Call } from "../../call.ts";
import { fixedText } from "../amounts.ts";
import { marketsOf } from "../markets.ts";
import { assetNamed, defaultNetwork } from "./assets.ts";
import { exactNumber, shortDecimal } from "./exact-number.ts";

/** Of no network at all: nothing comes or goes. */
const NONE = { withdrawMin: "0", withdrawFee: "0" };

/** The default network's numbers; a door is open when it is on any network. */
function detailShape<Fee>(call: Call, spec: AssetSpec, feeShape: (fee: string) => Fee): AssetDetail<Fee> {
  const { networks } = spec;
  const { withdrawMin, withdrawFee } = defaultNetwork(spec) ?? NONE;
  const depositStatus = networks.some((one) => one.depositEnabled && isServed(call, one.network));
  const tip = networks.find((one) => !one.depositEnabled && one.depositTip !== undefined)?.depositTip;
  return {
    minWithdrawAmount: fixedText(withdrawMin),
    depositStatus,
    withdrawFee: feeShape(withdrawFee),
    withdrawStatus: networks.some((one) => one.withdrawEnabled && isServed(call, one.network)),
    ...(depositStatus || tip === undefined ? {} : { depositTip: tip }),
  };
}

/** Whether this node speaks to the network. */
export function isServed(call: Call, name: string): boolean {
  return call.venue.walletPorts.wallet.networks().some(({ network }) => network === name);
}

function detailsOf<Fee>(
  call: Call,
  assets: readonly AssetView[],
  feeShape: (fee: string) => Fee,
): Record<string, AssetDetail<Fee>> {
  return Object.fromEntries(assets.map(({ spec }) => [spec.asset, detailShape(call, spec, feeShape)]));
}

export function wapiAssetDetail(call: Call): string {
  const assetDetail = detailsOf(call, call.venue.engine.assets(), exactNumber);
  const shape: Answer<"wapi.assetDetail"> = { success: true, assetDetail };
  return JSON.stringify(shape);
}

/** The fee is text here: clients of typed languages cannot read a number. Decision 17. */
export function assetDetail(call: Call): string {
  const { engine } = call.venue;
  const name = call.optionalText("asset");
  const asked = name === undefined ? engine.assets() : [assetNamed(engine, name)];
  const shape: Answer<"asset.detail"> = detailsOf(call, asked, fixedText);
  return JSON.stringify(shape);
}

interface Rates {
  readonly symbol: string;
  /** Fractions: 10 basis points are "0.001". */
  readonly maker: string;
  readonly taker: string;
}

function ratesOf(call: Call): Rates[] {
  const { engine } = call.venue;
  const asked = marketsOf(call) ?? engine.markets();
  const markets: readonly MarketView[] = "length" in asked ? asked : [asked];
  return markets.map(({ symbolId, spec }) => {
    const { makerBps, takerBps } = engine.fees(call.accountId(), symbolId);
    return { symbol: spec.symbol, maker: rateText(makerBps), taker: rateText(takerBps) };
  });
}

function rateText(bps: number): string {
  return shortDecimal(formatDecimal(BigInt(bps), 4, 4));
}

export function wapiTradeFee(call: Call): string {
  const tradeFee = ratesOf(call).map(({ symbol, maker, taker }) => ({
    symbol,
    maker: exactNumber(maker),
    taker: exactNumber(taker),
  }));
  const shape: Answer<"wapi.tradeFee"> = { tradeFee, success: true };
  return JSON.stringify(shape);
}

export function tradeFees(call: Call): string {
  const shape: TradeFee[] = ratesOf(call).map(({ symbol, maker, taker }) => ({
    symbol,
    makerCommission: maker,
    takerCommission: taker,
  }));
  return JSON.stringify(shape);
}
