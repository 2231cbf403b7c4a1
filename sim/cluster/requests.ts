/** Requests to nodes of a cluster. Each has a ticket, from which the auditor knows the expected outcome. */
import { isDeepStrictEqual } from "node:util";
import type { Command } from "@pricetime/engine";
import { textOf } from "@pricetime/server/parts";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import { isUnchanged, wrongAnswer } from "../audit/answers.ts";
import { text, withGenerated } from "../audit/auditor.ts";
import { answeredOrder, UNKNOWN_ORDER } from "../audit/state.ts";
import type { Ticket } from "../audit/ticket.ts";
import { Tickets } from "../world/tickets.ts";
import { apiKeyOf, type ClientRequest, KEY_REFUSED, requestOf, signed, USUAL_WINDOW } from "../world/request.ts";
import type { ClusterCounts } from "../counts.ts";
import type { LogAudit } from "./log-audit.ts";
import type { Machine } from "./machine.ts";
import type { MemberWorld } from "./node.ts";

const STALE_HEADER = "X-PRICETIME-STALE-MS";
const RECV_WINDOW_CODE = -1021;

export class ClusterRequests {
  readonly #auditor: LogAudit;
  readonly #schedule: Schedule;
  readonly #counts: ClusterCounts;
  readonly #say: (what: string) => void;
  readonly #tickets = new Tickets();
  readonly ids = this.#tickets.ids;
  /** Unanswered requests, each with the process that received it. */
  readonly #open = new Map<Ticket, Life>();

  constructor(auditor: LogAudit, schedule: Schedule, counts: ClusterCounts, say: (what: string) => void) {
    this.#auditor = auditor;
    this.#schedule = schedule;
    this.#counts = counts;
    this.#say = say;
  }

  /** `settled` is called once when the request has ended; never if the process dies first. */
  command(
    machine: Machine,
    command: Command,
    via: "client" | "inside",
    settled: (ticket: Ticket) => void = () => {},
  ): void {
    const { node, life } = machine;
    if (node === undefined) return;
    const asked = via === "client" ? requestOf(command, this.#auditor.model) : undefined;
    const isKnown = asked !== undefined && this.#auditor.keys.apiKeys.has(apiKeyOf(asked.accountId));
    const request = isKnown ? asked : undefined;
    const ticket = this.#tickets.add(command, request);
    this.#counts[request === undefined ? "insideCommands" : "requests"]++;
    if (request === undefined) {
      this.#tickets.with(ticket, () => node.sequencer.submit(command, () => life.alive && settled(ticket)));
      return;
    }
    const timestampMs = node.sequencer.nowMs();
    this.#schedule.after(machine.dice.below(12), () => this.#arrive(machine, ticket, request, timestampMs), life);
  }

  #arrive(machine: Machine, ticket: Ticket, request: ClientRequest, timestampMs: number): void {
    const { node, life } = machine;
    if (node === undefined) return;
    this.#open.set(ticket, life);
    const { recvWindow = USUAL_WINDOW } = request.parameters;
    if (this.#auditor.model.interface === "today")
      Object.assign(ticket, { interface: "today", untilMs: timestampMs + Number(recvWindow) });
    this.#tickets.with(ticket, () =>
      node.gateway.process(signed(request, timestampMs), {
        reply: ({ status, body }) => {
          this.#open.delete(ticket);
          if (life.alive) this.#answered(ticket, status, textOf(body), node.sequencer.nowMs());
        },
      }),
    );
  }

  /** The node's callback: a command is submitted. */
  submitted(machine: Machine, command: Command): ReturnType<MemberWorld["onSubmit"]> {
    const process = machine.audit;
    const generated = this.#tickets.generated;
    this.#tickets.generated = [];
    const asked = this.#tickets.current ?? this.#deferred(machine.life, command, generated);
    const ticket = asked ?? this.#tickets.add(command);
    if (asked === undefined) this.#counts.ownCommands++;
    ticket.isOwn = asked === undefined;
    if (process !== undefined) this.#auditor.submitted(process, ticket, command, generated);
    return (outcome) => {
      if (outcome instanceof Error) this.#counts[outcome.name === "OutcomeUnknown" ? "unknown" : "notAccepted"]++;
      if (process !== undefined) this.#auditor.settled(process, ticket, outcome);
    };
  }

  /** A command that had to wait until its node had caught up with others. */
  #deferred(life: Life, command: Command, generated: readonly string[]): Ticket | undefined {
    for (const [ticket, asked] of this.#open) {
      if (
        asked === life &&
        ticket.state === "sent" &&
        isDeepStrictEqual(withGenerated(ticket.command, generated), command)
      )
        return ticket;
    }
    return undefined;
  }

  /** Queries an order: the response must be its state at some time since the query. */
  read(machine: Machine, accountId: number, orderId: number): void {
    const auditor = this.#auditor;
    const [market] = auditor.model.markets;
    if (!auditor.keys.apiKeys.has(apiKeyOf(accountId)) || market === undefined) return;
    const symbol = auditor.ledger.orders.get(orderId)?.opened.symbol ?? market.spec.symbol;
    const parameters = { symbol, orderId: String(orderId) };
    const { answeredSeq } = auditor;
    const request = { method: "GET", path: "/api/v3/order", accountId, isSigned: true, parameters };
    void this.ask(machine, request).then(({ status, json, isStale }) => {
      if (status === 503) {
        this.#counts.refusedReads++;
        return;
      }
      if (isStale) this.#counts.staleReads++;
      const answered = answeredOrder(status, json);
      this.#say(`read ${orderId} at ${machine.name} ${answered}`);
      if (answered === String(RECV_WINDOW_CODE)) return;
      if (answered === String(KEY_REFUSED) && this.#wasFrozen(request)) return;
      const stories = auditor.storiesSince(orderId, accountId, isStale ? 0 : answeredSeq, UNKNOWN_ORDER);
      if (stories.includes(answered)) return;
      const must = stories.join("\n    or ");
      auditor.fail(`order ${orderId} at ${machine.name} must be\n    ${must}\n  and is\n    ${answered}`);
    });
  }

  /** Never settles if the node dies first. */
  ask(machine: Machine, request: ClientRequest): Promise<{ status: number; json: unknown; isStale: boolean }> {
    const { node, life } = machine;
    return new Promise((resolve) => {
      if (node === undefined) return;
      node.gateway.process(signed(request, node.sequencer.nowMs()), {
        reply: ({ status, body, headers }) => {
          if (!life.alive) return;
          this.#counts.reads++;
          resolve({ status, json: JSON.parse(textOf(body)), isStale: headers.includes(STALE_HEADER) });
        },
      });
    });
  }

  #wasFrozen({ accountId }: ClientRequest): boolean {
    return this.#auditor.keys.everEnded.has(apiKeyOf(accountId));
  }

  #answered(ticket: Ticket, status: number, body: string, nowMs: number): void {
    this.#counts.answers++;
    this.#say(`answer ${ticket.id} ${status} ${body}`);
    const json = JSON.parse(body) as { code?: number };
    if (ticket.state === "waiting") return this.#auditor.fail(`answered before it was carried out: ${body}`);
    if (ticket.state === "sent") {
      // A paused node finds the request too old, or did not catch up with the others in time.
      if (json.code === RECV_WINDOW_CODE || status === 503) return undefined;
      if (isUnchanged(ticket, status, json)) return undefined;
      // The node may not have seen yet that a locked account has a key again.
      if (json.code === KEY_REFUSED && ticket.request !== undefined && this.#wasFrozen(ticket.request))
        return undefined;
      return this.#auditor.fail(`refused at the door: ${text(ticket.command)} ${status} ${body}`);
    }
    const wrong = wrongAnswer(ticket, status, json, nowMs);
    if (wrong !== undefined) this.#auditor.fail(`answer to ${text(ticket.command)}: ${wrong}`);
    return undefined;
  }
}
