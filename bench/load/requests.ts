/** The requests and their bytes, signed before the measurement. */
import { type Credentials, encode, type Parameters } from "@pricetime/testkit/client";
import { rawRequest, signedRawRequest } from "@pricetime/testkit/raw-http";

/** LIMIT orders of the accounts in turn, with the client order IDs `b<number>`. */
export interface Places {
  readonly kind: "place";
  readonly symbol: string;
  /** `BY_TURNS` alternates the sides, so that the orders trade with each other. */
  readonly side: "BUY" | "SELL" | "BY_TURNS";
  /** The lowest price, in cents. */
  readonly priceCents: number;
  /** The number of prices, one cent apart, used in turn. */
  readonly prices: number;
  readonly quantity: string;
  readonly firstNumber: number;
  readonly count: number;
}
/** Cancels the orders that `Places` with the same numbers placed. */
export interface Cancels {
  readonly kind: "cancel";
  readonly symbol: string;
  readonly firstNumber: number;
  readonly count: number;
}
/** A GET request, the same for each account. */
export interface Gets {
  readonly kind: "get";
  readonly path: string;
  readonly parameters: Parameters;
  readonly signed: boolean;
  readonly count: number;
}
export type Requests = Places | Cancels | Gets;

const KEY_LENGTH = 64;
/** Identical requests are created this many times, or once per account, and sent repeatedly. */
const DISTINCT = 1000;

/** The API key of account `n`, which is public. */
export function accountKeys(n: number): Credentials {
  return { apiKey: `Key${n}x`.padEnd(KEY_LENGTH, "0"), secretKey: `Secret${n}x`.padEnd(KEY_LENGTH, "0") };
}

/** Creates the requests of `accounts` accounts in turn. `marker` is the prefix of the number in client order IDs. */
export function makeRequests(requests: Requests, accounts: number, marker: string): Buffer[] {
  const areAlike = requests.kind === "get";
  const length = areAlike ? Math.min(requests.count, Math.max(DISTINCT, accounts)) : requests.count;
  const timed = { recvWindow: 60_000, timestamp: Date.now() };
  return Array.from({ length }, (_, n) => {
    const number = areAlike ? n : requests.firstNumber + n;
    const account = accountKeys(number % accounts);
    return Buffer.from(requestOf(requests, account, { number, timed, id: `${marker}${number}` }), "latin1");
  });
}

interface Which {
  readonly number: number;
  readonly id: string;
  readonly timed: Parameters;
}

function requestOf(requests: Requests, account: Credentials, { number, id, timed }: Which): string {
  const order = "/api/v3/order";
  switch (requests.kind) {
    case "place":
      return signedRawRequest(account, {
        method: "POST",
        path: order,
        parameters: { ...orderOf(requests, number), newClientOrderId: id, newOrderRespType: "RESULT", ...timed },
      });
    case "cancel": {
      const parameters = { symbol: requests.symbol, origClientOrderId: id, ...timed };
      return signedRawRequest(account, { method: "DELETE", path: order, parameters });
    }
    case "get": {
      const { path, parameters } = requests;
      if (requests.signed) return signedRawRequest(account, { path, parameters: { ...parameters, ...timed } });
      return rawRequest({ path: `${path}?${encode(parameters)}` });
    }
  }
}

function orderOf({ symbol, side, priceCents, prices, quantity }: Places, number: number): Parameters {
  const actual = side !== "BY_TURNS" ? side : number % 2 === 0 ? "BUY" : "SELL";
  const price = ((priceCents + (number % prices)) / 100).toFixed(2);
  return { symbol, side: actual, type: "LIMIT", timeInForce: "GTC", quantity, price };
}
