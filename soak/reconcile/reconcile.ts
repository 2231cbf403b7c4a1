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
  canceledAnswer,
  type End,
  endedExecution,
  openedExecution,
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
  /** The order of the current entry, with its immediate executions. */
  #placed: Tracked | undefined;
  #fills: PlacedFill[] = [];
  #end: End | undefined;
  #canceled: Tracked | undefined;

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
    this.#placed = this.#end = this.#canceled = undefined;
    if (this.#fills.length > 0) this.#fills = [];
    // The order's state before the cancel.
    const aim = entry.command.type === "cancelOrder" ? this.#aimOf(entry.command) : undefined;
    for (const event of events) this.#event(event, entry.timeMs);
    if (entry.command.type === "placeOrder") this.#checkPlaced(entry, entry.command, events[0]);
    else if (entry.command.type === "cancelOrder") this.#checkCanceled(entry, entry.command, events[0], aim);
  }

  #aimOf({ orderId, origClientOrderId }: Command & { type: "cancelOrder" }): Tracked | undefined {
    return orderId === 0 ? this.#orders.byClientId(origClientOrderId) : this.#orders.get(orderId);
  }

  #event(event: Event, timeMs: number): void {
    if (event.type === "orderOpened") {
      this.#placed = this.#orders.add(event.order, this.#scaleOf(event.order.symbolId));
      this.#totals.orders++;
      this.#hear(this.#placed, () => openedExecution(this.#placed as Tracked, timeMs));
    } else if (event.type === "trade") this.#trade(event);
    else if (event.type === "orderEnded") {
      const tracked = this.#orders.get(event.order.orderId);
      if (tracked === undefined) return this.#findings.add(`order ${event.order.orderId} ended, and was not open`);
      this.#orders.remove(tracked);
      if (tracked === this.#placed) this.#end = event.status;
      else this.#canceled = tracked;
      this.#hear(tracked, () => endedExecution(tracked, event.status, event.cancelClientOrderId, timeMs));
    }
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
      if (fill.tracked === this.#placed) this.#fills.push({ trade, fill });
      this.#hear(fill.tracked, () => tradeExecution(trade, fill, side === trade.maker));
    }
  }

  #checkPlaced(entry: Entry, command: Command & { type: "placeOrder" }, first: Event | undefined): void {
    const id = idOf(command.clientOrderId);
    if (id === 0) return this.#findings.add(`entry ${entry.seq}: an order of nobody's`);
    const answer =
      first?.type === "rejected"
        ? refusedAnswer(first.reason, "place")
        : placedAnswer(this.#placed as Tracked, this.#fills, this.#end, entry.timeMs, responseTypeOf(id));
    this.#answers.command(id, "place", entry.seq, answer);
  }

  #checkCanceled(
    { seq, timeMs }: Entry,
    command: Command & { type: "cancelOrder" },
    first: Event | undefined,
    aim: Tracked | undefined,
  ): void {
    const id = idOf(command.newClientOrderId);
    if (id === 0) return this.#findings.add(`entry ${seq}: a cancel of nobody's`);
    const isRefused = first?.type === "rejected";
    if (this.#canceled !== aim || isRefused !== (aim === undefined)) {
      return this.#findings.add(`entry ${seq}: not the order that it names was cancelled`);
    }
    const answer =
      aim === undefined
        ? refusedAnswer(isRefused ? first.reason : "UNKNOWN_ORDER", "cancel")
        : canceledAnswer(aim, command.newClientOrderId, timeMs);
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
