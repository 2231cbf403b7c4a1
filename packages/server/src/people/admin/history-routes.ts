/** Routes of an account's timeline and open orders, and of the audit log. */
import { type EngineView, namedOrderId, orderNumberOf } from "@pricetime/engine";
import { z } from "zod";
import { TIME_LINE_KINDS, type TimeLineKind, type TimeLinePlace, type TimeLineRow } from "../../history/port.ts";
import { badRequest } from "../http/answer.ts";
import { errorWordOf } from "../sign-in/refused.ts";
import { findAccount, findHolder, findMarket, MAX_PAGE, pageSchema } from "./parse.ts";
import { type AdminNode, fromHistory } from "./node.ts";
import { listRoute, newestPage } from "./list-route.ts";
import { orderBody } from "./order-end-routes.ts";
import type { AdminRoute } from "./router.ts";
import { auditRow, orderRow, timeline } from "./answers.ts";

const MAX_ROWS = 200;
const PLACE = /^([0-9]{1,16})\.([0-9]{1,2})\.(-1|[0-9]{1,9})\.([0-9]{1,16})$/;

/** The position of a row in the list, as sent in answers and returned by clients. */
const placeText = z
  .string()
  .regex(PLACE, "must be the `before` of another page")
  .transform((text): TimeLinePlace => {
    const [, timeMs, list, symbolId, id] = PLACE.exec(text) ?? [];
    return { timeMs: Number(timeMs), list: Number(list), symbolId: Number(symbolId), id: Number(id) };
  });
const textOf = ({ timeMs, list, symbolId, id }: TimeLinePlace): string => [timeMs, list, symbolId, id].join(".");

/** Kinds of rows by their names in answers. History uses a different name for one of them. */
const KINDS: ReadonlyMap<string, TimeLineKind> = new Map(
  TIME_LINE_KINDS.map((kind) => [kind === "act" ? "action" : kind, kind]),
);
const SHOWN_KINDS: ReadonlyMap<TimeLineKind, string> = new Map(Array.from(KINDS, ([shown, kind]) => [kind, shown]));
const kinds = z
  .string()
  .refine(
    (text) => text.split(",").every((word) => KINDS.has(word)),
    `one or several of ${[...KINDS.keys()].join(",")}`,
  )
  .transform((text) => text.split(",").flatMap((word) => KINDS.get(word) ?? []));

const timeLineSchema = z.strictObject({
  before: placeText.exactOptional(),
  limit: z.coerce.number().int().min(1).max(MAX_ROWS).default(50),
  kind: kinds.exactOptional(),
});

const TIME_LINE_COLUMNS = [
  ...["timeMs", "kind", "what", "id", "symbol", "side", "type", "status", "price", "quantity", "executed"],
  ...["executedQuote", "quoteQuantity", "orderId", "clientOrderId", "commission", "commissionAsset", "asset", "amount"],
  ...[
    "fee",
    "network",
    "address",
    "tag",
    "txId",
    "fromAccountId",
    "toAccountId",
    "receivedAsset",
    "received",
    "charge",
  ],
  ...["info", "house", "category", "reference", "why", "by", "outcome", "details", "updateTimeMs"],
] as const;

/** Renames the kind and the outcome for answers. */
function rowBody({ kind, outcome, ...row }: TimeLineRow): object {
  const shown = { kind: SHOWN_KINDS.get(kind), ...row };
  return typeof outcome === "string" ? { ...shown, outcome: errorWordOf(outcome) } : shown;
}

/**
 * Order IDs above `after`, ascending. Records are built only for the orders of one page, because an account may have
 * many.
 */
function openOrderIds(view: EngineView, accountId: number, symbolId: number | undefined, after: number): Float64Array {
  const ids: number[] = [];
  const symbolIds = symbolId === undefined ? view.markets().map((market) => market.symbolId) : [symbolId];
  for (const id of symbolIds) {
    view.visitQuotes(accountId, id, ({ orderId }) => {
      if (orderId > after) ids.push(orderId);
    });
  }
  return Float64Array.from(ids).sort();
}

/** The id inside the exchange after which a page of open orders begins. */
function idOf(view: EngineView, after: number, symbol: string | undefined): number {
  if (after === 0 || view.orderIds === "exchange") return after;
  if (symbol === undefined) throw badRequest("afterSymbol is missing: each symbol numbers its orders");
  return namedOrderId(view.orderIds, findMarket(view, symbol).symbolId, after);
}

/** The parameters of the page after this open order. */
function placeAfter(view: EngineView, orderId: number): Readonly<Record<string, string | number>> {
  const after = orderNumberOf(orderId);
  if (view.orderIds === "exchange") return { after };
  const order = view.openOrder(orderId);
  return order === undefined ? { after } : { after, afterSymbol: view.market(order.symbolId).spec.symbol };
}

export function timeLineRoutes({ view, history }: AdminNode): AdminRoute[] {
  return [
    listRoute({
      pattern: "/v1/accounts/:account/open-orders",
      summary:
        "Lists the open orders of an account by order ID, of one symbol or all, one page at a time. If orders are numbered by " +
        "symbol, they are listed symbol by symbol, and `afterSymbol` is the symbol of `after`.",
      query: pageSchema.extend({ symbol: z.string().exactOptional(), afterSymbol: z.string().exactOptional() }),
      row: orderRow,
      filePage: { limit: MAX_PAGE },
      page: ({ path, query: { after, limit, symbol, afterSymbol = symbol } }) => {
        const { accountId } = findAccount(view, path.account);
        const symbolId = symbol === undefined ? undefined : findMarket(view, symbol).symbolId;
        const later = openOrderIds(view, accountId, symbolId, idOf(view, after, afterSymbol));
        const page = later.subarray(0, limit);
        const last = page.at(-1);
        const rows = [...page].flatMap((orderId) => {
          const order = view.openOrder(orderId);
          return order === undefined ? [] : [orderBody(view, order)];
        });
        return { rows, next: last !== undefined && later.length > limit ? placeAfter(view, last) : undefined };
      },
    }),
    listRoute({
      pattern: "/v1/accounts/:account/timeline",
      summary:
        "Returns the timeline of an account, newest first: orders, trades, money, API keys, sign-ins and operator actions.",
      answers:
        "`rows` have `timeMs`, `kind` and `what`; the other fields depend on the kind. An order is listed at the time it was " +
        "placed, with its current state. Send `before` to get the next page; null: this is the last page.",
      query: timeLineSchema,
      answer: timeline,
      columns: TIME_LINE_COLUMNS,
      filePage: { limit: MAX_ROWS },
      page: async ({ path, query: { before, limit, kind = TIME_LINE_KINDS } }) => {
        const { accountId } = findAccount(view, path.account);
        const question = { accountId, kinds: kind, limit, before };
        const { rows: found, last } = await fromHistory(history.query(view.seq, "timeLine", question));
        const rows = found.map(rowBody);
        const next = rows.length === limit && last !== null ? textOf(last) : null;
        return {
          rows,
          body: { accountId, rows, before: next },
          next: next === null ? undefined : { before: next },
        };
      },
    }),
  ];
}

// The audit log: every command in the history that names an operator.

const actsSchema = z.strictObject({
  account: z.string().exactOptional(),
  withdrawal: z.string().exactOptional(),
  before: z.coerce.number().int().min(1).exactOptional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(100),
});

export function actRoutes({ view, history }: AdminNode): AdminRoute[] {
  return [
    listRoute({
      pattern: "/v1/audit-log",
      summary:
        "Lists operator actions, newest first: every command that has an author. For one account the list includes sign-ins.",
      query: actsSchema,
      row: auditRow,
      filePage: { limit: MAX_PAGE },
      page: async ({ query: { account, withdrawal, before, limit } }) => {
        const rows = await fromHistory(
          history.query(view.seq, "acts", {
            ...{ limit, withdrawalId: withdrawal, beforeSeq: before },
            accountId: account === undefined ? undefined : findHolder(view, account),
          }),
        );
        return newestPage(
          rows.map((row) => ({ ...row, outcome: errorWordOf(row.outcome) })),
          limit,
        );
      },
    }),
  ];
}
