/** Errors of order lists in today's interface, each with a request that causes it. */
import type { ApiError } from "@pricetime/protocol";
import type { Answer, Parameters } from "@pricetime/testkit/client";
import { SYMBOL, type Venue } from "./samples.ts";

export type Ask = (venue: Venue) => Promise<Pick<Answer<unknown>, "status" | "json">>;

export interface ErrorRow {
  readonly code: number;
  readonly text: string;
  /** The HTTP status; 400 unless it is given. */
  readonly status?: number;
  readonly ask?: Ask;
  /** An error that no request causes at will: the program's own. */
  readonly error?: ApiError;
  /** Why the error is never sent. */
  readonly isMissing?: string;
  /** The answer in its place, to the request if there is one. */
  readonly instead?: string;
}

/** A signed request. */
export const signed =
  (request: string, parameters: Parameters): Ask =>
  ({ maker }) => {
    const [method = "", path = ""] = request.split(" ");
    return maker.signed(method, `/api/v3/${path}`, parameters);
  };

const symbol = SYMBOL;
/** A symbol without filters and order lists, which the row of -1108 lists. */
export const PLAIN = "LTCPLAIN";
const OCO = { symbol, side: "SELL", quantity: "0.1" };
export const list = (more: Parameters): Ask => signed("POST orderList/oco", { ...OCO, ...more });
const STOP_BELOW = { belowType: "STOP_LOSS", belowStopPrice: "45000" };
const PROFIT_ABOVE = { aboveType: "TAKE_PROFIT", aboveStopPrice: "60000" };
const OPO = {
  ...{ symbol, workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingPrice: "30000" },
  ...{ workingQuantity: "0.1", pendingSide: "SELL", pendingType: "LIMIT", pendingTimeInForce: "GTC" },
  pendingPrice: "60000",
};
const opo = (more: Parameters): Ask => signed("POST orderList/opo", { ...OPO, ...more });

export const LIST_ERROR_ROWS: readonly ErrorRow[] = [
  {
    code: -1158,
    text: "Order type not supported in OCO.",
    ask: list({ aboveType: "MARKET", belowType: "STOP_LOSS", belowStopPrice: "45000" }),
  },
  {
    code: -1160,
    text: "Parameter 'aboveIcebergQty' is not supported if `aboveTimeInForce`/`belowTimeInForce` is not GTC.",
    ask: list({
      ...{ aboveType: "TAKE_PROFIT_LIMIT", abovePrice: "60000", aboveStopPrice: "60000", aboveTimeInForce: "IOC" },
      ...{ aboveIcebergQty: "0.05", belowType: "STOP_LOSS", belowStopPrice: "45000" },
    }),
  },
  {
    code: -1165,
    text: "A limit order in a buy OCO must be below.",
    ask: list({
      side: "BUY",
      aboveType: "LIMIT_MAKER",
      abovePrice: "60000",
      belowType: "STOP_LOSS",
      belowStopPrice: "45000",
    }),
  },
  {
    code: -1166,
    text: "A limit order in a sell OCO must be above.",
    ask: list({ aboveType: "STOP_LOSS", aboveStopPrice: "60000", belowType: "LIMIT_MAKER", belowPrice: "45000" }),
  },
  {
    code: -1168,
    text: "At least one OCO order must be contingent.",
    ask: list({ aboveType: "LIMIT_MAKER", abovePrice: "60000", belowType: "LIMIT_MAKER", belowPrice: "45000" }),
  },
  {
    code: -1196,
    text: "A stop loss order in a buy OCO must be above.",
    ask: list({ side: "BUY", aboveType: "STOP_LOSS", aboveStopPrice: "60000", ...STOP_BELOW }),
  },
  {
    code: -1197,
    text: "A stop loss order in a sell OCO must be below.",
    ask: list({ aboveType: "STOP_LOSS", aboveStopPrice: "60000", ...STOP_BELOW }),
  },
  {
    code: -1198,
    text: "A take profit order in a buy OCO must be below.",
    ask: list({ side: "BUY", ...PROFIT_ABOVE, belowType: "LIMIT_MAKER", belowPrice: "45000" }),
  },
  {
    code: -1199,
    text: "A take profit order in a sell OCO must be above.",
    ask: list({ ...PROFIT_ABOVE, belowType: "TAKE_PROFIT", belowStopPrice: "45000" }),
  },
  {
    code: -1222,
    text: "Working order in an OPO list must be a bid.",
    ask: opo({ workingSide: "SELL" }),
  },
  {
    code: -1223,
    text: "Pending orders in an OPO list must be asks.",
    ask: opo({ pendingSide: "BUY" }),
  },
  {
    code: -1224,
    text: "Working order must include the '%s' tag.",
    isMissing: "the missing parameter is named",
    instead: "-1102 Mandatory parameter 'workingQuantity' was not sent, was empty/null, or malformed.",
    ask: opo({ workingQuantity: "" }),
  },
  {
    code: -1225,
    text: "Pending orders should not include the 'pendingQuantity' tag.",
    ask: opo({ pendingQuantity: "0.1" }),
  },
  {
    code: -2010,
    text: "OPO orders are not supported for this symbol.",
    ask: opo({ symbol: PLAIN, workingPrice: "30", pendingPrice: "60" }),
  },
  {
    code: -2038,
    text: "Order amend (pending OPO order) is not supported.",
    ask: async (venue) => {
      await opo({ pendingClientOrderId: "pending-opo" })(venue);
      return signed("PUT order/amend/keepPriority", { symbol, origClientOrderId: "pending-opo", newQty: "0.01" })(
        venue,
      );
    },
  },
];
