/** Dust conversion, dividends and end-of-day balances. Interface 4.6. */
import { MAX_DUST_ASSETS } from "@pricetime/engine";
import type { EngineView, RejectReason } from "@pricetime/engine";
import { DUST_UNKNOWN_ASSET, dustError, invalidData } from "@pricetime/protocol";
import type { Answer, DustWords } from "@pricetime/protocol";
import type { Outcome } from "../../journal/sequencer/port.ts";
import { type Call, type DEFERRED, submit, json } from "../call.ts";
import { Refused } from "../edge/refusals.ts";
import { amountText } from "../../history/shapes/amounts.ts";
import { assetIdOf, assetName, timesOf } from "../parameters.ts";

/**
 * Converts assets in the order of their names, so that the reported error does not depend on the order in the request.
 */
export function convertDust(call: Call): typeof DEFERRED {
  const asked = call.text("asset").split(",");
  checkAssets(call.venue.engine, asked);
  const assets = [...asked].sort();
  return submit(
    call,
    { type: "convertDust", accountId: call.accountId(), assets },
    {
      refusal: (reason) => dustError(reason, dustWords(call, reason, assets)),
      body: (outcome) => JSON.stringify(dustShape(call.venue.engine, outcome, asked)),
    },
  );
}

/** Reports invalid names first, even while conversions are paused. */
function checkAssets(engine: EngineView, names: readonly string[]): void {
  if (names.length > MAX_DUST_ASSETS || new Set(names).size !== names.length) throw new Refused(invalidData("asset"));
  const known = new Set(engine.assets().map(({ spec }) => spec.asset));
  if (names.some((name) => !known.has(name))) throw new Refused(DUST_UNKNOWN_ASSET);
}

/** The values in the error message, including the assets that caused the error. */
function dustWords(call: Call, reason: RejectReason, assets: readonly string[]): DustWords {
  const { engine } = call.venue;
  const { limit, limitAsset, pauseMs } = engine.funds.dustRules ?? { limit: "", limitAsset: "", pauseMs: 0 };
  const faults = engine.funds.dustFaults(call.accountId(), assets);
  const atFault = assets.filter((asset) => faults.get(asset) === reason);
  return { assets: atFault.join(","), limit: `${limit}${limitAsset}`, pauseMs };
}

/** The response has one row per asset, in the order of the request. The totals are the sums of the rows. */
function dustShape(engine: EngineView, { events, timeMs }: Outcome, asked: readonly string[]): Answer<"asset.dust"> {
  const place = (assetId: number): number => asked.indexOf(assetName(engine, assetId));
  const rows = events
    .filter((event) => event.type === "dustConverted")
    .sort((one, other) => place(one.assetId) - place(other.assetId));
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

/** Always empty, because conversions are not listed: Interface 4.5. */
export function dustLog(): string {
  return json<"asset.dustLog">({ total: 0, userAssetDribblets: [] });
}

export async function dividends(call: Call): Promise<string> {
  const { history, engine } = call.venue;
  const question = { ...timesOf(call), assetId: assetIdOf(call, "asset"), limit: call.limit() };
  const found = await history.query(engine.seq, "dividends", { accountId: call.accountId(), ...question });
  // Rows are listed oldest first: Interface 1.2.
  const rows = found.reverse().map(({ amount, assetId, timeMs, info, tranId }) => ({
    amount,
    asset: assetName(call.venue.engine, assetId),
    divTime: timeMs,
    enInfo: info,
    tranId,
  }));
  return json<"asset.dividends">({ rows, total: rows.length });
}

/** The asset in which snapshots state their total, if it is listed. */
const TOTAL_ASSET = "BTC";

export async function snapshots(call: Call): Promise<string> {
  const { history, engine } = call.venue;
  const totalAssetId = engine.assets().find(({ spec }) => spec.asset === TOTAL_ASSET)?.assetId;
  const of = { accountId: call.accountId(), totalAssetId, nowMs: call.nowMs };
  const question = { ...of, ...timesOf(call), limit: call.limit() };
  const page = call.text("type") === "SPOT" ? await history.query(engine.seq, "snapshotPage", question) : "[]";
  return `{"code":200,"msg":"","snapshotVos":${page}}`;
}
