/** The bot under test: every second it reads the best ask, and buys for `spend` USDT if the price is at most `limit`. */
import { createHmac } from "node:crypto";

const EVERY_MS = 1000;
/** After these answers the order may exist: query it by its client order id. */
const UNKNOWN = [500, 502, 503, 504];

export class BuyCheap {
  #timer;
  #bought = 0;

  constructor({ rest, apiKey, secretKey, symbol, limit, spend }) {
    Object.assign(this, { rest, apiKey, secretKey, symbol, limit, spend });
  }

  start() {
    this.#timer = setInterval(() => {
      this.look().catch((error) => console.error(error.message));
    }, EVERY_MS);
  }

  stop() {
    clearInterval(this.#timer);
  }

  get bought() {
    return this.#bought;
  }

  /** Resolves to the order, or to undefined if the price is above the limit. */
  async look() {
    const { asks } = await this.#ask("GET", "/api/v3/depth", { symbol: this.symbol, limit: 5 });
    const [price, offered] = (asks[0] ?? []).map(Number);
    if (price === undefined || price > this.limit) return undefined;
    const quantity = Math.min(offered, this.spend / price).toFixed(4);
    const newClientOrderId = `cheap-${++this.#bought}`;
    const order = { symbol: this.symbol, side: "BUY", type: "LIMIT", timeInForce: "IOC", quantity, price };
    try {
      return await this.#signed("POST", "/api/v3/order", { ...order, newClientOrderId });
    } catch (error) {
      if (!UNKNOWN.includes(error.status)) throw error;
      return this.#signed("GET", "/api/v3/order", { symbol: this.symbol, origClientOrderId: newClientOrderId });
    }
  }

  async #signed(method, path, parameters) {
    const { serverTime } = await this.#ask("GET", "/api/v3/time");
    const query = new URLSearchParams({ ...parameters, timestamp: serverTime });
    query.set("signature", createHmac("sha256", this.secretKey).update(query.toString()).digest("hex"));
    return this.#ask(method, path, query);
  }

  async #ask(method, path, parameters = {}) {
    const url = `${this.rest}${path}?${new URLSearchParams(parameters)}`;
    const answer = await fetch(url, { method, headers: { "X-MBX-APIKEY": this.apiKey } });
    const body = await answer.json().catch(() => ({}));
    if (answer.ok) return body;
    throw Object.assign(new Error(`${method} ${path}: ${body.msg ?? answer.status}`), { status: answer.status });
  }
}
