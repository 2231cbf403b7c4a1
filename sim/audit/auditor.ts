/**
 * Recomputes what must be true from requests, responses and public events alone. It has its own model of trading
 * (shared with the engine's tests, but sharing no code with the engine) and executes on it the submitted requests in
 * their order. It verifies that each entry was requested, and that what was acknowledged is still there after a crash.
 */
import { isDeepStrictEqual } from "node:util";
import { type Command, differingParts, Engine, type Entry, type Event } from "@pricetime/engine";
import { NotAccepted, type Outcome, type OutcomeUnknown } from "@pricetime/server/parts";
import { differenceOfAccess, type Happening, ModelExchange, sentence, happeningsOf } from "@pricetime/testkit/models";
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

export class Auditor {
  readonly model = new ModelExchange();
  readonly keys = new Keys();
  readonly ledger = new LedgerOfOrders();
  /** Submitted and not settled, in order. */
  waiting: Ticket[] = [];
  /** The first violation, which ends the run. */
  violation: string | undefined;
  lastSeq = 0;
  lastTimeMs = 0;
  /** Counts of orders, trades and rejections: how much a run has tested. */
  entries = 0;
  #limbo: Limbo[] = [];
  /** Has executed every entry once, without a restart. The state after restarts is compared with it, byte for byte. */
  readonly #replica = new Engine();
  /** Called with each entry after its comparison. */
  onEntry: (entry: AuditedEntry, ticket: Ticket | undefined) => void = () => {};

  fail(what: string): void {
    this.violation ??= what;
  }

  /** The gateway, or a caller inside the process, submits a command. */
  submitted(ticket: Ticket, command: Command, generatedIds: readonly string[]): void {
    const meant = withGenerated(ticket.command, generatedIds);
    if (!isDeepStrictEqual(meant, command)) {
      this.fail(`a request became another command: asked ${text(meant)}, submitted ${text(command)}`);
    }
    ticket.command = meant;
    ticket.state = "waiting";
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
    const { seq, timeMs, command } = entry;
    if (seq !== this.lastSeq + 1) this.fail(`entry ${seq} comes after entry ${this.lastSeq}`);
    if (timeMs < this.lastTimeMs) this.fail(`time goes back at entry ${seq}`);
    this.lastSeq = seq;
    this.lastTimeMs = timeMs;
    this.entries++;
    this.#replica.apply(entry);
    const predicted = this.model.apply(timeMs, command);
    const said = this.keys.apply(timeMs, command, (accountId) => this.model.accounts.has(accountId));
    if (command.type === "tick") this.#compareExpiries(seq, predicted, expiredStory(events, engine));
    else this.#compare(seq, command, said ?? this.#mustBe(command, predicted), storyOf(command, events, engine));
    this.#checkAccess(seq, engine);
    this.ledger.follow(predicted);
    if (ticket !== undefined) Object.assign(ticket, { timeMs, seq, happened: predicted, said });
    this.onEntry({ seq, timeMs, command, happened: predicted, isLive: true }, ticket);
  }

  #mustBe(command: Command, predicted: readonly Happening[]): string {
    return predicted.map(sentence).join("\n") + this.keys.frozen(command, predicted, this.model);
  }

  /** Checks open sessions, passwords, codes, and pending emails. */
  #checkAccess(seq: number, engine: Engine): void {
    const difference = differenceOfAccess(engine, this.model);
    if (difference !== undefined) this.fail(`those who sign in, at entry ${seq}: ${difference}`);
  }

  #compareExpiries(seq: number, predicted: readonly Happening[], story: string): void {
    const expected = [this.keys.expire(this.lastTimeMs).join(), ...predicted.map(sentence)].join("\n");
    this.#compare(seq, { type: "tick" }, expected, story);
  }

  #compare(seq: number, command: Command, expected: string, actual: string): void {
    if (expected !== actual) {
      this.fail(`entry ${seq}, ${text(command)}: must be\n    ${expected}\n  and is\n    ${actual}`);
    }
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
    for (const { entry, events, ticket } of audit.found) this.#stepRecovered(entry, events, ticket);
    if (engine.seq !== this.lastSeq) this.fail(`it stands at entry ${engine.seq}, the last known is ${this.lastSeq}`);
    this.#limbo = [];
    this.checkState(engine);
  }

  /** Checks that the state is the result of the entries, whatever failures the node had. */
  checkState(engine: Engine): void {
    if (this.violation !== undefined || engine.seq !== this.#replica.seq) return;
    this.#checkAccess(engine.seq, engine);
    if (Buffer.compare(engine.snapshot(), this.#replica.snapshot()) === 0) return;
    const parts = differingParts(engine.stateHash(), this.#replica.stateHash()).join(", ");
    this.fail(`at entry ${engine.seq} it stands in another state than its entries lead to: ${parts}`);
  }

  #stepRecovered(entry: Entry, story: string, ticket: Ticket | undefined): void {
    const { seq, timeMs, command } = entry;
    if (seq !== this.lastSeq + 1) this.fail(`entry ${seq} comes after entry ${this.lastSeq}`);
    this.lastSeq = seq;
    this.lastTimeMs = Math.max(timeMs, this.lastTimeMs);
    this.entries++;
    this.#replica.apply(entry);
    const predicted = this.model.apply(timeMs, command);
    const said = this.keys.apply(timeMs, command, (accountId) => this.model.accounts.has(accountId));
    if (command.type === "tick") this.#compareExpiries(seq, predicted, story);
    else this.#compare(seq, command, said ?? this.#mustBe(command, predicted), story);
    this.ledger.follow(predicted);
    if (ticket !== undefined) Object.assign(ticket, { timeMs, seq, happened: predicted, said });
    this.onEntry({ seq, timeMs, command, happened: predicted, isLive: false }, ticket);
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
  readonly found: { readonly entry: Entry; readonly events: string; readonly ticket: Ticket | undefined }[] = [];
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
    const isTick = entry.command.type === "tick";
    const story = isTick ? expiredStory(events, engine) : storyOf(entry.command, events, engine);
    this.found.push({ entry, events: story, ticket: fits?.[this.#next] });
    if (fits === undefined) return;
    this.#candidates = fitting;
    this.#next++;
  }
}

export function storyOf(command: Command, events: readonly Event[], engine: Engine): string {
  const isAboutKeys = /ListenKey|ApiKey/.test(command.type);
  if (isAboutKeys) return keySentence(events);
  return happeningsOf(engine, events).map(sentence).join("\n") + frozenSentence(events);
}

/** What expired by time alone: listen keys first, then the rest. */
export function expiredStory(events: readonly Event[], engine: Engine): string {
  return [expiredSentence(events), ...happeningsOf(engine, events).map(sentence)].join("\n");
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

export function text(command: Command): string {
  return JSON.stringify(command, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}
