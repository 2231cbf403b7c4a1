/** From what a user stream said to what REST must answer: nothing else is known here. */
import assert from "node:assert/strict";
import type { Message } from "./user-ear.ts";

type Row = Record<string, unknown>;

/** An order or a trade with a symbol and an id, as a key that sorts. */
export const ZERO = "0.00000000";

const units = (decimal: string): bigint => BigInt(decimal.replace(".", ""));
function decimal(amount: bigint): string {
  const digits = amount.toString().padStart(9, "0");
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

export interface Assets {
  readonly base: string;
  readonly quote: string;
}

/** An account's orders and trades on one symbol, as allOrders and myTrades would list them. */
export function foldReports(
  messages: readonly Message[],
  symbol: string,
  { base, quote }: Assets,
): { orders: Row[]; trades: Row[] } {
  const orders = new Map<number, Row>();
  const trades: Row[] = [];
  for (const report of messages) {
    if (report.e !== "executionReport" || report.s !== symbol) continue;
    const before = orders.get(report.i as number);
    assert.equal(before === undefined, report.x === "NEW" && before === undefined, "an order begins with NEW");
    orders.set(report.i as number, orderAfter(before, report, report.S === "BUY" ? base : quote));
    if (report.x === "TRADE") trades.push(tradeOf(report));
  }
  return {
    orders: [...orders.values()].sort((a, b) => (a["orderId"] as number) - (b["orderId"] as number)),
    trades: trades.sort(
      (a, b) => (a["id"] as number) - (b["id"] as number) || Number(a["isMaker"]) - Number(b["isMaker"]),
    ),
  };
}

function orderAfter(before: Row | undefined, report: Message, received: string): Row {
  const paid = units(report.n === "0" ? ZERO : (report.n as string));
  return {
    symbol: report.s,
    orderId: report.i,
    orderListId: report.g,
    clientOrderId: report.C === "" ? report.c : report.C,
    price: report.p,
    origQty: report.q,
    executedQty: report.z,
    cummulativeQuoteQty: report.Z,
    status: report.X,
    timeInForce: report.f,
    type: report.o,
    side: report.S,
    stopPrice: report.P,
    icebergQty: report.F,
    time: report.O,
    updateTime: report.T,
    isWorking: before?.["isWorking"] === true || report.w,
    workingTime: report["W"] ?? -1,
    origQuoteOrderQty: report.Q,
    selfTradePreventionMode: report["V"],
    ...(report["eR"] === undefined ? {} : { expiryReason: report["eR"] }),
    commission: decimal(units((before?.["commission"] as string | undefined) ?? ZERO) + paid),
    commissionAsset: received,
  };
}

function tradeOf(report: Message): Row {
  return {
    symbol: report.s,
    id: report.t,
    orderId: report.i,
    orderListId: report.g,
    price: report.L,
    qty: report.l,
    quoteQty: report.Y,
    commission: report.n === "0" ? ZERO : report.n,
    // Without commission the stream names no asset.
    commissionAsset: report.N,
    time: report.T,
    isBuyer: report.S === "BUY",
    isMaker: report.m,
    isBestMatch: true,
  };
}

export interface Account {
  readonly updateTime: number;
  readonly balances: readonly { readonly asset: string; readonly free: string; readonly locked: string }[];
}

/** GET account after the messages of one kind, from what it was before them. */
export function foldAccount(
  before: Account,
  messages: readonly Message[],
  kind: "outboundAccountInfo" | "outboundAccountPosition",
): Account {
  const balances = new Map(before.balances.map((balance) => [balance.asset, balance]));
  let account: Account = before;
  for (const message of messages) {
    if (message.e !== kind) continue;
    for (const { a: asset, f: free, l: locked } of message.B as { a: string; f: string; l: string }[]) {
      balances.set(asset, { asset, free, locked });
    }
    account = { ...account, updateTime: message.u as number };
    if (kind === "outboundAccountInfo") account = { ...account, ...rightsIn(message) };
  }
  return { ...account, balances: [...balances.values()] };
}

function rightsIn({ m, t, b, s, T, W, D }: Message): Row {
  return {
    makerCommission: m,
    takerCommission: t,
    buyerCommission: b,
    sellerCommission: s,
    canTrade: T,
    canWithdraw: W,
    canDeposit: D,
  };
}

/** In the order in which lists appeared: as allOrderList would show them. */
export function foldLists(messages: readonly Message[]): Row[] {
  const lists = new Map<number, Row>();
  for (const status of messages) {
    if (status.e !== "listStatus") continue;
    const before = lists.get(status.g as number);
    assert.equal(before === undefined, status.L === "EXECUTING");
    lists.set(status.g as number, {
      orderListId: status.g,
      contingencyType: status.c,
      listStatusType: status.l,
      listOrderStatus: status.L,
      listClientOrderId: status.C,
      transactionTime: before?.["transactionTime"] ?? status.T,
      symbol: status.s,
      orders: (status.O as Message[]).map(({ s, i, c }) => ({ symbol: s, orderId: i, clientOrderId: c })),
    });
  }
  return [...lists.values()];
}
