import assert from "node:assert/strict";
import { test } from "node:test";
import type { Book, Market } from "../../src/market/port.ts";
import { type Around, fillShare, freeOf, shareOf } from "../../src/panels/order-amounts.ts";
import { type Kind, openTicket, type Ticket } from "../../src/panels/ticket.ts";

const LOT = { filterType: "LOT_SIZE", minQty: "0.00100000", maxQty: "9000.00000000", stepSize: "0.00100000" };
const MARKET = {
  ...{ symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", filters: [LOT] },
  ...{ priceDigits: 2, quantityDigits: 3, quoteDigits: 8 },
} as unknown as Market;
/** Asks of 1 BTC at 100.00 and 2 at 110.00, a bid of 5 at 90.00. */
const BOOK = {
  asks: [
    { price: 10_000, quantity: 1000 },
    { price: 11_000, quantity: 2000 },
  ],
  bids: [{ price: 9000, quantity: 5000 }],
} as unknown as Book;

function around(base: string, quote: string, change: Partial<Around> = {}): Around {
  const one = (asset: string, free: string) => [asset, { asset, free, locked: "7" }] as const;
  return {
    market: MARKET,
    book: BOOK,
    lastPrice: "99.00",
    free: freeOf(MARKET, new Map([one("BTC", base), one("USDT", quote)])),
    ...change,
  };
}

function ticketOf(side: "BUY" | "SELL", kind: Kind, fields: Partial<Record<keyof Ticket["fields"], string>>): Ticket {
  const ticket = openTicket();
  ticket.side.value = side;
  ticket.kind.value = kind;
  for (const [name, text] of Object.entries(fields)) ticket.fields[name as keyof Ticket["fields"]].value = text;
  return ticket;
}

test("a typed quantity moves the slider to the nearest percent, at most to 100", () => {
  const typed = (quantity: string, free = around("2.34", "1000")): readonly number[] =>
    (["BUY", "SELL"] as const).map((side) => shareOf(ticketOf(side, "limit", { price: "100", quantity }), free, null));
  assert.deepEqual(typed("1.85"), [19, 79]);
  assert.deepEqual(typed("0.05"), [1, 2], "half a percent goes up");
  assert.deepEqual(typed("0.049"), [0, 2]);
  assert.deepEqual(typed("10"), [100, 100]);
  assert.deepEqual(typed("99999999"), [100, 100], "more than there is");
  for (const none of ["", "0", ".", "-1", "abc"]) assert.deepEqual(typed(none), [0, 0], none);
  // Beyond the precision of a float: one unit less than half a percent is rounded down.
  const whole = around("0", "1000000000000000000000.00000000");
  assert.deepEqual(typed("5000000000000000000", whole)[0], 50);
  assert.deepEqual(typed("49999999999999999.999", whole)[0], 0);
  assert.deepEqual(typed("50000000000000000", whole)[0], 1);
});

test("a selected share fills in the quantity, and that quantity shows the same share", () => {
  const kinds: readonly [Kind, Ticket["side"]["value"], string][] = [
    ["limit", "BUY", "2.500"],
    ["limit", "SELL", "1"],
    ["stop-limit", "BUY", "2.000"],
    ["stop", "BUY", "2.000"],
    ["trailing-stop", "BUY", "1.923"],
    ["oco", "BUY", "1.923"],
    ["market", "SELL", "1"],
  ];
  for (const [kind, side, quantity] of kinds) {
    const fields = { price: "100", stopPrice: "125", stopLimitPrice: "130" };
    const ticket = ticketOf(side, kind, fields);
    const there = around("4", "1000");
    fillShare(ticket, there, 25);
    assert.equal(Number(ticket.fields.quantity.value), Number(quantity), `${kind} ${side}`);
    assert.deepEqual([shareOf(ticket, there, 25), shareOf(ticket, there, null)], [25, 25], `${kind} ${side}`);
  }
});

test("a share of a pegged order is counted at the price of the book that it takes", () => {
  const ticket = ticketOf("BUY", "limit", { price: "500" });
  ticket.pegPriceType.value = "MARKET_PEG";
  fillShare(ticket, around("4", "1000"), 50);
  assert.equal(ticket.fields.quantity.value, "5");
  ticket.fields.pegLevel.value = "1";
  assert.equal(shareOf(ticket, around("4", "1000"), null), 55);
});

test("a price field of another order type is ignored", () => {
  const ticket = ticketOf("BUY", "stop", { price: "500", stopPrice: "100", quantity: "5" });
  assert.equal(shareOf(ticket, around("0", "1000"), null), 50);
});

test("a market order counts its cost from the book; an amount in the paying asset needs no book", () => {
  const there = around("4", "1000");
  const buy = ticketOf("BUY", "market", { quantity: "2" });
  assert.equal(shareOf(buy, there, null), 21, "1 at 100 and 1 at 110");
  assert.equal(shareOf(buy, { ...there, book: null }, null), 0, "nobody knows");
  fillShare(buy, there, 25);
  assert.deepEqual([buy.byQuote.value, buy.fields.quoteQuantity.value], [true, "250"]);
  assert.equal(shareOf(buy, { ...there, book: null }, null), 25);
  const sell = ticketOf("SELL", "market", { quoteQuantity: "90" });
  sell.byQuote.value = true;
  assert.equal(shareOf(sell, there, null), 25);
});

test("the slider stays at the selected share while the steps allow no closer quantity, and follows otherwise", () => {
  const there = around("0.003", "0");
  const ticket = ticketOf("SELL", "limit", { price: "100" });
  fillShare(ticket, there, 50);
  assert.equal(ticket.fields.quantity.value, "0.001");
  assert.equal(shareOf(ticket, there, 50), 50);
  assert.equal(shareOf(ticket, there, null), 33);
  ticket.fields.quantity.value = "0.002";
  assert.equal(shareOf(ticket, there, 50), 67);
  fillShare(ticket, there, 10);
  assert.equal(ticket.fields.quantity.value, "", "less than the least");
  assert.equal(shareOf(ticket, there, 10), 10);
  ticket.side.value = "BUY";
  assert.equal(shareOf(ticket, there, 10), 0, "nothing is free there");
});

test("the slider is at zero when signed out, without a free balance, and without a price", () => {
  const ticket = ticketOf("BUY", "limit", { price: "100", quantity: "1" });
  const nobody = { market: MARKET, book: BOOK, lastPrice: null, free: freeOf(MARKET, new Map()) };
  for (const slid of [null, 0, 25, 100]) {
    assert.equal(shareOf(ticket, nobody, slid), 0);
    assert.equal(shareOf(ticket, around("1", "0.00000000"), slid), 0);
    assert.equal(shareOf(ticketOf("BUY", "limit", {}), around("1", "1000"), slid), 0);
  }
  fillShare(ticket, nobody, 25);
  assert.equal(ticket.fields.quantity.value, "");
});
