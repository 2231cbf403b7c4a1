/** Files in LOBSTER's layout, read by the test's own reader: book, queues and trades are those of the journal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { setup } from "@pricetime/testkit/journal";
import type { JournalReader } from "../../../src/journal/port.ts";
import { extractInto } from "./extracting.ts";
import { journalOf, ORDER, randomJournal, replayed } from "./random-journal.ts";

const LEVELS = 4;
const EMPTY_BOOK_LINE = Array.from({ length: LEVELS }, () => "9999999999,0,-9999999999,0").join(",");

interface Standing {
  readonly id: string;
  readonly price: number;
  readonly direction: string;
  size: number;
}

/** Orders in time order, according to the messages of one file. */
class ReadBook {
  readonly orders = new Map<string, Standing>();

  take([, type, id = "", size = "", price = "", direction = ""]: readonly string[]): void {
    if (type === "1") {
      assert.ok(!this.orders.has(id), `order ${id} stands already`);
      this.orders.set(id, { id, price: Number(price), direction, size: Number(size) });
    } else if (type === "2" || type === "3" || type === "4") {
      const order = this.orders.get(id);
      assert.ok(order !== undefined && order.price === Number(price) && order.direction === direction);
      if (type === "2") assert.ok(order.size > Number(size), "an amended order stays");
      else if (type === "3") assert.equal(order.size, Number(size), "all of it goes");
      else assert.equal(this.#first(direction)?.id, id, "who stands first trades");
      order.size -= Number(size);
      assert.ok(order.size >= 0);
      if (order.size === 0) this.orders.delete(id);
    }
  }

  #first(direction: string): Standing | undefined {
    return this.#side(direction)[0];
  }

  #side(direction: string): Standing[] {
    return [...this.orders.values()]
      .filter((order) => order.direction === direction)
      .sort((a, b) => (direction === "1" ? b.price - a.price : a.price - b.price));
  }

  line(): string {
    const levels = ["-1", "1"].map((direction) => {
      const sizes = new Map<number, number>();
      for (const { price, size } of this.#side(direction)) sizes.set(price, (sizes.get(price) ?? 0) + size);
      const absent = direction === "1" ? "-9999999999,0" : "9999999999,0";
      const shown = [...sizes].map((level) => level.join(","));
      return Array.from({ length: LEVELS }, (_, i) => shown[i] ?? absent);
    });
    return Array.from({ length: LEVELS }, (_, i) => `${levels[0]?.[i]},${levels[1]?.[i]}`).join(",");
  }
}

/** `time direction price size` of each trade, from a journal. */
function tradesOf(journal: JournalReader, fromMs: number): string[] {
  const trades: string[] = [];
  replayed(journal, (_, events) => {
    for (const event of events) {
      if (event.type !== "trade" || event.symbolId !== 0 || event.timeMs < fromMs) continue;
      trades.push([event.timeMs, event.takerSide === "BUY" ? -1 : 1, event.priceTicks, event.lots].join(" "));
    }
  });
  return trades;
}

const lines = (text: string): string[] => text.trimEnd().split("\n");

for (const fromHour of [0, 10]) {
  test(`messages from hour ${fromHour} on make the book row by row, and the trades`, async (t) => {
    const journal = await randomJournal(21, 2500);
    const fromMs = fromHour === 0 ? 0 : Date.UTC(2024, 0, 29, fromHour);
    const request = { subject: "book", format: "lobster", symbols: ["BTCUSDT"], levels: LEVELS, fromMs } as const;
    const { names, text } = extractInto(t, journal, request);
    const trades: string[] = [];
    const days = names().filter((name) => name.endsWith("_message.csv"));
    assert.ok(days.length > 1, "several days");
    let [refreshed, left] = [0, ""];
    for (const [at, name] of days.entries()) {
      const stem = name.slice(0, -"message.csv".length);
      const meta = JSON.parse(text(`${stem}meta.json`)) as { epochDay: number };
      const midnightMs = meta.epochDay * 86_400_000;
      const dayOfName = `BTCUSDT_${new Date(midnightMs).toISOString().slice(0, 10)}_`;
      const scales = { priceScale: 2, sizeScale: 6, levels: LEVELS };
      assert.equal(stem, dayOfName);
      assert.deepEqual(meta, { venue: "pricetime", symbol: "BTCUSDT", epochDay: meta.epochDay, ...scales });
      const messages = lines(text(name)).map((line) => line.split(","));
      const books = lines(text(`${stem}orderbook_${LEVELS}.csv`));
      assert.equal(books.length, messages.length);
      const book = new ReadBook();
      const seen = new Set<string>();
      const firstTime = messages[0]?.[0];
      for (const [row, message] of messages.entries()) {
        const [time = "", type = "", id = "", size, price, direction] = message;
        book.take(message);
        assert.equal(books[row], book.line(), `${name}, line ${row + 1}`);
        if (time !== firstTime) assert.equal(left, "", "a day begins with what the one before it left");
        if (left !== "" && book.line() === left) left = "";
        // An order that is new again has shown its next slice.
        if (type === "1" && time !== firstTime) refreshed += seen.has(id) ? 1 : 0;
        seen.add(id);
        if (type !== "4") continue;
        trades.push([midnightMs + Number(time.replace(".", "")), direction, price, size].join(" "));
      }
      assert.equal(left, "", "a day begins with what the one before it left");
      if (at > 0) assert.equal(firstTime, "0.000");
      left = book.line() === EMPTY_BOOK_LINE ? "" : book.line();
    }
    assert.deepEqual(trades, tradesOf(journal, fromMs));
    assert.ok(refreshed > 5, `${refreshed} further slices of icebergs`);
  });
}

test("halts and resumptions are told, and the days without a message", async (t) => {
  const status = (to: "HALT" | "BREAK" | "TRADING"): Command => {
    return { type: "setSymbolStatus", by: "test", symbol: "BTCUSDT", status: to };
  };
  const order: Command = { ...ORDER, clientOrderId: "stays" };
  const later = [status("HALT"), status("BREAK"), status("TRADING"), { ...order, clientOrderId: "next" }];
  const journal = await journalOf([[...setup(), order], [later[0]!, later[1]!], [later[2]!], [], [later[3]!]]);
  const { text, names } = extractInto(t, journal, { subject: "book", format: "lobster", symbols: ["BTCUSDT"] });
  const messages = names().filter((name) => name.endsWith("message.csv"));
  assert.deepEqual(
    messages.map((name) => lines(text(name))),
    [
      ["86370.000,1,1,5,3900000,1"],
      ["0.000,1,1,5,3900000,1", "86370.000,7,0,0,-1,-1"],
      ["0.000,1,1,5,3900000,1", "86370.000,7,0,0,1,-1"],
      ["0.000,1,1,5,3900000,1"],
      ["0.000,1,1,5,3900000,1", "86370.000,1,2,5,3900000,1"],
    ],
  );
});
