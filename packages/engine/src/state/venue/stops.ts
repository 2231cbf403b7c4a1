/** What is stopped on the whole venue. Orders ask first of all, so the answer for them is two numbers. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { StopRecord, StopScope } from "../../entry/venue-record.ts";

export class Stops {
  private readonly byScope = new Map<StopScope, StopRecord>();
  private placingUntilMs = 0;
  private cancellingUntilMs = 0;

  get size(): number {
    return this.byScope.size;
  }
  all(): Iterable<StopRecord> {
    return this.byScope.values();
  }
  get(scope: StopScope): StopRecord | undefined {
    return this.byScope.get(scope);
  }
  put(stop: StopRecord): void {
    this.byScope.set(stop.scope, stop);
    this.derive();
  }
  remove(scope: StopScope): void {
    this.byScope.delete(scope);
    this.derive();
  }

  isOn(scope: StopScope, nowMs: number): boolean {
    return nowMs < endOf(this.byScope.get(scope));
  }
  /** Whether what is stopped now stays so after that time; null: for ever. */
  lastsBeyond(scope: StopScope, untilMs: number | null, nowMs: number): boolean {
    return this.isOn(scope, nowMs) && endOf(this.byScope.get(scope)) > (untilMs ?? Number.POSITIVE_INFINITY);
  }
  /** Whether nobody may place an order. */
  stopsPlacing(nowMs: number): boolean {
    return nowMs < this.placingUntilMs;
  }
  /** Whether nobody may cancel one either. */
  stopsCancelling(nowMs: number): boolean {
    return nowMs < this.cancellingUntilMs;
  }
  /** Whether the asset's coins may not move on the network, in or out. */
  stopsCoin(asset: string, network: string, nowMs: number): boolean {
    if (this.byScope.size === 0) return false;
    return this.isOn(`coin:${asset}`, nowMs) || this.isOn(`network:${network}`, nowMs);
  }
  /** Whether the asset's coins may not leave by the network. */
  stopsWithdrawing(asset: string, network: string, nowMs: number): boolean {
    if (this.byScope.size === 0) return false;
    return this.isOn("withdrawals", nowMs) || this.stopsCoin(asset, network, nowMs);
  }

  /** When the next one ends by itself; Infinity: never. */
  nextDueMs(): number {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const { untilMs } of this.byScope.values()) if (untilMs !== null && untilMs < dueMs) dueMs = untilMs;
    return dueMs;
  }

  private derive(): void {
    this.cancellingUntilMs = endOf(this.byScope.get("trading"));
    this.placingUntilMs = Math.max(this.cancellingUntilMs, endOf(this.byScope.get("placing")));
  }

  check(): void {
    for (const [scope, stop] of this.byScope) assert(stop.scope === scope, "a stop is found by its scope");
    const [trading, placing] = [endOf(this.byScope.get("trading")), endOf(this.byScope.get("placing"))];
    assert(this.cancellingUntilMs === trading, "a stop of all trading stops cancels");
    assert(this.placingUntilMs === Math.max(trading, placing), "stops of trading stop new orders");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byScope.values()]));
  }
  load(reader: ByteReader): void {
    for (const stop of JSON.parse(reader.text()) as StopRecord[]) this.put(stop);
  }
}

function endOf(stop: StopRecord | undefined): number {
  return stop === undefined ? 0 : (stop.untilMs ?? Number.POSITIVE_INFINITY);
}
