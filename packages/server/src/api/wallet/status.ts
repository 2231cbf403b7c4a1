/** The status of an account, its API key and the exchange. Interface 4.5 and 3.8. */
import { MINUTE_MS } from "@pricetime/engine";
import { UNSUPPORTED_OPERATION } from "@pricetime/protocol";
import type { ApiTradingStatusShape, Indicator, LockedBy } from "@pricetime/protocol";
import type { IndicatorValue } from "../../funds/trading-rules.ts";
import { type Call, json } from "../call.ts";
import { writtenRows } from "../answers/long-list.ts";
import { Refused } from "../edge/refusals.ts";
import type { Body } from "../answers/long-text.ts";

const NORMAL = "Normal";

/** Reports a suspension of all trading as maintenance. */
export function systemStatus(call: Call): string {
  const { engine } = call.venue;
  return json<"system.status">(
    engine.isInMaintenance || engine.venue.isStopped("trading", call.nowMs)
      ? { status: 1, msg: "system maintenance" }
      : { status: 0, msg: "normal" },
  );
}

/**
 * Texts for the cause of the lock. The first is that of the original exchange, whose other texts are unknown. Interface
 * 4.5.
 */
const LOCK_TEXTS = {
  UFR: "Low Order fill rate",
  IFER: "High rate of IOC and FOK orders that expire",
  GCR: "High rate of GTC orders that are cancelled at once",
} as const;

/** If API trading is temporarily locked, reports the lock, otherwise the operator's message. */
function conditionOf(call: Call): { readonly msg: string; readonly objs: readonly string[] } {
  const { accountId, statusMessage, statusObjs } = call.account();
  const lock = call.venue.engine.apiTradingLock(accountId, call.nowMs);
  if (lock !== undefined) {
    const minutes = Math.ceil((lock.untilMs - call.nowMs) / MINUTE_MS);
    const msg = `Order failed:${LOCK_TEXTS[lock.indicator]}! Will be reactivated after ${minutes} minutes.`;
    return { msg, objs: [String(minutes)] };
  }
  return { msg: statusMessage === "" ? NORMAL : statusMessage, objs: statusObjs };
}

export function wapiAccountStatus(call: Call): string {
  const { msg, objs } = conditionOf(call);
  return json<"wapi.accountStatus">({ msg, success: true, objs });
}

export function accountStatus(call: Call): string {
  return json<"wallet.accountStatus">({ data: conditionOf(call).msg });
}

function indicatorShape({ indicator, count, value, trigger }: IndicatorValue): Indicator {
  return { i: indicator, c: count, v: value, t: trigger };
}

/** Written in pieces, because an account may have traded every symbol. */
async function tradingStatus(call: Call, before: string, after: string, namesRule = false): Promise<Body> {
  const status = await call.venue.walletPorts.tradingRules.status(call.accountId(), call.nowMs);
  const { GCR, IFER, UFR } = status.triggerCondition;
  const head: Omit<ApiTradingStatusShape & LockedBy, "indicators" | "updateTime"> = {
    ...(namesRule && status.lockedBy !== null ? { lockedBy: status.lockedBy } : {}),
    isLocked: status.isLocked,
    plannedRecoverTime: status.plannedRecoverTimeMs,
    triggerCondition: { GCR, IFER, UFR },
  };
  const { engine, turns } = call.venue;
  const reading = {
    rows: [...status.indicators],
    before: `${before}${JSON.stringify(head).slice(0, -1)},"indicators":{`,
    after: `},"updateTime":${status.updateTimeMs}}${after}`,
  };
  return writtenRows(turns, reading, ([symbolId, values]) => {
    return `"${engine.market(symbolId).spec.symbol}":${JSON.stringify(values.map(indicatorShape))}`;
  });
}

export function wapiApiTradingStatus(call: Call): Promise<Body> {
  return tradingStatus(call, `{"success":true,"status":`, "}");
}

export function apiTradingStatus(call: Call): Promise<Body> {
  return tradingStatus(call, `{"data":`, "}", true);
}

export function apiRestrictions(call: Call): string {
  const { permissions, ipAllowList, createdMs } = call.apiKey();
  const mayMove = permissions.includes("TRADE") && call.account().masterId === null;
  return json<"wallet.apiRestrictions">({
    ipRestrict: ipAllowList.length > 0,
    createTime: createdMs,
    enableReading: permissions.includes("USER_DATA"),
    enableWithdrawals: permissions.includes("WITHDRAW"),
    enableInternalTransfer: mayMove,
    enableSpotAndMarginTrading: permissions.includes("TRADE"),
    enableMargin: false,
    enableFutures: false,
    enableVanillaOptions: false,
    enablePortfolioMarginTrading: false,
    permitsUniversalTransfer: mayMove,
  });
}

/** Dust logs are not supported: Interface 4.5. */
export function wapiDustLog(): string {
  throw new Refused(UNSUPPORTED_OPERATION);
}
