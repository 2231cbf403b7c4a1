/**
 * Coins that came and are nobody's, until an operator settles each. What was posted for is settled for good; what was
 * dismissed is not told again, and may still turn out to be a customer's.
 */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { UnknownDepositRecord } from "../../entry/venue-record.ts";
import type { CoinId } from "../../entry/wallet-command.ts";
import { coinKey } from "../funds/coin-key.ts";

export class UnknownDeposits {
  private readonly byCoin = new Map<string, UnknownDepositRecord>();
  private readonly settled = new Set<string>();
  private readonly dismissed = new Set<string>();

  get size(): number {
    return this.byCoin.size;
  }
  get(coin: CoinId): UnknownDepositRecord | undefined {
    return this.byCoin.get(coinKey(coin));
  }
  isTaken(coin: CoinId): boolean {
    return this.byCoin.has(coinKey(coin)) || this.dismissed.has(coinKey(coin)) || this.isSettled(coin);
  }
  isSettled(coin: CoinId): boolean {
    return this.settled.has(coinKey(coin));
  }
  all(): Iterable<UnknownDepositRecord> {
    return this.byCoin.values();
  }
  add(deposit: UnknownDepositRecord): void {
    this.byCoin.set(coinKey(deposit), deposit);
  }
  settle(coin: CoinId): void {
    this.byCoin.delete(coinKey(coin));
    this.settled.add(coinKey(coin));
  }
  dismiss(coin: CoinId): void {
    this.byCoin.delete(coinKey(coin));
    this.dismissed.add(coinKey(coin));
  }
  /** It turned out to be a customer's. */
  forget(coin: CoinId): void {
    this.byCoin.delete(coinKey(coin));
    this.dismissed.delete(coinKey(coin));
  }

  check(): void {
    for (const [key, deposit] of this.byCoin) {
      const isOver = this.settled.has(key) || this.dismissed.has(key);
      assert(key === coinKey(deposit) && !isOver, "a coin of nobody waits, or is settled or dismissed");
    }
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byCoin.values()]));
    writer.text(JSON.stringify([...this.settled]));
    writer.text(JSON.stringify([...this.dismissed]));
  }
  load(reader: ByteReader): void {
    for (const deposit of JSON.parse(reader.text()) as UnknownDepositRecord[]) this.add(deposit);
    for (const key of JSON.parse(reader.text()) as string[]) this.settled.add(key);
    for (const key of JSON.parse(reader.text()) as string[]) this.dismissed.add(key);
  }
}
