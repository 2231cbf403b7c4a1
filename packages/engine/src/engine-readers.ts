/**
 * The read side of the engine: queries of the current state for a gateway. Queries never change the state. `nowMs` is
 * the caller's current time, because windows and expiry times advance between entries as well.
 */
import type { InterfaceName } from "./entry/edition.ts";
import type { OrderIdScope } from "./entry/order-id.ts";
import type {
  ApiKey,
  Holder,
  InvitationRecord,
  NoticeRecord,
  OperatorRecord,
  RecoveryRecord,
  SessionRecord,
} from "./entry/access.ts";
import type { ExchangeState } from "./state/exchange-state.ts";
import type {
  AccountView,
  AssetView,
  BalanceView,
  MarketView,
  NodeRecord,
  QuoteView,
  RoleRecord,
  SharedEmail,
} from "./engine-view.ts";
import type { ExchangeFilters } from "./filters.ts";
import type { OrderListRecord, OrderRecord } from "./entry/order-record.ts";
import type { RejectReason } from "./entry/reject.ts";
import { dustFaults } from "./funds/dust.ts";
import type { NetworkHeight } from "./state/funds/funds.ts";
import type { CoinId } from "./entry/wallet-command.ts";
import type {
  AllowedAddress,
  ApiTradingLock,
  DepositAddress,
  DepositRecord,
  DustRules,
  LetterStatus,
  WithdrawalRecord,
  WithdrawnSums,
} from "./entry/wallet-record.ts";
import type { LimitsOverTime } from "./entry/symbol.ts";
import { masterIdOf, withdrawable } from "./funds/withdrawal-checks.ts";
import type {
  Command,
  DiscountRules,
  FillCredits,
  NodeBatch,
  OrderLimit,
  PlaceOrder,
  ProposalRecord,
  SharedSetting,
} from "./entry/command.ts";
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
import { needsTwo } from "./venue/rights.ts";

export class AccessReader {
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
  /** The sealed hash of the holder's password; undefined if the holder has none. */
  sealedPassword(holder: Holder): string | undefined {
    return this.#state.passwords.get(holder);
  }
  /** The time until which withdrawals are held after a password recovery; 0 if they are not held. */
  heldUntilMs(holder: Holder): number {
    return this.#state.passwords.heldUntilMs(holder);
  }
  /** The time step of the account's last two-factor code; -1 if there was none. */
  totpStep(accountId: number): number {
    return this.#state.funds.totpSteps.get(accountId) ?? -1;
  }
  /** Returns undefined if the session does not exist or has expired at `nowMs`. */
  session(sessionId: string, nowMs: number): SessionRecord | undefined {
    const session = this.#state.sessions.get(sessionId);
    return session !== undefined && nowMs < session.untilMs ? session : undefined;
  }
  sessions(holder: Holder, nowMs: number): readonly SessionRecord[] {
    return this.#state.sessions.of(holder).filter(({ untilMs }) => nowMs < untilMs);
  }
  /** Returns undefined if the invitation does not exist or has expired at `nowMs`. */
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
  /** Emails that are still to be sent, oldest first. */
  notices(): Iterable<NoticeRecord> {
    return this.#state.notices.all();
  }
}
export type AccessView = Pick<AccessReader, keyof AccessReader>;

export class FundsReader {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  get dustRules(): DustRules | undefined {
    return this.#state.funds.dustRules;
  }
  /** The reasons why assets cannot be converted as dust now, by asset name. Convertible assets are omitted. */
  dustFaults(accountId: number, assets: readonly string[]): ReadonlyMap<string, RejectReason> {
    return dustFaults(this.#state, accountId, assets);
  }

  /** The account's address on the network; undefined before one is assigned. */
  depositAddress(accountId: number, network: string): DepositAddress | undefined {
    return this.#state.funds.addresses.get(accountId, network);
  }
  /** The account to which the address belongs. */
  addressOwner(network: string, address: string, tag: string): number | undefined {
    return this.#state.funds.addresses.owner(network, address, tag);
  }
  depositAddresses(network: string): Iterable<DepositAddress> {
    return this.#state.funds.addresses.of(network);
  }

  /** Pending and credited deposits of the network. Final and dropped deposits are only in history. */
  openDeposits(network: string): readonly DepositRecord[] {
    return this.#state.funds.deposits.of(network);
  }
  /** Whether the transaction output is recorded as a customer's deposit: pending, credited or final. */
  isDeposit(coin: CoinId): boolean {
    return this.#state.funds.deposits.isTaken(coin);
  }
  /** Whether the deposit was dropped after a reorg. */
  isDropped(coin: CoinId): boolean {
    return this.#state.funds.deposits.isDropped(coin);
  }
  /** The deposit, if it is pending or credited. */
  openDeposit(coin: CoinId): DepositRecord | undefined {
    const found = this.#state.funds.deposits.find(coin);
    return typeof found === "string" ? undefined : found;
  }
  /** The id of a final deposit; undefined if it is not final, or became final before rules version 4. */
  finalDepositId(coin: CoinId): number | undefined {
    return this.#state.funds.deposits.idOfFinal(coin);
  }
  /**
   * The number of the entry that used the reference in a deposit, debit or adjustment. Undefined if there is none, or
   * if it is older than rules version 4.
   */
  entryOfReference(reference: string): number | undefined {
    return this.#state.moveReferences.get(reference)?.seq || undefined;
  }
  /** The dividend with this reference; undefined if there is none, or it was paid before rules version 4. */
  dividend(reference: string): { readonly seq: number; readonly tranId: number } | undefined {
    const use = this.#state.funds.distributed.get(reference);
    return use === undefined || use.seq === 0 ? undefined : { seq: use.seq, tranId: Number(use.answer) };
  }
  /** The id of the master's transfer with this client id, as long as the client id is stored. */
  transferOf(masterId: number, clientTranId: string): number | undefined {
    return this.#state.funds.transferIds.tranIdOf(masterId, clientTranId);
  }
  /** The withdrawal if it is open: emailSent, awaitingApproval or processing. */
  withdrawal(withdrawalId: string): WithdrawalRecord | undefined {
    return this.#state.funds.withdrawals.get(withdrawalId);
  }
  openWithdrawals(): readonly WithdrawalRecord[] {
    return [...this.#state.funds.withdrawals.all()];
  }
  /**
   * The state of the confirmation email for a withdrawal that waits for the emailed link; "waiting" for any other
   * withdrawal.
   */
  letter(withdrawalId: string): LetterStatus {
    return this.#state.funds.withdrawals.letter(withdrawalId);
  }
  openWithdrawalsOf(accountId: number): Iterable<WithdrawalRecord> {
    return this.#state.funds.withdrawals.of(accountId);
  }
  /** Free balance minus deposits that are not final yet. Units of the asset. */
  withdrawable(accountId: number, assetId: number): bigint {
    return withdrawable(this.#state, accountId, assetId);
  }

  /**
   * Sums of recent withdrawals by asset id, in units of the asset. An account is summed with its master and
   * sub-accounts; null returns the sums of all customers. Assets without withdrawals are omitted.
   */
  withdrawn(accountId: number | null, nowMs: number): ReadonlyMap<number, WithdrawnSums> {
    const masterId = accountId === null ? null : masterIdOf(this.#state, accountId);
    return this.#state.funds.withdrawalCounts.withdrawn(masterId, nowMs);
  }
  /**
   * The account's own withdrawal limits by asset id, which replace the asset's limits. A sub-account has those of its
   * master.
   */
  ownWithdrawalLimits(accountId: number): ReadonlyMap<number, LimitsOverTime> {
    return this.#state.funds.withdrawalCounts.allOwnLimitsOf(masterIdOf(this.#state, accountId));
  }

  allowedAddresses(accountId: number): readonly AllowedAddress[] {
    return this.#state.funds.allowed.of(accountId);
  }
  /** The accounts with at least one of `allowedAddresses`. Accounts may be added and removed during the iteration. */
  accountsWithAddresses(): Iterable<number> {
    return this.#state.funds.allowed.accountIds();
  }
  /** The block height up to which the watcher has read the network; undefined before its first report. */
  networkHeight(network: string): NetworkHeight | undefined {
    return this.#state.funds.heights.get(network);
  }
}
export type FundsView = Pick<FundsReader, keyof FundsReader>;

export class NodesReader {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  /** Whether a batch with this header is accepted. Repeated and late batches are rejected. */
  accepts(header: NodeBatch): boolean {
    return this.refusal(header) === null;
  }
  /** Why the batch is rejected; null if it is accepted. */
  refusal(header: NodeBatch): RejectReason | null {
    return batchRefusal(this.#state.nodes, header);
  }

  /** Returns undefined before the node's first batch. */
  node(name: string): NodeRecord | undefined {
    return this.#state.nodes.get(name);
  }
  all(): Iterable<NodeRecord> {
    return this.#state.nodes.all();
  }
  /** Returns undefined before the task is first granted. */
  role(name: string): RoleRecord | undefined {
    return this.#state.nodes.role(name);
  }
  roles(): Iterable<RoleRecord> {
    return this.#state.nodes.roles();
  }
}
export type NodesView = Pick<NodesReader, keyof NodesReader>;

export class VenueReader {
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
  /** Whether deposits and withdrawals of the asset over the network are suspended. */
  stopsCoin(asset: string, network: string, nowMs: number): boolean {
    return this.#state.stops.stopsCoin(asset, network, nowMs);
  }
  /** Whether withdrawals of the asset are suspended, on all networks or on this one. */
  stopsWithdrawing(asset: string, network: string, nowMs: number): boolean {
    return this.#state.stops.stopsWithdrawing(asset, network, nowMs);
  }
  get approvalRules(): ApprovalRules {
    return this.#state.proposals.rules;
  }
  /** Whether operators can only request the approval of this withdrawal, which another operator must give. */
  needsDualApproval(withdrawalId: string): boolean {
    return needsTwo(this.#state, { type: "approveWithdrawal", withdrawalId, by: "" });
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
  /**
   * Whether the output is recorded as an unattributed deposit: open, dismissed or settled, and not attributed to a
   * customer since.
   */
  isNoted(coin: CoinId): boolean {
    return this.#state.unknownDeposits.isTaken(coin);
  }
  /**
   * Compares the command with an earlier one for the same reference or deposit. Returns null if there is none,
   * ALREADY_EXISTS if the contents are equal.
   */
  repeatOf(command: Command<"adjust"> | Command<"settleUnknownDeposit">): RejectReason | null {
    return command.type === "adjust"
      ? repeatOfAdjustment(this.#state, command)
      : repeatOfDecision(this.#state, command);
  }
  /** The last published proof of liabilities; null if there is none. */
  get lastProof(): PublishedProof | null {
    return this.#state.lastProof;
  }
}
export type VenueView = Pick<VenueReader, keyof VenueReader>;

export interface EngineView {
  /** Number of the last entry applied; 0 before the first. */
  readonly seq: number;
  readonly timeMs: number;
  /** The number of events of all entries so far, including the last one. */
  readonly eventCount: number;
  /** The rules version that the journal follows. */
  readonly edition: number;
  /** The interface that the engine's rules follow. */
  readonly interface: InterfaceName;
  /** Where order ids are unique for clients. Ids of this view are unique across the exchange. */
  readonly orderIds: OrderIdScope;
  /** Check value of the master key that encrypts secrets, as in `bindMasterKey`; "" before it is known. */
  readonly masterKeyCheck: string;
  /** The settings that all nodes share; empty before a node has journaled them. A change creates a new list. */
  readonly sharedSettings: readonly SharedSetting[];
  readonly exchangeFilters: ExchangeFilters;
  /** The discount on commission that is paid in another asset; null if the venue offers none. */
  readonly commissionDiscount: DiscountRules | null;
  /** During maintenance, no orders can be placed and nothing can be withdrawn. */
  readonly isInMaintenance: boolean;
  readonly funds: FundsView;
  readonly nodes: NodesView;
  readonly access: AccessView;
  readonly venue: VenueView;
  assets(): readonly AssetView[];
  asset(assetId: number): AssetView;
  markets(): readonly MarketView[];
  market(symbolId: number): MarketView;
  marketBySymbol(symbol: string): MarketView | undefined;
  accounts(): Iterable<AccountView>;
  account(accountId: number): AccountView | undefined;
  /** The number of the account's trade group; `NO_TRADE_GROUP` if it has none. */
  tradeGroupOf(accountId: number): number;
  /**
   * The account for an address as typed by a user: the one with exactly this address, otherwise the one in lower case,
   * otherwise the only one whose address differs only in case.
   */
  accountByEmail(email: string): AccountView | undefined;
  /**
   * Email addresses in lower case that several accounts share, with these accounts, all of which are older than rules
   * version 4.
   */
  sharedEmails(): readonly SharedEmail[];
  subAccounts(masterId: number): readonly number[];
  balance(accountId: number, assetId: number): BalanceView;
  /** The rates in force for an account on a symbol. */
  fees(accountId: number, symbolId: number): { readonly makerBps: number; readonly takerBps: number };
  apiKey(apiKey: string): ApiKey | undefined;
  apiKeys(accountId: number): readonly ApiKey[];
  /** The lock of the account's API trading; undefined if none is in force at `nowMs`. */
  apiTradingLock(accountId: number, nowMs: number): ApiTradingLock | undefined;
  /** The listen key's account; undefined if the key is unknown or has expired at `nowMs`. */
  listenKeyAccount(listenKey: string, nowMs: number): number | undefined;
  /** The account's open listen key; undefined if it has none at `nowMs`. */
  listenKeyOf(accountId: number, nowMs: number): string | undefined;
  /** The order rate limits; empty before a node has journaled them. */
  readonly orderLimits: readonly OrderLimit[];
  /** How many orders the first fill of an order takes off the counts. */
  readonly fillCredits: FillCredits;
  /**
   * The number of orders that the account placed in the calendar window of this length that contains `nowMs`, or the
   * time of the last entry if that is later. Rejected orders and both legs of a list count. 0 if no limit has windows
   * of this length.
   */
  ordersInWindow(accountId: number, windowMs: number, nowMs: number): number;
  openOrder(orderId: number): OrderRecord | undefined;
  /** The account's open order with this client id on this symbol. */
  openOrderByClientId(accountId: number, symbolId: number, clientOrderId: string): OrderRecord | undefined;
  /** The account's open orders of one symbol, or of all symbols if undefined, in ascending order of `orderId`. */
  openOrders(accountId: number, symbolId?: number): OrderRecord[];
  countOpenOrders(accountId: number, symbolId?: number): number;
  /**
   * Visits the orders of `openOrders` in no particular order and without building a list, because an account may have
   * many thousands.
   */
  visitOpenOrders(accountId: number, symbolId: number | undefined, visit: (order: OrderRecord) => void): void;
  /** Visits the orders of one symbol without creating a record of each. The visited objects must not be stored. */
  visitQuotes(accountId: number, symbolId: number, visit: (order: QuoteView) => void): void;
  /** The order lists that are still executing; `openOrderLists` sorts them by id in ascending order. */
  openOrderList(orderListId: number): OrderListRecord | undefined;
  openOrderListByClientId(accountId: number, listClientOrderId: string): OrderListRecord | undefined;
  openOrderLists(accountId: number): readonly OrderListRecord[];
  countOpenOrderLists(accountId: number): number;
  /**
   * Runs every check of `placeOrder` except funds, without changing anything. Null means that the order would be
   * accepted.
   */
  check(command: PlaceOrder, nowMs: number): RejectReason | null;
  /** The time at which the next tick is due; Infinity if nothing depends on time. */
  nextDueMs(): number;
  /** The digest of all events so far: 16 hex digits. Equal journals give equal digests. */
  eventDigest(): string;
}
