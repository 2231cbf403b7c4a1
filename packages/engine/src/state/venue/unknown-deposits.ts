/**
 * Coins that came and are nobody's, until an operator settles each. What was posted for is settled for good; what was
 * dismissed is not told again, and may still turn out to be a customer's.
 */
import { withoutTrailingZeros } from "../../number/decimal.ts";
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { UnknownDepositRecord } from "../../entry/venue-record.ts";
import type { CoinId } from "../../entry/wallet-command.ts";
import type { RejectReason } from "../../entry/reject.ts";
import { addressKey, coinKey } from "../funds/coin-key.ts";
import { digestOfContents, NO_CONTENTS, UsedIds } from "../funds/used-ids.ts";

/** What every report of an unattributed deposit must say alike. */
function contentsOfUnknown(edition: number, reported: Omit<UnknownDepositRecord, "seenMs">): number {
  const { network, address, tag, coin, amount, reason } = reported;
  return digestOfContents(edition, [addressKey(network, address, tag), coin, withoutZeros(amount), reason]);
}

/** `1.50` and `1.5` are one amount. Anything but a decimal stays as it is. */
function withoutZeros(amount: string): string {
  return /^\d+\.\d*$/.test(amount) ? withoutTrailingZeros(amount) : amount;
}

interface Decision {
  /** Edition of the rules. */
  readonly edition: number;
  readonly seq: number;
  /** Its contents, as in `UsedIds`. */
  readonly decision: number;
}

export class UnknownDeposits {
  private readonly byCoin = new Map<string, UnknownDepositRecord>();
  /** Contents of the reports of those that are over. */
  private readonly settled = new UsedIds();
  private readonly dismissed = new UsedIds();
  /** Contents of the decisions on those that are over. */
  private readonly decisions = new UsedIds();

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
  /** How a report compares with an earlier one of the coin, open or over: as `UsedIds.repeat`. */
  repeat(reported: Omit<UnknownDepositRecord, "seenMs">, edition: number): RejectReason | null {
    const key = coinKey(reported);
    const contents = contentsOfUnknown(edition, reported);
    const open = this.byCoin.get(key);
    if (open !== undefined) return contentsOfUnknown(edition, open) === contents ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
    return this.settled.repeat(key, contents) ?? this.dismissed.repeat(key, contents);
  }
  /** How a decision compares with the one that was made: as `UsedIds.repeat`. */
  repeatOfDecision(coin: CoinId, decision: number): RejectReason | null {
    return this.decisions.repeat(coinKey(coin), decision);
  }
  end(deposit: UnknownDepositRecord, isSettled: boolean, { edition, seq, decision }: Decision): void {
    const key = coinKey(deposit);
    this.byCoin.delete(key);
    (isSettled ? this.settled : this.dismissed).add(key, contentsOfUnknown(edition, deposit), seq);
    this.decisions.add(key, decision, seq);
  }
  /** It turned out to be a customer's. */
  forget(coin: CoinId): void {
    const key = coinKey(coin);
    this.byCoin.delete(key);
    if (!this.dismissed.has(key)) return;
    this.dismissed.delete(key);
    this.decisions.delete(key);
  }

  check(): void {
    for (const [key, deposit] of this.byCoin) {
      const isOver = this.settled.has(key) || this.dismissed.has(key);
      assert(key === coinKey(deposit) && !isOver, "a coin of nobody waits, or is settled or dismissed");
    }
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byCoin.values()]));
    for (const ids of [this.settled, this.dismissed, this.decisions]) ids.save(writer);
  }
  /** `hasContents`: false in layouts from before rules version 4, which list the coins alone. */
  load(reader: ByteReader, hasContents: boolean): void {
    for (const deposit of JSON.parse(reader.text()) as UnknownDepositRecord[]) this.add(deposit);
    if (hasContents) {
      for (const ids of [this.settled, this.dismissed, this.decisions]) ids.load(reader, true);
      return;
    }
    for (const over of [this.settled, this.dismissed]) {
      for (const key of JSON.parse(reader.text()) as string[]) {
        over.add(key, NO_CONTENTS, 0);
        this.decisions.add(key, NO_CONTENTS, 0);
      }
    }
  }
}
