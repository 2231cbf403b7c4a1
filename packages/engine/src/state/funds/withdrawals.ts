/** Withdrawals: the open ones, the ids of all, what was withdrawn lately, and the addresses that accounts allow. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { CONFIRMATION_LIFE_MS } from "../../limits.ts";
import { UsedIds } from "./used-ids.ts";
import type { RejectReason } from "../../entry/reject.ts";
import type { LetterStatus, WithdrawalRecord } from "../../entry/wallet-record.ts";

// Open withdrawals, and the ids of all.

export class Withdrawals {
  /** Open withdrawals, in the order of request. */
  private readonly byId = new Map<string, WithdrawalRecord>();
  /** Open withdrawals that wait for the mailed link, in the order of expiry. */
  private readonly unconfirmed = new Map<string, WithdrawalRecord>();
  /** Where letters stand that are not waiting, of withdrawals that wait for the mailed link. */
  private readonly letters = new Map<string, LetterStatus>();
  private readonly finished = new Set<string>();
  /** Clients' own ids, by account. */
  private readonly clientIds = new UsedIds();
  private readonly openByAccount = new Map<number, Map<string, WithdrawalRecord>>();

  get(withdrawalId: string): WithdrawalRecord | undefined {
    return this.byId.get(withdrawalId);
  }
  all(): Iterable<WithdrawalRecord> {
    return this.byId.values();
  }
  openCount(accountId: number): number {
    return this.openByAccount.get(accountId)?.size ?? 0;
  }
  /** The account's open withdrawals, in the order of request. */
  of(accountId: number): Iterable<WithdrawalRecord> {
    return this.openByAccount.get(accountId)?.values() ?? [];
  }

  /** The withdrawal while it is open; else the reason why there is none. */
  find(withdrawalId: string): WithdrawalRecord | RejectReason {
    return this.byId.get(withdrawalId) ?? (this.finished.has(withdrawalId) ? "WRONG_STATUS" : "UNKNOWN_WITHDRAWAL");
  }
  isTaken(withdrawalId: string): boolean {
    return this.byId.has(withdrawalId) || this.finished.has(withdrawalId);
  }
  /** How a request compares with the one that had the client's own id before: as `UsedIds.repeat`. */
  repeatOfClientId(accountId: number, withdrawOrderId: string, contents: number): RejectReason | null {
    return this.clientIds.repeat(clientKey(accountId, withdrawOrderId), contents);
  }

  /** `contents`: of the request, as in `UsedIds`; `seq`: of its entry. */
  add(withdrawal: WithdrawalRecord, contents: number, seq: number): void {
    const { accountId, withdrawOrderId } = withdrawal;
    this.put(withdrawal);
    if (withdrawOrderId === "") return;
    this.clientIds.add(clientKey(accountId, withdrawOrderId), contents, seq);
  }

  /** Replaces an open withdrawal by its record after a step. */
  advance(withdrawal: WithdrawalRecord): void {
    this.leaveMail(withdrawal);
    this.put(withdrawal);
  }

  /** The withdrawal no longer waits for the mail: it is confirmed, or can no longer be. */
  private leaveMail({ withdrawalId }: WithdrawalRecord): void {
    this.unconfirmed.delete(withdrawalId);
    this.letters.delete(withdrawalId);
  }

  letter(withdrawalId: string): LetterStatus {
    return this.letters.get(withdrawalId) ?? "waiting";
  }
  setLetter(withdrawalId: string, status: LetterStatus): void {
    if (status === "waiting") this.letters.delete(withdrawalId);
    else this.letters.set(withdrawalId, status);
  }

  /** Ends the withdrawal. */
  close(withdrawal: WithdrawalRecord): void {
    const { withdrawalId, accountId } = withdrawal;
    this.leaveMail(withdrawal);
    this.byId.delete(withdrawalId);
    this.finished.add(withdrawalId);
    const open = this.openByAccount.get(accountId);
    open?.delete(withdrawalId);
    if (open?.size === 0) this.openByAccount.delete(accountId);
  }

  /** The withdrawal whose mailed link expires first, if any. */
  firstUnconfirmed(): WithdrawalRecord | undefined {
    return this.unconfirmed.values().next().value;
  }
  nextDueMs(): number {
    const first = this.firstUnconfirmed();
    return first === undefined ? Number.POSITIVE_INFINITY : confirmableUntilMs(first);
  }

  private put(withdrawal: WithdrawalRecord): void {
    const { withdrawalId, accountId } = withdrawal;
    this.byId.set(withdrawalId, withdrawal);
    if (withdrawal.status === "emailSent") this.unconfirmed.set(withdrawalId, withdrawal);
    const open = this.openByAccount.get(accountId);
    if (open === undefined) this.openByAccount.set(accountId, new Map([[withdrawalId, withdrawal]]));
    else open.set(withdrawalId, withdrawal);
  }

  /** Throws when the indices are not those of the open withdrawals. */
  check(): void {
    let unconfirmed = 0;
    for (const [withdrawalId, withdrawal] of this.byId) {
      const { accountId, status } = withdrawal;
      assert(withdrawal.withdrawalId === withdrawalId, "a withdrawal is found by its number");
      const isOfAccount = this.openByAccount.get(accountId)?.get(withdrawalId) === withdrawal;
      assert(isOfAccount, "an account knows its open withdrawals");
      if (status !== "emailSent") continue;
      assert(this.unconfirmed.get(withdrawalId) === withdrawal, "a withdrawal that waits for its link can expire");
      unconfirmed++;
    }
    assert(this.unconfirmed.size === unconfirmed, "no withdrawal waits in vain");
    const open = [...this.openByAccount.values()].reduce((sum, { size }) => sum + size, 0);
    assert(open === this.byId.size, "every open withdrawal is its account's");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.byId.size);
    for (const { amount, fee, accountSum24h, ...fields } of this.byId.values()) {
      const letter = this.letters.get(fields.withdrawalId);
      writer.text(JSON.stringify({ ...fields, accountSum24h: accountSum24h?.toString(), letter }));
      writer.big(amount);
      writer.big(fee);
    }
    writer.uint(this.finished.size);
    for (const id of this.finished) writer.text(id);
    this.clientIds.save(writer);
  }

  /** `hasContents`: as `UsedIds.load`. */
  load(reader: ByteReader, hasContents: boolean): void {
    for (let left = reader.uint(); left > 0; left--) {
      const { letter = "waiting", accountSum24h, ...fields } = JSON.parse(reader.text());
      const counted = accountSum24h === undefined ? {} : { accountSum24h: BigInt(accountSum24h) };
      this.put({ ...fields, amount: reader.big(), fee: reader.big(), ...counted });
      this.setLetter(fields.withdrawalId, letter);
    }
    for (let left = reader.uint(); left > 0; left--) this.finished.add(reader.text());
    this.clientIds.load(reader, hasContents);
  }
}

/** The first moment at which the mailed link is no longer valid. */
export function confirmableUntilMs({ applyTimeMs }: WithdrawalRecord): number {
  return applyTimeMs + CONFIRMATION_LIFE_MS;
}

function clientKey(accountId: number, withdrawOrderId: string): string {
  return `${accountId} ${withdrawOrderId}`;
}
