/** Errors of order lists in today's interface, each with a request that causes it. */
import type { ApiError } from "@pricetime/protocol";
import type { Answer, Parameters } from "@pricetime/testkit/client";
import { operate } from "@pricetime/testkit/venue";
import { SYMBOL, type Venue } from "./samples.ts";

export type Ask = (venue: Venue) => Promise<Pick<Answer<unknown>, "status" | "json">>;

export interface ErrorRow {
  readonly code: number;
  readonly text: string;
  /** The HTTP status; 400 unless it is given. */
  readonly status?: number;
  readonly ask?: Ask | undefined;
  /** An error that no request causes at will: the program's own. */
  readonly error?: ApiError;
  /** Why the error is never sent. */
  readonly isMissing?: string;
  /** Whether only this exchange sends it. */
  readonly isAdded?: true;
  /** The answer in its place, to the request if there is one. */
  readonly instead?: string | undefined;
}

/** A signed request. */
export const signed =
  (request: string, parameters: Parameters): Ask =>
  ({ maker }) => {
    const [method = "", path = ""] = request.split(" ");
    return maker.signed(method, `/api/v3/${path}`, parameters);
  };

/** An error that a request causes. */
export const on = (code: number, text: string, ask: Ask, status = 400): ErrorRow => ({ code, text, ask, status });
/** An error that no request causes at will. */
export const own = (code: number, text: string, error: ApiError): ErrorRow => ({
  ...{ code, text, error, status: error.status },
});
/** An error that is left out. */
export const off = (code: number, text: string, isMissing: string, instead?: string, ask?: Ask): ErrorRow => ({
  ...{ code, text, isMissing, instead, ask },
});

const symbol = SYMBOL;
/** A symbol without filters and order lists, which the row of -1108 lists. */
export const PLAIN = "LTCPLAIN";
export const LISTING = {
  ...{ symbol: PLAIN, baseAsset: "LTC", quoteAsset: "USDT", orderTypes: ["LIMIT", "LIMIT_MAKER", "STOP_LOSS"] },
  ...{ ocoAllowed: false, opoAllowed: false, allowTrailingStop: false, pegInstructionsAllowed: false },
  acceptRounding: true,
};
const OCO = { symbol, side: "SELL", quantity: "0.1" };
export const list = (more: Parameters): Ask => signed("POST orderList/oco", { ...OCO, ...more });
const STOP_BELOW = { belowType: "STOP_LOSS", belowStopPrice: "45000" };
const STOP_ABOVE = { aboveType: "STOP_LOSS", aboveStopPrice: "60000" };
const MAKER_ABOVE = { aboveType: "LIMIT_MAKER", abovePrice: "60000" };
const MAKER_BELOW = { belowType: "LIMIT_MAKER", belowPrice: "45000" };
const BUY = { side: "BUY" };
const PROFIT_ABOVE = { aboveType: "TAKE_PROFIT", aboveStopPrice: "60000" };
const OPO = {
  ...{ symbol, workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingPrice: "30000" },
  ...{ workingQuantity: "0.1", pendingSide: "SELL", pendingType: "LIMIT", pendingTimeInForce: "GTC" },
  pendingPrice: "60000",
};
const opo = (more: Parameters): Ask => signed("POST orderList/opo", { ...OPO, ...more });

export const LIST_ERROR_ROWS: readonly ErrorRow[] = [
  ...(
    [
      [-1158, "Order type not supported in OCO.", { aboveType: "MARKET", ...STOP_BELOW }],
      [-1165, "A limit order in a buy OCO must be below.", { ...BUY, ...MAKER_ABOVE, ...STOP_BELOW }],
      [-1166, "A limit order in a sell OCO must be above.", { ...STOP_ABOVE, ...MAKER_BELOW }],
      [-1168, "At least one OCO order must be contingent.", { ...MAKER_ABOVE, ...MAKER_BELOW }],
      [-1196, "A stop loss order in a buy OCO must be above.", { ...BUY, ...STOP_ABOVE, ...STOP_BELOW }],
      [-1197, "A stop loss order in a sell OCO must be below.", { ...STOP_ABOVE, ...STOP_BELOW }],
      [-1198, "A take profit order in a buy OCO must be below.", { ...BUY, ...PROFIT_ABOVE, ...MAKER_BELOW }],
      [
        -1199,
        "A take profit order in a sell OCO must be above.",
        { ...PROFIT_ABOVE, belowType: "TAKE_PROFIT", belowStopPrice: "45000" },
      ],
    ] as const
  ).map(([code, text, pair]) => on(code, text, list(pair))),
  on(
    -1160,
    "Parameter 'aboveIcebergQty' is not supported if `aboveTimeInForce`/`belowTimeInForce` is not GTC.",
    list({
      ...{ aboveType: "TAKE_PROFIT_LIMIT", abovePrice: "60000", aboveStopPrice: "60000", aboveTimeInForce: "IOC" },
      ...{ aboveIcebergQty: "0.05", belowType: "STOP_LOSS", belowStopPrice: "45000" },
    }),
  ),
  on(-1222, "Working order in an OPO list must be a bid.", opo({ workingSide: "SELL" })),
  on(-1223, "Pending orders in an OPO list must be asks.", opo({ pendingSide: "BUY" })),
  off(
    -1224,
    "Working order must include the '%s' tag.",
    "the missing parameter is named",
    "-1102 Mandatory parameter 'workingQuantity' was not sent, was empty/null, or malformed.",
    opo({ workingQuantity: "" }),
  ),
  on(-1225, "Pending orders should not include the 'pendingQuantity' tag.", opo({ pendingQuantity: "0.1" })),
  on(
    -2010,
    "OPO orders are not supported for this symbol.",
    opo({ symbol: PLAIN, workingPrice: "30", pendingPrice: "60" }),
  ),
  {
    ...{ code: -2010, text: "OTO orders are not supported for this symbol.", isAdded: true },
    ask: async (venue) => {
      const other = { symbol: "LTCOTHER", otoAllowed: false };
      await operate(venue.exchange, "POST", "/v1/symbols", { ...LISTING, ...other });
      return opo({ symbol: other.symbol, workingPrice: "30", pendingPrice: "60" })(venue);
    },
  },
  on(-2038, "Order amend (pending OPO order) is not supported.", async (venue) => {
    await opo({ pendingClientOrderId: "pending-opo" })(venue);
    return signed("PUT order/amend/keepPriority", { symbol, origClientOrderId: "pending-opo", newQty: "0.01" })(venue);
  }),
];
