/**
 * Deposits: addresses, deposits that are not final yet, and the keys of earlier ones, so that no deposit counts twice.
 */
import type { CoinId } from "../../entry/wallet-command.ts";
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { DepositAddress, DepositRecord } from "../../entry/wallet-record.ts";
import type { RejectReason } from "../../entry/reject.ts";
import { digestOfContents, NO_CONTENTS, UsedIds } from "./used-ids.ts";

// Keys for objects of a chain: one output, address or transaction has one key, regardless of upper and lower case.

/** Hexadecimal text, in which upper and lower case are equal. In other encodings they differ. */
const HEXADECIMAL = /^(0x)?[0-9a-f]{40,}$/i;

function folded(text: string): string {
  return HEXADECIMAL.test(text) ? text.toLowerCase() : text;
}

/** The key of a transaction. The parts contain no line breaks, so different parts give different keys. */
export function transactionKey(network: string, txId: string): string {
  return `${network}\n${folded(txId)}`;
}

export function coinKey({ network, txId, output }: CoinId): string {
  return `${transactionKey(network, txId)}\n${output}`;
}

export function addressKey(network: string, address: string, tag: string): string {
  return `${network}\n${folded(address)}\n${tag}`;
}

// Deposit addresses: one for each account and network. Each address belongs to one account.

export class DepositAddresses {
  private readonly byKey = new Map<string, DepositAddress>();
  /** Addresses by network, then by account. */
  private readonly byNetwork = new Map<string, Map<number, DepositAddress>>();

  get(accountId: number, network: string): DepositAddress | undefined {
    return this.byNetwork.get(network)?.get(accountId);
  }
  owner(network: string, address: string, tag: string): number | undefined {
    return this.byKey.get(addressKey(network, address, tag))?.accountId;
  }
  of(network: string): Iterable<DepositAddress> {
    return this.byNetwork.get(network)?.values() ?? [];
  }
  all(): Iterable<DepositAddress> {
    return this.byKey.values();
  }

  add(address: DepositAddress): void {
    this.byKey.set(addressKey(address.network, address.address, address.tag), address);
    const ofNetwork = this.byNetwork.get(address.network);
    if (ofNetwork === undefined) this.byNetwork.set(address.network, new Map([[address.accountId, address]]));
    else ofNetwork.set(address.accountId, address);
  }

  /** Throws if the indices do not match the addresses. */
  check(): void {
    for (const [key, deposit] of this.byKey) {
      const { network, address, tag, accountId } = deposit;
      assert(key === addressKey(network, address, tag), "an address is found by what it is");
      assert(this.get(accountId, network) === deposit, "an account has one address on a network");
    }
    const count = [...this.byNetwork.values()].reduce((sum, { size }) => sum + size, 0);
    assert(count === this.byKey.size, "no address is left over");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.byKey.size);
    for (const address of this.byKey.values()) writer.text(JSON.stringify(address));
  }
  load(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) this.add(JSON.parse(reader.text()));
  }
}

// Deposits that are not final yet, and the keys of earlier ones.

interface DroppedDeposit extends Pick<DepositRecord, "depositId" | "accountId" | "assetId" | "owed"> {
  /** Digest of the contents, as in `UsedIds`. */
  readonly contents: number;
}

/** The contents that must be equal in every report of a deposit: the asset, the amount, and the address. */
export type ReportedDeposit = Pick<DepositRecord, "network" | "assetId" | "amount" | "address" | "tag">;

export function contentsOf(edition: number, reported: ReportedDeposit): number {
  const { network, assetId, amount, address, tag } = reported;
  return digestOfContents(edition, [assetId, amount, addressKey(network, address, tag)]);
}

/** Whether two reports are equal, compared by all contents. */
export function isSameReport(one: ReportedDeposit, other: ReportedDeposit): boolean {
  const [first, second] = [one, other].map(({ network, address, tag }) => addressKey(network, address, tag));
  return one.assetId === other.assetId && one.amount === other.amount && first === second;
}

/** The account's share of a deposit. */
export function sharePaid({ amount, owed }: Pick<DepositRecord, "amount" | "owed">): bigint {
  return amount - owed;
}

export class Deposits {
  private lastDepositId = 0;
  /** Pending and credited deposits by output, in the order in which they were first seen. */
  private readonly byCoin = new Map<string, DepositRecord>();
  /**
   * Dropped deposits by output. A deposit that is seen again retains its id and the amount that the treasury has paid
   * for it.
   */
  private readonly dropped = new Map<string, DroppedDeposit>();
  /** Outputs of final deposits. */
  private readonly finished = new UsedIds();
  /** Amounts that are credited but not final, by account and asset. */
  private readonly held = new Map<string, bigint>();

  get size(): number {
    return this.byCoin.size;
  }
  all(): Iterable<DepositRecord> {
    return this.byCoin.values();
  }
  of(network: string): DepositRecord[] {
    return [...this.byCoin.values()].filter((deposit) => deposit.network === network);
  }

  /** Units of the asset that the account may trade but not withdraw. */
  heldOf(accountId: number, assetId: number): bigint {
    return this.held.get(holdingKey(accountId, assetId)) ?? 0n;
  }

  /** The open deposit, otherwise the reason why there is none. */
  find(coin: CoinId): DepositRecord | RejectReason {
    const key = coinKey(coin);
    return (
      this.byCoin.get(key) ?? (this.finished.has(key) || this.dropped.has(key) ? "WRONG_STATUS" : "UNKNOWN_DEPOSIT")
    );
  }

  isDropped(coin: CoinId): boolean {
    return this.dropped.has(coinKey(coin));
  }
  /** Compares a report with that of a final deposit, like `UsedIds.repeat`. */
  repeatOfFinal(coin: CoinId, contents: number): RejectReason | null {
    return this.finished.repeat(coinKey(coin), contents);
  }
  /** Compares a report with that of a dropped deposit, like `UsedIds.repeat`. */
  repeatOfDropped(coin: CoinId, contents: number): RejectReason | null {
    const dropped = this.dropped.get(coinKey(coin));
    if (dropped === undefined) return null;
    if (dropped.contents === NO_CONTENTS) return "CONTENTS_NOT_KEPT";
    return dropped.contents === contents ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
  }
  /** The id of a final deposit; undefined if it is not final, or became final before rules version 4. */
  idOfFinal(coin: CoinId): number | undefined {
    const answer = this.finished.get(coinKey(coin))?.answer;
    return answer === undefined || answer === "" ? undefined : Number(answer);
  }
  /**
   * Whether the output already counts as a deposit. A deposit that was removed by a reorg does not, and may appear
   * again.
   */
  isTaken(coin: CoinId): boolean {
    const key = coinKey(coin);
    return this.byCoin.has(key) || this.finished.has(key);
  }

  see(deposit: Omit<DepositRecord, "depositId" | "owed" | "status" | "by">, by?: string): DepositRecord {
    const key = coinKey(deposit);
    const before = this.dropped.get(key);
    this.dropped.delete(key);
    const depositId = before?.depositId ?? ++this.lastDepositId;
    const owed = owedBy(deposit, before);
    const seen: DepositRecord = { depositId, ...deposit, owed, status: "pending", ...(by !== undefined && { by }) };
    this.byCoin.set(key, seen);
    return seen;
  }

  /** Credits the deposit. Returns the new record, as do `finish` and `drop`. */
  credit(deposit: DepositRecord): DepositRecord {
    const credited: DepositRecord = { ...deposit, status: "credited" };
    this.byCoin.set(coinKey(deposit), credited);
    this.hold(deposit, sharePaid(deposit));
    return credited;
  }

  finish(deposit: DepositRecord, contents: number, seq: number): DepositRecord {
    this.close(deposit);
    this.finished.add(coinKey(deposit), contents, seq, String(deposit.depositId));
    return { ...deposit, status: "success" };
  }

  /** `owed` is the treasury's total payment for this deposit so far. */
  drop(deposit: DepositRecord, owed: bigint, contents: number): DepositRecord {
    this.close(deposit);
    const { depositId, accountId, assetId } = deposit;
    this.dropped.set(coinKey(deposit), { depositId, accountId, assetId, owed, contents });
    return { ...deposit, status: "dropped" };
  }

  private close(deposit: DepositRecord): void {
    this.byCoin.delete(coinKey(deposit));
    if (deposit.status === "credited") this.hold(deposit, -sharePaid(deposit));
  }

  private hold({ accountId, assetId }: DepositRecord, change: bigint): void {
    const key = holdingKey(accountId, assetId);
    const held = (this.held.get(key) ?? 0n) + change;
    if (held === 0n) this.held.delete(key);
    else this.held.set(key, held);
  }

  /**
   * Throws if an open deposit cannot be found by its output, or the held amounts do not match the credited deposits.
   */
  check(): void {
    const credited = new Map<string, bigint>();
    for (const [key, deposit] of this.byCoin) {
      assert(key === coinKey(deposit), "a deposit is found by its coin");
      if (deposit.status !== "credited") continue;
      const holding = holdingKey(deposit.accountId, deposit.assetId);
      credited.set(holding, (credited.get(holding) ?? 0n) + sharePaid(deposit));
    }
    for (const [holding, units] of credited)
      assert(units === (this.held.get(holding) ?? 0n), "what is held was credited and is not final");
    for (const holding of this.held.keys()) assert(credited.has(holding), "what is held is of a credited deposit");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.lastDepositId);
    writer.uint(this.byCoin.size);
    for (const { amount, owed, ...fields } of this.byCoin.values()) {
      writer.text(JSON.stringify(fields));
      writer.big(amount);
      writer.big(owed);
    }
    writer.uint(this.dropped.size);
    for (const [key, { owed, ...fields }] of this.dropped) {
      writer.text(key);
      writer.text(JSON.stringify(fields));
      writer.big(owed);
    }
    this.finished.save(writer);
  }

  /** `hasContents` is described at `UsedIds.load`. */
  load(reader: ByteReader, hasContents: boolean): void {
    this.lastDepositId = reader.uint();
    for (let left = reader.uint(); left > 0; left--) {
      const deposit: DepositRecord = { ...JSON.parse(reader.text()), amount: reader.big(), owed: reader.big() };
      this.byCoin.set(coinKey(deposit), deposit);
      if (deposit.status === "credited") this.hold(deposit, sharePaid(deposit));
    }
    for (let left = reader.uint(); left > 0; left--) {
      const coin = reader.text();
      const { contents = NO_CONTENTS, ...fields } = JSON.parse(reader.text());
      this.dropped.set(coin, { ...fields, contents, owed: reader.big() });
    }
    this.finished.load(reader, hasContents);
  }
}

/** The amount owed to the treasury: nothing if the deposit now belongs to another account or is of another asset. */
function owedBy(
  { accountId, assetId, amount }: Pick<DepositRecord, "accountId" | "assetId" | "amount">,
  before: DroppedDeposit | undefined,
): bigint {
  if (before?.accountId !== accountId || before.assetId !== assetId) return 0n;
  return before.owed < amount ? before.owed : amount;
}

function holdingKey(accountId: number, assetId: number): string {
  return `${accountId} ${assetId}`;
}
