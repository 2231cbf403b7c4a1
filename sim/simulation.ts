/** One run: a seed, a node that dies again and again, clients that go on, and an auditor who watches. */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Command } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { ClockBehind, textOf } from "@pricetime/server/parts";
import { openHistoryFile, Projection, SnapshotFolder } from "@pricetime/server/data-folder";
import { wrongAnswer } from "./audit/answers.ts";
import { Auditor, text } from "./audit/auditor.ts";
import { ClockAudit } from "./audit/clock-audit.ts";
import { answeredOrder, auditState, expectedOrder, UNKNOWN_ORDER } from "./audit/state.ts";
import { newTicket, type Ticket } from "./audit/ticket.ts";
import { NO_BUG } from "./mutations/seams.ts";
import type { Act, Step } from "./plan/step.ts";
import { Workload } from "./plan/workload.ts";
import { PowerCut, SimDisk } from "./world/disk.ts";
import { SimJournal } from "./world/journal.ts";
import { simWorld } from "./world/machine.ts";
import { type NodeWorld, type Seams, SimNode } from "./world/node.ts";
import { apiKeyOf, type ClientRequest, requestOf, signed } from "./world/request.ts";
import { Life, Schedule } from "./world/schedule.ts";
import { type Counts, newCounts } from "./counts.ts";

const START_MS = 1_700_000_000_000;
const RECV_WINDOW_MS = 5_000;
const MOST_AHEAD_MS = 1_000;
/** Of virtual time: who has no answer by then never gets one. */
const LONGEST_WAIT_MS = 600_000;
const MOST_START_FAILURES = 12;
const MOST_DEATHS_WITHOUT_STEP = 20;
export interface RunOptions {
  readonly seed: number;
  /** Steps after the opening. */
  readonly length: number;
  /** In place of those that the seed would make. */
  readonly steps?: readonly Step[];
  readonly seams?: Seams;
}

export interface RunResult {
  readonly violation: string | undefined;
  readonly steps: readonly Step[];
  /** SHA-256 of all that happened, in order. */
  readonly digest: string;
  readonly lines: readonly string[];
  readonly counts: Counts;
}

export async function simulate(options: RunOptions): Promise<RunResult> {
  return new Simulation(options).run();
}

class Simulation {
  readonly #options: RunOptions;
  readonly #schedule = new Schedule();
  readonly #auditor = new Auditor();
  /** Of one life: what a life before it threw must not matter, or a run could not be made short. */
  #dice: Dice;
  #nodeDice: Dice;
  #lives = 0;
  readonly #disk: SimDisk;
  readonly #workload: Workload;
  readonly #performed: Step[] = [];
  readonly #lines: string[] = [];
  readonly #counts = newCounts();
  #database: DatabaseSync = openHistoryFile(":memory:");
  #life = new Life();
  #node: SimNode | undefined;
  #wallOffsetMs = START_MS;
  #sleptMs = 0;
  readonly #clock = new ClockAudit((what) => this.#auditor.fail(what));
  #stepMs = 1;
  readonly #deafness = { heads: 0 };
  #powerIsOff = false;
  #historyTo: number | undefined;
  #startFailures = 0;
  #deathsWithoutStep = 0;
  #current: Ticket | undefined;
  #generated: string[] = [];
  #ids = 0;
  #underWay = 0;
  /** What the driver waits for before the next step. */
  #audit: object | undefined;
  #tickets = 0;
  #finales = 0;
  #isOver = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#dice = new Dice(options.seed ^ 0x7157);
    this.#nodeDice = new Dice(options.seed ^ 0x40de);
    this.#disk = new SimDisk(this.#dice);
    this.#disk.onCut = () => this.#down("power");
    this.#workload = new Workload(new Dice(options.seed));
  }

  async run(): Promise<RunResult> {
    this.#boot();
    this.#drive();
    const isOver = (): boolean => this.#isOver || this.#auditor.violation !== undefined;
    await this.#schedule.run(isOver, (error) => this.#onError(error));
    if (!this.#isOver) this.#auditor.fail("everything has come to a stand");
    this.#life.alive = false;
    const { counts: disk } = this.#disk;
    Object.assign(this.#counts, { ...disk, virtualMs: this.#schedule.nowMs, entries: this.#auditor.entries });
    this.#say(`end ${this.#auditor.violation ?? "sound"}`);
    const digest = createHash("sha256").update(this.#lines.join("\n")).digest("hex");
    const { violation } = this.#auditor;
    return { violation, steps: this.#performed, digest, lines: this.#lines, counts: this.#counts };
  }

  #say(what: string): void {
    this.#lines.push(`${this.#schedule.nowMs} ${what}`);
  }

  #onError(error: unknown): void {
    if (error instanceof PowerCut) return;
    this.#auditor.fail(`the process would have died of: ${(error as Error).stack}`);
  }

  // The node's lives.

  #boot(): void {
    this.#dice = new Dice(this.#options.seed ^ (++this.#lives * 0x9e37));
    this.#nodeDice = new Dice(this.#options.seed ^ (this.#lives * 0xc2b3));
    this.#disk.dice = new Dice(this.#options.seed ^ (this.#lives * 0x85eb));
    if (this.#powerIsOff) this.#disk.restart();
    this.#powerIsOff = false;
    this.#life = new Life();
    const recovery = this.#auditor.beginRecovery();
    const world = this.#world((entry, events, engine) => recovery.replayed(entry, events, engine));
    let node: SimNode;
    try {
      this.#loseHistory(world);
      node = new SimNode(world);
    } catch (error) {
      this.#startFailed(error as Error);
      return;
    }
    if (!this.#life.alive) return;
    this.#node = node;
    this.#startFailures = 0;
    this.#say(`up at ${this.#node.engine.seq} ${this.#node.engine.eventDigest()}`);
    this.#auditor.endRecovery(recovery, this.#node.engine);
    this.#clock.started(this.#wallMs, this.#passedMs, this.#auditor.lastTimeMs);
    this.#startAudit();
  }

  #startFailed(error: Error): void {
    this.#life.alive = false;
    if (error instanceof PowerCut) return;
    if (error instanceof ClockBehind) return this.#putClockRight(error);
    this.#counts.failedStarts++;
    this.#say(`does not start: ${error.message}`);
    if (++this.#startFailures > MOST_START_FAILURES) this.#auditor.fail(`it does not start: ${error.message}`);
    else this.#schedule.after(500, () => this.#boot());
    return undefined;
  }

  /** The operator's answer to a start that is refused. */
  #putClockRight({ journalMs }: ClockBehind): void {
    this.#clock.refused(this.#wallMs, journalMs, this.#auditor.lastTimeMs);
    this.#counts.clocksBehind++;
    this.#say("the clock is behind the journal");
    this.#wallOffsetMs += journalMs - this.#wallMs;
    this.#schedule.after(500, () => this.#boot());
  }

  get #wallMs(): number {
    return this.#wallOffsetMs + this.#schedule.nowMs;
  }
  /** Sleep and all. */
  get #passedMs(): number {
    return this.#schedule.nowMs + this.#sleptMs;
  }

  #world(onRecovered: NodeWorld["onRecovered"]): NodeWorld {
    const life = this.#life;
    return {
      disk: this.#disk,
      schedule: this.#schedule,
      life,
      dice: this.#dice,
      nodeDice: this.#nodeDice,
      stepMs: () => this.#dice.below(3) * this.#stepMs,
      deafness: this.#deafness,
      clocks: {
        wallMs: () => this.#wallMs,
        steadyMs: () => this.#schedule.nowMs,
        uptimeMs: () => this.#passedMs,
      },
      database: this.#database,
      snapshotEveryEntries: 30,
      ids: {
        clientOrderId: () => this.#newId("c"),
        listenKey: () => this.#newId("k"),
        withdrawalId: () => this.#newId("w"),
      },
      seams: this.#options.seams ?? NO_BUG,
      onRecovered,
      onApplied: (entry, events, engine) => {
        this.#say(`entry ${entry.seq} at ${entry.timeMs} ${text(entry.command)} ${engine.eventDigest()}`);
        this.#clock.journaled(entry.timeMs, this.#auditor.lastTimeMs, this.#passedMs);
        this.#auditor.applied(entry, events, engine);
      },
      onSubmit: (command) => this.#onSubmit(command),
      onFatal: (error) => {
        this.#say(`fatal: ${error.message}`);
        this.#counts.fatals++;
        if (++this.#deathsWithoutStep > MOST_DEATHS_WITHOUT_STEP) {
          this.#auditor.fail(`it starts and dies, again and again: ${error.message}`);
        }
        this.#down("process");
      },
      onBug: (error) => life.alive && this.#auditor.fail(`the gateway met a bug: ${(error as Error).stack}`),
    };
  }

  #newId(kind: string): string {
    const id = `${kind}${++this.#ids}`.padEnd(kind === "k" ? 64 : 22, "x");
    this.#generated.push(id);
    return id;
  }

  #loseHistory(world: NodeWorld): void {
    if (this.#historyTo === undefined) return;
    const toSeq = this.#historyTo;
    this.#historyTo = undefined;
    this.#database.close();
    this.#database = openHistoryFile(":memory:");
    Object.assign(world, { database: this.#database });
    const snapshots = new SnapshotFolder("data/none", this.#disk);
    const parts = { journal: new SimJournal(world), database: this.#database, snapshots, snapshotEveryEntries: 0 };
    const projection = new Projection({ ...parts, world: simWorld(world, () => this.#wallMs), path: "history" });
    while (projection.seq < toSeq && projection.advance(toSeq));
  }

  /** `process`: what it wrote is still with the operating system. */
  #down(what: "power" | "process"): void {
    if (!this.#life.alive) return;
    this.#life.alive = false;
    this.#counts.leaps += this.#node?.clock.leaps ?? 0;
    this.#node = undefined;
    this.#audit = undefined;
    this.#powerIsOff = what === "power";
    this.#counts[what === "power" ? "powerCuts" : "kills"]++;
    this.#say(`down: ${what}`);
    this.#auditor.crashed(this.#schedule.turns);
    this.#deafness.heads = 0;
    this.#disk.operationsLeft = Number.POSITIVE_INFINITY;
    this.#schedule.after(this.#dice.below(3_000), () => this.#boot());
  }

  #cut(life: Life): void {
    if (life.alive && this.#life === life) this.#disk.cut();
  }

  // What is done to it.

  #drive(): void {
    if (this.#node === undefined || this.#audit !== undefined) {
      this.#schedule.after(10, () => this.#drive());
      return;
    }
    const step = this.#nextStep();
    if (step === undefined) {
      this.#finish();
      return;
    }
    this.#performed.push(step);
    this.#deathsWithoutStep = 0;
    this.#schedule.after(step.afterMs, () => {
      this.#perform(step.act);
      this.#drive();
    });
  }

  #nextStep(): Step | undefined {
    const { steps, length } = this.#options;
    const at = this.#performed.length;
    if (steps !== undefined) return steps[at];
    const { opening } = this.#workload;
    if (at >= opening.length + length) return undefined;
    return opening[at] ?? this.#workload.next(this.#auditor);
  }

  /** All is quiet and looked at, the power goes once more, and all is looked at again. */
  #finish(): void {
    this.#finales++;
    if (this.#finales === 2) this.#disk.cut();
    else this.#startAudit();
    if (this.#finales > 2) this.#endAfterAudit();
    else this.#drive();
  }

  #endAfterAudit(): void {
    if (this.#audit === undefined && this.#node !== undefined) this.#isOver = true;
    else this.#schedule.after(10, () => this.#endAfterAudit());
  }

  #perform(act: Act): void {
    const life = this.#life;
    if (act.type !== "command" && act.type !== "read") this.#say(`fault ${JSON.stringify(act)}`);
    switch (act.type) {
      case "command":
        return this.#command(act.command, act.via);
      case "read":
        return this.#read(act.accountId, act.orderId);
      case "cutAtOperation":
        this.#disk.operationsLeft = act.operations;
        return undefined;
      case "cutAtTurn":
        return this.#afterTurns(act.turns, life, () => this.#cut(life));
      case "kill":
        return this.#afterTurns(act.turns, life, () => {
          this.#disk.flippedReads = act.flips;
          this.#down("process");
        });
      case "full":
        this.#disk.isFull = true;
        this.#schedule.after(act.forMs, () => {
          this.#disk.isFull = false;
        });
        return undefined;
      case "failSyncs":
        this.#disk.failingSyncs = act.count;
        return undefined;
      case "deaf":
        this.#deafness.heads = act.heads;
        this.#disk.failingSyncs = 1;
        return undefined;
      case "slow":
        this.#stepMs = act.stepMs;
        this.#counts.slowTimes++;
        this.#schedule.after(act.forMs, () => {
          this.#stepMs = 1;
        });
        return undefined;
      case "clock":
        this.#wallOffsetMs += act.jumpMs;
        this.#counts.clockJumps++;
        if (act.forMs > 0) this.#schedule.after(act.forMs, () => (this.#wallOffsetMs -= act.jumpMs));
        return undefined;
      case "sleep":
        this.#wallOffsetMs += act.forMs;
        this.#sleptMs += act.forMs;
        this.#counts.sleeps++;
        return undefined;
      case "loseHistory":
        this.#historyTo = act.toSeq;
        this.#counts.historyLosses++;
        return this.#down("process");
      case "audit":
        return this.#startAudit();
    }
  }

  #afterTurns(turns: number, life: Life, then: () => void): void {
    if (!life.alive) return;
    if (turns <= 0) then();
    else this.#schedule.after(0, () => this.#afterTurns(turns - 1, life, then), life);
  }

  // Clients.

  #command(command: Command, via: "client" | "inside"): void {
    const node = this.#node;
    if (node === undefined) return;
    const { model, keys } = this.#auditor;
    const asked = via === "client" ? requestOf(command, model) : undefined;
    const request = asked !== undefined && keys.apiKeys.has(apiKeyOf(asked.accountId)) ? asked : undefined;
    const ticket = newTicket(++this.#tickets, command, request);
    this.#counts[request === undefined ? "insideCommands" : "requests"]++;
    if (request === undefined) {
      this.#with(ticket, () => node.sequencer.submit(command, () => {}));
      return;
    }
    const timestampMs = node.sequencer.nowMs();
    this.#underWay++;
    this.#schedule.after(this.#dice.below(12), () => {
      this.#underWay--;
      this.#arrive(ticket, request, timestampMs);
    });
  }

  #arrive(ticket: Ticket, request: ClientRequest, timestampMs: number): void {
    const node = this.#node;
    const life = this.#life;
    if (node === undefined || !life.alive) return;
    const atMs = node.sequencer.nowMs();
    this.#clock.told(atMs, this.#auditor.lastTimeMs, this.#passedMs);
    this.#with(ticket, () =>
      node.gateway.process(signed(request, timestampMs), {
        reply: ({ status, body }) => {
          if (life.alive) this.#answered(ticket, status, textOf(body), atMs - timestampMs);
        },
      }),
    );
  }

  #with(ticket: Ticket, act: () => void): void {
    this.#current = ticket;
    this.#generated = [];
    act();
    this.#current = undefined;
  }

  #onSubmit(command: Command): ReturnType<NodeWorld["onSubmit"]> {
    const ticket = this.#current;
    if (ticket === undefined) throw new Error("somebody submits whom nobody has asked");
    this.#auditor.submitted(ticket, command, this.#generated);
    return (outcome) => {
      if (outcome instanceof Error) this.#counts[outcome.name === "NotAccepted" ? "notAccepted" : "unknown"]++;
      this.#auditor.settled(ticket, outcome, this.#schedule.turns);
    };
  }

  #answered(ticket: Ticket, status: number, body: string, lateMs: number): void {
    this.#counts.answers++;
    this.#say(`answer ${ticket.id} ${status} ${body}`);
    const json = JSON.parse(body) as { code?: number };
    if (ticket.state === "waiting") return this.#auditor.fail(`answered before it was carried out: ${body}`);
    if (ticket.state === "sent") {
      const isLate = lateMs > RECV_WINDOW_MS || lateMs <= -MOST_AHEAD_MS;
      if (json.code === -1021 && isLate) return undefined;
      return this.#auditor.fail(`refused at the door: ${text(ticket.command)} ${status} ${body}`);
    }
    const wrong = wrongAnswer(ticket, status, json);
    if (wrong !== undefined) this.#auditor.fail(`answer to ${text(ticket.command)}: ${wrong}`);
    return undefined;
  }

  #read(accountId: number, orderId: number): void {
    const { ledger, keys, model } = this.#auditor;
    const [market] = model.markets;
    if (!keys.apiKeys.has(apiKeyOf(accountId)) || market === undefined) return;
    const symbol = ledger.orders.get(orderId)?.opened.symbol ?? market.spec.symbol;
    const parameters = { symbol, orderId: String(orderId) };
    const request = { method: "GET", path: "/api/v3/order", accountId, isSigned: true, parameters };
    const expected = expectedOrder(this.#auditor, accountId, orderId);
    void this.#ask(request).then(({ status, json }) => {
      const answered = answeredOrder(status, json);
      this.#say(`read ${orderId} ${answered}`);
      // One that was not there yet may have come meanwhile.
      const isNew = expected === UNKNOWN_ORDER && ledger.orders.get(orderId)?.opened.accountId === accountId;
      if (answered === expected || isNew) return;
      this.#auditor.fail(`order ${orderId} must be\n    ${expected}\n  and is\n    ${answered}`);
    });
  }

  // Looking at everything.

  #startAudit(): void {
    const audit = {};
    this.#audit = audit;
    this.#whenQuiet(audit, this.#schedule.nowMs + LONGEST_WAIT_MS);
    this.#schedule.after(2 * LONGEST_WAIT_MS, () => {
      if (this.#audit === audit) this.#auditor.fail("the auditor's questions are never answered");
    });
  }

  #whenQuiet(audit: object, latestMs: number): void {
    if (this.#audit !== audit) return;
    const isQuiet = this.#underWay === 0 && this.#auditor.waiting.length === 0 && this.#node?.canAppend === true;
    if (!isQuiet && this.#schedule.nowMs > latestMs) {
      this.#auditor.fail("requests are never answered");
      return;
    }
    if (!isQuiet) {
      this.#schedule.after(10, () => this.#whenQuiet(audit, latestMs));
      return;
    }
    this.#counts.audits++;
    this.#say("audit");
    auditState(this.#auditor, (request) => this.#ask(request)).then(
      () => {
        if (this.#audit === audit) this.#audit = undefined;
      },
      (error: unknown) => this.#auditor.fail(`the audit failed: ${(error as Error).stack}`),
    );
  }

  #ask(request: ClientRequest): Promise<{ status: number; json: unknown }> {
    return new Promise((resolve) => {
      const node = this.#node;
      const life = this.#life;
      if (node === undefined) return;
      node.gateway.process(signed(request, node.sequencer.nowMs()), {
        reply: ({ status, body }) => {
          if (!life.alive) return;
          this.#counts.reads++;
          resolve({ status, json: JSON.parse(textOf(body)) });
        },
      });
    });
  }
}
