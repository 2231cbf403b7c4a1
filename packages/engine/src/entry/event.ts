/**
 * Events: the outcome of a command, in order. Replies, streams and history are made from them. They are values: an
 * event never changes and gives the state just after it (decision 39).
 */
import type { Side } from "./order-words.ts";
import type { OrderListRecord, OrderRecord } from "./order-record.ts";
import type { RejectReason } from "./reject.ts";
import type { ApiKey } from "./api-key.ts";
import type { WalletEvent } from "./wallet-event.ts";
import type { PastEvent } from "./past-event.ts";
import type { VenueEvent } from "./venue-event.ts";

export type * from "./wallet-event.ts";
export type * from "./past-event.ts";
export type * from "./venue-event.ts";

/** The command was refused and changed nothing. Always the only event of its command. */
export interface Rejected {
  readonly type: "rejected";
  readonly reason: RejectReason;
}

/** The command was done, with no other event (ticks, operator acts without a result). */
export interface Done {
  readonly type: "done";
}

/** The journal follows this edition of the rules from the next entry on. */
export interface RulesAdopted {
  readonly type: "rulesAdopted";
  readonly edition: number;
}

/** x=NEW: the order was accepted, or a waiting one was triggered and starts working. */
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
  /** Per symbol, from 1, without gaps. */
  readonly tradeId: number;
  /** Per symbol, from 1: trades of one taker order at one price share it. */
  readonly aggTradeId: number;
  readonly timeMs: number;
  readonly priceTicks: number;
  readonly lots: number;
  readonly quote: bigint;
  readonly takerSide: Side;
  readonly taker: Fill;
  readonly maker: Fill;
}

/** The order left the book (or never rested) with something unfilled. */
export interface OrderEnded {
  readonly type: "orderEnded";
  readonly order: OrderRecord;
  readonly status: "CANCELED" | "EXPIRED";
  /** The id of the cancel, "" when the order expired. */
  readonly cancelClientOrderId: string;
}

/** A list was placed (EXECUTING) or is over (ALL_DONE). `legs`: the stop leg, then the limit leg. */
export interface OrderListChanged {
  readonly type: "orderListChanged";
  readonly list: OrderListRecord;
  readonly listOrderStatus: "EXECUTING" | "ALL_DONE";
}

/** The outcomes of the two halves of a cancelReplace; null: done. Precedes the events of both. */
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
/** From here on only acts with this number are the role's. */
export interface RoleGranted {
  readonly type: "roleGranted";
  readonly role: string;
  readonly node: string;
  readonly incarnation: string;
  readonly number: number;
}
/** Money came in (amount > 0) or went out (amount < 0). */
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
