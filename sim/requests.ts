/**
 * Clients' requests, and commands from inside the process. Each has a ticket, from which the auditor knows the expected
 * outcome.
 */
import { CONFIRM_PATH } from "@pricetime/protocol";
import type { Command } from "@pricetime/engine";
import { textOf, type GatewayRequest, type GatewayResponse, type SessionStore } from "@pricetime/server/parts";
import type { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import { cookieWorth } from "./audit/cookies.ts";
import { isUnchanged, wrongAnswer } from "./audit/answers.ts";
import { type Auditor, text } from "./audit/auditor.ts";
import type { ClockAudit } from "./audit/clock-audit.ts";
import { CONFIRMATIONS, tokenFor } from "./world/tokens.ts";
import { answeredOrder, expectedOrder, UNKNOWN_ORDER } from "./audit/state.ts";
import type { Ticket } from "./audit/ticket.ts";
import type { Counts } from "./counts.ts";
import type { NodeWorld, SimNode } from "./world/node.ts";
import { Tickets } from "./world/tickets.ts";
import { apiKeyOf, type ClientRequest, KEY_REFUSED, requestOf, signed, USUAL_WINDOW } from "./world/request.ts";

const MOST_AHEAD_MS = 1_000;

export interface RequestParts {
  readonly schedule: Schedule;
  readonly auditor: Auditor;
  readonly clock: ClockAudit;
  readonly counts: Counts;
  /** The random source of the current process. */
  readonly dice: () => Dice;
  /** The elapsed time including sleep. */
  readonly passedMs: () => number;
  /** Undefined if there is none, or it does not accept connections yet. */
  readonly node: () => { readonly node: SimNode; readonly life: Life } | undefined;
  readonly say: (what: string) => void;
}

/** Commands that a node submits on its own: caused by a chain, by its rules, or by responses to clients. */
const OWN: ReadonlySet<Command["type"]> = new Set<Command["type"]>([
  ...([
    "advanceNetwork",
    "seeDeposit",
    "creditDeposit",
    "finishDeposit",
    "dropDeposit",
    "assignDepositAddress",
  ] as const),
  ...(["signWithdrawal", "completeWithdrawal", "failWithdrawal", "failSignedWithdrawal", "payNetworkCost"] as const),
  ...(["lockApiTrading", "unlockApiTrading", "changeNotice"] as const),
]);

export class Requests {
  readonly #parts: RequestParts;
  readonly #tickets = new Tickets();
  readonly ids = this.#tickets.ids;
  #underWay = 0;

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  /** The number of requests being sent. */
  get underWay(): number {
    return this.#underWay;
  }

  command(command: Command, via: "client" | "inside"): void {
    const { node, auditor, counts, schedule, dice } = this.#parts;
    const now = node();
    if (now === undefined) return;
    const asked = via === "client" ? requestOf(command, auditor.model) : undefined;
    const request = asked !== undefined && auditor.keys.apiKeys.has(apiKeyOf(asked.accountId)) ? asked : undefined;
    const ticket = this.#tickets.add(command, request);
    counts[request === undefined ? "insideCommands" : "requests"]++;
    if (request === undefined) {
      this.#tickets.with(ticket, () => now.node.sequencer.submit(command, () => {}));
      return;
    }
    const timestampMs = now.node.sequencer.nowMs();
    this.#underWay++;
    schedule.after(dice().below(12), () => {
      this.#underWay--;
      this.#arrive(ticket, request, timestampMs);
    });
  }

  #arrive(ticket: Ticket, request: ClientRequest, timestampMs: number): void {
    const { auditor, clock, passedMs } = this.#parts;
    const now = this.#parts.node();
    if (now === undefined) return;
    const { node, life } = now;
    const atMs = node.sequencer.nowMs();
    clock.sent(atMs, auditor.lastTimeMs, passedMs());
    const { recvWindow = USUAL_WINDOW } = request.parameters;
    const untilMs = timestampMs + Number(recvWindow);
    const isLate = atMs > untilMs || atMs <= timestampMs - MOST_AHEAD_MS;
    if (auditor.model.interface === "today") Object.assign(ticket, { interface: "today", untilMs });
    this.#tickets.with(ticket, () =>
      node.gateway.process(signed(request, timestampMs), {
        reply: ({ status, body }) => {
          if (life.alive) this.#answered(ticket, status, textOf(body), isLate, node.sequencer.nowMs());
        },
      }),
    );
  }

  /** Opens the link of an email and confirms. */
  click(link: URLSearchParams): void {
    const { node, auditor, say } = this.#parts;
    const now = node();
    if (now === undefined) return;
    const withdrawalId = link.get("id") ?? "";
    const confirmationHash = CONFIRMATIONS.hashOf(link.get("secret") ?? "");
    const ticket = this.#tickets.add({ type: "confirmWithdrawal", withdrawalId, confirmationHash });
    const { wallet } = auditor.model;
    const isWaiting = wallet.withdrawals.some(
      (each) => each.withdrawalId === withdrawalId && each.status === "emailSent",
    );
    const page = { method: "POST", path: CONFIRM_PATH, query: link.toString(), body: "", headers: {}, ip: "10.0.0.3" };
    const reply = ({ status }: GatewayResponse): void => {
      if (!now.life.alive) return;
      say(`clicked ${withdrawalId} ${status}`);
      const isDone = ticket.state === "applied" && ticket.happened[0]?.kind !== "refused";
      if (isDone !== (status === 200)) auditor.fail(`a link was clicked: ${ticket.state}, and answered ${status}`);
    };
    this.#tickets.with(ticket, () => now.node.gateway.process(page satisfies GatewayRequest, { reply }));
    if (isWaiting && ticket.state === "sent") auditor.fail(`the link of ${withdrawalId} opens nothing`);
  }

  /** A browser sends the cookie of an earlier session, which is valid or not. */
  showCookie(sessionId: string, isOld: boolean): void {
    const { node, auditor, counts, say } = this.#parts;
    const now = node();
    const session = auditor.model.access.sessions.find((each) => each.sessionId === sessionId);
    if (now === undefined || session === undefined) return;
    const token = tokenFor(sessionId, isOld ? session.previousHash : session.secretHash);
    const nowMs = now.node.sequencer.nowMs();
    const worth = nowMs < session.untilMs ? cookieWorth(session, isOld, nowMs) : "over";
    // A request with a secret that was renewed long ago ends the session.
    const ends: Command = { type: "closeSession", sessionId, by: session.holder };
    let shown: ReturnType<SessionStore["find"]>;
    const show = (): void => {
      shown = now.node.door.find(token);
    };
    const ending = this.#tickets.add(ends);
    if (worth === "replayed") this.#tickets.with(ending, show);
    else show();
    if (worth === "replayed" && ending.state === "sent") auditor.fail("a cookie was shown by two, and ends no session");
    counts.cookies++;
    say(`cookie of ${sessionId} ${worth}`);
    const isIn = worth === "good" || worth === "late";
    if (isIn !== (shown?.session.holder === session.holder)) {
      auditor.fail(`a cookie that is ${worth} opens ${shown?.session.holder ?? "nothing"}`);
    }
  }

  /** The node's callback: a command is submitted. */
  submitted(command: Command): ReturnType<NodeWorld["onSubmit"]> {
    const { auditor, counts, schedule } = this.#parts;
    const ticket = this.#tickets.current ?? this.#tickets.add(command);
    if (this.#tickets.current === undefined && !OWN.has(command.type)) {
      throw new Error("somebody submits whom nobody has asked");
    }
    if (this.#tickets.current === undefined) counts.ownCommands++;
    ticket.isOwn = this.#tickets.current === undefined;
    auditor.submitted(ticket, command, ticket.isOwn ? [] : this.#tickets.generated);
    return (outcome) => {
      if (outcome instanceof Error) counts[outcome.name === "NotAccepted" ? "notAccepted" : "unknown"]++;
      auditor.settled(ticket, outcome, schedule.turns);
    };
  }

  /** Queries an order while other requests are running. */
  read(accountId: number, orderId: number): void {
    const { auditor, say } = this.#parts;
    const { ledger, keys, model } = auditor;
    const [market] = model.markets;
    if (!keys.apiKeys.has(apiKeyOf(accountId)) || market === undefined) return;
    const symbol = ledger.orders.get(orderId)?.opened.symbol ?? market.spec.symbol;
    const parameters = { symbol, orderId: String(orderId) };
    const request = { method: "GET", path: "/api/v3/order", accountId, isSigned: true, parameters };
    const expected = expectedOrder(auditor, accountId, orderId);
    void this.ask(request).then(({ status, json }) => {
      const answered = answeredOrder(status, json);
      say(`read ${orderId} ${answered}`);
      // The order may have been created in the meantime.
      const isNew = expected === UNKNOWN_ORDER && ledger.orders.get(orderId)?.opened.accountId === accountId;
      if (answered === expected || isNew) return;
      auditor.fail(`order ${orderId} must be\n    ${expected}\n  and is\n    ${answered}`);
    });
  }

  /** Never settles if the node dies first. */
  ask(request: ClientRequest): Promise<{ status: number; json: unknown }> {
    return new Promise((resolve) => {
      const now = this.#parts.node();
      if (now === undefined) return;
      now.node.gateway.process(signed(request, now.node.sequencer.nowMs()), {
        reply: ({ status, body }) => {
          if (!now.life.alive) return;
          this.#parts.counts.reads++;
          resolve({ status, json: JSON.parse(textOf(body)) });
        },
      });
    });
  }

  #answered(ticket: Ticket, status: number, body: string, isLate: boolean, nowMs: number): void {
    const { auditor, counts, say } = this.#parts;
    counts.answers++;
    say(`answer ${ticket.id} ${status} ${body}`);
    const json = JSON.parse(body) as { code?: number };
    if (ticket.state === "waiting") return auditor.fail(`answered before it was carried out: ${body}`);
    if (ticket.state === "sent") {
      if (json.code === -1021 && isLate) return undefined;
      if (json.code === KEY_REFUSED && !hasKey(ticket, auditor)) return undefined;
      if (isUnchanged(ticket, status, json)) return undefined;
      return auditor.fail(`refused at the door: ${text(ticket.command)} ${status} ${body}`);
    }
    if (ticket.timeMs > ticket.untilMs) auditor.fail(`carried out too late: ${text(ticket.command)}`);
    const wrong = wrongAnswer(ticket, status, json, nowMs);
    if (wrong !== undefined) auditor.fail(`answer to ${text(ticket.command)}: ${wrong}`);
    return undefined;
  }
}

/** The account may have been locked while the request was running. */
function hasKey({ request }: Ticket, { keys }: Auditor): boolean {
  return request !== undefined && keys.apiKeys.has(apiKeyOf(request.accountId));
}
