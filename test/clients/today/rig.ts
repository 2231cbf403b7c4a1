/** The venue of a file's tests, and the tests of each method that a client has for spot trading. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { CLIENT_CALLS, type ClientCall, refusalOf } from "./calls.ts";
import { Ground } from "./ground.ts";

export type Methods = Readonly<Record<string, (...parameters: object[]) => Promise<unknown>>>;

interface TestedClient {
  /** The column with the names of its methods. */
  readonly column: "spot" | "spotWs" | "sieblyio" | "sieblyioWs";
  /** The names of all of its methods for spot. */
  readonly methods: () => readonly string[];
  /** Calls a method; rejects if the exchange rejects the request. */
  readonly call: (method: string, parameters: object, call: ClientCall) => Promise<unknown>;
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
      assert.deepEqual(
        found.filter((name) => !names.has(name)),
        [],
      );
    });
  }
}
