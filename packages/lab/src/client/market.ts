/** The hand on a symbol's market, over HTTP. */
import type { Market, MarketState, Swing, When } from "../types.ts";
import { type Admin, part } from "./admin.ts";

type Answer = Record<string, unknown>;

const PATH = "/v1/lab/markets";

export const marketsOf = (admin: Admin): Promise<readonly MarketState[]> => admin.ask("GET", PATH);

export class LabMarket implements Market {
  readonly symbol: string;
  readonly #admin: Admin;

  constructor(admin: Admin, symbol: string) {
    this.#admin = admin;
    this.symbol = symbol;
  }

  state(): Promise<MarketState> {
    return this.#admin.ask("GET", this.#path);
  }

  move(move: Readonly<Answer>): Promise<Answer> {
    return this.#admin.ask("POST", this.#path, move);
  }

  fairPrice(price: string, when: When = {}): Promise<Answer> {
    return this.move({ ...when, fairPrice: price });
  }

  crash(options: Swing & When): Promise<Answer> {
    return this.#swing("crash", options);
  }

  spike(options: Swing & When): Promise<Answer> {
    return this.#swing("spike", options);
  }

  dryUp({ side, forMs, ...when }: { readonly side: "BUY" | "SELL"; readonly forMs: number } & When): Promise<Answer> {
    return this.move({ ...when, dryUp: { side, forMs } });
  }

  halt(when: When = {}): Promise<Answer> {
    return this.move({ ...when, halt: true });
  }

  resume(when: When = {}): Promise<Answer> {
    return this.move({ ...when, resume: true });
  }

  async clear(id?: number): Promise<void> {
    await this.#admin.send(id === undefined ? this.#path : `${this.#path}/${id}`, { method: "DELETE" });
  }

  #swing(kind: "crash" | "spike", { percent, overMs, recoverMs, ...when }: Swing & When): Promise<Answer> {
    return this.move({ ...when, [kind]: { percent, overMs, ...(recoverMs !== undefined && { recoverMs }) } });
  }

  get #path(): string {
    return `${PATH}/${part(this.symbol)}`;
  }
}
