/**
 * The read side of the engine: queries of the current state for a gateway. Reading never changes anything. `nowMs` is
 * the reader's clock, for windows that slide between entries.
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
import type { NodeBatch, OrderLimit, PlaceOrder, ProposalRecord, SharedSetting } from "./entry/command.ts";
import type { RejectReason } from "./entry/reject.ts";
import type { PastReach } from "./entry/past-candle.ts";
import type { SymbolScale } from "./numbers.ts";
import type { AssetSpec, ExchangeFilters, LimitsOverTime, SymbolSpec, SymbolStatus } from "./entry/symbol.ts";
import type {
  Adjust,
  ApprovalRules,
  BreakGlassRecord,
  DelistingRecord,
  PublishedProof,
  SettleUnknownDeposit,
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
  /** Withdrawals go only to the account's own list of addresses. */
  readonly isAddressListEnforced: boolean;
  /** From then on the list is enforced no more; absent: nobody has ended it. */
  readonly addressListEndsMs?: number;
  /** Sealed two-factor secret; null when no code is required. */
  readonly sealedTotp: string | null;
  /** The operator's message in accountStatus; "" when there is none. */
  readonly statusMessage: string;
  readonly statusObjs: readonly string[];
  /** Time of the last change of a balance. */
  readonly updateTimeMs: number;
}

/** One price of the book: `[priceTicks, lots]`, visible lots only. */
export type DepthLevel = readonly [priceTicks: number, lots: number];

/**
 * 24 h to `nowMs`; a count of 0 means no trade in the window, lastTicks 0 no trade ever. Candles from before the first
 * trade count with their own figures; ids are those of trades, -1 where there is none.
 */
export interface TickerView {
  /** 0: no trade before the window. */
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

/** A price as an exact fraction: numerator / denominator in ticks. Denominator 0: there was never a trade. */
export interface AveragePriceView {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export interface MarketView {
  readonly symbolId: number;
  /** As listed, with the current status and filters. */
  readonly spec: SymbolSpec;
  readonly scale: SymbolScale;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
  /** Grows by one with every command that changed the book. `lastUpdateId` of depth. */
  readonly bookUpdateId: number;
  /** Before the first trade, the last close of the past; 0 without either. */
  readonly lastTradeTicks: number;
  /** 0 before the first trade. */
  readonly firstTradeMs: number;
  /** Candles from before the first trade; null: there are none. */
  readonly past: PastReach | null;
  /** When the symbol stops trading for good; null: no time is set. */
  readonly delisting: DelistingRecord | null;
  /** The time of the delisting has come, and an entry after it has been applied. */
  readonly isDelisted: boolean;
  /** An operator or the delisting ends the open orders, in steps; until then the symbol does not trade again. */
  readonly isEndingOrders: boolean;
  /** The number of open orders, waiting stops included. */
  readonly openOrderCount: number;
  /** The status by which the engine judges an order at this time: BREAK from the delisting on. */
  statusAt(nowMs: number): SymbolStatus;
  /** The best price of a side; `[0, 0]` without orders. */
  bestLevel(side: Side): DepthLevel;
  bids(limit: number): DepthLevel[];
  asks(limit: number): DepthLevel[];
  /** Visible lots at a price; 0 when nothing rests there. */
  visibleLotsAt(side: Side, priceTicks: number): number;
  averagePrice(mins: number, nowMs: number): AveragePriceView;
  ticker(nowMs: number): TickerView;
}

/** What others may know of an open order at a glance. */
export type QuoteView = Pick<OrderRecord, "orderId" | "side" | "priceTicks" | "quantityLots" | "executedLots">;

/** An address in lower case, and the accounts that have it but for upper and lower case, oldest first. */
export interface SharedEmail {
  readonly email: string;
  readonly accounts: readonly AccountView[];
}

export interface EngineView {
  /** Number of the last entry applied; 0 before the first. */
  readonly seq: number;
  readonly timeMs: number;
  /** Events of all entries so far, including the last one. */
  readonly eventCount: number;
  /** Edition of the rules that the journal follows. */
  readonly edition: number;
  /** Check value of the master key that seals secrets, as in `BindMasterKey`; "" before it is known. */
  readonly masterKeyCheck: string;
  /** The settings that all nodes have alike; none before a node has journaled them. Another list when they change. */
  readonly sharedSettings: readonly SharedSetting[];
  readonly exchangeFilters: ExchangeFilters;
  /** During maintenance nobody places orders or withdraws. */
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
   * The account that somebody means who types this address: the one with exactly this address, else the one in lower case,
   * else the only one whose address differs in upper and lower case alone.
   */
  accountByEmail(email: string): AccountView | undefined;
  /** Addresses in lower case that several accounts share, with these accounts: all from before rules version 4. */
  sharedEmails(): readonly SharedEmail[];
  subAccounts(masterId: number): readonly number[];
  balance(accountId: number, assetId: number): BalanceView;
  /** The rates in force for an account on a symbol. */
  fees(accountId: number, symbolId: number): { readonly makerBps: number; readonly takerBps: number };
  apiKey(apiKey: string): ApiKey | undefined;
  apiKeys(accountId: number): readonly ApiKey[];
  /** Undefined when no lock is in force at `nowMs`. */
  apiTradingLock(accountId: number, nowMs: number): ApiTradingLock | undefined;
  /** The listen key's account, or undefined when the key is unknown or has expired at `nowMs`. */
  listenKeyAccount(listenKey: string, nowMs: number): number | undefined;
  /** The account's open listen key, or undefined when it has none at `nowMs`. */
  listenKeyOf(accountId: number, nowMs: number): string | undefined;
  /** The limits on orders; none before a node has journaled them. */
  readonly orderLimits: readonly OrderLimit[];
  /**
   * Orders of the account, refused ones and both of a list among them, in the calendar window of this length that holds
   * `nowMs`, or the last entry if that is later. 0 when no limit has such windows.
   */
  ordersInWindow(accountId: number, windowMs: number, nowMs: number): number;
  openOrder(orderId: number): OrderRecord | undefined;
  /** The account's open order with this client id on this symbol. */
  openOrderByClientId(accountId: number, symbolId: number, clientOrderId: string): OrderRecord | undefined;
  /** The account's open orders of one symbol or, if undefined, of all, in ascending order of `orderId`. */
  openOrders(accountId: number, symbolId?: number): OrderRecord[];
  countOpenOrders(accountId: number, symbolId?: number): number;
  /** Visits the same orders in no particular order and without building a list: an account may have many thousands. */
  visitOpenOrders(accountId: number, symbolId: number | undefined, visit: (order: OrderRecord) => void): void;
  /** Visits those of one symbol as they stand, without a record of each: not to be kept beyond the visit. */
  visitQuotes(accountId: number, symbolId: number, visit: (order: QuoteView) => void): void;
  /** Executing lists, by id, ascending. */
  openOrderList(orderListId: number): OrderListRecord | undefined;
  openOrderListByClientId(accountId: number, listClientOrderId: string): OrderListRecord | undefined;
  openOrderLists(accountId: number): readonly OrderListRecord[];
  countOpenOrderLists(accountId: number): number;
  /** Every check of `placeOrder` except funds, changing nothing: null means that the order would be accepted. */
  check(command: PlaceOrder, nowMs: number): RejectReason | null;
  /** When the next tick is due, because time alone decides something; Infinity: never. */
  nextDueMs(): number;
  /** 16 hex digits over all events so far: equal journals give equal digests. */
  eventDigest(): string;
}

export interface AccessView {
  operator(name: string): OperatorRecord | undefined;
  operators(): Iterable<OperatorRecord>;
  /** The sealed hash of the holder's password; undefined: the holder has none. */
  sealedPassword(holder: Holder): string | undefined;
  /** Until when the holder may not withdraw, because the password was recovered; 0: nothing is held. */
  heldUntilMs(holder: Holder): number;
  /** The time step of the last two-factor code of the account; -1: none yet. */
  totpStep(accountId: number): number;
  /** Undefined when there is none, or it is over at `nowMs`. */
  session(sessionId: string, nowMs: number): SessionRecord | undefined;
  sessions(holder: Holder, nowMs: number): readonly SessionRecord[];
  /** Undefined when there is none, or it is over at `nowMs`. */
  invitation(invitationId: string, nowMs: number): InvitationRecord | undefined;
  invitations(): Iterable<InvitationRecord>;
  recovery(recoveryId: string): RecoveryRecord | undefined;
  recoveryOf(holder: Holder): RecoveryRecord | undefined;
  notice(noticeId: number): NoticeRecord | undefined;
  /** Letters that are owed, oldest first. */
  notices(): Iterable<NoticeRecord>;
}

export interface FundsView {
  readonly dustRules: DustRules | undefined;
  /** Why single assets could not be converted now, by name; convertible assets are left out. */
  dustFaults(accountId: number, assets: readonly string[]): ReadonlyMap<string, RejectReason>;
  /** The account's address on the network; undefined before one is assigned. */
  depositAddress(accountId: number, network: string): DepositAddress | undefined;
  /** The account to which the address belongs. */
  addressOwner(network: string, address: string, tag: string): number | undefined;
  depositAddresses(network: string): Iterable<DepositAddress>;
  /** Pending and credited deposits; final and dropped ones are in history. */
  openDeposits(network: string): readonly DepositRecord[];
  /** Whether the coin is a deposit, on its way or final. */
  isDeposit(coin: CoinId): boolean;
  /** Whether the coin was a deposit and was dropped. */
  isDropped(coin: CoinId): boolean;
  /** The deposit while it is pending or credited. */
  openDeposit(coin: CoinId): DepositRecord | undefined;
  /** The number of a final deposit; undefined: it is not final, or was before rules version 4. */
  finalDepositId(coin: CoinId): number | undefined;
  /** The entry that used the reference of a deposit, debit or adjustment; undefined: none, or before rules version 4. */
  entryOfReference(reference: string): number | undefined;
  /** The dividend with this reference; undefined: none, or it was paid before rules version 4. */
  dividend(reference: string): { readonly seq: number; readonly tranId: number } | undefined;
  /** The number of the transfer that the master made under its own id, while the id is remembered. */
  transferOf(masterId: number, clientTranId: string): number | undefined;
  /** Open withdrawals: emailSent, awaitingApproval, processing. */
  withdrawal(withdrawalId: string): WithdrawalRecord | undefined;
  openWithdrawals(): readonly WithdrawalRecord[];
  /** Where the letter of a withdrawal stands that waits for its link; "waiting" for any other. */
  letter(withdrawalId: string): LetterStatus;
  openWithdrawalsOf(accountId: number): Iterable<WithdrawalRecord>;
  /** Free money less deposits that are not final yet. Units of the asset. */
  withdrawable(accountId: number, assetId: number): bigint;
  /**
   * What was withdrawn lately, by asset id, in units: by the account with its master and sub-accounts, or (null) by all
   * customers. Assets of which nothing was withdrawn are left out.
   */
  withdrawn(accountId: number | null, nowMs: number): ReadonlyMap<number, WithdrawnSums>;
  /** The limits of the account's own, by asset id, instead of the assets'; a sub-account has its master's. */
  ownWithdrawalLimits(accountId: number): ReadonlyMap<number, LimitsOverTime>;
  allowedAddresses(accountId: number): readonly AllowedAddress[];
  /** The accounts that have `allowedAddresses`; may be walked while others come and go. */
  accountsWithAddresses(): Iterable<number>;
  /** The height up to which the watcher has read; undefined before it began. */
  networkHeight(network: string): { readonly height: number; readonly blockHash: string } | undefined;
}

/** A node as its last batch tells. */
export interface NodeRecord {
  readonly node: string;
  /** The process that runs under the name. */
  readonly incarnation: string;
  /** The number of its last batch. */
  readonly number: number;
  readonly release: string;
}

/** The last grant of a role. */
export interface RoleRecord {
  readonly role: string;
  readonly node: string;
  readonly incarnation: string;
  /** Rises by one with each grant, from 1. */
  readonly number: number;
}

export interface NodesView {
  /** Whether a batch with this header has its place here: one that comes again, or too late, has none. */
  accepts(header: NodeBatch): boolean;
  /** Why the batch has no place; null: it is accepted. */
  refusal(header: NodeBatch): RejectReason | null;
  /** Undefined before the node's first batch. */
  node(name: string): NodeRecord | undefined;
  all(): Iterable<NodeRecord>;
  /** Undefined before the role's first grant. */
  role(name: string): RoleRecord | undefined;
  roles(): Iterable<RoleRecord>;
}

export interface VenueView {
  stops(): Iterable<StopRecord>;
  isStopped(scope: StopScope, nowMs: number): boolean;
  /** Whether the asset's coins may not move on the network, in or out. */
  stopsCoin(asset: string, network: string, nowMs: number): boolean;
  /** Whether the asset's coins may leave by no network, or not by this one. */
  stopsWithdrawing(asset: string, network: string, nowMs: number): boolean;
  readonly approvalRules: ApprovalRules;
  readonly breakGlass: BreakGlassRecord | null;
  proposal(proposalId: string): ProposalRecord | undefined;
  proposals(): Iterable<ProposalRecord>;
  unknownDeposits(): Iterable<UnknownDepositRecord>;
  unknownDeposit(coin: CoinId): UnknownDepositRecord | undefined;
  /** Whether the coin was noted as nobody's and is not a customer's since: it waits, or was settled. */
  isNoted(coin: CoinId): boolean;
  /**
   * How the command compares with an earlier one of the same reference or deposit. Null: there is none; ALREADY_EXISTS: it
   * says the same.
   */
  repeatOf(command: Adjust | SettleUnknownDeposit): RejectReason | null;
  /** Null: none was published. */
  readonly lastProof: PublishedProof | null;
}
