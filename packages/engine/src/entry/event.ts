/**
 * Events: the results of a command, in order. Answers, streams and history are derived from them. An event is an
 * immutable value and describes the state right after it (decision 39). Except for the most frequent ones, each event
 * is a row of a table, from which its type and its digest are derived.
 */
import { API_KEY, type NoticeKind, SESSION } from "./access.ts";
import { PROPOSAL, type ProposalStatus } from "./command.ts";
import {
  big,
  bool,
  type Digested,
  fields,
  ifPresent,
  later,
  listOf,
  number,
  orNull,
  type RecordOf,
  text,
  textAs,
  valuesOf,
} from "./digest.ts";
import type { InterfaceName } from "./edition.ts";
import type { OrderIdScope } from "./order-id.ts";
import {
  ORDER_FIELDS,
  ORDER_LIST,
  type OrderRecord,
  PROGRESS_FIELDS,
  type SelfTradePreventionMode,
  type Side,
} from "./order-record.ts";
import { CANDLE, CANDLE_SCALE, GENERATED_PAST, type PastInterval } from "./past-candle.ts";
import type { RejectReason } from "./reject.ts";
import { type AdjustmentCategory, type HouseAccount, PUBLISHED_PROOF, STOP, UNKNOWN_DEPOSIT_RECORD } from "./venue.ts";
import {
  DEPOSIT_ADDRESS,
  DEPOSIT_RECORD,
  type DepositStatus,
  type LetterStatus,
  WITHDRAWAL_RECORD,
  type WithdrawalStatus,
} from "./wallet-record.ts";

// The most frequent events, whose digests are hand-written code.

/** The order was accepted, or a waiting order was triggered and becomes active (x=NEW). It may be PENDING_NEW. */
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

/** The order ended with an unfilled remainder: it left the book, or never rested. */
export interface OrderEnded {
  readonly type: "orderEnded";
  readonly order: OrderRecord;
  readonly status: "CANCELED" | "EXPIRED";
  /** The client id of the cancel; "" if the order expired. */
  readonly cancelClientOrderId: string;
}

/** An order as of an event. Its id represents the fields that never change. */
const ORDER: Digested<OrderRecord> = (digest, order) => {
  number(digest, order.orderId);
  progressOf(digest, order);
};
const progressOf = valuesOf(PROGRESS_FIELDS);
/** An order with all of its fields. */
const WHOLE_ORDER: Digested<OrderRecord> = valuesOf(ORDER_FIELDS);
const trueOnly: Digested<true> = bool;

/**
 * All other events. Rows and fields are only appended, because their positions determine their numbers in the digest.
 */
export const EVENTS = {
  /** The command was rejected and changed nothing. This is then its only event. */
  rejected: { reason: textAs<RejectReason>() },
  /** The command was executed and has no other event (ticks, operator commands without a result). */
  done: {},

  listenKeyOpened: { accountId: number, listenKey: text, expiresMs: number },
  listenKeyClosed: { accountId: number, listenKey: text, expired: bool },
  assetListed: { assetId: number },
  symbolListed: { symbolId: number },
  symbolChanged: { symbolId: number },
  accountOpened: { accountId: number },
  accountChanged: { accountId: number },
  apiKeyCreated: { key: fields(API_KEY) },
  apiKeyDeleted: { apiKey: text },
  /** Money arrived (amount > 0) or left (amount < 0). */
  balanceMoved: { accountId: number, assetId: number, amount: big, reference: text },
  /** A list was placed (EXECUTING) or has ended (ALL_DONE). */
  orderListChanged: {
    list: fields(ORDER_LIST),
    listOrderStatus: textAs<"EXECUTING" | "ALL_DONE">(),
    /** True if a leg of an executing list got another client id; otherwise absent. */
    isUpdate: later("isUpdate", trueOnly),
  },
  /** The results of the two halves of a cancelReplace, null if executed. This event precedes those of both halves. */
  cancelReplaced: {
    cancelReason: orNull(textAs<RejectReason>()),
    placeReason: orNull(textAs<RejectReason | "NOT_ATTEMPTED">()),
  },

  // Events of the wallet. Their records belong to the engine and describe the state as of the event.

  depositAddressAssigned: { address: fields(DEPOSIT_ADDRESS) },
  depositChanged: {
    deposit: fields(DEPOSIT_RECORD),
    status: textAs<DepositStatus>(),
    /** Change of the account's balance: 0n, the amount, or minus the amount that could be recovered. */
    moved: big,
    /** The amount of a dropped deposit that the treasury paid, because the account no longer had the money. */
    shortage: big,
  },
  withdrawalChanged: {
    withdrawal: fields(WITHDRAWAL_RECORD),
    status: textAs<WithdrawalStatus>(),
    txId: text,
    /** Reason of a rejection or failure, otherwise "". */
    why: text,
  },
  transferred: {
    /** Numbered from 1, in one sequence with conversions and dividends. */
    tranId: number,
    masterId: number,
    fromAccountId: number,
    toAccountId: number,
    assetId: number,
    amount: big,
    /** Absent if the client sent none. */
    clientTranId: later("clientTranId", text),
  },
  /**
   * One asset of a conversion. All assets of a conversion share the tranId. `received` is the amount after the
   * `charge`; these two are in the dust asset.
   */
  dustConverted: {
    tranId: number,
    accountId: number,
    assetId: number,
    amount: big,
    dustAssetId: number,
    received: big,
    charge: big,
  },
  /** All recipients of one distribution share the tranId. */
  dividendPaid: { tranId: number, accountId: number, assetId: number, amount: big, info: text },
  maintenanceChanged: { isOn: bool },
  apiTradingLocked: { accountId: number, untilMs: number },
  /** A network's cost was paid, or its height has advanced. Not visible to customers. */
  networkChanged: { network: text },

  /** The journal follows this rules version from the next entry on. */
  rulesAdopted: { edition: number },
  /** Secrets are sealed with this key from now on. */
  masterKeyBound: { keyCheck: text },
  /** The symbol got a synthetic history, which `generatePast` computes from these parameters. */
  pastAdded: { symbolId: number, past: fields(GENERATED_PAST) },
  /** Candles from before the symbol's first trade, in order of time. */
  klinesImported: {
    symbolId: number,
    interval: textAs<PastInterval>(),
    candles: listOf(fields(CANDLE)),
    /** The units of the candles; absent if they are the symbol's units, as before rules version 4. */
    scale: ifPresent(fields(CANDLE_SCALE)),
  },
  /** A task was granted. From this entry on, only commands with this number are accepted from its owner. */
  roleGranted: { role: text, node: text, incarnation: text, number },
  letterChanged: { withdrawalId: text, status: textAs<LetterStatus>() },

  // Events of the venue as a whole, of its operators, and of sign-in.

  stopChanged: { stop: fields(STOP), isOn: bool },
  /** `amount` is in units of the asset, negative if the account paid. */
  balanceAdjusted: {
    accountId: number,
    assetId: number,
    amount: big,
    house: textAs<HouseAccount>(),
    category: textAs<AdjustmentCategory>(),
    why: text,
    reference: text,
    by: text,
  },
  accountNoted: { accountId: number, text, by: text },
  unknownDepositChanged: {
    deposit: fields(UNKNOWN_DEPOSIT_RECORD),
    status: textAs<"seen" | "credit" | "keep" | "dismiss">(),
    /** The account to which the deposit was attributed; null if to none. */
    accountId: orNull(number),
    why: text,
  },
  operatorChanged: { name: text },
  /** Whether the rules require approval for any action. */
  approvalRulesChanged: { isAny: bool },
  /** `why` is the reason of a rejection or cancellation, otherwise "". */
  proposalChanged: { proposal: fields(PROPOSAL), status: textAs<ProposalStatus>(), by: text, why: text },
  /** `fromMs` is 0 if the override was cancelled or has taken effect. */
  breakGlassChanged: { fromMs: number },
  proofPublished: { proof: fields(PUBLISHED_PROOF) },
  invitationChanged: {
    invitationId: text,
    email: text,
    status: textAs<"open" | "accepted" | "revoked" | "expired">(),
    /** The holder of the password; null if the invitation was not accepted yet. */
    holder: orNull(text),
  },
  passwordSet: { holder: text },
  sessionOpened: { session: fields(SESSION) },
  sessionClosed: { sessionId: text, holder: text },
  recoveryChanged: { recoveryId: text, holder: text, status: textAs<"asked" | "cancelled" | "done">() },
  accountFrozen: { accountId: number },
  noticeChanged: { noticeId: number, kind: textAs<NoticeKind>(), status: textAs<LetterStatus>() },
  /** The venue answers with this interface from the next entry on. */
  interfaceChanged: { interface: textAs<InterfaceName>() },

  /**
   * Self-trade prevention replaced a trade between orders of one account, or of one trade group. An order from which
   * the event took the last lots has ended (EXPIRED_IN_MATCH) and has no `orderEnded`.
   */
  tradePrevented: {
    symbolId: number,
    /** Numbered per symbol, from 0, without gaps. */
    preventedMatchId: number,
    timeMs: number,
    /** The mode in effect: DECREMENT if only one of the orders has the mode TRANSFER. */
    mode: textAs<SelfTradePreventionMode>(),
    /** The group of the accounts; -1 if the taker's account belongs to none. */
    tradeGroupId: number,
    takerSide: textAs<Side>(),
    /** The trade that did not happen. */
    priceTicks: number,
    lots: number,
    quote: big,
    /** What each order lost; 0 if nothing. */
    takerLots: number,
    makerLots: number,
    /** Whether lots and quote changed hands between two accounts, without a trade. */
    isTransfer: bool,
    taker: ORDER,
    maker: ORDER,
    /** The waiting leg of the maker's list, which loses what the maker loses, unless that ends the list. */
    otherLeg: orNull(ORDER),
  },
  /**
   * The quantity of an open order was reduced. `order` has the new quantity and client id. Both legs of a list are
   * amended together, the stop leg first.
   */
  orderAmended: { order: WHOLE_ORDER, origClientOrderId: text, origQuantityLots: number },
  /** A pending order of a list was placed, because the working order was filled (x=NEW). It may have a new quantity. */
  orderReleased: { order: WHOLE_ORDER },
  /** Orders are numbered across the exchange or by symbol from the next entry on. */
  orderIdsSet: { orderIds: textAs<OrderIdScope>() },
};

interface EventsByType extends EventsInTable {
  readonly orderOpened: OrderOpened;
  readonly trade: Trade;
  readonly orderEnded: OrderEnded;
}
type EventsInTable = {
  readonly [Type in keyof typeof EVENTS]: { readonly type: Type } & RecordOf<(typeof EVENTS)[Type]>;
};

/** Any event, or the one of this type. */
export type Event<Type extends keyof EventsByType = keyof EventsByType> = EventsByType[Type];

/** The orders that lost lots in a prevented match, each with its lots: the taker before the maker. */
export function lossesOf({
  taker,
  maker,
  otherLeg,
  takerLots,
  makerLots,
}: Event<"tradePrevented">): { readonly order: OrderRecord; readonly lots: number }[] {
  const losses = [
    { order: taker, lots: takerLots },
    { order: maker, lots: makerLots },
  ];
  if (otherLeg !== null) losses.push({ order: otherLeg, lots: makerLots });
  return losses.filter(({ lots }) => lots > 0);
}
