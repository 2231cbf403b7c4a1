/**
 * Tables of fields: hand-written codecs write the same bytes as the table, and a field that is added to a packed
 * command is read from journals of all earlier releases.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { type Command, type CommandType, decodeCommands, MalformedBytes } from "@pricetime/engine";
import { ByteReader, ByteWriter } from "../src/bytes.ts";
import { COMMAND_LAYOUTS, CommandCodec, type CommandLayout } from "../src/entry/command-codec.ts";
import { bool, type FieldTable, Layout, since, word, type WrittenOut } from "../src/entry/fields.ts";
import { CANCEL_ORDER, CANCEL_REPLACE, PLACE_ORDER } from "../src/entry/packed-command.ts";
import { SAVED_ORDER } from "../src/state/order/saved-order.ts";
import { valuesOf } from "./table-values.ts";

const anySaved = valuesOf(SAVED_ORDER);

function bytesOf(write: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter();
  write(writer);
  return writer.bytes();
}

function checkWrittenOut<T>(layout: Layout<T, CommandType | undefined>, value: T): void {
  const byTable = new Layout<T, CommandType | undefined>(layout.type, layout.table);
  const bytes = bytesOf((writer) => byTable.write(writer, value));
  assert.deepEqual(
    bytesOf((writer) => layout.write(writer, value)),
    bytes,
  );
  for (const { read, newest } of [byTable, layout]) assert.deepEqual(read(new ByteReader(bytes), newest), value);
}

test("hand-written codecs agree with their tables", () => {
  fc.assert(fc.property(valuesOf(PLACE_ORDER), (order) => checkWrittenOut(PLACE_ORDER, order)));
  fc.assert(fc.property(valuesOf(CANCEL_ORDER), (cancel) => checkWrittenOut(CANCEL_ORDER, cancel)));
  fc.assert(fc.property(anySaved, (order) => checkWrittenOut(SAVED_ORDER, order)));
});

/** A current layout with additional fields. */
function wider<T>(layout: Layout<T, CommandType>, fields: FieldTable): Layout<Command, CommandType> {
  const { type, table, writtenOut } = layout as unknown as Layout<Command, CommandType>;
  return new Layout(type, { ...table, ...fields }, writtenOut);
}

const NEXT = Math.max(...COMMAND_LAYOUTS.map(({ newest }) => newest)) + 1;

/** The current codec with one more field in every order and, from a later version, in every cancel. */
const widerOrder = wider(PLACE_ORDER, { isOdd: since(NEXT, bool, false) });
const widerCancel = wider(CANCEL_ORDER, { restrictTo: since(NEXT + 1, word(["ANY", "NEW"]), "ANY") });
const widerReplace = wider(CANCEL_REPLACE, { cancel: widerCancel, place: widerOrder });
const WIDER: Readonly<Record<string, CommandLayout>> = {
  placeOrder: widerOrder,
  cancelOrder: widerCancel,
  cancelReplace: widerReplace,
};
const CODEC = new CommandCodec(COMMAND_LAYOUTS.map((layout) => WIDER[layout.type] ?? layout));

/** The bytes that releases have written, from the first on. */
const RELEASED = readFileSync(new URL("./golden/commands.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => Uint8Array.from(Buffer.from(line.split(" ")[2] as string, "hex")));

test("an added field has its earlier value in old journals", () => {
  for (const bytes of RELEASED) {
    const [command] = decodeCommands(bytes, 1) as [Command];
    const [read] = CODEC.decode(bytes, 1) as [Command];
    assert.deepEqual(read, command);
    // Without the new field, an older release can still read what is written.
    assert.deepEqual(CODEC.encode([read]), bytes);
    if (command.type !== "placeOrder") continue;
    const written = CODEC.encode([Object.assign({}, read, { isOdd: true })]);
    assert.equal(written[1], NEXT);
    assert.throws(() => decodeCommands(written, 1), MalformedBytes);
  }
});

const [ORDER, CANCEL] = [1, 2].map((number) => RELEASED.find((bytes) => bytes[0] === number) as Uint8Array) as [
  Uint8Array,
  Uint8Array,
];

test("each type has its own versions, including those of nested records", () => {
  const added = (layout: CommandLayout): readonly number[] => layout.versions.filter((version) => version >= NEXT);
  assert.deepEqual(
    [added(widerOrder), added(widerCancel), added(widerReplace)],
    [[NEXT], [NEXT + 1], [NEXT, NEXT + 1]],
  );
  for (const version of [0, NEXT, NEXT + 2]) {
    const bytes = Uint8Array.from([CANCEL[0] as number, version, ...CANCEL.subarray(2)]);
    assert.throws(() => CODEC.decode(bytes, 1), /cancelOrder has layout \d+, which this release does not know/);
  }
});

test("bytes of intermediate versions are decoded", () => {
  const [order] = decodeCommands(ORDER, 1) as [Command];
  const [cancel] = decodeCommands(CANCEL, 1) as [Command];
  const replace = { type: "cancelReplace", mode: "ALLOW_FAILURE", cancel, place: { ...order, isOdd: true } };
  // A release with the order's field but without the cancel's field.
  const between = wider(CANCEL_REPLACE, { place: widerOrder });
  const codec = new CommandCodec(COMMAND_LAYOUTS.map((known) => (known.type === between.type ? between : known)));
  const bytes = codec.encode([replace as Command]);
  assert.equal(bytes[1], NEXT);
  assert.deepEqual(CODEC.decode(bytes, 1), [replace]);
});

test("a later field is decoded as written, and omitted if it equals the value of older layouts", () => {
  const [order] = decodeCommands(ORDER, 1) as [Command];
  const given = (isOdd: boolean): Command => Object.assign({}, order, { isOdd });
  assert.deepEqual(CODEC.decode(CODEC.encode([given(true)]), 1), [given(true)]);
  for (const plain of [order, given(false)]) assert.deepEqual(CODEC.decode(CODEC.encode([plain]), 1), [order]);
});

test("a field added to an order is absent in older snapshots", () => {
  const layout = SAVED_ORDER.newest + 6;
  const wide = new Layout<object>(
    undefined,
    { ...SAVED_ORDER.table, isOdd: since(layout, bool, false) },
    SAVED_ORDER.writtenOut as WrittenOut<object> | undefined,
  );
  fc.assert(
    fc.property(anySaved, (order) => {
      const old = bytesOf((writer) => SAVED_ORDER.write(writer, order));
      assert.deepEqual(wide.read(new ByteReader(old), layout - 1), order);
      const written = bytesOf((writer) => wide.write(writer, { ...order, isOdd: true }));
      assert.deepEqual(wide.read(new ByteReader(written), wide.newest), { ...order, isOdd: true });
    }),
  );
});
