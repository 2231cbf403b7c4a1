/** What is asked, and the bytes of it: signed before the clock starts. */
import { sign } from "@pricetime/testkit/client";
import { type Signer, signerOf } from "../venue/signer.ts";

/** LIMIT orders of the accounts in turn, with the client ids `b<number>`. */
export interface Places {
  readonly kind: "place";
  readonly symbol: string;
  /** `BY_TURNS` alternates the sides, so that the orders trade with each other. */
  readonly side: "BUY" | "SELL" | "BY_TURNS";
  /** The cheapest of the prices, in cents. */
  readonly priceCents: number;
  /** Prices, one cent apart, in turn. */
  readonly prices: number;
  readonly quantity: string;
  readonly firstNumber: number;
  readonly count: number;
}
/** Cancels of orders that `Places` with the same numbers made. */
export interface Cancels {
  readonly kind: "cancel";
  readonly symbol: string;
  readonly firstNumber: number;
  readonly count: number;
}
/** GET, the same for each account. */
export interface Gets {
  readonly kind: "get";
  readonly path: string;
  readonly query: string;
  readonly signed: boolean;
  readonly count: number;
}
/** POST of an order with a body of so many bytes, full of parameters that no order has: refused. */
export interface Oversized {
  readonly kind: "oversized";
  readonly bodyBytes: number;
  readonly count: number;
}
export type Requests = Places | Cancels | Gets | Oversized;

const RECEIVE_WINDOW = "recvWindow=60000";
/** Requests that are all alike are made this often, or once for each account, and sent again and again. */
const DISTINCT = 1000;

/** Makes the requests, of `accounts` accounts in turn. `marker` stands before the number in client order ids. */
export function makeRequests(requests: Requests, accounts: number, marker: string): Buffer[] {
  const areAlike = requests.kind === "get" || requests.kind === "oversized";
  const length = areAlike ? Math.min(requests.count, Math.max(DISTINCT, accounts)) : requests.count;
  const nowMs = Date.now();
  return Array.from({ length }, (_, n) => {
    const number = areAlike ? n : requests.firstNumber + n;
    return requestOf(requests, signerOf(number % accounts), { number, nowMs, marker });
  });
}

const FILLER_BYTES = 8;
const SIGNATURE_BYTES = "&signature=".length + 64;

interface Which {
  readonly number: number;
  readonly nowMs: number;
  readonly marker: string;
}

function requestOf(requests: Requests, account: Signer, which: Which): Buffer {
  const { apiKey } = account;
  switch (requests.kind) {
    case "place": {
      const body = signed(account, orderOf(requests, which));
      return request(`POST /api/v3/order`, apiKey, body);
    }
    case "cancel": {
      const id = `${which.marker}${which.number}`;
      const query = `symbol=${requests.symbol}&origClientOrderId=${id}&${RECEIVE_WINDOW}&timestamp=${which.nowMs}`;
      return request(`DELETE /api/v3/order?${signed(account, query)}`, apiKey, "");
    }
    case "get": {
      const { path, query } = requests;
      if (!requests.signed) return request(`GET ${path}?${query}`, "", "");
      const all = `${query}${query === "" ? "" : "&"}${RECEIVE_WINDOW}&timestamp=${which.nowMs}`;
      return request(`GET ${path}?${signed(account, all)}`, apiKey, "");
    }
    case "oversized": {
      const filler = Array.from({ length: requests.bodyBytes / FILLER_BYTES }, (_, n) =>
        `p${n % 1000}=1`.padEnd(FILLER_BYTES - 1, "0"),
      );
      const payload = [`timestamp=${which.nowMs}&${RECEIVE_WINDOW}`, ...filler].join("&");
      // What the signature takes is cut off before.
      return request(
        "POST /api/v3/order",
        apiKey,
        signed(account, payload.slice(0, requests.bodyBytes - SIGNATURE_BYTES)),
      );
    }
  }
}

function orderOf({ symbol, side, priceCents, prices, quantity }: Places, { number, nowMs, marker }: Which): string {
  const said = side !== "BY_TURNS" ? side : number % 2 === 0 ? "BUY" : "SELL";
  const price = ((priceCents + (number % prices)) / 100).toFixed(2);
  return (
    `symbol=${symbol}&side=${said}&type=LIMIT&timeInForce=GTC&quantity=${quantity}&price=${price}` +
    `&newClientOrderId=${marker}${number}&newOrderRespType=RESULT&${RECEIVE_WINDOW}&timestamp=${nowMs}`
  );
}

const signed = ({ secretKey }: Signer, payload: string): string => `${payload}&signature=${sign(secretKey, payload)}`;

function request(line: string, apiKey: string, body: string): Buffer {
  const key = apiKey === "" ? "" : `X-MBX-APIKEY: ${apiKey}\r\n`;
  const form =
    body === "" ? "" : `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`;
  return Buffer.from(`${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${key}${form}\r\n${body}`, "latin1");
}
