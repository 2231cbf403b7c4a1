/**
 * The bytes of commands in the journal. golden/commands.txt has the bytes that released versions have written. Those
 * lines are never changed or removed, so that journals of all releases stay readable. PRICETIME_GOLDEN=new prints the
 * lines of this release.
 */
import assert from "node:assert/strict";
import { COMMAND_LAYOUTS } from "../src/entry/command-codec.ts";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Command,
  type CommandType,
  decodeCommands,
  encodeCommands,
  Engine,
  InvariantBroken,
  MalformedBytes,
} from "@pricetime/engine";
import { SAMPLES } from "@pricetime/testkit/samples";
import {
  CANCEL_ORDER,
  CANCEL_ORDER_LIST,
  AMEND_ORDER,
  CANCEL_REPLACE,
  PLACE_OCO,
  PLACE_ORDER,
} from "../src/entry/packed-command.ts";
import { valuesOf } from "./table-values.ts";

interface GoldenLine {
  readonly name: string;
  readonly version: number;
  readonly hex: string;
  readonly json: string;
}

const GOLDEN: readonly GoldenLine[] = readFileSync(new URL("./golden/commands.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [name, version, hex, ...json] = line.split(" ") as [string, string, string, ...string[]];
    return { name, version: Number(version.slice(1)), hex, json: json.join(" ") };
  });

const samples: readonly Command[] = Object.values(SAMPLES).flat();

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function jsonOf(command: Command): string {
  return JSON.stringify(command, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}

function commandOf(json: string): Command {
  return JSON.parse(json, (key, value) => (key === "quoteOrderQty" ? BigInt(value.slice(0, -1)) : value));
}

if (process.env["PRICETIME_GOLDEN"] === "new") {
  for (const command of samples) {
    const bytes = encodeCommands([command]);
    console.log(`${command.type} v${bytes[1]} ${hexOf(bytes)} ${jsonOf(command)}`);
  }
}

test("golden: every line decodes to the written command", () => {
  assert.ok(GOLDEN.length >= samples.length);
  for (const { name, version, hex, json } of GOLDEN) {
    const bytes = bytesOf(hex);
    assert.equal(bytes[1], version, `${name} v${version}`);
    assert.deepEqual(decodeCommands(bytes, 1), [commandOf(json)], `${name} v${version}`);
  }
});

test("golden: every type and version has a line, and the current bytes equal the newest one", () => {
  for (const command of samples) {
    const hex = hexOf(encodeCommands([command]));
    const line = GOLDEN.find((golden) => golden.hex === hex);
    assert.ok(line !== undefined, `no golden line for ${command.type}: ${hex} ${jsonOf(command)}`);
    assert.equal(line.name, command.type);
  }
  for (const type of Object.keys(SAMPLES) as CommandType[]) {
    const versions = new Set(GOLDEN.filter(({ name }) => name === type).map(({ version }) => version));
    const layout = COMMAND_LAYOUTS.find((known) => known.type === type);
    assert.deepEqual([...versions].sort(), layout?.versions, `the versions of ${type}`);
  }
});

test("a batch of all samples is decoded in order", () => {
  assert.deepEqual(decodeCommands(encodeCommands(samples), samples.length), samples);
  assert.deepEqual(decodeCommands(encodeCommands([]), 0), []);
});

const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.stringMatching(/^[A-Za-z0-9_-]{1,36}$/));
const anyMove = fc.record({
  type: fc.constantFrom("deposit" as const, "debit" as const),
  by: text,
  accountId: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  asset: text,
  amount: text,
  reference: text,
});
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  valuesOf(PLACE_ORDER),
  valuesOf(CANCEL_ORDER),
  valuesOf(PLACE_OCO),
  valuesOf(CANCEL_ORDER_LIST),
  valuesOf(CANCEL_REPLACE),
  valuesOf(AMEND_ORDER),
  anyMove,
  fc.constantFrom(...samples),
);

test("decoding returns the encoded commands", () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 20 }), (commands) => {
      assert.deepEqual(decodeCommands(encodeCommands(commands), commands.length), plain(commands));
    }),
    { numRuns: 500 },
  );
});

test("texts of any length are encoded and decoded", () => {
  for (const length of [0, 1, 36, 255, 256, 257, 511, 512, 513, 300_000]) {
    const listenKey = Array.from({ length }, (_, i) => String.fromCharCode(33 + (i % 90))).join("");
    const command = { type: "openListenKey" as const, accountId: 1, listenKey };
    assert.deepEqual(decodeCommands(encodeCommands([command]), 1), [command]);
  }
});

test("a number outside the range throws while encoding", () => {
  for (const accountId of [-1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => encodeCommands([{ type: "openListenKey", accountId, listenKey: "" }]), InvariantBroken);
  }
  const last = { type: "openListenKey" as const, accountId: Number.MAX_SAFE_INTEGER, listenKey: "" };
  assert.deepEqual(decodeCommands(encodeCommands([last]), 1), [last]);
});

/** fast-check creates records without a prototype; the codec does not. */
function plain(commands: readonly Command[]): Command[] {
  return commands.map((command) => ({ ...command }));
}

test("truncated, too long and unknown bytes are rejected", () => {
  for (const command of samples) {
    const bytes = encodeCommands([command]);
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(
        () => decodeCommands(bytes.slice(0, length), 1),
        MalformedBytes,
        `${command.type} cut to ${length}`,
      );
    }
    assert.throws(() => decodeCommands(new Uint8Array([...bytes, 0]), 1), MalformedBytes, "one byte too many");
    assert.throws(() => decodeCommands(bytes, 2), MalformedBytes, "one command too few");
    assert.throws(() => decodeCommands(new Uint8Array([250, ...bytes.slice(1)]), 1), MalformedBytes, "unknown type");
    const newer = new Uint8Array([bytes[0]!, 99, ...bytes.slice(2)]);
    assert.throws(() => decodeCommands(newer, 1), MalformedBytes, "unknown version");
  }
});

test("damaged bytes are decoded or rejected as malformed", () => {
  const whole = encodeCommands(samples);
  fc.assert(
    fc.property(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const damaged = whole.slice();
      damaged[at]! ^= flip;
      try {
        assert.equal(decodeCommands(damaged, samples.length).length, samples.length);
      } catch (error) {
        assert.ok(error instanceof MalformedBytes, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});

test("a snapshot in pieces has the same bytes, in small pieces", () => {
  const engine = new Engine();
  for (const [i, command] of samples.entries()) engine.apply({ seq: i + 1, timeMs: 1000 + i, command });
  // A reference with characters outside ASCII at each position of a piece: its bytes are discarded and written again.
  for (let i = 0; i < 3000; i++) {
    const reference = `${"x".repeat(i % 97)}${i}ü`;
    const command: Command = { type: "deposit", by: "test", accountId: 100, asset: "BTC", amount: "1", reference };
    const [event] = engine.apply({ seq: engine.seq + 1, timeMs: 5000, command });
    assert.notEqual(event?.type, "rejected");
  }
  const pieces: Uint8Array[] = [];
  engine.snapshotInPieces((piece) => pieces.push(piece.slice()));
  assert.ok(pieces.length > 3, `${pieces.length} pieces`);
  assert.ok(pieces.every(({ length }) => length > 0 && length <= 1 << 16));
  assert.equal(Buffer.compare(Buffer.concat(pieces), engine.snapshot()), 0);
});

test("a truncated or damaged snapshot is rejected as malformed, or restored", () => {
  const engine = new Engine();
  for (const [i, command] of samples.entries()) engine.apply({ seq: i + 1, timeMs: 1000 + i, command });
  const snapshot = engine.snapshot();
  assert.equal(Engine.restore(snapshot).eventDigest(), engine.eventDigest());
  for (let length = 0; length < snapshot.length; length++) {
    assert.throws(() => Engine.restore(snapshot.slice(0, length)), MalformedBytes, `cut to ${length}`);
  }
  assert.throws(() => Engine.restore(new Uint8Array([...snapshot, 0])), MalformedBytes);
  for (let at = 0; at < snapshot.length; at++) {
    const damaged = snapshot.slice();
    damaged[at]! ^= 1 << (at % 8);
    try {
      Engine.restore(damaged);
    } catch (error) {
      assert.ok(error instanceof MalformedBytes, `byte ${at}: ${String(error)}`);
    }
  }
});
