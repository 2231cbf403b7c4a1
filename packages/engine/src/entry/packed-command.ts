/**
 * The packed commands of the journal, as tables of their fields in the order of their bytes. A new field is the last
 * one, with its version: `since(2, bool, false)`. Versions are numbered over all packed commands together, so that a
 * version means the same for a command and for the records nested in it.
 */
import { MalformedBytes } from "../bytes.ts";
import { isKnownEdition } from "./edition.ts";
import {
  big,
  type Field,
  type FieldTable,
  ifGiven,
  Layout,
  record,
  since,
  text,
  uint,
  uintOrMinusOne,
  type ValuesOf,
  word,
  wordAt,
  type WrittenOut,
} from "./fields.ts";
import {
  LIST_KINDS,
  NO_STRATEGY,
  ORDER_TYPES,
  PEG_PRICE_TYPES,
  SELF_TRADE_PREVENTION_MODES,
  type SelfTradePreventionMode,
  SIDES,
  TIMES_IN_FORCE,
} from "./order-record.ts";

type Packed<Type extends string, Table> = { readonly type: Type } & ValuesOf<Table>;
/** The type of the objects of a layout. */
type Of<L> = L extends Field<infer T> ? T : never;

function packed<Type extends string, Table extends FieldTable>(
  type: Type,
  table: Table,
  writtenOut?: WrittenOut<Packed<Type, Table>>,
): Layout<Packed<Type, Table>, Type> {
  return new Layout<Packed<Type, Table>, Type>(type, table, writtenOut);
}

/** Advances time and executes everything that is due (such as the expiry of listen keys). Appended by an idle node. */
export type Tick = Of<typeof TICK>;
export const TICK = packed("tick", {});

/**
 * Reading throws for an unknown rules version: a newer release accepted the version, and continuing without it would
 * lead to another state.
 */
const edition: Field<number> = {
  ...uint,
  read(reader) {
    const found = reader.uint();
    if (isKnownEdition(found)) return found;
    throw new MalformedBytes(`the journal follows edition ${found} of the rules, which this release does not know`);
  },
};

/**
 * From this entry on, the journal follows this rules version (`edition.ts`). Appended by a node that has a newer
 * version than its journal. Versions only increase. A release cannot read a journal beyond the adoption of a version
 * that it does not support.
 */
export type AdoptRules = Of<typeof ADOPT_RULES>;
export const ADOPT_RULES = packed("adoptRules", { edition });

/**
 * The order takes its price from the book when it enters the market: `level` price levels from the best one, at most
 * `MAX_PEG_LEVEL`. Since rules version 5.
 */
export type Peg = Of<typeof PEG>;
const PEG = record({ to: word(PEG_PRICE_TYPES), level: uint });

/**
 * Fields of an order that most clients do not send. A command without any of them is written in the first layout
 * (`Layout.versionOf`), so they cost nothing there.
 */
const LATER_ORDER_FIELDS = {
  /** DEFAULT: the default mode of the symbol. */
  selfTradePrevention: since<SelfTradePreventionMode | "DEFAULT">(
    2,
    word(["DEFAULT", ...SELF_TRADE_PREVENTION_MODES]),
    "DEFAULT",
  ),
  strategyId: since(2, uintOrMinusOne, NO_STRATEGY),
  /** 0 if absent. */
  strategyType: since(2, uint, 0),
  /** The distance of a trailing stop, in basis points; 0 if absent. */
  trailingDelta: since(2, uint, 0),
  /** Null for an order that is not pegged. `priceTicks` of a pegged order is 0 if the client sent no price. */
  peg: since(3, ifGiven(PEG), null),
};

/**
 * `priceTicks`, `quantityLots`, `stopTicks`, `icebergLots` are `OFF_SCALE` if the symbol cannot represent the value
 * sent.
 */
export type PlaceOrder = Of<typeof PLACE_ORDER>;
const placeOrder = {
  accountId: uint,
  symbolId: uint,
  side: word(SIDES),
  orderType: word(ORDER_TYPES),
  timeInForce: word(TIMES_IN_FORCE),
  /** 0 if the type has no price. */
  priceTicks: uintOrMinusOne,
  /** 0 if `quoteOrderQty` is given instead. */
  quantityLots: uintOrMinusOne,
  stopTicks: uintOrMinusOne,
  icebergLots: uintOrMinusOne,
  /** In units of the quote asset; 0n if `quantityLots` is given. */
  quoteOrderQty: big,
  /** Never empty: the gateway generates an id if the client sent none. */
  clientOrderId: text,
  ...LATER_ORDER_FIELDS,
};
export const PLACE_ORDER = packed("placeOrder", placeOrder, {
  write(writer, order) {
    writer.uint(order.accountId);
    writer.uint(order.symbolId);
    writer.u8(SIDES.indexOf(order.side));
    writer.u8(ORDER_TYPES.indexOf(order.orderType));
    writer.u8(TIMES_IN_FORCE.indexOf(order.timeInForce));
    writer.uint(order.priceTicks + 1);
    writer.uint(order.quantityLots + 1);
    writer.uint(order.stopTicks + 1);
    writer.uint(order.icebergLots + 1);
    writer.big(order.quoteOrderQty);
    writer.text(order.clientOrderId);
  },
  read: (reader) => ({
    type: "placeOrder",
    accountId: reader.uint(),
    symbolId: reader.uint(),
    side: wordAt(SIDES, reader.u8()),
    orderType: wordAt(ORDER_TYPES, reader.u8()),
    timeInForce: wordAt(TIMES_IN_FORCE, reader.u8()),
    priceTicks: reader.uint() - 1,
    quantityLots: reader.uint() - 1,
    stopTicks: reader.uint() - 1,
    icebergLots: reader.uint() - 1,
    quoteOrderQty: reader.big(),
    clientOrderId: reader.text(),
  }),
});

const CANCEL_STATUSES = ["ANY", "NEW", "PARTIALLY_FILLED"] as const;
type CancelStatus = (typeof CANCEL_STATUSES)[number];

/**
 * Cancels the order with this `orderId` or, if absent, this `origClientOrderId`. If both are given, they must match.
 */
export type CancelOrder = Of<typeof CANCEL_ORDER>;
const cancelOrder = {
  accountId: uint,
  symbolId: uint,
  /** 0 if absent. */
  orderId: uint,
  /** "" if absent. */
  origClientOrderId: text,
  /** The id of the cancel itself. Never empty. */
  newClientOrderId: text,
  /** The only status in which the order is canceled; ANY if absent. */
  onlyIn: since<CancelStatus>(2, word(CANCEL_STATUSES), "ANY"),
};
export const CANCEL_ORDER = packed("cancelOrder", cancelOrder, {
  write(writer, cancel) {
    writer.uint(cancel.accountId);
    writer.uint(cancel.symbolId);
    writer.uint(cancel.orderId);
    writer.text(cancel.origClientOrderId);
    writer.text(cancel.newClientOrderId);
  },
  read: (reader) => ({
    type: "cancelOrder",
    accountId: reader.uint(),
    symbolId: reader.uint(),
    orderId: reader.uint(),
    origClientOrderId: reader.text(),
    newClientOrderId: reader.text(),
  }),
});

/**
 * Reduces the quantity of an open order, which keeps its place in the queue. The order is found as by `cancelOrder`.
 * Since rules version 5.
 */
export type AmendOrder = Of<typeof AMEND_ORDER>;
export const AMEND_ORDER = packed("amendOrder", {
  accountId: uint,
  symbolId: uint,
  /** 0 if absent. */
  orderId: uint,
  /** "" if absent. */
  origClientOrderId: text,
  /** The client id of the order from now on. Never empty. */
  newClientOrderId: text,
  /** The new quantity, including what was executed; `OFF_SCALE` if the symbol cannot represent it. */
  quantityLots: uintOrMinusOne,
});

/** Cancels every open order of an account on a symbol. Rejected if there is none. */
export type CancelOpenOrders = Of<typeof CANCEL_OPEN_ORDERS>;
export const CANCEL_OPEN_ORDERS = packed("cancelOpenOrders", {
  accountId: uint,
  symbolId: uint,
  newClientOrderId: text,
});

/** One leg of an order list: the fields in which the two legs differ. Units are those of `placeOrder`. */
export type ListLeg = Of<typeof LIST_LEG>;
const LIST_LEG = record({
  orderType: word(ORDER_TYPES),
  timeInForce: word(TIMES_IN_FORCE),
  priceTicks: uintOrMinusOne,
  stopTicks: uintOrMinusOne,
  icebergLots: uintOrMinusOne,
  /** Never empty. */
  clientOrderId: text,
  /** Both legs of a list have the same mode of self-trade prevention. */
  ...LATER_ORDER_FIELDS,
});

/**
 * One-cancels-the-other. `stopLeg` is a STOP_LOSS or STOP_LOSS_LIMIT; `limitLeg` is a LIMIT_MAKER, or a TAKE_PROFIT or
 * TAKE_PROFIT_LIMIT instead. Interface 4.3, 3.5.
 */
export type PlaceOco = Of<typeof PLACE_OCO>;
export const PLACE_OCO = packed("placeOco", {
  accountId: uint,
  symbolId: uint,
  side: word(SIDES),
  quantityLots: uintOrMinusOne,
  stopLeg: LIST_LEG,
  limitLeg: LIST_LEG,
  /** Never empty. */
  listClientOrderId: text,
});

const WORKING_ORDER = record({ side: word(SIDES), quantityLots: uintOrMinusOne, leg: LIST_LEG });

/**
 * One-triggers-the-other: the pending orders are placed when the working order, a LIMIT or LIMIT_MAKER, is filled.
 * Since rules version 5.
 */
export type PlaceOto = Of<typeof PLACE_OTO>;
export const PLACE_OTO = packed("placeOto", {
  accountId: uint,
  symbolId: uint,
  kind: word(LIST_KINDS),
  working: WORKING_ORDER,
  pendingSide: word(SIDES),
  /** 0 for OPO and OPOCO: the quantity is what the working order buys. */
  pendingLots: uintOrMinusOne,
  /** The pending order or, for OTOCO and OPOCO, the stop leg of the pair. */
  pending: LIST_LEG,
  /** The limit leg of the pair; null if there is none. */
  pendingLimit: ifGiven(LIST_LEG),
  /** Never empty. */
  listClientOrderId: text,
});

/** Cancels the list with this `orderListId` or, if absent, this `listClientOrderId`. */
export type CancelOrderList = Of<typeof CANCEL_ORDER_LIST>;
export const CANCEL_ORDER_LIST = packed("cancelOrderList", {
  accountId: uint,
  symbolId: uint,
  /** -1 if absent. */
  orderListId: uintOrMinusOne,
  /** "" if absent. */
  listClientOrderId: text,
  /** The id of the cancel itself. Never empty. */
  newClientOrderId: text,
});

/** Whether the new order is placed even if the cancel before it was rejected. */
export const CANCEL_REPLACE_MODES = ["STOP_ON_FAILURE", "ALLOW_FAILURE"] as const;
export type CancelReplaceMode = (typeof CANCEL_REPLACE_MODES)[number];

/** A cancel and a new order for the same account and symbol, without another command between them. */
export type CancelReplace = Of<typeof CANCEL_REPLACE>;
export const CANCEL_REPLACE = packed("cancelReplace", {
  mode: word(CANCEL_REPLACE_MODES),
  cancel: CANCEL_ORDER,
  place: PLACE_ORDER,
});

const listenKey = { accountId: uint, listenKey: text };

/** Opens the account's user stream, or extends an open one. `listenKey` is used only if none is open. */
export type OpenListenKey = Of<typeof OPEN_LISTEN_KEY>;
export const OPEN_LISTEN_KEY = packed("openListenKey", listenKey);
export type KeepListenKey = Of<typeof KEEP_LISTEN_KEY>;
export const KEEP_LISTEN_KEY = packed("keepListenKey", listenKey);
export type CloseListenKey = Of<typeof CLOSE_LISTEN_KEY>;
export const CLOSE_LISTEN_KEY = packed("closeListenKey", listenKey);

// Commands with which several nodes form one exchange. A single node needs none of them. docs/decisions/0044.

/** The fields of a batch header: the position of the batch among those of its node, and the state of the writer. */
const nodeBatch = {
  /** The node's name. */
  node: text,
  /** Random id of the node's process, new at each start: 16 hex digits. */
  incarnation: text,
  /** The node's previous incarnation, according to the writer's state; "" if there was none. */
  replaces: text,
  /** Increases from 1 within the incarnation. */
  number: uint,
  /** `digest` is the writer's event digest after the entry `atSeq`: 16 hex digits. */
  atSeq: uint,
  digest: text,
  /** The release that the writer runs. */
  release: text,
};

/**
 * The first command of each batch of a node in a cluster. A batch that is repeated, or that arrives late from a process
 * that has been replaced, is rejected (STALE_BATCH). Nodes check a batch with `EngineView.nodes` before they write it.
 */
export type NodeBatch = { readonly type: "nodeBatch" } & ValuesOf<typeof nodeBatch>;
export const NODE_BATCH = packed("nodeBatch", nodeBatch);

/** The packed commands that change the exchange: all except the header of a batch. */
export type OrderCommand =
  | Tick
  | AdoptRules
  | PlaceOrder
  | CancelOrder
  | CancelOpenOrders
  | PlaceOco
  | PlaceOto
  | CancelOrderList
  | CancelReplace
  | AmendOrder
  | OpenListenKey
  | KeepListenKey
  | CloseListenKey;
