/** Values that no parameter of a kind can have, as sent. */
import type { ParameterKind } from "@pricetime/protocol";

/** Bytes that are not even text. */
export const BROKEN: readonly (readonly [fault: string, value: string])[] = [
  ["half an escape", "%4"],
  ["not an escape", "%zz"],
  ["not UTF-8", "%FF"],
  ["overlong UTF-8", "%C0%80"],
  ["raw byte that is not UTF-8", "\xff"],
];

const NUMBER_FAULTS: readonly (readonly [fault: string, value: string])[] = [
  ["wrong type", "abc"],
  ["negative", "-1"],
  ["plus sign", "%2B1"],
  ["space before", "%201"],
  ["exponent", "1e-7"],
  ["hexadecimal", "0x10"],
  ["infinite", "Infinity"],
  ["too many digits", "1".repeat(21)],
  ["non-ASCII digit", "%EF%BC%91"],
  ["raw non-ASCII", "\xc3\xa9"],
  ["NUL", "%00"],
];
const INTEGER_FAULTS = [...NUMBER_FAULTS, ["fraction", "1.5"] as const];

/** Values that their kind does not allow: out of range, or an unknown word. */
export const UNFIT: Readonly<Partial<Record<ParameterKind, readonly (readonly [fault: string, value: string])[]>>> = {
  symbol: [
    ["wrong case", "btcusdt"],
    ["wrong characters", "BTC%2FUSDT"],
    ["too long", "A".repeat(21)],
    ["huge", "A".repeat(1000)],
    ["non-ASCII", "%C3%89"],
    ["raw non-ASCII", "\xc3\x89"],
    ["NUL", "%00"],
  ],
  symbols: [
    ["no list", "BTCUSDT"],
    ["wrong case", "%5B%22btcusdt%22%5D"],
    ["open list", "%5B%22BTCUSDT%22"],
    ["numbers", "%5B1%5D"],
    ["object", "%7B%7D"],
    ["non-ASCII", "%5B%22%C3%89%22%5D"],
  ],
  integer: INTEGER_FAULTS,
  limit: INTEGER_FAULTS,
  decimal: [
    ...NUMBER_FAULTS,
    ["too many decimals", `0.${"1".repeat(21)}`],
    ["no digit before the point", ".5"],
    ["no digit behind the point", "5."],
    ["two points", "1.2.3"],
    ["comma", "1,5"],
    ["huge", "9".repeat(500)],
  ],
  clientOrderId: [
    ["wrong characters", "my%20order"],
    ["plus is a space", "my+order"],
    ["too long", "a".repeat(37)],
    ["huge", "a".repeat(1000)],
    ["non-ASCII", "%C3%A9"],
    ["raw non-ASCII", "\xc3\xa9"],
    ["NUL", "%00"],
  ],
  listenKey: [
    ["wrong characters", "a-b"],
    ["too long", "a".repeat(65)],
    ["non-ASCII", "%C3%A9"],
    ["NUL", "%00"],
  ],
  signature: [
    ["wrong characters", "z".repeat(64)],
    ["too short", "a".repeat(63)],
    ["too long", "a".repeat(65)],
    ["base64", "%2B".repeat(64)],
    ["non-ASCII", "%C3%A9"],
  ],
  enum: [
    ["wrong enum", "NONSENSE"],
    ["number", "9"],
    ["prototype", "constructor"],
    ["huge", "A".repeat(1000)],
    ["non-ASCII", "%C3%A9"],
    ["raw non-ASCII", "\xc3\xa9"],
    ["NUL", "%00"],
  ],
  string: [
    ["NUL", "%00"],
    ["too long", "a".repeat(257)],
  ],
  boolean: [
    ["wrong type", "1"],
    ["wrong case", "TRUE"],
  ],
};
