/** Control messages: every response of Interface 10.2, and the positions in error messages. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { badPlace, memberPlace, readControl, resultBody } from "../../../src/api/streams/control.ts";

const VARIANTS = "`SUBSCRIBE`, `UNSUBSCRIBE`, `LIST_SUBSCRIPTIONS`, `SET_PROPERTY`, `GET_PROPERTY`";

function errorOf(text: string): unknown {
  const read = readControl(text);
  assert.ok("error" in read, text);
  return JSON.parse(read.error);
}

suite("requests", () => {
  const cases: [text: string, read: object][] = [
    [
      '{"method":"SUBSCRIBE","params":["btcusdt@aggTrade","btcusdt@depth"],"id":1}',
      { method: "SUBSCRIBE", id: "1", names: ["btcusdt@aggTrade", "btcusdt@depth"] },
    ],
    ['{"method":"UNSUBSCRIBE","params":[],"id":312}', { method: "UNSUBSCRIBE", id: "312", names: [] }],
    ['{"method":"UNSUBSCRIBE","params":["a"]}', { method: "UNSUBSCRIBE", id: "null", names: ["a"] }],
    ['{"params":["a"],"method":"SUBSCRIBE"}', { method: "SUBSCRIBE", id: "null", names: ["a"] }],
    ['{"method":"LIST_SUBSCRIPTIONS","id":3}', { method: "LIST_SUBSCRIPTIONS", id: "3" }],
    ['{"method":"LIST_SUBSCRIPTIONS","params":[],"id":3}', { method: "LIST_SUBSCRIPTIONS", id: "3" }],
    [
      '{"id":5,"params":["combined",true],"method":"SET_PROPERTY"}',
      { method: "SET_PROPERTY", id: "5", isCombined: true },
    ],
    ['{"method":"GET_PROPERTY","params":["combined"],"id":2}', { method: "GET_PROPERTY", id: "2" }],
  ];
  for (const [text, read] of cases) test(text, () => assert.deepEqual(readControl(text), read));

  for (const id of ["0", "18446744073709551615", "9007199254740993", "-1", "null", '"0f3c\\"e"', '""']) {
    test(`the id ${id} is echoed as it is`, () => {
      const read = readControl(`{"method":"LIST_SUBSCRIPTIONS","id":${id}}`);
      assert.ok(!("error" in read));
      assert.equal(resultBody("[]", read.id), `{"result":[],"id":${id}}`);
    });
  }
});

suite("errors", () => {
  const invalid = (what: string): object => ({ code: 2, msg: `Invalid request: ${what}` });
  const cases: [name: string, text: string, error: object][] = [
    [
      "unknown property",
      '{"method":"GET_PROPERTY","params":["x"],"id":7}',
      { code: 0, msg: "Unknown property", id: 7 },
    ],
    [
      "unknown property",
      '{"method":"SET_PROPERTY","params":["x",1],"id":"a"}',
      { code: 0, msg: "Unknown property", id: "a" },
    ],
    [
      "no Boolean",
      '{"method":"SET_PROPERTY","params":["combined","true"],"id":7}',
      { code: 1, msg: "Invalid value type: expected Boolean" },
    ],
    [
      "no value",
      '{"method":"SET_PROPERTY","params":["combined"],"id":7}',
      { code: 1, msg: "Invalid value type: expected Boolean" },
    ],
    ["no property", '{"method":"SET_PROPERTY","params":[],"id":7}', invalid("property name must be a string")],
    ["no params", '{"method":"GET_PROPERTY","id":7}', invalid("property name must be a string")],
    ["property 5", '{"method":"GET_PROPERTY","params":[5],"id":7}', invalid("property name must be a string")],
    ["no id", '{"method":"LIST_SUBSCRIPTIONS"}', invalid("request ID must be an unsigned integer")],
    ["a fraction", '{"method":"LIST_SUBSCRIPTIONS","id":1.5}', invalid("request ID must be an unsigned integer")],
    ["an exponent", '{"method":"LIST_SUBSCRIPTIONS","id":1e3}', invalid("request ID must be an unsigned integer")],
    ["a list as id", '{"method":"LIST_SUBSCRIPTIONS","id":[1]}', invalid("request ID must be an unsigned integer")],
    ["true as id", '{"method":"LIST_SUBSCRIPTIONS","id":true}', invalid("request ID must be an unsigned integer")],
    [
      "a long id",
      `{"method":"LIST_SUBSCRIPTIONS","id":"${"a".repeat(37)}"}`,
      invalid("request ID must be an unsigned integer"),
    ],
    ["params on a list", '{"method":"LIST_SUBSCRIPTIONS","params":["a"],"id":1}', invalid("too many parameters")],
    ["three to set", '{"method":"SET_PROPERTY","params":["combined",true,1],"id":1}', invalid("too many parameters")],
    ["two to get", '{"method":"GET_PROPERTY","params":["combined",true],"id":1}', invalid("too many parameters")],
    [
      "unknown method",
      '{"method":"SUBSCRIBE_ALL","id":1}',
      invalid(`unknown variant SUBSCRIBE_ALL, expected one of ${VARIANTS} at line 1 column 25`),
    ],
    [
      "unknown method on the second line",
      '{"id":1,\n "method" : 5}',
      invalid(`unknown variant 5, expected one of ${VARIANTS} at line 2 column 13`),
    ],
    ["no method", '{"params":["btcusdt@depth"],"id":1}', invalid("missing field `method` at line 1 column 35")],
    ["no object", "[1,2]", invalid("missing field `method` at line 1 column 5")],
    ["a number", "5", invalid("missing field `method` at line 1 column 1")],
    ["no names", '{"method":"SUBSCRIBE","id":1}', invalid("missing field `params` at line 1 column 29")],
    ["a name 5", '{"method":"SUBSCRIBE","params":["a",5],"id":1}', invalid("stream name must be a string")],
    ["names that are no list", '{"method":"SUBSCRIBE","params":"a","id":1}', invalid("stream name must be a string")],
    ["not JSON", "hello", { code: 3, msg: "Invalid JSON: expected value at line 1 column 1" }],
    ["nothing", "", { code: 3, msg: "Invalid JSON: expected value at line 1 column 0" }],
    ["a bare word", '{"method":\n  SUBSCRIBE}', { code: 3, msg: "Invalid JSON: expected value at line 2 column 3" }],
    ["cut off", '{"method":"SUBSCRIBE"', { code: 3, msg: "Invalid JSON: expected value at line 1 column 21" }],
  ];
  for (const [name, text, error] of cases) test(`${name}: ${text}`, () => assert.deepEqual(errorOf(text), error));
});

suite("places", () => {
  test("valid JSON has no bad position; invalid JSON has one within the text", () => {
    const text = fc.oneof(
      fc.json(),
      fc.json().chain((json) => fc.nat(json.length).map((end) => json.slice(0, end))),
      fc.string({ unit: fc.constantFrom(...'{}[]",:0-1.e \\u00anul\n\u0001\u0080') }),
    );
    fc.assert(
      fc.property(text, (json) => {
        const { line, column } = badPlace(json);
        const end =
          json
            .split("\n")
            .slice(0, line - 1)
            .reduce((sum, one) => sum + one.length + 1, 0) + column;
        let isJson = true;
        try {
          JSON.parse(json);
        } catch {
          isJson = false;
        }
        assert.ok(end <= json.length);
        if (isJson) assert.equal(end, json.length);
        // Everything before the position is valid: an impossible character placed there is found there.
        else if (end < json.length) assert.deepEqual(badPlace(`${json.slice(0, end - 1)}\u0001`), { line, column });
      }),
      { numRuns: 2000 },
    );
  });

  test("the end of a member's value is where it is cut off if another is inserted", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, value) => {
        const { a: _, ...rest } = others;
        const written = JSON.stringify(value);
        const before = `{"a":${written}`;
        const tail = JSON.stringify(rest).slice(1);
        const text = before + (tail === "}" ? tail : `,${tail}`);
        assert.deepEqual(memberPlace(text, "a"), { line: 1, column: before.length });
      }),
    );
  });

  test("nested values do not exhaust the stack", () => {
    const deep = "[".repeat(60_000);
    assert.deepEqual(errorOf(deep), { code: 3, msg: "Invalid JSON: expected value at line 1 column 101" });
  });
});
