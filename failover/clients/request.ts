/** One signed request, sent once to one node, without retry, redirect or hidden reconnect. */
import { type Agent, request } from "node:http";
import { type Credentials, encodeSigned } from "@pricetime/testkit/client";
import type { Ask, Done, ListAsk, Outcome, ToldBalance, ToldOrder } from "./operation.ts";

/** Longer than a node waits before it reports an unknown outcome. */
const PATIENCE_MS = 8_000;
const NOT_TAKEN = 503;

export interface Told {
  readonly outcome: Outcome;
  readonly seq: number;
  readonly staleMs: number;
}

export interface Target {
  readonly rest: string;
  readonly agent: Agent;
  readonly account: Credentials;
}

/** Never rejects: a network error is an outcome too. `atLeastSeq` 0 requests none. */
export function send({ rest, agent, account }: Target, ask: Ask, atLeastSeq: number): Promise<Told> {
  const { method, path, parameters } = wire(ask);
  // A node whose clock jumps rejects valid requests. With the widest receive window, most are accepted.
  const signed = encodeSigned({ ...parameters, recvWindow: 60_000, timestamp: Date.now() }, account.secretKey);
  const isQuery = method === "GET" || method === "DELETE";
  const headers: Record<string, string> = { "X-MBX-APIKEY": account.apiKey };
  if (atLeastSeq > 0) headers["X-PRICETIME-SEQ"] = String(atLeastSeq);
  if (!isQuery) headers["content-type"] = "application/x-www-form-urlencoded";
  const { hostname, port } = new URL(rest);
  return new Promise((resolve) => {
    const tell = (outcome: Outcome, seq = 0, staleMs = -1): void => resolve({ outcome, seq, staleMs });
    const outgoing = request(
      { hostname, port, method, path: isQuery ? `${path}?${signed}` : path, agent, headers, timeout: PATIENCE_MS },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", () => tell({ is: "unknown" }));
        incoming.on("end", () => {
          if (!incoming.complete) return tell({ is: "unknown" });
          const outcome = outcomeOf(ask, incoming.statusCode ?? 0, Buffer.concat(chunks).toString());
          const { "x-pricetime-seq": seq, "x-pricetime-stale-ms": staleMs } = incoming.headers;
          return tell(outcome, Number(seq ?? 0), Number(staleMs ?? -1));
        });
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in time")));
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // The port was closed, so nothing was sent.
      tell({ is: error.code === "ECONNREFUSED" ? "notTaken" : "unknown" });
    });
    outgoing.end(isQuery ? undefined : signed);
  });
}

interface Wire {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

function wire(ask: Ask): Wire {
  switch (ask.kind) {
    case "place": {
      const { symbol, side, price, quantity, order: newClientOrderId, stop = {} } = ask;
      const terms = { type: "LIMIT", timeInForce: "GTC", newOrderRespType: "RESULT", ...stop };
      const parameters = { symbol, side, ...terms, price, quantity, newClientOrderId };
      return { method: "POST", path: "/api/v3/order", parameters };
    }
    case "cancel": {
      const { symbol, order: origClientOrderId, cancelId: newClientOrderId } = ask;
      return { method: "DELETE", path: "/api/v3/order", parameters: { symbol, origClientOrderId, newClientOrderId } };
    }
    case "list":
      return { method: "POST", path: `/api/v3/orderList/${ask.listKind}`, parameters: listParameters(ask) };
    case "amend": {
      const { symbol, order, quantity: newQty } = ask;
      const parameters = { symbol, origClientOrderId: order, newClientOrderId: order, newQty };
      return { method: "PUT", path: "/api/v3/order/amend/keepPriority", parameters };
    }
    case "query":
      return {
        method: "GET",
        path: "/api/v3/order",
        parameters: { symbol: ask.symbol, origClientOrderId: ask.order },
      };
    case "openOrders":
      return { method: "GET", path: "/api/v3/openOrders", parameters: { symbol: ask.symbol } };
    case "balances":
      return { method: "GET", path: "/api/v3/account", parameters: {} };
  }
}

/** The prefixes of the orders of a list, in the order of its response, for lists that sell last. */
const PREFIXES = {
  oco: ["below", "above"],
  oto: ["working", "pending"],
  otoco: ["working", "pendingBelow", "pendingAbove"],
  opo: ["working", "pending"],
} as const;

function listParameters({ list, listKind, symbol, orders, terms }: ListAsk): Record<string, string> {
  const ids = PREFIXES[listKind].map((prefix, at) => [`${prefix}ClientOrderId`, orders[at] ?? ""]);
  return { symbol, listClientOrderId: list, newOrderRespType: "RESULT", ...terms, ...Object.fromEntries(ids) };
}

function outcomeOf(ask: Ask, status: number, text: string): Outcome {
  if (status === NOT_TAKEN) return { is: "notTaken" };
  if (status >= 500) return { is: "unknown" };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { is: "unknown" };
  }
  if (status !== 200) return { is: "refused", code: (body as { code: number }).code };
  return done(ask, body);
}

function done(ask: Ask, body: unknown): Done {
  if (ask.kind === "balances") {
    const { balances } = body as { balances: readonly ToldBalance[] };
    return { is: "done", balances: balances.map(({ asset, free, locked }) => ({ asset, free, locked })) };
  }
  if (ask.kind === "openOrders") return { is: "done", orders: (body as readonly ToldOrder[]).map(told) };
  if (ask.kind === "list") return { is: "done", orders: (body as OfList).orderReports.map(told) };
  if (ask.kind === "amend") {
    const { amendedOrder: amended } = body as { amendedOrder: ToldOrder & { readonly cumulativeQuoteQty: string } };
    return { is: "done", order: told({ ...amended, cummulativeQuoteQty: amended.cumulativeQuoteQty }) };
  }
  if (ask.kind !== "cancel" || !("orderReports" in (body as object))) {
    return { is: "done", order: told(body as ToldOrder) };
  }
  // Canceling one order of a list cancels all.
  const own = (body as OfList).orderReports.find(({ origClientOrderId }) => origClientOrderId === ask.order);
  return own === undefined ? { is: "done" } : { is: "done", order: told(own) };
}

interface OfList {
  readonly orderReports: readonly (ToldOrder & { readonly origClientOrderId?: string })[];
}

/** Stores only the fields that are compared, so that records of an hour stay small. */
function told({ clientOrderId, orderId, status, executedQty, cummulativeQuoteQty }: ToldOrder): ToldOrder {
  return { clientOrderId, orderId, status, executedQty, cummulativeQuoteQty };
}
