/** The requests and their bytes, signed before the measurement. */
import { sign } from "@pricetime/testkit/client";
import { type Signer, signerOf } from "../venue/signer.ts";

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
  readonly query: string;
  readonly signed: boolean;
  readonly count: number;
}
/** An order with a body of so many bytes, full of unknown parameters: rejected. */
export interface Oversized {
  readonly kind: "oversized";
  readonly bodyBytes: number;
  readonly count: number;
}
export type Requests = Places | Cancels | Gets | Oversized;

const RECEIVE_WINDOW = "recvWindow=60000";
/** Identical requests are created this many times, or once per account, and sent repeatedly. */
const DISTINCT = 1000;

/** Creates the requests of `accounts` accounts in turn. `marker` is the prefix of the number in client order IDs. */
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
      // Leaves space for the signature.
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
