/**
 * Checks several nodes. The order of the shared log is authoritative: a model determines which of its rows count, the
 * model of trading determines the outcome of each entry, and every node must publish exactly that. Each request belongs
 * to the batch that it was put into, which determines its outcome whatever response the client received.
 */
import { isDeepStrictEqual } from "node:util";
import { type Command, decodeCommands, type Engine, type Entry, type NodeBatch } from "@pricetime/engine";
import type { LogRow, LooseBatch } from "@pricetime/server/data-folder";
import { NotAccepted, type Outcome, type OutcomeUnknown } from "@pricetime/server/parts";
import { EntryAudit, storyOf, text } from "../audit/auditor.ts";
import { lossesOf } from "../audit/ledger-of-orders.ts";
import { expectedOrder } from "../audit/state.ts";
import type { Ticket } from "../audit/ticket.ts";

/** An entry of the exchange, from the log. */
interface KnownEntry {
  readonly command: Command;
  readonly timeMs: number;
  /** The event digest after the entry. */
  readonly digest: string;
}

/** The state of an order from an entry on. */
interface Version {
  readonly seq: number;
  readonly story: string;
}

/** One process of a node. */
export class ProcessAudit {
  readonly node: string;
  /** The last entry that it has published. */
  seq: number;
  /** Submitted and not yet put into a batch, in order. */
  waiting: Ticket[] = [];
  /** The last batch. If it was skipped, it is appended to the log again under another number. */
  lastBatch: readonly (Ticket | undefined)[] = [];

  constructor(node: string, seq: number) {
    this.node = node;
    this.seq = seq;
  }
}

export class LogAudit extends EntryAudit {
  /** The entries of the log, from entry 1 on. */
  readonly entries: KnownEntry[] = [];
  /** Rows that all nodes skip. */
  skipped = 0;
  /** The highest entry that any client was told about. */
  answeredSeq = 0;
  readonly #batches = new Map<string, readonly (Ticket | undefined)[]>();
  readonly #versions = new Map<number, Version[]>();
  #timeMs = 0;

  get seq(): number {
    return this.entries.length;
  }
  get timeMs(): number {
    return this.#timeMs;
  }

  submitted(process: ProcessAudit, ticket: Ticket, command: Command, generatedIds: readonly string[]): void {
    this.submitCommand(ticket, command, generatedIds);
    process.waiting.push(ticket);
  }

  /** A process has formed a batch of the commands submitted to it: in order, with none missing. Ticks are its own. */
  batchFormed(process: ProcessAudit, { id, bytes, count }: LooseBatch): void {
    const commands = decodeCommands(bytes, count).slice(1);
    const isSame = this.#isAgain(process, commands);
    const tickets = isSame ? process.lastBatch : commands.map((command) => this.#take(process, command));
    process.lastBatch = tickets;
    this.#batches.set(id, tickets);
  }

  /** Whether this is the previous batch again, whose requests are not settled yet. */
  #isAgain({ lastBatch }: ProcessAudit, commands: readonly Command[]): boolean {
    const tickets = lastBatch.filter((ticket) => ticket !== undefined);
    return (
      lastBatch.length === commands.length &&
      (tickets.length > 0
        ? tickets.every(({ state }) => state === "waiting")
        : lastBatch.length > 0 && commands.every(({ type }) => type === "tick")) &&
      lastBatch.every((ticket, at) => ticket === undefined || isDeepStrictEqual(ticket.command, commands[at]))
    );
  }

  #take(process: ProcessAudit, command: Command): Ticket | undefined {
    if (command.type === "tick") return undefined;
    const ticket = process.waiting.shift();
    if (ticket === undefined || !isDeepStrictEqual(ticket.command, command)) {
      this.fail(`${process.node} journals what nobody asked for now: ${text(command)}`);
    }
    return ticket;
  }

  /** A row was appended to the log. */
  rowAdded({ id, bytes, count, timeMs }: LogRow): void {
    const commands = decodeCommands(bytes, count);
    const header = commands[0] as NodeBatch;
    const tickets = this.#batches.get(id);
    if (tickets === undefined) return this.fail(`a row ${id} that no node has written`);
    if (this.model.nodes.batchRefusal(header) !== null) {
      this.skipped++;
      return undefined;
    }
    this.#timeMs = Math.max(this.#timeMs, timeMs);
    for (const [at, command] of commands.entries()) this.#step(command, at === 0 ? undefined : tickets[at - 1]);
    return undefined;
  }

  #step(command: Command, ticket: Ticket | undefined): void {
    const [seq, timeMs] = [this.entries.length + 1, this.#timeMs];
    const entry = { seq, timeMs, command };
    const { happened, keyOutcome } = this.execute(entry, (events) => storyOf(command, events, this.replica));
    this.checkAccess("the log", this.replica);
    this.entries.push({ command, timeMs, digest: this.replica.eventDigest() });
    this.ledger.follow(happened);
    for (const orderId of this.#touched(happened)) this.#note(orderId, seq);
    if (ticket === undefined) return;
    if (ticket.seq > 0) this.fail(`carried out twice, as entries ${ticket.seq} and ${seq}: ${text(command)}`);
    if (ticket.state === "refused") this.fail(`told that it was not taken, and it is entry ${seq}: ${text(command)}`);
    Object.assign(ticket, { timeMs, seq, happened, keyOutcome });
  }

  *#touched(happened: Ticket["happened"]): Iterable<number> {
    for (const each of happened) {
      if (each.kind === "opened" || each.kind === "ended" || each.kind === "amended") yield each.orderId;
      if (each.kind === "traded") yield* [each.taker.orderId, each.maker.orderId];
      if (each.kind === "prevented") yield* lossesOf(each).map(({ orderId }) => orderId);
    }
  }

  #note(orderId: number, seq: number): void {
    const accountId = this.ledger.orders.get(orderId)?.opened.accountId ?? 0;
    const versions = this.#versions.get(orderId) ?? [];
    versions.push({ seq, story: expectedOrder(this, accountId, orderId) });
    this.#versions.set(orderId, versions);
  }

  /** The valid responses to an order query that was sent when `fromSeq` was public and is answered now. */
  storiesSince(orderId: number, accountId: number, fromSeq: number, unknown: string): readonly string[] {
    if (this.ledger.orders.get(orderId)?.opened.accountId !== accountId) return [unknown];
    const versions = this.#versions.get(orderId) ?? [];
    const at = versions.findLastIndex(({ seq }) => seq <= fromSeq);
    const later = versions.slice(Math.max(at, 0)).map(({ story }) => story);
    return at === -1 ? [unknown, ...later] : later;
  }

  settled(process: ProcessAudit, ticket: Ticket, outcome: Outcome | OutcomeUnknown | NotAccepted): void {
    process.waiting = process.waiting.filter((other) => other !== ticket);
    if (ticket.state !== "waiting") return this.fail(`told twice: ${text(ticket.command)}`);
    if (outcome instanceof NotAccepted) {
      ticket.state = "refused";
      if (ticket.seq > 0)
        this.fail(`told that it was not taken, and it is entry ${ticket.seq}: ${text(ticket.command)}`);
      return undefined;
    }
    if (outcome instanceof Error) {
      ticket.state = "unknown";
      return undefined;
    }
    ticket.state = "applied";
    const { seq, timeMs } = outcome;
    if (ticket.seq !== seq || ticket.timeMs !== timeMs) {
      this.fail(
        `answered as entry ${seq} at ${timeMs}, in the log as ${ticket.seq} at ${ticket.timeMs}: ${text(ticket.command)}`,
      );
    }
    if (process.seq < seq)
      this.fail(`answered before its entry was public at ${process.node}: ${text(ticket.command)}`);
    this.answeredSeq = Math.max(this.answeredSeq, seq);
    return undefined;
  }

  /** The process has died: the outcome of its unanswered requests is unknown. */
  died({ waiting, lastBatch }: ProcessAudit): void {
    for (const ticket of [...waiting, ...lastBatch]) if (ticket?.state === "waiting") ticket.state = "unknown";
  }

  /** A node has published an entry. */
  published(process: ProcessAudit, { seq, timeMs, command }: Entry, engine: Engine): void {
    const { node } = process;
    if (seq !== process.seq + 1) this.fail(`${node} shows entry ${seq} after entry ${process.seq}`);
    process.seq = seq;
    const known = this.entries[seq - 1];
    if (known === undefined)
      return this.fail(`${node} shows entry ${seq}, which the log does not have: ${text(command)}`);
    if (!isDeepStrictEqual(known.command, command) || known.timeMs !== timeMs) {
      const [must, is] = [`${text(known.command)} at ${known.timeMs}`, `${text(command)} at ${timeMs}`];
      this.fail(`entry ${seq} at ${node} must be\n    ${must}\n  and is\n    ${is}`);
    } else if (known.digest !== engine.eventDigest()) {
      this.fail(`${node} makes something else of entry ${seq}: ${text(command)}`);
    }
    return undefined;
  }

  /** A node has recovered after a start. `shownSeq` is the last entry that its previous process published. */
  recovered(node: string, shownSeq: number, engine: Engine): void {
    if (engine.seq < shownSeq) this.fail(`${node} has lost the entries after ${engine.seq}; it had shown ${shownSeq}`);
    this.#checkDigest(node, engine);
  }

  #checkDigest(node: string, engine: Engine): void {
    const known = engine.seq === 0 ? undefined : this.entries[engine.seq - 1];
    if (engine.seq > this.seq) this.fail(`${node} stands at entry ${engine.seq}, the log at ${this.seq}`);
    else if (known !== undefined && known.digest !== engine.eventDigest()) {
      this.fail(`${node} stands at entry ${engine.seq} in another state than the log leads to`);
    }
  }

  /** No request is running: the node must have reached the end of the log, and its state. */
  atEnd(node: string, engine: Engine): void {
    if (engine.seq !== this.seq) return this.fail(`${node} stays at entry ${engine.seq}, the log ends at ${this.seq}`);
    this.#checkDigest(node, engine);
    this.checkAccess(node, engine);
    if (this.violation !== undefined || Buffer.compare(engine.snapshot(), this.replica.snapshot()) === 0) return;
    this.fail(`${node} stands in another state than its entries lead to`);
  }
}
