/**
 * Values in both the engine and the protocol, which imports only types of the engine: the engine is the source. The
 * compiler compares the types, this test the values.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as engine from "@pricetime/engine";
import * as protocol from "@pricetime/protocol";
import type { z } from "zod";
import type {
  assetSchema,
  exchangeFiltersSchema,
  symbolFiltersSchema,
  symbolSchema,
} from "../../../src/platform/config/listing-schema.ts";
import { widthOf } from "../../../src/history/table/columns.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** As in the schema of the configuration, without the difference between mutable and other lists. */
type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** It compiles while they are the same. */
const SAME: {
  readonly sides: Same<engine.Side, protocol.Side>;
  readonly types: Same<engine.OrderType, protocol.OrderType>;
  /** The interface has more of them than this exchange ever returns. */
  readonly statuses: engine.OrderStatus extends protocol.OrderStatus ? true : false;
  readonly symbolStatuses: Same<engine.SymbolStatus, protocol.SymbolStatus>;
  readonly intervals: engine.PastInterval extends protocol.KlineInterval ? true : false;
  readonly filters: Same<Frozen<z.output<typeof symbolFiltersSchema>>, engine.SymbolFilters>;
  readonly exchangeFilters: Same<Frozen<z.output<typeof exchangeFiltersSchema>>, engine.ExchangeFilters>;
  readonly symbols: Same<Frozen<z.output<typeof symbolSchema>>, engine.SymbolSpec>;
  readonly assets: Same<Frozen<z.output<typeof assetSchema>>, engine.AssetSpec>;
} = {
  ...{ sides: true, types: true, statuses: true, symbolStatuses: true, intervals: true },
  ...{ filters: true, exchangeFilters: true, symbols: true, assets: true },
};

test("words that the engine and the interface share are the same, in the same order", () => {
  assert.ok(Object.values(SAME).every(Boolean));
  assert.deepEqual(engine.SIDES, protocol.SIDES);
  assert.deepEqual(engine.ORDER_TYPES, protocol.ORDER_TYPES);
  assert.deepEqual(engine.TIMES_IN_FORCE, protocol.TIMES_IN_FORCE);
  assert.deepEqual(engine.SYMBOL_STATUSES, protocol.SYMBOL_STATUSES);
});

test("a candle of the past is as wide as the interface's of that name", () => {
  for (const interval of engine.PAST_INTERVALS) assert.equal(widthOf(interval), engine.PAST_WIDTHS_MS[interval]);
});
