/** An engine with a clock and a short way to give it commands. */
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

export class Desk {
  engine = new Engine();
  nowMs = START_MS;

  /** `edition`: of the rules. Default: the newest. */
  constructor(edition = NEWEST_EDITION) {
    if (edition > FIRST_EDITION) this.run({ type: "adoptRules", edition });
  }

  /** Applies and answers all events. */
  run(command: Command): readonly Event[] {
    return this.engine.apply({ seq: this.engine.seq + 1, timeMs: this.nowMs, command });
  }

  /** Applies; the only event's reason when it was refused, else the events' types. */
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

  /** Back from its own snapshot, as after a restart. */
  restart(): void {
    const before = this.engine.eventDigest();
    this.engine = Engine.restore(this.engine.snapshot());
    assert.equal(this.engine.eventDigest(), before);
  }
}

export function symbolSpec(symbol: string, pair: string, filters: SymbolFilters = {}): SymbolSpec {
  return symbolOf(pair, filters, { symbol, orderTypes: ["LIMIT", "MARKET", "LIMIT_MAKER"] });
}
