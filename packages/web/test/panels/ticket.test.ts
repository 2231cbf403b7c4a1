import assert from "node:assert/strict";
import { test } from "node:test";
import type { Market } from "../../src/market/port.ts";
import { legsOf } from "../../src/rules/check-order.ts";
import { draftOf, KINDS, kindsOf, ocoDraftOf, openTicket, stepped } from "../../src/panels/ticket.ts";

const X = { symbol: "X", orderTypes: ["LIMIT", "LIMIT_MAKER"], icebergAllowed: true } as unknown as Market;

function filled() {
  const ticket = openTicket();
  const { fields } = ticket;
  Object.assign(fields.price, { value: "100.00" });
  fields.stopPrice.value = "90.00";
  fields.quantity.value = " 2 ";
  fields.quoteQuantity.value = "50";
  fields.icebergQty.value = "1";
  return ticket;
}

test("each order type sends exactly its fields (Interface 3.2)", () => {
  const sent = KINDS.filter((kind) => kind !== "oco").map((kind) => {
    const ticket = filled();
    ticket.kind.value = kind;
    const { symbol, side, ...rest } = draftOf(ticket, X);
    assert.deepEqual([symbol, side], ["X", "BUY"]);
    return rest;
  });
  const limit = { price: "100.00", quantity: "2", timeInForce: "GTC" };
  assert.deepEqual(sent, [
    { type: "LIMIT", ...limit },
    { type: "MARKET", quantity: "2" },
    { type: "STOP_LOSS_LIMIT", ...limit, stopPrice: "90.00" },
    { type: "TAKE_PROFIT_LIMIT", ...limit, stopPrice: "90.00" },
    { type: "STOP_LOSS", quantity: "2", stopPrice: "90.00" },
    { type: "TAKE_PROFIT", quantity: "2", stopPrice: "90.00" },
    { type: "TAKE_PROFIT", quantity: "2", stopPrice: "90.00", trailingDelta: "" },
  ]);
});

test("a trailing stop follows from now without an activation price, and is a limit order with a limit price", () => {
  const sent = (fields: Partial<Record<"stopPrice" | "stopLimitPrice", string>>, percent: string) => {
    const ticket = openTicket();
    ticket.kind.value = "trailing-stop";
    const all = { ...fields, trailingDelta: percent, quantity: "2", price: "100.00" };
    for (const [name, text] of Object.entries(all)) ticket.fields[name as keyof typeof ticket.fields].value = text;
    const { symbol: _, side: __, quantity: ___, ...rest } = draftOf(ticket, X);
    return rest;
  };
  assert.deepEqual(sent({}, "1.5"), { type: "STOP_LOSS", trailingDelta: "150" });
  assert.deepEqual(sent({ stopPrice: "90" }, "20"), { type: "TAKE_PROFIT", trailingDelta: "2000", stopPrice: "90" });
  const limit = { price: "80", timeInForce: "GTC" };
  const both = { type: "TAKE_PROFIT_LIMIT", trailingDelta: "1", stopPrice: "90", ...limit };
  assert.deepEqual(sent({ stopPrice: "90", stopLimitPrice: "80" }, "0.01"), both);
  assert.deepEqual(sent({ stopLimitPrice: "80" }, "0.015"), {
    type: "STOP_LOSS_LIMIT",
    trailingDelta: "1.5",
    ...limit,
  });
  assert.equal(sent({}, "much").trailingDelta, "much", "the rules report it");
});

test("a limit order takes the best price of its own side as GTC, and that of the other side is not post-only", () => {
  const ticket = filled();
  ticket.timeInForce.value = "IOC";
  ticket.pegPriceType.value = "PRIMARY_PEG";
  const limit = { symbol: "X", side: "BUY", type: "LIMIT", quantity: "2" };
  assert.deepEqual(draftOf(ticket, X), { ...limit, timeInForce: "GTC", pegPriceType: "PRIMARY_PEG" });
  ticket.fields.pegLevel.value = "3";
  const offset = { pegOffsetType: "PRICE_LEVEL", pegOffsetValue: "3" };
  assert.deepEqual(draftOf(ticket, X), { ...limit, timeInForce: "GTC", pegPriceType: "PRIMARY_PEG", ...offset });
  ticket.fields.pegLevel.value = "0";
  ticket.isPostOnly.value = true;
  const { type: _, ...maker } = { ...limit, pegPriceType: "PRIMARY_PEG" };
  assert.deepEqual(draftOf(ticket, X), { ...maker, type: "LIMIT_MAKER" });
  ticket.pegPriceType.value = "MARKET_PEG";
  assert.deepEqual(draftOf(ticket, X), { ...limit, timeInForce: "IOC", pegPriceType: "MARKET_PEG" });
  ticket.kind.value = "stop-limit";
  const waiting = { ...limit, type: "STOP_LOSS_LIMIT", stopPrice: "90.00", timeInForce: "IOC" };
  assert.deepEqual(draftOf(ticket, X), { ...waiting, pegPriceType: "MARKET_PEG" });
  ticket.kind.value = "stop";
  assert.deepEqual(draftOf(ticket, X), { ...limit, type: "STOP_LOSS", stopPrice: "90.00" });
});

test("the mode of self-trade prevention is sent where it is allowed, and not the market's", () => {
  const ticket = filled();
  Object.assign(ticket.fields.trailingDelta, { value: "2" });
  ticket.isTrailing.value = true;
  const modes = { defaultSelfTradePreventionMode: "NONE", allowedSelfTradePreventionModes: ["NONE", "DECREMENT"] };
  for (const mode of ["NONE", "DECREMENT", "TRANSFER"] as const) {
    ticket.prevention.value = mode;
    const sent = mode === "DECREMENT" ? { selfTradePreventionMode: mode } : {};
    const stop = { symbol: "X", side: "BUY", quantity: "2", type: "STOP_LOSS", trailingDelta: "200" };
    assert.deepEqual(legsOf(ocoDraftOf(ticket, { ...X, ...modes } as Market))[0], { ...stop, ...sent });
  }
});

test("a price from the book is replaced by a clicked level, and cleared with the form", () => {
  const ticket = filled();
  ticket.pegPriceType.value = "MARKET_PEG";
  ticket.fillPrice("101.00");
  const { price, pegPriceType } = draftOf(ticket, X);
  assert.deepEqual([price, pegPriceType], ["101.00", undefined]);
  ticket.pegPriceType.value = "MARKET_PEG";
  ticket.clear();
  assert.equal(draftOf(ticket, X).pegPriceType, undefined);
});

test("post-only means nothing in a market without it, and only post-only stays ticked in another market", () => {
  const ticket = filled();
  for (const option of ["isPostOnly", "isIceberg", "hasExits"] as const) ticket[option].value = true;
  const without = { ...X, orderTypes: ["LIMIT"], icebergAllowed: false };
  const limit = { symbol: "X", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "100.00", quantity: "2" };
  assert.deepEqual(draftOf(ticket, without), limit);
  ticket.clear();
  assert.deepEqual([ticket.isPostOnly.value, ticket.isIceberg.value, ticket.hasExits.value], [true, false, false]);
});

test("only markets that allow trailing stops have the kind", () => {
  const kinds = (market: object) => kindsOf({ orderTypes: ["LIMIT", "STOP_LOSS"], ...market } as unknown as Market);
  assert.deepEqual(kinds({ allowTrailingStop: true }), ["limit", "stop", "trailing-stop"]);
  assert.deepEqual(kinds({ allowTrailingStop: false }), ["limit", "stop"]);
  assert.deepEqual(kinds({ allowTrailingStop: true, orderTypes: ["LIMIT"] }), ["limit"]);
});

test("post-only has no time in force, an iceberg is GTC, and a market order may have an amount", () => {
  const ticket = filled();
  ticket.isPostOnly.value = true;
  ticket.isIceberg.value = true;
  const base = { symbol: "X", side: "BUY", price: "100.00", quantity: "2", icebergQty: "1" };
  assert.deepEqual(draftOf(ticket, X), { ...base, type: "LIMIT_MAKER" });
  ticket.isPostOnly.value = false;
  ticket.timeInForce.value = "IOC";
  assert.deepEqual(draftOf(ticket, X), { ...base, type: "LIMIT", timeInForce: "GTC" });
  ticket.kind.value = "market";
  ticket.byQuote.value = true;
  assert.deepEqual(draftOf(ticket, X), { symbol: "X", side: "BUY", type: "MARKET", quoteOrderQty: "50" });
});

test("the stop leg of an OCO is a market order unless it has a price", () => {
  const ticket = filled();
  ticket.kind.value = "oco";
  const both = { symbol: "X", side: "BUY", stopPrice: "90.00", quantity: "2" };
  const base = { ...both, limitType: "LIMIT_MAKER", price: "100.00" };
  assert.deepEqual(ocoDraftOf(ticket, X), base);
  ticket.fields.stopLimitPrice.value = "89.00";
  assert.deepEqual(ocoDraftOf(ticket, X), { ...base, stopLimitPrice: "89.00", stopLimitTimeInForce: "GTC" });
  ticket.timeInForce.value = "IOC";
  assert.equal(ocoDraftOf(ticket, X).stopLimitTimeInForce, "IOC");
  ticket.isIceberg.value = true;
  assert.equal(ocoDraftOf(ticket, X).stopLimitTimeInForce, "GTC", "as the form shows beside an iceberg");
});

test("the limit leg of an OCO has the fields of its type, and is no iceberg without a price", () => {
  const ticket = filled();
  ticket.kind.value = "oco";
  ticket.timeInForce.value = "IOC";
  ticket.fields.limitStopPrice.value = " 80.00";
  ticket.fields.stopLimitPrice.value = "91.00";
  const both = { symbol: "X", side: "BUY", stopPrice: "90.00", stopLimitPrice: "91.00", quantity: "2" };
  const [atOnce, later] = [{ stopLimitTimeInForce: "IOC" }, { stopLimitTimeInForce: "GTC" }];
  ticket.limitType.value = "TAKE_PROFIT";
  const market = { ...both, limitType: "TAKE_PROFIT", limitStopPrice: "80.00" };
  assert.deepEqual(ocoDraftOf(ticket, X), { ...market, ...atOnce });
  ticket.isIceberg.value = true;
  assert.deepEqual(ocoDraftOf(ticket, X), { ...market, ...atOnce }, "the tick is not shown, and means nothing");
  ticket.limitType.value = "TAKE_PROFIT_LIMIT";
  const limit = { ...market, limitType: "TAKE_PROFIT_LIMIT", price: "100.00", limitTimeInForce: "GTC" };
  assert.deepEqual(ocoDraftOf(ticket, X), { ...limit, ...later, limitIcebergQty: "1" });
  ticket.isIceberg.value = false;
  assert.deepEqual(ocoDraftOf(ticket, X), { ...limit, ...atOnce, limitTimeInForce: "IOC" });
});

test("a click on a level fills in the price, or the stop price of a type without a price", () => {
  const ticket = openTicket();
  ticket.fillPrice("5");
  assert.equal(ticket.fields.price.value, "5");
  ticket.kind.value = "stop";
  ticket.fillPrice("6");
  assert.deepEqual([ticket.fields.price.value, ticket.fields.stopPrice.value], ["5", "6"]);
  ticket.kind.value = "oco";
  ticket.limitType.value = "TAKE_PROFIT";
  ticket.fillPrice("7");
  assert.deepEqual([ticket.fields.limitStopPrice.value, ticket.fields.stopPrice.value], ["7", "6"]);
  ticket.clear();
  assert.equal(ticket.fields.price.value, "");
});

test("arrow keys move along the grid, first onto it, and never below zero", () => {
  assert.equal(stepped("100.00", "0.01000000", 2, 1), "100.01");
  assert.equal(stepped("100.00", "0.01000000", 2, -10), "99.90");
  assert.equal(stepped("100.005", "0.01000000", 2, 1), "100.01");
  assert.equal(stepped("100.005", "0.01000000", 2, -1), "100.00");
  assert.equal(stepped("", "0.50000000", 1, 1), "0.5");
  assert.equal(stepped("0.1", "0.50000000", 1, -10), "0.0");
  assert.equal(stepped("0.0", "0.50000000", 1, -10), "0.0");
});
