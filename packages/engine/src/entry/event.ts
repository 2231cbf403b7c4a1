/**
 * Events: the results of a command, in order. Answers, streams and history are derived from them. They are values: an
 * event never changes and describes the state just after it (decision 39).
 */
import type { OrderListRecord, OrderRecord, Side } from "./order-record.ts";
import type { RejectReason } from "./reject.ts";
import type { ApiKey, Holder, NoticeKind, SessionRecord } from "./access.ts";
import type { CandleScale, GeneratedPast, PastCandle, PastInterval } from "./past-candle.ts";
import type {
  DepositAddress,
  DepositRecord,
  DepositStatus,
  LetterStatus,
  WithdrawalRecord,
  WithdrawalStatus,
} from "./wallet-record.ts";
import type { ProposalRecord, ProposalStatus } from "./command.ts";
import type { AdjustmentCategory, HouseAccount, PublishedProof, StopRecord, UnknownDepositRecord } from "./venue.ts";

/** The command was rejected and changed nothing. This is then its only event. */
export interface Rejected {
  readonly type: "rejected";
  readonly reason: RejectReason;
}

/** The command was executed, without any other event (ticks, operator commands without a result). */
export interface Done {
  readonly type: "done";
}

/** The journal follows this rules version from the next entry on. */
export interface RulesAdopted {
  readonly type: "rulesAdopted";
  readonly edition: number;
}

/** x=NEW: the order was accepted, or a waiting one was triggered and becomes active. */
export interface OrderOpened {
  readonly type: "orderOpened";
  readonly order: OrderRecord;
}

/** One side of a trade. */
export interface Fill {
  readonly order: OrderRecord;
  /** Commission of this trade, in units of `commissionAssetId`. */
  readonly commission: bigint;
  readonly commissionAssetId: number;
}

export interface Trade {
  readonly type: "trade";
  readonly symbolId: number;
  /** Numbered per symbol, from 1, without gaps. */
  readonly tradeId: number;
  /** Numbered per symbol, from 1. Trades of one taker order at one price share it. */
  readonly aggTradeId: number;
  readonly timeMs: number;
  readonly priceTicks: number;
  readonly lots: number;
  readonly quote: bigint;
  readonly takerSide: Side;
  readonly taker: Fill;
  readonly maker: Fill;
}

/** The order left the book (or never rested) with an unfilled remainder. */
export interface OrderEnded {
  readonly type: "orderEnded";
  readonly order: OrderRecord;
  readonly status: "CANCELED" | "EXPIRED";
  /** The id of the cancel; "" if the order expired. */
  readonly cancelClientOrderId: string;
}

/** A list was placed (EXECUTING) or has ended (ALL_DONE). `legs` are the stop leg, then the limit leg. */
export interface OrderListChanged {
  readonly type: "orderListChanged";
  readonly list: OrderListRecord;
  readonly listOrderStatus: "EXECUTING" | "ALL_DONE";
}

/** The results of the two halves of a cancelReplace; null if executed. Precedes the events of both. */
export interface CancelReplaced {
  readonly type: "cancelReplaced";
  readonly cancelReason: RejectReason | null;
  readonly placeReason: RejectReason | "NOT_ATTEMPTED" | null;
}

export interface ListenKeyOpened {
  readonly type: "listenKeyOpened";
  readonly accountId: number;
  readonly listenKey: string;
  readonly expiresMs: number;
}
export interface ListenKeyClosed {
  readonly type: "listenKeyClosed";
  readonly accountId: number;
  readonly listenKey: string;
  readonly expired: boolean;
}

export interface AssetListed {
  readonly type: "assetListed";
  readonly assetId: number;
}
export interface SymbolListed {
  readonly type: "symbolListed";
  readonly symbolId: number;
}
export interface SymbolChanged {
  readonly type: "symbolChanged";
  readonly symbolId: number;
}
export interface AccountOpened {
  readonly type: "accountOpened";
  readonly accountId: number;
}
export interface AccountChanged {
  readonly type: "accountChanged";
  readonly accountId: number;
}
export interface ApiKeyCreated {
  readonly type: "apiKeyCreated";
  readonly key: ApiKey;
}
export interface ApiKeyDeleted {
  readonly type: "apiKeyDeleted";
  readonly apiKey: string;
}
/** Secrets are sealed with this key from now on. */
export interface MasterKeyBound {
  readonly type: "masterKeyBound";
  readonly keyCheck: string;
}
/** From here on only commands with this number are accepted from the task's owner. */
export interface RoleGranted {
  readonly type: "roleGranted";
  readonly role: string;
  readonly node: string;
  readonly incarnation: string;
  readonly number: number;
}
/** Money arrived (amount > 0) or left (amount < 0). */
export interface BalanceMoved {
  readonly type: "balanceMoved";
  readonly accountId: number;
  readonly assetId: number;
  readonly amount: bigint;
  readonly reference: string;
}

export type Event =
  | Rejected
  | Done
  | RulesAdopted
  | OrderOpened
  | Trade
  | OrderEnded
  | OrderListChanged
  | CancelReplaced
  | ListenKeyOpened
  | ListenKeyClosed
  | AssetListed
  | SymbolListed
  | SymbolChanged
  | AccountOpened
  | AccountChanged
  | ApiKeyCreated
  | ApiKeyDeleted
  | MasterKeyBound
  | RoleGranted
  | BalanceMoved
  | PastEvent
  | WalletEvent
  | VenueEvent;

/** The symbol has synthetic history, which `generatePast` computes from these numbers. */
export interface PastAdded {
  readonly type: "pastAdded";
  readonly symbolId: number;
  readonly past: GeneratedPast;
}
/** Candles from before the symbol's first trade, in order of time. */
export interface KlinesImported {
  readonly type: "klinesImported";
  readonly symbolId: number;
  readonly interval: PastInterval;
  /** The units of the candles; absent if they are those of the symbol, as before rules version 4. */
  readonly scale?: CandleScale;
  readonly candles: readonly PastCandle[];
}

export type PastEvent = PastAdded | KlinesImported;

// Events of the wallet. Records in events belong to the engine and are valid as of the event.

export interface DepositAddressAssigned {
  readonly type: "depositAddressAssigned";
  readonly address: DepositAddress;
}
export interface DepositChanged {
  readonly type: "depositChanged";
  readonly deposit: DepositRecord;
  readonly status: DepositStatus;
  /** Change of the account's balance: 0n, the amount, or minus the amount that could be recovered. */
  readonly moved: bigint;
  /** Cost of a dropped deposit to the treasury, because the account no longer had the money. */
  readonly shortage: bigint;
}
export interface WithdrawalChanged {
  readonly type: "withdrawalChanged";
  readonly withdrawal: WithdrawalRecord;
  readonly status: WithdrawalStatus;
  readonly txId: string;
  /** Reason of a rejection or failure, otherwise "". */
  readonly why: string;
}
export interface Transferred {
  readonly type: "transferred";
  /** Numbered from 1, in one sequence with conversions and dividends. */
  readonly tranId: number;
  readonly masterId: number;
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly assetId: number;
  readonly amount: bigint;
  /** Absent if the client sent none. */
  readonly clientTranId?: string;
}
/**
 * One row of a conversion. All its rows share the tranId. `received` is the amount after the charge; both are in the
 * dust asset.
 */
export interface DustConverted {
  readonly type: "dustConverted";
  readonly tranId: number;
  readonly accountId: number;
  readonly assetId: number;
  readonly amount: bigint;
  readonly dustAssetId: number;
  readonly received: bigint;
  readonly charge: bigint;
}
export interface DividendPaid {
  readonly type: "dividendPaid";
  /** Shared by all recipients of one distribution. */
  readonly tranId: number;
  readonly accountId: number;
  readonly assetId: number;
  readonly amount: bigint;
  readonly info: string;
}
export interface MaintenanceChanged {
  readonly type: "maintenanceChanged";
  readonly isOn: boolean;
}
export interface ApiTradingLocked {
  readonly type: "apiTradingLocked";
  readonly accountId: number;
  readonly untilMs: number;
}
export interface LetterChanged {
  readonly type: "letterChanged";
  readonly withdrawalId: string;
  readonly status: LetterStatus;
}
/** A network's cost was paid, or its height has advanced. Not visible to customers. */
export interface NetworkChanged {
  readonly type: "networkChanged";
  readonly network: string;
}

export type WalletEvent =
  | DepositAddressAssigned
  | DepositChanged
  | WithdrawalChanged
  | Transferred
  | DustConverted
  | DividendPaid
  | MaintenanceChanged
  | ApiTradingLocked
  | NetworkChanged
  | LetterChanged;

// Events of the venue as a whole, of its operators, and of sign-in.

export interface StopChanged {
  readonly type: "stopChanged";
  readonly stop: StopRecord;
  readonly isOn: boolean;
}
/** `amount` is in units of the asset, negative if the account paid. */
export interface BalanceAdjusted {
  readonly type: "balanceAdjusted";
  readonly accountId: number;
  readonly assetId: number;
  readonly amount: bigint;
  readonly house: HouseAccount;
  readonly category: AdjustmentCategory;
  readonly why: string;
  readonly reference: string;
  readonly by: string;
}
export interface AccountNoted {
  readonly type: "accountNoted";
  readonly accountId: number;
  readonly text: string;
  readonly by: string;
}
export interface UnknownDepositChanged {
  readonly type: "unknownDepositChanged";
  readonly deposit: UnknownDepositRecord;
  readonly status: "seen" | "credit" | "keep" | "dismiss";
  /** The account to which the deposit was attributed; null if to none. */
  readonly accountId: number | null;
  readonly why: string;
}
export interface OperatorChanged {
  readonly type: "operatorChanged";
  readonly name: string;
}
export interface ApprovalRulesChanged {
  readonly type: "approvalRulesChanged";
  /** Whether the rules require approval for any action. */
  readonly isAny: boolean;
}
export interface ProposalChanged {
  readonly type: "proposalChanged";
  readonly proposal: ProposalRecord;
  readonly status: ProposalStatus;
  readonly by: string;
  /** Reason of a rejection or cancellation, otherwise "". */
  readonly why: string;
}
/** `fromMs` is 0 if the override was cancelled or has taken effect. */
export interface BreakGlassChanged {
  readonly type: "breakGlassChanged";
  readonly fromMs: number;
}
export interface ProofPublished {
  readonly type: "proofPublished";
  readonly proof: PublishedProof;
}

export interface InvitationChanged {
  readonly type: "invitationChanged";
  readonly invitationId: string;
  readonly email: string;
  readonly status: "open" | "accepted" | "revoked" | "expired";
  /** The holder of the password; null if the invitation was not accepted yet. */
  readonly holder: Holder | null;
}
export interface PasswordSet {
  readonly type: "passwordSet";
  readonly holder: Holder;
}
export interface SessionOpened {
  readonly type: "sessionOpened";
  readonly session: SessionRecord;
}
export interface SessionClosed {
  readonly type: "sessionClosed";
  readonly sessionId: string;
  readonly holder: Holder;
}
export interface RecoveryChanged {
  readonly type: "recoveryChanged";
  readonly recoveryId: string;
  readonly holder: Holder;
  readonly status: "asked" | "cancelled" | "done";
}
export interface AccountFrozen {
  readonly type: "accountFrozen";
  readonly accountId: number;
}
export interface NoticeChanged {
  readonly type: "noticeChanged";
  readonly noticeId: number;
  readonly kind: NoticeKind;
  readonly status: LetterStatus;
}

export type VenueEvent =
  | StopChanged
  | BalanceAdjusted
  | AccountNoted
  | UnknownDepositChanged
  | OperatorChanged
  | ApprovalRulesChanged
  | ProposalChanged
  | BreakGlassChanged
  | ProofPublished
  | InvitationChanged
  | PasswordSet
  | SessionOpened
  | SessionClosed
  | RecoveryChanged
  | AccountFrozen
  | NoticeChanged;
