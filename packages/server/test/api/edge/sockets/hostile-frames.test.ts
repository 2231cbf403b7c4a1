/** Any frame from a client is answered: none causes an exception, which would end the node. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { readControl } from "../../../../src/api/streams/control.ts";
import { readFrame } from "../../../../src/api/ws-frame.ts";
import { Dice } from "@pricetime/testkit/dice";

const READERS = { control: readControl, "WebSocket API": readFrame } as const;
/** Around the depth at which parsing exceeds the stack: serializing may need more stack, or less. */
const BELOW = 60;
const ABOVE = 20;
const NESTS = [
  ["[", "]"],
  ['{"a":', "}"],
  ["[1,", "]"],
] as const;
const ROUNDS = 10_000;

const TEMPLATES = [
  '{"method":"SUBSCRIBE","params":["btcusdt@trade","!ticker@arr"],"id":1}',
  '{"method":"SET_PROPERTY","params":["combined",true],"id":"a"}',
  '{"id":"b","method":"order.place","params":{"symbol":"BTCUSDT","quantity":1.50,"symbols":["A",{"b":[null]}]}}',
];
const PIECES = ['"', "\\", "\\u", "\\ud800", "\ud800", "\0", "{", "}", "[", "]", ",", ":", "null", "1e999", "-0"];
const NAMES = ["__proto__", "constructor", "toString", "ſ", "İ", "\u{1f600}", "%", "@", "btcusdt@kline_", "é"];

for (const [name, read] of Object.entries(READERS)) {
  suite(name, () => {
    for (const [open, close] of NESTS) {
      test(`no depth of ${open} is an exception`, () => {
        const nested = (depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
        const deepest = deepestParsed(nested);
        for (let depth = deepest - BELOW; depth <= deepest + ABOVE; depth++) {
          const value = nested(depth);
          for (const text of [`{"method":${value},"id":1}`, `{"method":"ping","params":{"a":${value}},"id":1}`]) {
            assert.doesNotThrow(() => read(text), `${depth} deep`);
          }
        }
      });
    }

    test("no damage to a message is an exception", () => {
      const random = new Dice(4);
      for (let round = 0; round < ROUNDS; round++) {
        let text = random.pick(TEMPLATES) ?? "";
        for (let cuts = random.between(0, 3); cuts >= 0; cuts--) text = damaged(text, random);
        const result = read(text);
        if ("error" in result && typeof result.error === "string") JSON.parse(result.error);
        if ("id" in result) JSON.parse(result.id);
      }
    });
  });
}

function damaged(text: string, random: Dice): string {
  const at = random.between(0, text.length);
  const piece = random.pick(random.between(0, 1) === 0 ? PIECES : NAMES);
  return text.slice(0, at) + piece + text.slice(at + random.between(0, 3));
}

/** The greatest depth that can be parsed from here with a reviver. */
function deepestParsed(nested: (depth: number) => string): number {
  let [possible, impossible] = [1, 100_000];
  while (impossible - possible > 1) {
    const depth = Math.floor((possible + impossible) / 2);
    try {
      JSON.parse(nested(depth), (_, value: unknown) => value);
      possible = depth;
    } catch {
      impossible = depth;
    }
  }
  return possible;
}
