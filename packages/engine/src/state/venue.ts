/**
 * The state of the venue as a whole: suspensions, approval requests and rules, unattributed deposits, and the nodes.
 */
import { assert } from "../assert.ts";
import type { ByteReader, ByteWriter } from "../bytes.ts";
import type { ApprovalRules, BreakGlassRecord, StopRecord, StopScope, UnknownDepositRecord } from "../entry/venue.ts";
import type { ProposalRecord } from "../entry/command.ts";
import { withoutTrailingZeros } from "../numbers.ts";
import type { CoinId } from "../entry/wallet-command.ts";
import type { RejectReason } from "../entry/reject.ts";
import { addressKey, coinKey } from "./funds/deposits.ts";
import { digestOfContents, NO_CONTENTS, UsedIds } from "./funds/used-ids.ts";
import type { NodeRecord, RoleRecord } from "../engine-view.ts";

// Suspensions. Every order is checked against them first, so the result for orders is cached as two numbers.

export class Suspensions {
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
  /** Whether the current suspension of the scope ends later than `untilMs`. null means no end. */
  lastsBeyond(scope: StopScope, untilMs: number | null, nowMs: number): boolean {
    return this.isOn(scope, nowMs) && endOf(this.byScope.get(scope)) > (untilMs ?? Number.POSITIVE_INFINITY);
  }
  /** Whether placing orders is suspended. */
  stopsPlacing(nowMs: number): boolean {
    return nowMs < this.placingUntilMs;
  }
  /** Whether cancelling orders is suspended as well. */
  stopsCancelling(nowMs: number): boolean {
    return nowMs < this.cancellingUntilMs;
  }
  /** Whether deposits and withdrawals of the asset over the network are suspended. */
  stopsCoin(asset: string, network: string, nowMs: number): boolean {
    if (this.byScope.size === 0) return false;
    return this.isOn(`coin:${asset}`, nowMs) || this.isOn(`network:${network}`, nowMs);
  }
  /** Whether withdrawals of the asset over the network are suspended. */
  stopsWithdrawing(asset: string, network: string, nowMs: number): boolean {
    if (this.byScope.size === 0) return false;
    return this.isOn("withdrawals", nowMs) || this.stopsCoin(asset, network, nowMs);
  }

  /** The time when the next suspension expires; Infinity if none does. */
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

// Approval requests, and the rules that define which actions need one.

/** Default rules: one approver besides the author, and only for actions that always need dual approval. */
export const NO_APPROVAL_RULES: ApprovalRules = { approvals: 1, withdrawalsAbove: [], acts: [] };

export class Proposals {
  rules: ApprovalRules = NO_APPROVAL_RULES;
  /** Null if no emergency override is announced. */
  breakGlass: BreakGlassRecord | null = null;
  private readonly byId = new Map<string, ProposalRecord>();

  get size(): number {
    return this.byId.size;
  }
  get(proposalId: string): ProposalRecord | undefined {
    return this.byId.get(proposalId);
  }
  all(): Iterable<ProposalRecord> {
    return this.byId.values();
  }
  /** The number of open requests that the operator has written or changed. */
  countOf(author: string): number {
    let count = 0;
    for (const { authors } of this.byId.values()) if (authors.includes(author)) count++;
    return count;
  }
  put(proposal: ProposalRecord): void {
    this.byId.set(proposal.proposalId, proposal);
  }
  remove(proposalId: string): void {
    this.byId.delete(proposalId);
  }

  /** Whether the rules require approval for any action. */
  get isAny(): boolean {
    return this.rules.acts.length > 0 || this.rules.withdrawalsAbove.length > 0;
  }
  /** The time when the next request expires or an emergency override takes effect; Infinity if nothing is due. */
  nextDueMs(): number {
    let dueMs = this.breakGlass?.fromMs ?? Number.POSITIVE_INFINITY;
    for (const { untilMs } of this.byId.values()) if (untilMs < dueMs) dueMs = untilMs;
    return dueMs;
  }

  check(): void {
    for (const [id, { proposalId, authors, approvals }] of this.byId) {
      assert(id === proposalId && authors.length > 0, "a proposal is found by its number");
      assert(!approvals.some((name) => authors.includes(name)), "nobody approves what is their own");
    }
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify({ rules: this.rules, breakGlass: this.breakGlass }));
    writer.text(JSON.stringify([...this.byId.values()]));
  }
  load(reader: ByteReader): void {
    Object.assign(this, JSON.parse(reader.text()));
    for (const proposal of JSON.parse(reader.text()) as ProposalRecord[]) this.put(proposal);
  }
}

// Unattributed deposits, each open until an operator settles it. A deposit that was settled by postings stays settled.
// A dismissed deposit is not reported again, but may still turn out to be a customer's.

/** Digest of the contents that must be equal in every report of an unattributed deposit. */
function contentsOfUnknown(edition: number, reported: Omit<UnknownDepositRecord, "seenMs">): number {
  const { network, address, tag, coin, amount, reason } = reported;
  return digestOfContents(edition, [addressKey(network, address, tag), coin, withoutZeros(amount), reason]);
}

/** `1.50` and `1.5` are the same amount. Texts that are not decimals are returned unchanged. */
function withoutZeros(amount: string): string {
  return /^\d+\.\d*$/.test(amount) ? withoutTrailingZeros(amount) : amount;
}

interface Decision {
  /** The rules version. */
  readonly edition: number;
  readonly seq: number;
  /** Digest of the contents of the decision, as in `UsedIds`. */
  readonly decision: number;
}

export class UnknownDeposits {
  private readonly byCoin = new Map<string, UnknownDepositRecord>();
  /** Contents of the reports of settled deposits. */
  private readonly settled = new UsedIds();
  private readonly dismissed = new UsedIds();
  /** Contents of the decisions on settled deposits. */
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
  /** Compares a report with an earlier one of the same deposit, open or settled, like `UsedIds.repeat`. */
  repeat(reported: Omit<UnknownDepositRecord, "seenMs">, edition: number): RejectReason | null {
    const key = coinKey(reported);
    const contents = contentsOfUnknown(edition, reported);
    const open = this.byCoin.get(key);
    if (open !== undefined) return contentsOfUnknown(edition, open) === contents ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
    return this.settled.repeat(key, contents) ?? this.dismissed.repeat(key, contents);
  }
  /** Compares a decision with the one that was made before, like `UsedIds.repeat`. */
  repeatOfDecision(coin: CoinId, decision: number): RejectReason | null {
    return this.decisions.repeat(coinKey(coin), decision);
  }
  end(deposit: UnknownDepositRecord, isSettled: boolean, { edition, seq, decision }: Decision): void {
    const key = coinKey(deposit);
    this.byCoin.delete(key);
    (isSettled ? this.settled : this.dismissed).add(key, contentsOfUnknown(edition, deposit), seq);
    this.decisions.add(key, decision, seq);
  }
  /** Removes an unattributed deposit that turned out to be a customer's. */
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
  /** `hasContents` is false in layouts from before rules version 4, which contain only the keys of the deposits. */
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

// The nodes that have written to the journal, and the tasks that were granted. Both are empty for a single node.

export class Nodes {
  private readonly byName = new Map<string, NodeRecord>();
  private readonly byRole = new Map<string, RoleRecord>();

  get size(): number {
    return this.byName.size;
  }
  get roleCount(): number {
    return this.byRole.size;
  }

  get(node: string): NodeRecord | undefined {
    return this.byName.get(node);
  }
  all(): Iterable<NodeRecord> {
    return this.byName.values();
  }
  put(record: NodeRecord): void {
    this.byName.set(record.node, record);
  }

  role(role: string): RoleRecord | undefined {
    return this.byRole.get(role);
  }
  roles(): Iterable<RoleRecord> {
    return this.byRole.values();
  }
  putRole(record: RoleRecord): void {
    this.byRole.set(record.role, record);
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byName.values()]));
    writer.text(JSON.stringify([...this.byRole.values()]));
  }

  load(reader: ByteReader): void {
    for (const record of JSON.parse(reader.text()) as NodeRecord[]) this.put(record);
    for (const record of JSON.parse(reader.text()) as RoleRecord[]) this.putRole(record);
  }
}
