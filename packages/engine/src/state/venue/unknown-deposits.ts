/** Coins that came and are nobody's, until an operator settles each; settled ones are known, so they come once. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { UnknownDepositRecord } from "../../entry/venue-record.ts";
import type { CoinId } from "../../entry/wallet-command.ts";
import { coinKey } from "../funds/coin-key.ts";

export class UnknownDeposits {
  private readonly byCoin = new Map<string, UnknownDepositRecord>();
  private readonly settled = new Set<string>();

  get size(): number {
    return this.byCoin.size;
  }
  get(coin: CoinId): UnknownDepositRecord | undefined {
    return this.byCoin.get(coinKey(coin));
  }
  isTaken(coin: CoinId): boolean {
    return this.byCoin.has(coinKey(coin)) || this.isSettled(coin);
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
  /** It turned out to be a customer's. */
  forget(coin: CoinId): void {
    this.byCoin.delete(coinKey(coin));
  }

  check(): void {
    for (const [key, deposit] of this.byCoin) {
      assert(key === coinKey(deposit) && !this.settled.has(key), "a coin of nobody waits or is settled");
    }
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byCoin.values()]));
    writer.text(JSON.stringify([...this.settled]));
  }
  load(reader: ByteReader): void {
    for (const deposit of JSON.parse(reader.text()) as UnknownDepositRecord[]) this.add(deposit);
    for (const key of JSON.parse(reader.text()) as string[]) this.settled.add(key);
  }
}
