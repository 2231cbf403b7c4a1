/** A recording of a venue that sends invalid messages, like a proxy: the recorder reconnects, and has a gap there. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { WebSocketServer } from "ws";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { recordMarket } from "../../../src/program/cli/lab/record-market.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import type { Timers } from "../../../src/platform/world/port.ts";

const SYMBOL = "BTCUSDT";
const ODD = ["upstream connect error", "", "null", "5", "[]", '{"stream":"btcusdt@trade","data":null}', '{"stream":1}'];
const BOOK = JSON.stringify({ lastUpdateId: 1, bids: [], asks: [] });

/** No silence is too long, and no pause takes time. */
const timers: Pick<Timers, "after"> = {
  after: (_waitMs, task, name) => (name === "silence" ? () => {} : MACHINE.after(0, task)),
};

function message(data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ stream: `btcusdt@${String(data["e"])}`, data });
}

interface Venue {
  readonly rest: string;
  /** Resolves when a connection received nothing invalid. */
  readonly isHeard: Promise<void>;
  /** The answer to a request for the book. */
  book: string;
}

/** Each connection receives one invalid text and then a trade, as long as there are invalid ones. */
async function openVenue(t: TestContext, odd: readonly string[]): Promise<Venue> {
  const heard = Promise.withResolvers<void>();
  const venue = { rest: "", isHeard: heard.promise, book: BOOK };
  const server = createServer((_request, response) => response.end(venue.book));
  const sockets = new WebSocketServer({ server });
  const left = [...odd];
  sockets.on("connection", (socket) => {
    const text = left.shift();
    if (text !== undefined) socket.send(text);
    socket.send(message({ e: "trade", t: text === undefined ? 1 : 1000 }));
    if (text === undefined) socket.send(message({ e: "depthUpdate" }), () => heard.resolve());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  inTheEnd(t, async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  venue.rest = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return venue;
}

test("after each it connects again, and keeps nothing of what came behind it", async (t) => {
  const { rest, isHeard } = await openVenue(t, ODD);
  const path = join(scratchFolder(t), "recording.jsonl");
  const notes: string[] = [];
  const told = Promise.withResolvers<void>();
  let nowMs = 0;
  const recording = recordMarket({
    ...{ rest, symbol: SYMBOL, path, until: told.promise, timers },
    ...{ nowMs: () => ++nowMs, note: (text) => void notes.push(text) },
  });
  await isHeard;
  // The book is requested after the last message, and ends what is received here.
  await until("the book is recorded", () => readFileSync(path, "utf8").includes('"stream":"depth"'));
  told.resolve();
  const { trades, gaps, missedTrades } = await recording;
  assert.deepEqual({ trades, gaps, missedTrades }, { trades: 1, gaps: ODD.length, missedTrades: 0 });
  assert.equal(
    notes.filter((note) => note.includes("the venue sent a message that is not of a stream. Connecting again.")).length,
    ODD.length,
  );
});

test("a book that is no object is told as what came in its place", async (t) => {
  const venue = await openVenue(t, []);
  venue.book = "null";
  const path = join(scratchFolder(t), "recording.jsonl");
  const task = { rest: venue.rest, symbol: SYMBOL, path, until: Promise.resolve(), timers, nowMs: MACHINE.nowMs };
  await assert.rejects(recordMarket({ ...task, note: assert.fail }), { name: "CommandFailed", message: /: null$/ });
});
