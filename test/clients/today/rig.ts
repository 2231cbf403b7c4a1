/** The venue of a file's tests, and the tests of each method that a client has for spot trading. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { CLIENT_CALLS, type ClientCall, PREVENTED, refusalOf, TRAILING } from "./calls.ts";
import { Ground } from "./ground.ts";

export type Methods = Readonly<Record<string, (...parameters: unknown[]) => Promise<unknown>>>;

const symbol = "BTCUSDT";

interface TestedClient {
  /** The column with the names of its methods. */
  readonly column: "spot" | "spotWs" | "sieblyio" | "sieblyioWs";
  /** The names of all of its methods for spot. */
  readonly methods: () => readonly string[];
  /** Calls a method, for what the exchange answers; rejects if it rejects the request. */
  readonly call: (method: string, parameters: object, call: ClientCall) => Promise<unknown>;
}

/** Fields of an order, and the orders of a list. */
interface Placed {
  readonly orderId: number;
  readonly status: string;
  readonly trailingDelta?: number;
  readonly preventedQuantity?: string | number;
  readonly orders?: readonly Placed[];
}

export class Rig {
  #exchange: Exchange | undefined;
  #ground: Ground | undefined;

  /** `opened` runs once the exchange has started: hooks of a file do not wait for each other. */
  constructor(opened: () => void = () => {}) {
    before(async () => {
      this.#exchange = await startExchange({ args: ["--bots", "off", "--limits", "off", "--interface", "today"] });
      this.#ground = await Ground.open(this.#exchange);
      opened();
    });
    after(async () => {
      this.#ground?.close();
      await this.#exchange?.stop();
    });
  }

  get exchange(): Exchange {
    return this.#exchange ?? assert.fail("the exchange has not started");
  }

  get ground(): Ground {
    return this.#ground ?? assert.fail("the exchange has not started");
  }

  /** A test for each method in the table, and one which finds methods that the table lacks. */
  testCalls({ column, methods, call }: TestedClient): void {
    this.#testKinds(column, call);
    for (const row of CLIENT_CALLS) {
      const method = row[column];
      if (method === undefined) continue;
      test(`${method} (${row.endpoint})`, async () => {
        const own = await this.ground.prepare();
        await this.ground.expects(refusalOf(row), () => call(method, row.parameters(own), row));
      });
    }
    test("every method is called", () => {
      const names = new Set(CLIENT_CALLS.map((row) => row[column]));
      const found = methods();
      assert.ok(found.length > 0);
      const missing = found.filter((name) => !names.has(name));
      assert.deepEqual(missing, []);
    });
  }

  /** Orders that trail the price, alone and in lists, and orders that meet an own one, as the client then reads them. */
  #testKinds(column: TestedClient["column"], call: TestedClient["call"]): void {
    const place = async (endpoint: string, parameters: object): Promise<Placed> => {
      const row = CLIENT_CALLS.find((each) => each.endpoint === endpoint) ?? assert.fail(endpoint);
      return (await call(row[column] ?? assert.fail(endpoint), parameters, row)) as Placed;
    };
    const read = ({ orderId }: Placed): Promise<Placed> => place("GET order", { symbol, orderId });
    for (const [endpoint, parameters, ...expected] of TRAILING) {
      test(`${column}: ${endpoint} that trails by ${expected.join()}`, async () => {
        await this.ground.prepare();
        const placed = await place(endpoint, parameters);
        const orders = await Promise.all((placed.orders ?? [placed]).map(read));
        assert.equal(orders.flatMap(({ trailingDelta }) => trailingDelta ?? []).join(), expected.join());
      });
    }
    for (const [selfTradePreventionMode, ...expected] of PREVENTED) {
      test(`${column}: an own order is met with ${selfTradePreventionMode}`, async () => {
        await this.ground.prepare();
        const terms = { symbol, type: "LIMIT", timeInForce: "GTC", price: 50_000, selfTradePreventionMode };
        const maker = await place("POST order", { ...terms, side: "SELL", quantity: 0.02 });
        const taker = await place("POST order", { ...terms, side: "BUY", quantity: 0.01 });
        const found = await Promise.all([maker, taker].map(read));
        const told = found.map(({ status, preventedQuantity = 0 }) => `${status} ${Number(preventedQuantity)}`);
        assert.deepEqual(told, expected);
        const matches = await place("GET myPreventedMatches", { symbol, orderId: taker.orderId });
        assert.partialDeepStrictEqual(matches, [{ makerOrderId: maker.orderId, selfTradePreventionMode }]);
      });
    }
  }
}
