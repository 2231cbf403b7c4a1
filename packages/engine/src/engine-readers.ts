/** The parts of the read side. Each class implements one interface of `engine-view.ts` on the state. */
import type {
  Holder,
  InvitationRecord,
  NoticeRecord,
  OperatorRecord,
  RecoveryRecord,
  SessionRecord,
} from "./entry/access.ts";
import type { ExchangeState } from "./state/exchange-state.ts";
import type { AccessView, FundsView, NodeRecord, NodesView, RoleRecord, VenueView } from "./engine-view.ts";
import type { RejectReason } from "./entry/reject.ts";
import { dustFaults } from "./funds/dust.ts";
import type { NetworkHeight } from "./state/funds/funds.ts";
import type { CoinId } from "./entry/wallet-command.ts";
import type {
  AllowedAddress,
  DepositAddress,
  DepositRecord,
  DustRules,
  LetterStatus,
  WithdrawalRecord,
  WithdrawnSums,
} from "./entry/wallet-record.ts";
import type { LimitsOverTime } from "./entry/symbol.ts";
import { masterIdOf, withdrawable } from "./funds/withdrawal-checks.ts";
import type { Command, NodeBatch, ProposalRecord } from "./entry/command.ts";
import { batchRefusal } from "./nodes.ts";
import type {
  ApprovalRules,
  BreakGlassRecord,
  PublishedProof,
  StopRecord,
  StopScope,
  UnknownDepositRecord,
} from "./entry/venue.ts";
import { repeatOfAdjustment, repeatOfDecision } from "./venue/adjustments.ts";

export class AccessReader implements AccessView {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  operator(name: string): OperatorRecord | undefined {
    return this.#state.operators.get(name);
  }
  operators(): Iterable<OperatorRecord> {
    return this.#state.operators.all();
  }
  sealedPassword(holder: Holder): string | undefined {
    return this.#state.passwords.get(holder);
  }
  heldUntilMs(holder: Holder): number {
    return this.#state.passwords.heldUntilMs(holder);
  }
  totpStep(accountId: number): number {
    return this.#state.funds.totpSteps.get(accountId) ?? -1;
  }
  session(sessionId: string, nowMs: number): SessionRecord | undefined {
    const session = this.#state.sessions.get(sessionId);
    return session !== undefined && nowMs < session.untilMs ? session : undefined;
  }
  sessions(holder: Holder, nowMs: number): readonly SessionRecord[] {
    return this.#state.sessions.of(holder).filter(({ untilMs }) => nowMs < untilMs);
  }
  invitation(invitationId: string, nowMs: number): InvitationRecord | undefined {
    const invitation = this.#state.invitations.get(invitationId);
    return invitation !== undefined && nowMs < invitation.untilMs ? invitation : undefined;
  }
  invitations(): Iterable<InvitationRecord> {
    return this.#state.invitations.all();
  }
  recovery(recoveryId: string): RecoveryRecord | undefined {
    return this.#state.recoveries.get(recoveryId);
  }
  recoveryOf(holder: Holder): RecoveryRecord | undefined {
    return this.#state.recoveries.of(holder);
  }
  notice(noticeId: number): NoticeRecord | undefined {
    return this.#state.notices.get(noticeId);
  }
  notices(): Iterable<NoticeRecord> {
    return this.#state.notices.all();
  }
}

export class FundsReader implements FundsView {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  get dustRules(): DustRules | undefined {
    return this.#state.funds.dustRules;
  }
  dustFaults(accountId: number, assets: readonly string[]): ReadonlyMap<string, RejectReason> {
    return dustFaults(this.#state, accountId, assets);
  }

  depositAddress(accountId: number, network: string): DepositAddress | undefined {
    return this.#state.funds.addresses.get(accountId, network);
  }
  addressOwner(network: string, address: string, tag: string): number | undefined {
    return this.#state.funds.addresses.owner(network, address, tag);
  }
  depositAddresses(network: string): Iterable<DepositAddress> {
    return this.#state.funds.addresses.of(network);
  }

  openDeposits(network: string): readonly DepositRecord[] {
    return this.#state.funds.deposits.of(network);
  }
  isDeposit(coin: CoinId): boolean {
    return this.#state.funds.deposits.isTaken(coin);
  }
  isDropped(coin: CoinId): boolean {
    return this.#state.funds.deposits.isDropped(coin);
  }
  openDeposit(coin: CoinId): DepositRecord | undefined {
    const found = this.#state.funds.deposits.find(coin);
    return typeof found === "string" ? undefined : found;
  }
  finalDepositId(coin: CoinId): number | undefined {
    return this.#state.funds.deposits.idOfFinal(coin);
  }
  entryOfReference(reference: string): number | undefined {
    return this.#state.moveReferences.get(reference)?.seq || undefined;
  }
  dividend(reference: string): { readonly seq: number; readonly tranId: number } | undefined {
    const use = this.#state.funds.distributed.get(reference);
    return use === undefined || use.seq === 0 ? undefined : { seq: use.seq, tranId: Number(use.answer) };
  }
  transferOf(masterId: number, clientTranId: string): number | undefined {
    return this.#state.funds.transferIds.tranIdOf(masterId, clientTranId);
  }
  withdrawal(withdrawalId: string): WithdrawalRecord | undefined {
    return this.#state.funds.withdrawals.get(withdrawalId);
  }
  openWithdrawals(): readonly WithdrawalRecord[] {
    return [...this.#state.funds.withdrawals.all()];
  }
  letter(withdrawalId: string): LetterStatus {
    return this.#state.funds.withdrawals.letter(withdrawalId);
  }
  openWithdrawalsOf(accountId: number): Iterable<WithdrawalRecord> {
    return this.#state.funds.withdrawals.of(accountId);
  }
  withdrawable(accountId: number, assetId: number): bigint {
    return withdrawable(this.#state, accountId, assetId);
  }

  withdrawn(accountId: number | null, nowMs: number): ReadonlyMap<number, WithdrawnSums> {
    const masterId = accountId === null ? null : masterIdOf(this.#state, accountId);
    return this.#state.funds.withdrawalCounts.withdrawn(masterId, nowMs);
  }
  ownWithdrawalLimits(accountId: number): ReadonlyMap<number, LimitsOverTime> {
    return this.#state.funds.withdrawalCounts.allOwnLimitsOf(masterIdOf(this.#state, accountId));
  }

  allowedAddresses(accountId: number): readonly AllowedAddress[] {
    return this.#state.funds.allowed.of(accountId);
  }
  accountsWithAddresses(): Iterable<number> {
    return this.#state.funds.allowed.accountIds();
  }
  networkHeight(network: string): NetworkHeight | undefined {
    return this.#state.funds.heights.get(network);
  }
}

export class NodesReader implements NodesView {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  accepts(header: NodeBatch): boolean {
    return this.refusal(header) === null;
  }
  refusal(header: NodeBatch): RejectReason | null {
    return batchRefusal(this.#state.nodes, header);
  }

  node(name: string): NodeRecord | undefined {
    return this.#state.nodes.get(name);
  }
  all(): Iterable<NodeRecord> {
    return this.#state.nodes.all();
  }
  role(name: string): RoleRecord | undefined {
    return this.#state.nodes.role(name);
  }
  roles(): Iterable<RoleRecord> {
    return this.#state.nodes.roles();
  }
}

export class VenueReader implements VenueView {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  stops(): Iterable<StopRecord> {
    return this.#state.stops.all();
  }
  isStopped(scope: StopScope, nowMs: number): boolean {
    return this.#state.stops.isOn(scope, nowMs);
  }
  stopsCoin(asset: string, network: string, nowMs: number): boolean {
    return this.#state.stops.stopsCoin(asset, network, nowMs);
  }
  stopsWithdrawing(asset: string, network: string, nowMs: number): boolean {
    return this.#state.stops.stopsWithdrawing(asset, network, nowMs);
  }
  get approvalRules(): ApprovalRules {
    return this.#state.proposals.rules;
  }
  get breakGlass(): BreakGlassRecord | null {
    return this.#state.proposals.breakGlass;
  }
  proposal(proposalId: string): ProposalRecord | undefined {
    return this.#state.proposals.get(proposalId);
  }
  proposals(): Iterable<ProposalRecord> {
    return this.#state.proposals.all();
  }
  unknownDeposits(): Iterable<UnknownDepositRecord> {
    return this.#state.unknownDeposits.all();
  }
  unknownDeposit(coin: CoinId): UnknownDepositRecord | undefined {
    return this.#state.unknownDeposits.get(coin);
  }
  isNoted(coin: CoinId): boolean {
    return this.#state.unknownDeposits.isTaken(coin);
  }
  repeatOf(command: Command<"adjust"> | Command<"settleUnknownDeposit">): RejectReason | null {
    return command.type === "adjust"
      ? repeatOfAdjustment(this.#state, command)
      : repeatOfDecision(this.#state, command);
  }
  get lastProof(): PublishedProof | null {
    return this.#state.lastProof;
  }
}
