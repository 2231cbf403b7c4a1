/** Dust, dividends and what an account had at the end of days. Interface 4.6, FACTS 6.1. */
import type { EngineView } from "@pricetime/engine";
import { dustError } from "@pricetime/protocol";
import type { Answer } from "@pricetime/protocol";
import type { Outcome } from "../../../sequencer/port.ts";
import type { Call, DEFERRED } from "../../call.ts";
import { amountText } from "../amounts.ts";
import { submit } from "../submit.ts";
import { assetIdOf, assetName, timesOf } from "./assets.ts";

export function convertDust(call: Call): typeof DEFERRED {
  const assets = call.text("asset").split(",");
  return submit(
    call,
    { type: "convertDust", accountId: call.accountId(), assets },
    {
      refusal: (reason) => dustError(reason, assets.join(","), dustLimit(call.venue.engine)),
      body: (outcome) => JSON.stringify(dustShape(call.venue.engine, outcome)),
    },
  );
}

/** As in `0.001BTC`. */
function dustLimit({ dustRules }: EngineView): string {
  return dustRules === undefined ? "" : `${dustRules.limit}${dustRules.limitAsset}`;
}

/** Totals are the sums of the rows. */
function dustShape(engine: EngineView, { events, timeMs }: Outcome): Answer<"asset.dust"> {
  const rows = events.filter((event) => event.type === "dustConverted");
  const [first] = rows;
  if (first === undefined) throw new TypeError("a conversion that was made tells of itself");
  const inDust = (units: bigint): string => amountText(engine, first.dustAssetId, units);
  return {
    totalServiceCharge: inDust(rows.reduce((sum, { charge }) => sum + charge, 0n)),
    totalTransfered: inDust(rows.reduce((sum, { received }) => sum + received, 0n)),
    transferResult: rows.map(({ assetId, amount, charge, received, tranId }) => ({
      amount: amountText(engine, assetId, amount),
      fromAsset: assetName(engine, assetId),
      operateTime: timeMs,
      serviceChargeAmount: inDust(charge),
      tranId,
      transferedAmount: inDust(received),
    })),
  };
}

/** Conversions are not listed: interface 4.5 declines it. */
export function dustLog(): string {
  const shape: Answer<"asset.dustLog"> = { total: 0, userAssetDribblets: [] };
  return JSON.stringify(shape);
}

export async function dividends(call: Call): Promise<string> {
  const { history, engine } = call.venue;
  const question = { ...timesOf(call), assetId: assetIdOf(call, "asset"), limit: call.limit() };
  const found = await history.dividends(engine.seq, call.accountId(), question);
  // Oldest first: interface 1.2.
  const rows = found.reverse().map(({ amount, assetId, timeMs, info, tranId }) => ({
    amount,
    asset: assetName(call.venue.engine, assetId),
    divTime: timeMs,
    enInfo: info,
    tranId,
  }));
  const shape: Answer<"asset.dividends"> = { rows, total: rows.length };
  return JSON.stringify(shape);
}

/** What totals of snapshots are told in, where the venue has it. */
const TOTAL_ASSET = "BTC";

export async function snapshots(call: Call): Promise<string> {
  const { history, engine } = call.venue;
  const totalAssetId = engine.assets().find(({ spec }) => spec.asset === TOTAL_ASSET)?.assetId;
  const question = { ...timesOf(call), limit: call.limit(), totalAssetId, nowMs: call.nowMs };
  const isSpot = call.text("type") === "SPOT";
  const page = isSpot ? await history.snapshotPage(engine.seq, call.accountId(), question) : "[]";
  return `{"code":200,"msg":"","snapshotVos":${page}}`;
}
