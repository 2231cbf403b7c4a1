/**
 * The exact reconciliation: replays the journal from its first entry, and compares all responses, stream messages and
 * final balances with the result. Reads the journal as a stream.
 */
import { type Command, Engine, type Entry, type Event, InvariantBroken, type Trade } from "@pricetime/engine";
import {
  dataPaths,
  EMPTY_HEAD,
  headAfter,
  JournalFile,
  type JournalHead,
  replayBatch,
} from "@pricetime/server/data-folder";
import { idOf, responseTypeOf } from "../command-id.ts";
import type { Evidence } from "../evidence.ts";
import { AnswerCheck } from "./answer-check.ts";
import {
  amendedAnswer,
  amendedExecution,
  canceledAnswer,
  canceledListAnswer,
  type End,
  endedExecution,
  listAnswer,
  liveStatus,
  openedExecution,
  type Placed,
  placedAnswer,
  type PlacedFill,
  refusedAnswer,
  tradeExecution,
  tradeMessage,
} from "./expected.ts";
import { Findings } from "./findings.ts";
import { checkHistory, type Totals } from "./history-check.ts";
import { LedgerCheck } from "./ledger-check.ts";
import { OpenOrders, type Tracked } from "./orders.ts";
import { Scale } from "./scale.ts";
import { StreamCheck } from "./stream-check.ts";

export interface Reconciliation {
  readonly differences: number;
  /** The first findings, as text. */
  readonly first: readonly string[];
  /** The number of compared items of each kind. */
  readonly checked: Readonly<Record<string, number>>;
}

/** The program that wrote the journal must have exited. */
export function reconcile(evidence: Evidence): Reconciliation {
  return new Reconciler(evidence).run();
}

/** Each event has so many execution ids. */
const IDS_PER_EVENT = 3;

/** A list whose working order is open: that order, and the pending one. */
interface List {
  readonly clientId: string;
  readonly orders: readonly Tracked[];
}

/** The order that a command names, its list, and its client order ID before. */
interface Aim {
  readonly aim: Tracked | undefined;
  readonly list: List | undefined;
  readonly before: string;
}

class Reconciler {
  readonly #evidence: Evidence;
  readonly #findings = new Findings();
  readonly #engine = new Engine({ recordPostings: true });
  readonly #answers: AnswerCheck;
  readonly #streams: StreamCheck;
  readonly #ledger = new LedgerCheck();
  readonly #orders = new OpenOrders();
  readonly #scales: Scale[] = [];
  readonly #emails: string[] = [];
  readonly #totals: Totals = { orders: 0, trades: 0, lots: 0n, executedLots: 0n };
  /** Lists whose working order is open, by the order id of each of their orders. */
  readonly #lists = new Map<number, List>();
  /** The orders that the current entry placed, those that it ended, and the fills of the first one placed. */
  #placed: Tracked[] = [];
  #ended: { readonly tracked: Tracked; readonly status: End }[] = [];
  #fills: PlacedFill[] = [];
  #eventsBefore = 0;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
    this.#answers = new AnswerCheck(evidence.answersFile, evidence.sent, this.#findings);
    this.#streams = new StreamCheck(evidence.streams, this.#findings);
  }

  run(): Reconciliation {
    const paths = dataPaths(this.#evidence.dataFolder);
    const head = this.#replay(paths.journal);
    this.#answers.others();
    const messages = this.#streams.end();
    this.#ledger.end(this.#engine, this.#evidence.balances, this.#findings);
    this.#findings.compare("open orders", this.#evidence.openOrders, this.#orders.size);
    this.#checkInvariants();
    checkHistory(paths.history, head, this.#totals, this.#findings);
    const { matched, refusedAtGate, notAccepted, unknown } = this.#answers;
    const { orders, trades } = this.#totals;
    const answers = { requests: this.#evidence.sent, matched, refusedAtGate, notAccepted, unknown };
    const checked = { entries: head.lastSeq, ...answers, orders, trades, messages, postings: this.#ledger.postings };
    return { differences: this.#findings.count, first: this.#findings.first, checked };
  }

  #replay(path: string): JournalHead {
    const journal = JournalFile.openReadOnly(path);
    let head = EMPTY_HEAD;
    try {
      for (const batch of journal.after(EMPTY_HEAD)) {
        head = headAfter(batch);
        replayBatch(this.#engine, batch, (entry, events) => this.#entry(entry, events));
      }
    } finally {
      journal.close();
    }
    return head;
  }

  #checkInvariants(): void {
    try {
      this.#engine.checkInvariants();
    } catch (error) {
      if (!(error instanceof InvariantBroken)) throw error;
      this.#findings.add(`the state that the journal makes: ${error.message}`);
    }
  }

  #entry(entry: Entry, events: readonly Event[]): void {
    this.#ledger.add(this.#engine.postings);
    const { command, timeMs } = entry;
    if (this.#placed.length > 0) this.#placed = [];
    if (this.#ended.length > 0) this.#ended = [];
    if (this.#fills.length > 0) this.#fills = [];
    // The order, and its list, before the cancel or the amendment.
    const aim = command.type === "cancelOrder" || command.type === "amendOrder" ? this.#aimOf(command) : undefined;
    const list = aim && this.#lists.get(aim.order.orderId);
    const before = aim?.clientOrderId ?? "";
    for (const event of events) this.#event(event, timeMs, command.type === "placeOto");
    if (command.type === "placeOrder") this.#checkPlaced(entry, command, events[0]);
    else if (command.type === "placeOto") this.#checkList(entry, command, events[0]);
    else if (command.type === "cancelOrder") this.#checkCanceled(entry, command, events[0], aim, list);
    else if (command.type === "amendOrder") this.#checkAmended(entry, command, events[0], { aim, list, before });
    this.#eventsBefore += events.length;
  }

  #aimOf({ orderId, origClientOrderId }: Command & { type: "cancelOrder" | "amendOrder" }): Tracked | undefined {
    return orderId === 0 ? this.#orders.byClientId(origClientOrderId) : this.#orders.get(orderId);
  }

  #event(event: Event, timeMs: number, isList: boolean): void {
    if (event.type === "orderOpened" || event.type === "orderReleased") this.#opened(event, timeMs, isList);
    else if (event.type === "trade") this.#trade(event);
    else if (event.type === "orderEnded") {
      const tracked = this.#orders.get(event.order.orderId);
      if (tracked === undefined) return this.#findings.add(`order ${event.order.orderId} ended, and was not open`);
      this.#orders.remove(tracked);
      this.#endList(tracked);
      this.#ended.push({ tracked, status: event.status });
      this.#hear(tracked, () => endedExecution(tracked, event.status, event.cancelClientOrderId, timeMs));
    } else if (event.type === "orderAmended") {
      const tracked = this.#orders.get(event.order.orderId);
      if (tracked === undefined) return this.#findings.add(`order ${event.order.orderId} was amended, and not open`);
      const before = tracked.clientOrderId;
      this.#orders.amend(tracked, event.order.clientOrderId, event.order.quantityLots);
      this.#hear(tracked, () => amendedExecution(tracked, before, timeMs));
    }
  }

  /** An order that is triggered, or released by its list, is known. */
  #opened({ type, order }: Event<"orderOpened" | "orderReleased">, timeMs: number, isList: boolean): void {
    const known = this.#orders.get(order.orderId);
    if (known === undefined) {
      const isPending = isList && this.#placed.length > 0;
      const tracked = this.#orders.add(order, this.#scaleOf(order.symbolId), isPending, timeMs);
      this.#placed.push(tracked);
      this.#totals.orders++;
      return this.#hear(tracked, () => openedExecution(tracked, timeMs));
    }
    const isReleased = type === "orderReleased";
    if (isReleased) this.#endList(known);
    known.isPending = false;
    // A released stop order waits for its price.
    if (!isReleased || known.order.stopTicks === 0) known.workingMs = timeMs;
    return this.#hear(known, () => openedExecution(known, timeMs));
  }

  #endList({ order }: Tracked): void {
    const list = this.#lists.get(order.orderId);
    for (const each of list?.orders ?? []) this.#lists.delete(each.order.orderId);
  }

  #trade(trade: Trade): void {
    this.#totals.trades++;
    this.#totals.lots += BigInt(trade.lots);
    this.#totals.executedLots += 2n * BigInt(trade.lots);
    const { symbol } = this.#scaleOf(trade.symbolId);
    if (this.#streams.hears(symbol)) this.#streams.expect(symbol, tradeMessage(trade, this.#scaleOf(trade.symbolId)));
    for (const side of [trade.taker, trade.maker]) {
      const { orderId } = side.order;
      const fill = this.#orders.fill(orderId, trade);
      if (fill === undefined) {
        this.#findings.add(`order ${orderId} traded, and was not open`);
        continue;
      }
      if (fill.tracked === this.#placed[0]) this.#fills.push({ trade, fill });
      this.#hear(fill.tracked, () => tradeExecution(trade, fill, side === trade.maker));
    }
  }

  #checkPlaced(entry: Entry, command: Command & { type: "placeOrder" }, first: Event | undefined): void {
    const id = idOf(command.clientOrderId);
    if (id === 0) return this.#findings.add(`entry ${entry.seq}: an order of nobody's`);
    const answer =
      first?.type === "rejected"
        ? refusedAnswer(first.reason, "place")
        : placedAnswer(this.#placedWith(this.#placed[0] as Tracked), entry.timeMs, responseTypeOf(id));
    this.#answers.command(id, "place", entry.seq, answer);
  }

  #placedWith(tracked: Tracked): Placed {
    const isFirst = tracked === this.#placed[0];
    const end = isFirst ? this.#ended.find((each) => each.tracked === tracked)?.status : undefined;
    return { tracked, fills: isFirst ? this.#fills : [], end, isPending: !isFirst };
  }

  #checkList(entry: Entry, { listClientOrderId }: Command & { type: "placeOto" }, first: Event | undefined): void {
    const id = idOf(listClientOrderId);
    if (id === 0) return this.#findings.add(`entry ${entry.seq}: a list of nobody's`);
    if (first?.type === "rejected") {
      return this.#answers.command(id, "list", entry.seq, refusedAnswer(first.reason, "place"));
    }
    const list: List = { clientId: listClientOrderId, orders: this.#placed };
    const isOver = this.#orders.get(this.#placed[0]?.order.orderId ?? 0) === undefined;
    if (!isOver) for (const { order } of this.#placed) this.#lists.set(order.orderId, list);
    const orders = this.#placed.map((tracked) => this.#placedWith(tracked));
    return this.#answers.command(
      id,
      "list",
      entry.seq,
      listAnswer(orders, listClientOrderId, entry.timeMs, responseTypeOf(id)),
    );
  }

  #checkAmended(
    { seq, timeMs }: Entry,
    { newClientOrderId }: Command & { type: "amendOrder" },
    first: Event | undefined,
    { aim, list, before }: Aim,
  ): void {
    const id = idOf(newClientOrderId);
    if (id === 0) return this.#findings.add(`entry ${seq}: an amendment of nobody's`);
    if (first?.type === "rejected") {
      return this.#answers.command(id, "amend", seq, refusedAnswer(first.reason, "amend"));
    }
    if (aim === undefined) return this.#findings.add(`entry ${seq}: an order that is not open was amended`);
    const end = this.#ended.find(({ tracked }) => tracked === aim)?.status;
    const executionId = this.#eventsBefore * IDS_PER_EVENT;
    const status = end ?? liveStatus(aim);
    const answer = amendedAnswer(aim, { clientOrderId: before, executionId, status }, list, timeMs);
    return this.#answers.command(id, "amend", seq, answer);
  }

  #checkCanceled(
    { seq, timeMs }: Entry,
    command: Command & { type: "cancelOrder" },
    first: Event | undefined,
    aim: Tracked | undefined,
    list: List | undefined,
  ): void {
    const id = idOf(command.newClientOrderId);
    if (id === 0) return this.#findings.add(`entry ${seq}: a cancel of nobody's`);
    const isRefused = first?.type === "rejected";
    const ended = this.#ended.map(({ tracked }) => tracked);
    const must = aim === undefined ? 0 : (list?.orders.length ?? 1);
    if (ended.length !== must || (aim !== undefined && !ended.includes(aim)) || isRefused !== (aim === undefined)) {
      return this.#findings.add(`entry ${seq}: not the order that it names was cancelled`);
    }
    const answer =
      aim === undefined
        ? refusedAnswer(isRefused ? first.reason : "UNKNOWN_ORDER", "cancel")
        : list === undefined
          ? canceledAnswer(aim, command.newClientOrderId, timeMs)
          : canceledListAnswer(list.orders, ended, { list: list.clientId, cancel: command.newClientOrderId }, timeMs);
    this.#answers.command(id, "cancel", seq, answer);
  }

  /** Texts are created only for subscribed accounts. */
  #hear({ order }: Tracked, text: () => string): void {
    const { accountId } = order;
    const email = (this.#emails[accountId] ??= this.#engine.account(accountId)?.email ?? "");
    if (this.#streams.hears(email)) this.#streams.expect(email, text());
  }

  #scaleOf(symbolId: number): Scale {
    return (this.#scales[symbolId] ??= new Scale(this.#engine, symbolId));
  }
}
