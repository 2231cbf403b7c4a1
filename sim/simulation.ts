/** One run from a seed: a node that dies repeatedly, clients that keep going, and an auditor. */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Command } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { Life, Schedule } from "@pricetime/testkit/schedule";
import { ClockBehind } from "@pricetime/server/parts";
import { openHistoryFile, Projection, SnapshotFolder } from "@pricetime/server/data-folder";
import { Auditor, text } from "./audit/auditor.ts";
import { ClockAudit } from "./audit/clock-audit.ts";
import type { AuditedEntry } from "./audit/entry.ts";
import { RULES } from "./audit/rules.ts";
import { auditState } from "./audit/state.ts";
import { NO_BUG } from "./mutations/seams.ts";
import type { Act, RunOptions, RunResult, Step } from "./plan/step.ts";
import { OutsidePlan } from "./plan/outside-plan.ts";
import { interfaceOf, Workload } from "./plan/workload.ts";
import { PowerCut, SimDisk } from "./world/disk.ts";
import { SimJournal } from "./world/journal.ts";
import { simWorld } from "./world/machine.ts";
import { type NodeWorld, type Seams, SimNode } from "./world/node.ts";
import { type Counts, newCounts } from "./counts.ts";
import { Outside } from "./outside/outside.ts";
import { Requests } from "./requests.ts";

const START_MS = 1_700_000_000_000;
/** In virtual time. A client without a response by then never gets one. */
const LONGEST_WAIT_MS = 600_000;
const MOST_START_FAILURES = 12;
const MOST_DEATHS_WITHOUT_STEP = 20;
/** Longer than two checks of the trading rules, and than streams and chains take. */
const SETTLING_MS = 12_000;
/** Longer than the retry interval of a failed chain, and shorter than the time window of the trading rules. */
const LONGEST_SETTLING_MS = 120_000;
/** One in so many processes of the node runs with the trading rules off. */
const RULES_ARE_OFF_EVERY = 4;

type Options = RunOptions<Step, Seams>;
type Result = RunResult<Step, Counts>;

export async function simulate(options: Options): Promise<Result> {
  return new Simulation(options).run();
}

class Simulation {
  readonly #options: Options;
  readonly #schedule = new Schedule();
  readonly #auditor = new Auditor();
  /**
   * The random source of one process: random numbers of an earlier process must not affect it, or a run could not be
   * shortened.
   */
  #dice: Dice;
  #nodeDice: Dice;
  #lives = 0;
  readonly #disk: SimDisk;
  readonly #workload: Workload;
  readonly #plan: OutsidePlan;
  readonly #opening: readonly Step[];
  readonly #requests: Requests;
  readonly #outside: Outside;
  /** Steps of the workload performed so far. */
  #steps = 0;
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
  /** The next start is interrupted after so many turns; undefined if it is not. */
  #cutTurns: number | undefined;
  #startFailures = 0;
  #deathsWithoutStep = 0;
  /** The audit that must finish before the next step. */
  #audit: object | undefined;
  #finales = 0;
  #isOver = false;

  constructor(options: Options) {
    this.#options = options;
    this.#dice = new Dice(options.seed ^ 0x7157);
    this.#nodeDice = new Dice(options.seed ^ 0x40de);
    this.#disk = new SimDisk(this.#dice);
    this.#disk.onCut = () => this.#down("power");
    this.#workload = new Workload(new Dice(options.seed), { isMailed: true, name: interfaceOf(options) });
    this.#plan = new OutsidePlan(options.seed, this.#workload.world);
    this.#opening = [...this.#workload.opening, ...this.#plan.opening.map(fromInside)];
    const common = {
      schedule: this.#schedule,
      auditor: this.#auditor,
      node: () => this.#open(),
      say: (what: string) => this.#say(what),
    };
    this.#requests = new Requests({
      ...common,
      clock: this.#clock,
      counts: this.#counts,
      dice: () => this.#dice,
      passedMs: () => this.#passedMs,
    });
    this.#outside = new Outside({
      ...common,
      seed: options.seed,
      disk: this.#disk,
      ask: (request) => this.#requests.ask(request),
      click: (link) => this.#requests.click(link),
      follow: (command) => this.#requests.command(command, "inside"),
    });
    this.#auditor.onEntry = (entry, ticket) => {
      this.#count(entry);
      this.#outside.entry(entry, ticket?.isOwn ?? false);
    };
  }

  async run(): Promise<Result> {
    this.#boot();
    this.#drive();
    const isOver = (): boolean => this.#isOver || this.#auditor.violation !== undefined;
    await this.#schedule.run(isOver, (error) => this.#onError(error));
    if (!this.#isOver) this.#auditor.fail("everything has come to a stand");
    if (this.#life.alive && this.#node !== undefined) this.#auditor.checkState(this.#node.engine);
    this.#life.alive = false;
    this.#outside.close();
    const { counts: disk } = this.#disk;
    const { audit, opened: connections } = this.#outside.clients;
    const { deposits, mails: letters, notices } = this.#outside;
    Object.assign(this.#counts, {
      messages: audit.messages,
      connections,
      deposits,
      letters,
      notices,
      ...disk,
      virtualMs: this.#schedule.nowMs,
      entries: this.#auditor.entries,
    });
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

  // The node's processes.

  #boot(): void {
    this.#dice = new Dice(this.#options.seed ^ (++this.#lives * 0x9e37));
    this.#nodeDice = new Dice(this.#options.seed ^ (this.#lives * 0xc2b3));
    this.#disk.dice = new Dice(this.#options.seed ^ (this.#lives * 0x85eb));
    if (this.#powerIsOff) this.#disk.restart();
    this.#powerIsOff = false;
    this.#life = new Life();
    this.#outside.nodeStarts();
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
    const life = this.#life;
    if (this.#cutTurns !== undefined) this.#afterTurns(this.#cutTurns, life, () => this.#cut(life));
    this.#cutTurns = undefined;
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

  /** The operator's reaction to a refused start. */
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
  /** The elapsed time including sleep. */
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
      ids: this.#requests.ids,
      interface: interfaceOf(this.#options),
      chain: this.#outside.chain.for(life),
      mailFiles: this.#outside.post.filesFor(life),
      sending: this.#outside.post.sendingFor(life),
      rules: { ...RULES, enabled: this.#lives % RULES_ARE_OFF_EVERY !== 0 },
      seams: this.#options.seams ?? NO_BUG,
      onRecovered,
      onApplied: (entry, events, engine) => {
        this.#say(`entry ${entry.seq} at ${entry.timeMs} ${text(entry.command)} ${engine.eventDigest()}`);
        this.#clock.journaled(entry.timeMs, this.#auditor.lastTimeMs, this.#passedMs);
        this.#auditor.applied(entry, events, engine);
      },
      onSubmit: (command) => this.#requests.submitted(command),
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

  /** A node that accepts connections. */
  #open(): { node: SimNode; life: Life } | undefined {
    const node = this.#node;
    return node?.isOpen === true && this.#life.alive ? { node, life: this.#life } : undefined;
  }

  #count({ command, happened, isLive }: AuditedEntry): void {
    if (!isLive) return;
    if (command.type === "completeWithdrawal") this.#counts.payments++;
    if (command.type === "lockApiTrading") this.#counts.locks++;
    if (happened[0]?.kind !== "refused") this.#countAccess(command.type);
  }

  #countAccess(type: Command["type"]): void {
    if (type === "openSession") this.#counts.signIns++;
    if (type === "acceptInvitation") this.#counts.invitations++;
    if (type === "recover") this.#counts.recoveries++;
    if (type === "freezeAccount") this.#counts.freezes++;
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

  /** With `process`, its writes remain with the operating system. */
  #down(what: "power" | "process"): void {
    if (!this.#life.alive) return;
    this.#life.alive = false;
    this.#outside.nodeIsGone();
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

  // The steps and faults.

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
    const opened = this.#opening[at];
    if (opened !== undefined) return opened;
    if (this.#steps === length) return undefined;
    const outside = this.#plan.next(this.#auditor);
    if (outside !== undefined) return outside;
    this.#steps++;
    return this.#workload.next(this.#auditor);
  }

  /** Waits until everything has settled, audits, cuts the power once more, and audits again. */
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
        return this.#requests.command(act.command, act.via);
      case "read":
        return this.#requests.read(act.accountId, act.orderId);
      case "showCookie":
        return this.#requests.showCookie(act.sessionId, act.isOld);
      case "cutAtOperation":
        this.#disk.operationsLeft = act.operations;
        return undefined;
      case "cutAtTurn":
        return this.#afterTurns(act.turns, life, () => this.#cut(life));
      case "kill":
        return this.#afterTurns(act.turns, life, () => {
          this.#disk.flippedReads = act.flips;
          this.#cutTurns = act.cutTurns;
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
      default:
        return this.#outside.perform(act);
    }
  }

  #afterTurns(turns: number, life: Life, then: () => void): void {
    if (!life.alive) return;
    if (turns <= 0) then();
    else this.#schedule.after(0, () => this.#afterTurns(turns - 1, life, then), life);
  }

  // Audits.

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
    const isAnswered = this.#requests.underWay === 0 && this.#auditor.waiting.length === 0;
    const isQuiet = isAnswered && this.#node?.canAppend === true && this.#open() !== undefined;
    if (!isQuiet && this.#schedule.nowMs > latestMs) this.#auditor.fail("requests are never answered");
    else if (isQuiet) this.#whenSettled(audit, this.#schedule.nowMs + LONGEST_SETTLING_MS);
    else this.#schedule.after(10, () => this.#whenQuiet(audit, latestMs));
  }

  /** The node's own operations take time. */
  #whenSettled(audit: object, latestMs: number): void {
    if (this.#node?.rulesAreOff === true) this.#outside.rules.checkReleased(this.#node.sequencer.nowMs());
    this.#schedule.after(SETTLING_MS, () => {
      if (this.#audit !== audit) return;
      const nowMs = this.#node?.sequencer.nowMs() ?? 0;
      const isWaiting = this.#auditor.waiting.length > 0;
      const why = isWaiting ? "requests are never answered" : this.#outside.unsettled(nowMs, this.#node?.rulesAreOff);
      if (why === undefined) this.#look(audit);
      else if (this.#schedule.nowMs > latestMs) this.#auditor.fail(why);
      else this.#whenSettled(audit, latestMs);
    });
  }

  #look(audit: object): void {
    this.#counts.audits++;
    this.#say("audit");
    auditState(this.#auditor, (request) => this.#requests.ask(request)).then(
      () => {
        if (this.#audit === audit) this.#audit = undefined;
      },
      (error: unknown) => this.#auditor.fail(`the audit failed: ${(error as Error).stack}`),
    );
  }
}

function fromInside(command: Command): Step {
  return { afterMs: 10, act: { type: "command", command, via: "inside" } };
}
