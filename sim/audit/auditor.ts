/**
 * Recomputes what must be true from requests, responses and public events alone. It has its own model of trading
 * (shared with the engine's tests, but sharing no code with the engine) and executes on it the submitted requests in
 * their order. It verifies that each entry was requested, and that what was acknowledged is still there after a crash.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type Command,
  differingParts,
  Engine,
  type Entry,
  type Event,
  type ListLeg,
  type PlaceOrder,
} from "@pricetime/engine";
import { NotAccepted, type Outcome, type OutcomeUnknown } from "@pricetime/server/parts";
import { differenceOfAccess, ModelExchange, sentence, happeningsOf } from "@pricetime/testkit/models";
import type { AuditedEntry } from "./entry.ts";
import { frozenSentence, Keys } from "./keys.ts";
import { CONFIRMATIONS } from "../world/tokens.ts";
import { LedgerOfOrders } from "./ledger-of-orders.ts";
import type { Ticket } from "./ticket.ts";

/**
 * Requests that were submitted together and whose outcome no client received. Any number of them, from the first on,
 * may have been executed.
 */
interface Limbo {
  readonly tickets: readonly Ticket[];
  /** The turn in which the process died: requests of one turn belong to one batch. */
  readonly turn: number;
  carriedOut: number;
}

/** Executes entries on models of its own, and compares the outcomes with those of the nodes. */
export class EntryAudit {
  readonly model = new ModelExchange();
  readonly keys = new Keys();
  readonly ledger = new LedgerOfOrders();
  /** The first violation, which ends the run. */
  violation: string | undefined;
  /** Executes every entry once, without a restart. The state after restarts is compared with it, byte for byte. */
  readonly replica = new Engine();

  fail(what: string): void {
    this.violation ??= what;
  }

  /** A request has become a command: the requested one, with the ids that the gateway generated. */
  submitCommand(ticket: Ticket, command: Command, generatedIds: readonly string[]): void {
    const asked = withGenerated(ticket.command, generatedIds);
    const asRequest = underRules(asked, this.model.edition);
    // Commands that no request can express are submitted as they are.
    const meant = isDeepStrictEqual(asRequest, command) ? asRequest : asked;
    if (!isDeepStrictEqual(meant, command)) {
      this.fail(`a request became another command: asked ${text(meant)}, submitted ${text(command)}`);
    }
    ticket.command = meant;
    ticket.state = "waiting";
  }

  /**
   * Returns the expected outcome. `story` returns the actual one, with the events of the replica if no node has applied
   * the entry yet.
   */
  execute(entry: Entry, story: (events: readonly Event[]) => string): Pick<Ticket, "happened" | "keyOutcome"> {
    const { seq, timeMs, command } = entry;
    const events = this.replica.apply(entry);
    const happened = this.model.apply(timeMs, command);
    const keyOutcome = this.keys.apply(timeMs, command, this.model);
    const sentences = happened.map(sentence);
    const expected =
      command.type === "tick"
        ? [this.keys.expire(timeMs).join(), ...sentences].join("\n")
        : (keyOutcome ?? sentences.join("\n") + this.keys.frozen(command, happened, this.model));
    const actual = story(events);
    if (expected !== actual) {
      this.fail(`entry ${seq}, ${text(command)}: must be\n    ${expected}\n  and is\n    ${actual}`);
    }
    return { happened, keyOutcome };
  }

  /** Checks open sessions, passwords, codes, pending emails, and the counts of placed orders. */
  checkAccess(where: string, engine: Engine): void {
    const difference = differenceOfAccess(engine, this.model);
    if (difference !== undefined) this.fail(`those who sign in, at ${where}: ${difference}`);
    const { accounts, orderLimits } = this.model;
    for (const { windowMs } of orderLimits.limits) {
      for (const of of accounts.keys()) {
        const must = orderLimits.inWindow(of, windowMs, engine.timeMs);
        const is = engine.ordersInWindow(of, windowMs, engine.timeMs);
        if (must !== is) this.fail(`orders of ${of} in ${windowMs} ms, at ${where}: must be ${must} and are ${is}`);
      }
    }
  }
}

export class Auditor extends EntryAudit {
  /** Submitted and not settled, in order. */
  waiting: Ticket[] = [];
  lastSeq = 0;
  lastTimeMs = 0;
  /** Counts of orders, trades and rejections: how much a run has tested. */
  entries = 0;
  #limbo: Limbo[] = [];
  /** Called with each entry after its comparison. */
  onEntry: (entry: AuditedEntry, ticket: Ticket | undefined) => void = () => {};

  /** The gateway, or a caller inside the process, submits a command. */
  submitted(ticket: Ticket, command: Command, generatedIds: readonly string[]): void {
    this.submitCommand(ticket, command, generatedIds);
    this.waiting.push(ticket);
  }

  settled(ticket: Ticket, outcome: Outcome | OutcomeUnknown | NotAccepted, turn: number): void {
    if (!(outcome instanceof Error)) return this.#carriedOut(ticket, outcome);
    if (ticket.state !== "waiting") return this.fail(`a request that was ${ticket.state} ends as ${outcome.name}`);
    this.waiting = this.waiting.filter((other) => other !== ticket);
    if (outcome instanceof NotAccepted) {
      ticket.state = "refused";
      return undefined;
    }
    ticket.state = "unknown";
    const last = this.#limbo.at(-1);
    if (last?.turn === turn) this.#limbo.splice(-1, 1, { ...last, tickets: [...last.tickets, ticket] });
    else this.#limbo.push({ tickets: [ticket], turn, carriedOut: 0 });
    return undefined;
  }

  #carriedOut(ticket: Ticket, { seq, timeMs }: Outcome): void {
    if (ticket.state !== "applied") return this.fail(`answered before its entry was public: ${text(ticket.command)}`);
    if (ticket.seq !== seq || ticket.timeMs !== timeMs) {
      this.fail(`answered as entry ${seq} at ${timeMs}, public as ${ticket.seq} at ${ticket.timeMs}`);
    }
    return undefined;
  }

  /** An entry has become public. */
  applied(entry: Entry, events: readonly Event[], engine: Engine): void {
    const [first] = this.waiting;
    if (first === undefined) {
      const last = this.#limbo.at(-1);
      const ticket = last?.tickets[last.carriedOut];
      if (last !== undefined && ticket !== undefined && isDeepStrictEqual(entry.command, ticket.command)) {
        last.carriedOut++;
        this.#step(entry, events, engine, ticket);
      } else this.#unasked(entry, events, engine);
      return;
    }
    if (!isDeepStrictEqual(first.command, entry.command)) return this.#unasked(entry, events, engine);
    this.#forgetLimbo();
    this.waiting.shift();
    this.#step(entry, events, engine, first);
    first.state = "applied";
  }

  /** The only entries without a request are the exchange's own ticks. */
  #unasked(entry: Entry, events: readonly Event[], engine: Engine): void {
    if (entry.command.type !== "tick") return this.fail(`an entry that nobody asked for now: ${text(entry.command)}`);
    this.#step(entry, events, engine, undefined);
  }

  #step(entry: Entry, events: readonly Event[], engine: Engine, ticket: Ticket | undefined): void {
    const { seq, timeMs } = entry;
    if (timeMs < this.lastTimeMs) this.fail(`time goes back at entry ${seq}`);
    this.lastTimeMs = timeMs;
    this.#enter(entry, storyOf(entry.command, events, engine), ticket, engine);
  }

  /** `engine` is that of the running node; undefined while it recovers. */
  #enter(entry: Entry, story: string, ticket: Ticket | undefined, engine?: Engine): void {
    const { seq, timeMs, command } = entry;
    if (seq !== this.lastSeq + 1) this.fail(`entry ${seq} comes after entry ${this.lastSeq}`);
    this.lastSeq = seq;
    this.entries++;
    const { happened, keyOutcome } = this.execute(entry, () => story);
    if (engine !== undefined) this.checkAccess(`entry ${seq}`, engine);
    this.ledger.follow(happened);
    if (ticket !== undefined) Object.assign(ticket, { timeMs, seq, happened, keyOutcome });
    this.onEntry({ seq, timeMs, command, happened, isLive: engine !== undefined }, ticket);
  }

  /** The process or the machine has failed: the outcome of requests that were not settled is unknown. */
  crashed(turn: number): void {
    for (const ticket of this.waiting) ticket.state = "unknown";
    if (this.waiting.length > 0) this.#limbo.push({ tickets: this.waiting, turn, carriedOut: 0 });
    this.waiting = [];
  }

  /** A node starts. From here on, its recovery may replay entries that no client was told about. */
  beginRecovery(): RecoveryAudit {
    return new RecoveryAudit(this, this.#limbo);
  }

  /** The node is running, at this entry. */
  endRecovery(audit: RecoveryAudit, engine: Engine): void {
    if (engine.seq < this.lastSeq) this.fail(`entries after ${engine.seq} are lost; ${this.lastSeq} was answered`);
    for (const { entry, story, ticket } of audit.found) {
      this.lastTimeMs = Math.max(entry.timeMs, this.lastTimeMs);
      this.#enter(entry, story, ticket);
    }
    if (engine.seq !== this.lastSeq) this.fail(`it stands at entry ${engine.seq}, the last known is ${this.lastSeq}`);
    this.#limbo = [];
    this.checkState(engine);
  }

  /** Checks that the state is the result of the entries, whatever failures the node had. */
  checkState(engine: Engine): void {
    if (this.violation !== undefined || engine.seq !== this.replica.seq) return;
    this.checkAccess(`entry ${engine.seq}`, engine);
    if (Buffer.compare(engine.snapshot(), this.replica.snapshot()) === 0) return;
    const parts = differingParts(engine.stateHash(), this.replica.stateHash()).join(", ");
    this.fail(`at entry ${engine.seq} it stands in another state than its entries lead to: ${parts}`);
  }

  /**
   * The journal has a new entry, so requests that are still missing from it will never be executed. A batch is
   * journaled completely or not at all.
   */
  #forgetLimbo(): void {
    for (const { carriedOut, tickets } of this.#limbo) {
      if (carriedOut > 0 && carriedOut < tickets.length) {
        this.fail(`${carriedOut} of ${tickets.length} requests of one failed batch were carried out`);
      }
    }
    this.#limbo = [];
  }
}

/** Determines which of the requests with an unknown outcome a starting node finds in its journal. */
export class RecoveryAudit {
  readonly found: { readonly entry: Entry; readonly story: string; readonly ticket: Ticket | undefined }[] = [];
  readonly #auditor: Auditor;
  #candidates: readonly (readonly Ticket[])[];
  #next = 0;

  constructor(auditor: Auditor, limbo: readonly Limbo[]) {
    this.#auditor = auditor;
    this.#candidates = limbo.map(({ tickets, carriedOut }) => tickets.slice(carriedOut));
  }

  /** An entry is replayed. */
  replayed(entry: Entry, events: readonly Event[], engine: Engine): void {
    if (entry.seq <= this.#auditor.lastSeq) return;
    const fitting = this.#candidates.filter((tickets) =>
      isDeepStrictEqual(tickets[this.#next]?.command, entry.command),
    );
    const [fits] = fitting;
    if (fits === undefined && entry.command.type !== "tick") {
      this.#auditor.fail(`an entry turns up that nobody asked for: ${text(entry.command)}`);
    }
    this.found.push({ entry, story: storyOf(entry.command, events, engine), ticket: fits?.[this.#next] });
    if (fits === undefined) return;
    this.#candidates = fitting;
    this.#next++;
  }
}

export function storyOf(command: Command, events: readonly Event[], engine: Engine): string {
  if (/ListenKey|ApiKey/.test(command.type)) return keySentence(events);
  const sentences = happeningsOf(engine, events).map(sentence);
  // Listen keys expire by time alone, before anything else.
  if (command.type === "tick") return [expiredSentence(events), ...sentences].join("\n");
  return sentences.join("\n") + frozenSentence(events);
}

function expiredSentence(events: readonly Event[]): string {
  const closed = events.flatMap((event) => (event.type === "listenKeyClosed" ? [`expired ${event.listenKey}`] : []));
  return closed.sort().join();
}

function keySentence(events: readonly Event[]): string {
  const last = events.at(-1);
  switch (last?.type) {
    case "rejected":
      return last.reason;
    case "listenKeyOpened":
      return `opened ${last.listenKey} to ${last.expiresMs}`;
    case "listenKeyClosed":
      return `closed ${last.listenKey}`;
    case "apiKeyCreated":
      return `created ${last.key.apiKey}`;
    case "apiKeyDeleted":
      return `deleted ${last.apiKey}`;
    default:
      return `${last?.type}`;
  }
}

/** The command with the IDs that the gateway generated. */
export function withGenerated(command: Command, [id]: readonly string[]): Command {
  if (id === undefined) return command;
  if (command.type === "requestWithdrawal") {
    return { ...command, withdrawalId: id, confirmationHash: CONFIRMATIONS.hashOf(CONFIRMATIONS.secretOf(id)) };
  }
  if (command.type === "cancelOpenOrders") return { ...command, newClientOrderId: id };
  if (command.type === "openListenKey") return { ...command, listenKey: id };
  return command;
}

/** Before rules version 5, a node journals neither modes of self-trade prevention nor strategies. */
function underRules(command: Command, edition: number): Command {
  if (edition >= 5) return command;
  if (command.type === "placeOrder") return withoutLater(command);
  if (command.type === "cancelReplace") return { ...command, place: withoutLater(command.place) };
  if (command.type !== "placeOco") return command;
  return { ...command, stopLeg: withoutLater(command.stopLeg), limitLeg: withoutLater(command.limitLeg) };
}

function withoutLater<Order extends PlaceOrder | ListLeg>(order: Order): Order {
  const { selfTradePrevention: _mode, strategyId: _id, strategyType: _type, ...others } = order;
  return others as Order;
}

export function text(command: Command): string {
  return JSON.stringify(command, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}
