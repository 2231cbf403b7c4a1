/**
 * The read side of the engine: queries of the current state for a gateway. Reading never changes the state. `nowMs` is
 * the reader's clock, for windows that move between entries.
 */
import type {
  ApiKey,
  Holder,
  InvitationRecord,
  NoticeRecord,
  OperatorRecord,
  RecoveryRecord,
  SessionRecord,
} from "./entry/access.ts";
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
import type { OrderListRecord, OrderRecord, Side } from "./entry/order-record.ts";
import type { Command, NodeBatch, OrderLimit, PlaceOrder, ProposalRecord, SharedSetting } from "./entry/command.ts";
import type { RejectReason } from "./entry/reject.ts";
import type { PastReach } from "./entry/past-candle.ts";
import type { SymbolScale } from "./numbers.ts";
import type { AveragePriceView, ExchangeFilters } from "./filters.ts";
import type { AssetSpec, LimitsOverTime, SymbolSpec, SymbolStatus } from "./entry/symbol.ts";
import type {
  ApprovalRules,
  BreakGlassRecord,
  DelistingRecord,
  PublishedProof,
  StopRecord,
  StopScope,
  UnknownDepositRecord,
} from "./entry/venue.ts";
import type { CoinId } from "./entry/wallet-command.ts";

/** Units of the asset. */
export interface BalanceView {
  readonly free: bigint;
  readonly locked: bigint;
}

export interface AssetView {
  readonly assetId: number;
  readonly spec: AssetSpec;
}

export interface AccountView {
  readonly accountId: number;
  readonly email: string;
  readonly name: string;
  readonly makerBps: number;
  readonly takerBps: number;
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  readonly canDeposit: boolean;
  readonly createdMs: number;
  /** The master of a sub-account; null for a master. */
  readonly masterId: number | null;
  /** False for a disabled sub-account. */
  readonly isEnabled: boolean;
  readonly confirmsByMail: boolean;
  /** Whether withdrawals are restricted to the account's address allowlist. */
  readonly isAddressListEnforced: boolean;
  /** The time from which the allowlist is no longer enforced; absent if it was not switched off. */
  readonly addressListEndsMs?: number;
  /** Sealed two-factor secret; null if no code is required. */
  readonly sealedTotp: string | null;
  /** The operator's message in accountStatus; "" if there is none. */
  readonly statusMessage: string;
  readonly statusObjs: readonly string[];
  /** Time of the last change of a balance. */
  readonly updateTimeMs: number;
}

/** One price of the book: `[priceTicks, lots]`, visible lots only. */
export type DepthLevel = readonly [priceTicks: number, lots: number];

/**
 * 24 h up to `nowMs`. A count of 0 means no trade in the window, lastTicks 0 that there was never a trade. Candles from
 * before the first trade count with their own figures. Ids are those of trades, -1 if there is none.
 */
export interface TickerView {
  /** 0 if there was no trade before the window. */
  readonly prevCloseTicks: number;
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly lastTicks: number;
  readonly lastLots: number;
  readonly volumeLots: bigint;
  /** Units of the quote asset. */
  readonly quoteVolume: bigint;
  readonly openTimeMs: number;
  readonly closeTimeMs: number;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly count: number;
}

export interface MarketView {
  readonly symbolId: number;
  /** The specification from the listing, with the current status and filters. */
  readonly spec: SymbolSpec;
  readonly scale: SymbolScale;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
  /** Increases by one with every command that changed the book. `lastUpdateId` of depth. */
  readonly bookUpdateId: number;
  /** Before the first trade, the close of the last earlier candle; 0 if there is none. */
  readonly lastTradeTicks: number;
  /** 0 before the first trade. */
  readonly firstTradeMs: number;
  /** Candles from before the first trade; null if there are none. */
  readonly past: PastReach | null;
  /** When the symbol stops trading permanently; null if no delisting is scheduled. */
  readonly delisting: DelistingRecord | null;
  /** Whether the time of the delisting has passed and a later entry has been applied. */
  readonly isDelisted: boolean;
  /**
   * Whether an operator or a delisting is ending the open orders in steps. The symbol cannot trade again until this is
   * done.
   */
  readonly isEndingOrders: boolean;
  /** The number of open orders, including waiting stop orders. */
  readonly openOrderCount: number;
  /** The status with which the engine checks an order at this time: BREAK from the delisting on. */
  statusAt(nowMs: number): SymbolStatus;
  /** The best price of a side; `[0, 0]` if there are no orders. */
  bestLevel(side: Side): DepthLevel;
  bids(limit: number): DepthLevel[];
  asks(limit: number): DepthLevel[];
  /** Visible lots at a price; 0 if no order rests there. */
  visibleLotsAt(side: Side, priceTicks: number): number;
  averagePrice(mins: number, nowMs: number): AveragePriceView;
  ticker(nowMs: number): TickerView;
}

/** The public fields of an open order. */
export type QuoteView = Pick<OrderRecord, "orderId" | "side" | "priceTicks" | "quantityLots" | "executedLots">;

/** An address in lower case, and the accounts whose addresses differ from it only in case, oldest first. */
export interface SharedEmail {
  readonly email: string;
  readonly accounts: readonly AccountView[];
}

export interface EngineView {
  /** Number of the last entry applied; 0 before the first. */
  readonly seq: number;
  readonly timeMs: number;
  /** The number of events of all entries so far, including the last one. */
  readonly eventCount: number;
  /** The rules version that the journal follows. */
  readonly edition: number;
  /** Check value of the master key that encrypts secrets, as in `BindMasterKey`; "" before it is known. */
  readonly masterKeyCheck: string;
  /** The settings that all nodes share; empty before a node has journaled them. A change creates a new list. */
  readonly sharedSettings: readonly SharedSetting[];
  readonly exchangeFilters: ExchangeFilters;
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
  /**
   * The account for an address as typed by a user: the one with exactly this address, otherwise the one in lower case,
   * otherwise the only one whose address differs only in case.
   */
  accountByEmail(email: string): AccountView | undefined;
  /** Addresses in lower case that several accounts share, with these accounts. All are from before rules version 4. */
  sharedEmails(): readonly SharedEmail[];
  subAccounts(masterId: number): readonly number[];
  balance(accountId: number, assetId: number): BalanceView;
  /** The rates in force for an account on a symbol. */
  fees(accountId: number, symbolId: number): { readonly makerBps: number; readonly takerBps: number };
  apiKey(apiKey: string): ApiKey | undefined;
  apiKeys(accountId: number): readonly ApiKey[];
  /** Undefined if no lock is in force at `nowMs`. */
  apiTradingLock(accountId: number, nowMs: number): ApiTradingLock | undefined;
  /** The listen key's account; undefined if the key is unknown or has expired at `nowMs`. */
  listenKeyAccount(listenKey: string, nowMs: number): number | undefined;
  /** The account's open listen key; undefined if it has none at `nowMs`. */
  listenKeyOf(accountId: number, nowMs: number): string | undefined;
  /** The limits on orders; empty before a node has journaled them. */
  readonly orderLimits: readonly OrderLimit[];
  /**
   * The account's orders, including rejected ones and both of a list, in the calendar window of this length that
   * contains `nowMs`, or the last entry if that is later. 0 if no limit has such windows.
   */
  ordersInWindow(accountId: number, windowMs: number, nowMs: number): number;
  openOrder(orderId: number): OrderRecord | undefined;
  /** The account's open order with this client id on this symbol. */
  openOrderByClientId(accountId: number, symbolId: number, clientOrderId: string): OrderRecord | undefined;
  /** The account's open orders of one symbol, or of all symbols if undefined, in ascending order of `orderId`. */
  openOrders(accountId: number, symbolId?: number): OrderRecord[];
  countOpenOrders(accountId: number, symbolId?: number): number;
  /**
   * Visits the same orders in no particular order and without building a list, because an account may have many
   * thousands.
   */
  visitOpenOrders(accountId: number, symbolId: number | undefined, visit: (order: OrderRecord) => void): void;
  /** Visits the orders of one symbol without creating a record of each. The visited objects must not be stored. */
  visitQuotes(accountId: number, symbolId: number, visit: (order: QuoteView) => void): void;
  /** Executing lists, in ascending order of id. */
  openOrderList(orderListId: number): OrderListRecord | undefined;
  openOrderListByClientId(accountId: number, listClientOrderId: string): OrderListRecord | undefined;
  openOrderLists(accountId: number): readonly OrderListRecord[];
  countOpenOrderLists(accountId: number): number;
  /**
   * Runs every check of `placeOrder` except funds, without changing anything. Null means that the order would be
   * accepted.
   */
  check(command: PlaceOrder, nowMs: number): RejectReason | null;
  /** When the next tick is due; Infinity if nothing depends on time. */
  nextDueMs(): number;
  /** 16 hex digits over all events so far: equal journals give equal digests. */
  eventDigest(): string;
}

export interface AccessView {
  operator(name: string): OperatorRecord | undefined;
  operators(): Iterable<OperatorRecord>;
  /** The sealed hash of the holder's password; undefined if the holder has none. */
  sealedPassword(holder: Holder): string | undefined;
  /** Until when withdrawals are held because the password was recovered; 0 if they are not. */
  heldUntilMs(holder: Holder): number;
  /** The time step of the account's last two-factor code; -1 if there was none. */
  totpStep(accountId: number): number;
  /** Undefined if the session does not exist, or has expired at `nowMs`. */
  session(sessionId: string, nowMs: number): SessionRecord | undefined;
  sessions(holder: Holder, nowMs: number): readonly SessionRecord[];
  /** Undefined if the invitation does not exist, or has expired at `nowMs`. */
  invitation(invitationId: string, nowMs: number): InvitationRecord | undefined;
  invitations(): Iterable<InvitationRecord>;
  recovery(recoveryId: string): RecoveryRecord | undefined;
  recoveryOf(holder: Holder): RecoveryRecord | undefined;
  notice(noticeId: number): NoticeRecord | undefined;
  /** Emails that are still to be sent, oldest first. */
  notices(): Iterable<NoticeRecord>;
}

export interface FundsView {
  readonly dustRules: DustRules | undefined;
  /** Why assets could not be converted now, by name. Convertible assets are omitted. */
  dustFaults(accountId: number, assets: readonly string[]): ReadonlyMap<string, RejectReason>;
  /** The account's address on the network; undefined before one is assigned. */
  depositAddress(accountId: number, network: string): DepositAddress | undefined;
  /** The account to which the address belongs. */
  addressOwner(network: string, address: string, tag: string): number | undefined;
  depositAddresses(network: string): Iterable<DepositAddress>;
  /** Pending and credited deposits. Final and dropped ones are in history. */
  openDeposits(network: string): readonly DepositRecord[];
  /** Whether the network's output is a customer's deposit, pending or final. */
  isDeposit(coin: CoinId): boolean;
  /** Whether the deposit was dropped after a reorg. */
  isDropped(coin: CoinId): boolean;
  /** The deposit, if it is pending or credited. */
  openDeposit(coin: CoinId): DepositRecord | undefined;
  /** The id of a final deposit; undefined if it is not final, or became final before rules version 4. */
  finalDepositId(coin: CoinId): number | undefined;
  /**
   * The entry that used the reference of a deposit, debit or adjustment; undefined if there is none, or it is from
   * before rules version 4.
   */
  entryOfReference(reference: string): number | undefined;
  /** The dividend with this reference; undefined if there is none, or it was paid before rules version 4. */
  dividend(reference: string): { readonly seq: number; readonly tranId: number } | undefined;
  /** The id of the transfer that the master made under its client id, while that id is stored. */
  transferOf(masterId: number, clientTranId: string): number | undefined;
  /** Open withdrawals: emailSent, awaitingApproval, processing. */
  withdrawal(withdrawalId: string): WithdrawalRecord | undefined;
  openWithdrawals(): readonly WithdrawalRecord[];
  /** The state of the confirmation email for a withdrawal that waits for its link; "waiting" for any other. */
  letter(withdrawalId: string): LetterStatus;
  openWithdrawalsOf(accountId: number): Iterable<WithdrawalRecord>;
  /** Free balance minus deposits that are not final yet. Units of the asset. */
  withdrawable(accountId: number, assetId: number): bigint;
  /**
   * Recent withdrawals by asset id, in units: of the account with its master and sub-accounts, or (null) of all
   * customers. Assets without withdrawals are omitted.
   */
  withdrawn(accountId: number | null, nowMs: number): ReadonlyMap<number, WithdrawnSums>;
  /** The account's own limits by asset id, which replace those of the assets. A sub-account has its master's. */
  ownWithdrawalLimits(accountId: number): ReadonlyMap<number, LimitsOverTime>;
  allowedAddresses(accountId: number): readonly AllowedAddress[];
  /** The accounts that have `allowedAddresses`. The iteration may continue while accounts are added and removed. */
  accountsWithAddresses(): Iterable<number>;
  /** The height up to which the watcher has read; undefined before it has started. */
  networkHeight(network: string): { readonly height: number; readonly blockHash: string } | undefined;
}

/** A node, according to its last batch. */
export interface NodeRecord {
  readonly node: string;
  /** The process that runs under the node's name. */
  readonly incarnation: string;
  /** The number of its last batch. */
  readonly number: number;
  readonly release: string;
}

/** The current owner of a task (role). */
export interface RoleRecord {
  readonly role: string;
  readonly node: string;
  readonly incarnation: string;
  /** The fencing token: starts at 1 and increases by one with each grant. */
  readonly number: number;
}

export interface NodesView {
  /** Whether a batch with this header is accepted. A repeated or late batch is not. */
  accepts(header: NodeBatch): boolean;
  /** Why the batch is rejected; null if it is accepted. */
  refusal(header: NodeBatch): RejectReason | null;
  /** Undefined before the node's first batch. */
  node(name: string): NodeRecord | undefined;
  all(): Iterable<NodeRecord>;
  /** Undefined before the task's first grant. */
  role(name: string): RoleRecord | undefined;
  roles(): Iterable<RoleRecord>;
}

export interface VenueView {
  stops(): Iterable<StopRecord>;
  isStopped(scope: StopScope, nowMs: number): boolean;
  /** Whether deposits and withdrawals of the asset over the network are suspended. */
  stopsCoin(asset: string, network: string, nowMs: number): boolean;
  /** Whether withdrawals of the asset are suspended, over all networks or over this one. */
  stopsWithdrawing(asset: string, network: string, nowMs: number): boolean;
  readonly approvalRules: ApprovalRules;
  readonly breakGlass: BreakGlassRecord | null;
  proposal(proposalId: string): ProposalRecord | undefined;
  proposals(): Iterable<ProposalRecord>;
  unknownDeposits(): Iterable<UnknownDepositRecord>;
  unknownDeposit(coin: CoinId): UnknownDepositRecord | undefined;
  /** Whether an unattributed deposit was recorded and not attributed to a customer since: it is open or was settled. */
  isNoted(coin: CoinId): boolean;
  /**
   * Compares the command with an earlier one for the same reference or deposit. Null if there is none; ALREADY_EXISTS
   * if the contents are equal.
   */
  repeatOf(command: Command<"adjust"> | Command<"settleUnknownDeposit">): RejectReason | null;
  /** Null if none was published. */
  readonly lastProof: PublishedProof | null;
}
