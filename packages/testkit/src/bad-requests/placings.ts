/** Good requests that place orders or move money, so that each parameter has a meaning in one of them. */

type Request = Readonly<Record<string, string>>;

const MARKET_BY_QUOTE: Request = { side: "BUY", type: "MARKET", quoteOrderQty: "1" };
const LIMIT: Request = { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "1" };
const STOP_LOSS_LIMIT: Request = { ...LIMIT, type: "STOP_LOSS_LIMIT", stopPrice: "1" };
const ORDERS = [LIMIT, MARKET_BY_QUOTE, STOP_LOSS_LIMIT];

const OCO: Request = { side: "SELL", quantity: "1", price: "3", stopPrice: "1" };
const OCO_LIMIT: Request = { ...OCO, stopLimitPrice: "1", stopLimitTimeInForce: "GTC" };
const OCO_ICEBERG: Request = { ...OCO_LIMIT, stopIcebergQty: "0.5" };

const BELOW: Request = {
  belowType: "STOP_LOSS_LIMIT",
  belowPrice: "1",
  belowStopPrice: "1",
  belowTimeInForce: "GTC",
};
const MAKER_ABOVE: Request = { side: "SELL", quantity: "1", aboveType: "LIMIT_MAKER", abovePrice: "3", ...BELOW };
const PROFIT_ABOVE: Request = {
  ...MAKER_ABOVE,
  aboveType: "TAKE_PROFIT_LIMIT",
  aboveStopPrice: "3",
  aboveTimeInForce: "GTC",
};

const WITHDRAWAL: Request = { amount: "1", address: "an-address" };
const TRANSFER: Request = { amount: "1", asset: "BTC" };

/** The first request of each suits parameters that go with any. */
const PLACINGS: Readonly<Record<string, readonly Request[]>> = {
  "order.place": ORDERS,
  "order.test": ORDERS,
  "order.cancelReplace": ORDERS,
  "orderList.place": [OCO, OCO_LIMIT, OCO_ICEBERG],
  "orderList.place.oco": [MAKER_ABOVE, PROFIT_ABOVE],
  "wapi.withdraw": [{ ...WITHDRAWAL, asset: "BTC" }],
  "capital.withdraw": [{ ...WITHDRAWAL, coin: "BTC" }],
  "wapi.subAccountTransfer": [{ ...TRANSFER, fromEmail: "trader@example.org", toEmail: "sub@example.org" }],
  "subAccount.transfer": [{ ...TRANSFER, toEmail: "sub@example.org" }],
};

/** Returns undefined for endpoints that place and move nothing. Leaves out the symbol and common parameters. */
export function placingOf(endpointId: string, parameter: string): Request | undefined {
  const requests = PLACINGS[endpointId];
  return requests?.find((request) => parameter in request) ?? requests?.[0];
}
