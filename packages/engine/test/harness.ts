/** A test engine with a clock and shortcuts for commands. */
import assert from "node:assert/strict";
import {
  type Command,
  Engine,
  type Event,
  FIRST_EDITION,
  NEWEST_EDITION,
  type SymbolFilters,
  type SymbolSpec,
} from "@pricetime/engine";
import { listAsset, openAccount, symbolOf } from "@pricetime/testkit/commands";

export const BY = "test";
export const START_MS = Date.UTC(2021, 0, 1);

export class TestExchange {
  engine = new Engine();
  nowMs = START_MS;

  /** `edition` is the rules version. Default: the newest. */
  constructor(edition = NEWEST_EDITION) {
    if (edition > FIRST_EDITION) this.run({ type: "adoptRules", edition });
  }

  /** Applies a command and returns all events. */
  run(command: Command): readonly Event[] {
    return this.engine.apply({ seq: this.engine.seq + 1, timeMs: this.nowMs, command });
  }

  /** Applies a command and returns the reason if it was rejected, otherwise the types of its events. */
  answer(command: Command): string {
    const events = this.run(command);
    const [first] = events;
    if (first?.type !== "rejected") return events.map(({ type }) => type).join(" ");
    assert.equal(events.length, 1);
    return first.reason;
  }

  listAssets(...assets: readonly (readonly [asset: string, precision: number])[]): void {
    for (const each of assets) assert.equal(this.answer(listAsset(...each)), "assetListed");
  }

  openAccount(email: string): void {
    assert.equal(this.answer(openAccount(email)), "accountOpened");
  }

  /** Restores the engine from its own snapshot, as after a restart. */
  restart(): void {
    const before = this.engine.eventDigest();
    this.engine = Engine.restore(this.engine.snapshot());
    assert.equal(this.engine.eventDigest(), before);
  }
}

export function symbolSpec(symbol: string, pair: string, filters: SymbolFilters = {}): SymbolSpec {
  return symbolOf(pair, filters, { symbol, orderTypes: ["LIMIT", "MARKET", "LIMIT_MAKER"] });
}
