/**
 * One run of several nodes from a seed: nodes that die, pause and are disconnected, clients that switch nodes, and an
 * auditor.
 */
import { createHash } from "node:crypto";
import type { TaskPart } from "@pricetime/server/parts";
import { Dice } from "@pricetime/testkit/dice";
import { type Life, Schedule } from "@pricetime/testkit/schedule";
import { auditState } from "../audit/state.ts";
import { NO_CLUSTER_BUG, type ClusterSeams } from "../mutations/cluster-seams.ts";
import type { RunOptions, RunResult } from "../plan/step.ts";
import { interfaceOf } from "../plan/workload.ts";
import { PowerCut } from "../world/disk.ts";
import type { SimJournal } from "../world/journal.ts";
import { type ClusterCounts, newClusterCounts } from "../counts.ts";
import { Listeners } from "./listeners.ts";
import { LogAudit, ProcessAudit } from "./log-audit.ts";
import { Machine } from "./machine.ts";
import { ClusterSimNode } from "./node.ts";
import { OldCopies } from "./old-copies.ts";
import { ClusterPlan } from "./plan.ts";
import { ClusterRequests } from "./requests.ts";
import { Payer } from "./payer.ts";
import type { ClusterAct, ClusterStep } from "./step.ts";
import { SimStore, StoreLine } from "./store.ts";
import { SimTail } from "./tail.ts";

const START_MS = 1_700_000_000_000;
const TRIM_EVERY_MS = 3_000;
/** In virtual time. A cluster that has not settled by then never will. */
const LONGEST_QUIETING_MS = 240_000;
const MOST_START_FAILURES = 30;
const RESTART_MS = 1_500;
const CLOCK_FAULT_MS = 500;
/** One in so many seeds runs a venue of today's interface. */
const TODAY_EVERY = 5;
/** A process with a fatal error still responds for a short time. */
const LONGEST_STOP_MS = 40;

type Options = RunOptions<ClusterStep, ClusterSeams> & { readonly nodes: number };
type Result = RunResult<ClusterStep, ClusterCounts>;

export function simulateCluster(options: Options): Promise<Result> {
  return new ClusterSimulation(options).run();
}

class ClusterSimulation {
  readonly #options: Options;
  readonly #seams: ClusterSeams;
  readonly #schedule = new Schedule();
  readonly #auditor = new LogAudit();
  readonly #counts = newClusterCounts();
  readonly #lines: string[] = [];
  readonly #store: SimStore;
  readonly #machines: readonly Machine[];
  readonly #plan: ClusterPlan;
  readonly #requests: ClusterRequests;
  readonly #listeners: Listeners;
  readonly #oldCopies: OldCopies;
  readonly #tail: SimTail;
  readonly #performed: ClusterStep[] = [];
  #isOpened = false;
  /** An audit is running: no actor does anything on its own. */
  #isLookedAt = false;
  #startFailures = 0;
  #isOver = false;

  constructor(options: Options) {
    this.#options = options;
    this.#seams = options.seams ?? NO_CLUSTER_BUG;
    const { seed, nodes } = options;
    this.#store = new SimStore(this.#schedule, this.#seams.store);
    this.#store.onRow = (row) => {
      this.#say(`row ${row.place.number} ${row.id} of ${row.count}`);
      this.#auditor.rowAdded(row);
    };
    this.#machines = Array.from(
      { length: nodes },
      (_, at) => new Machine(`n${at + 1}`, seed ^ (0x51ed * (at + 1)), this.#schedule, START_MS),
    );
    for (const machine of this.#machines) {
      machine.disk.onCut = () => {
        machine.powerIsOff = true;
        this.#down(machine, true);
      };
    }
    this.#plan = new ClusterPlan(new Dice(seed ^ 0x7157), new Dice(seed), nodes, interfaceOf({ seed }, TODAY_EVERY));
    this.#requests = new ClusterRequests(this.#auditor, this.#schedule, this.#counts, (what) => this.#say(what));
    this.#listeners = new Listeners(this.#auditor);
    this.#oldCopies = new OldCopies(this.#store, this.#machines, this.#auditor, this.#schedule);
    this.#tail = new SimTail(this.#store, this.#machines, this.#auditor);
  }

  async run(): Promise<Result> {
    for (const machine of this.#machines) this.#boot(machine);
    this.#keepTail();
    this.#drive().catch((error: unknown) => this.#onError(error));
    const isOver = (): boolean => this.#isOver || this.#auditor.violation !== undefined;
    await this.#schedule.run(isOver, (error) => this.#onError(error));
    if (!this.#isOver) this.#auditor.fail("everything has come to a stand");
    for (const { life, database } of this.#machines) {
      life.alive = false;
      database.close();
    }
    const { violation, entries, skipped } = this.#auditor;
    Object.assign(this.#counts, {
      entries: entries.length,
      skippedRows: skipped,
      trimmedRows: this.#store.trimmed,
      messages: this.#listeners.messages,
      virtualMs: this.#schedule.nowMs,
    });
    this.#say(`end ${violation ?? "sound"}`);
    const digest = createHash("sha256").update(this.#lines.join("\n")).digest("hex");
    return { violation, steps: this.#performed, digest, lines: this.#lines, counts: this.#counts };
  }

  #say(what: string): void {
    this.#lines.push(`${this.#schedule.nowMs} ${what}`);
  }

  #onError(error: unknown): void {
    if (error instanceof PowerCut) return;
    this.#auditor.fail(`the process would have died of: ${(error as Error).stack}`);
  }

  // The nodes' processes.

  #boot(machine: Machine): void {
    if (machine.life.alive && machine.node !== undefined) return;
    machine.begin();
    const { life } = machine;
    try {
      const node = new ClusterSimNode(this.#world(machine));
      if (!life.alive) return;
      machine.node = node;
      this.#startFailures = 0;
      this.#say(`${machine.name} up at ${node.engine.seq} ${node.engine.eventDigest()}`);
      if (this.#isOpened) this.#listeners.listen(node, () => life.alive);
    } catch (error) {
      life.alive = false;
      if (error instanceof PowerCut) return;
      this.#say(`${machine.name} does not start: ${(error as Error).message}`);
      this.#counts.failedStarts++;
      if (!this.#oldCopies.isOld && ++this.#startFailures > MOST_START_FAILURES) {
        this.#auditor.fail(`${machine.name} does not start: ${(error as Error).message}`);
      }
      this.#bootAfter(machine, RESTART_MS);
    }
  }

  #bootAfter(machine: Machine, waitMs: number): void {
    machine.startsAtMs = this.#schedule.nowMs + waitMs;
    this.#schedule.after(waitMs, () => {
      if (this.#schedule.nowMs >= machine.startsAtMs) this.#boot(machine);
    });
  }

  #world(machine: Machine): ConstructorParameters<typeof ClusterSimNode>[0] {
    const { name, disk, life, dice, nodeDice, database } = machine;
    const line = new StoreLine({
      store: this.#store,
      life,
      dice: new Dice(nodeDice.below(2 ** 31)),
      onSubmit: (batch) => machine.audit !== undefined && this.#auditor.batchFormed(machine.audit, batch),
      onTrimmed: () => this.#counts.leftBehind++,
      onWentBack: () => this.#oldCopies.known(machine),
    });
    return {
      ...{ name, disk, life, dice, nodeDice, database, line },
      schedule: this.#schedule,
      stepMs: () => machine.dice.below(3) * machine.stepMs,
      deafness: { heads: 0 },
      clocks: {
        wallMs: () => machine.wallMs,
        steadyMs: () => this.#schedule.nowMs,
        uptimeMs: () => this.#schedule.nowMs,
      },
      ...{ ids: this.#requests.ids, interface: interfaceOf({ seed: this.#options.seed }, TODAY_EVERY) },
      parts: [this.#payer(life)],
      seams: this.#seams.node,
      catchUp: (journal) => this.#catchUp(machine, journal),
      onRecovered: (engine) => {
        this.#auditor.recovered(name, machine.shownSeq, engine);
        machine.audit = new ProcessAudit(name, engine.seq);
      },
      onApplied: (entry, _events, engine) => {
        if (machine.audit === undefined) return;
        this.#auditor.published(machine.audit, entry, engine);
        machine.shownSeq = Math.max(machine.shownSeq, entry.seq);
      },
      onSubmit: (command) => this.#requests.submitted(machine, command),
      onFatal: (error) => this.#stop(machine, error),
      onBug: (error) => life.alive && this.#auditor.fail(`a node met a bug: ${(error as Error).stack}`),
    };
  }

  #stop(machine: Machine, error: Error): void {
    const { name, life, dice } = machine;
    if (machine.isStopping) return;
    machine.isStopping = true;
    this.#say(`${name} stops: ${error.message}`);
    this.#counts.fatals++;
    if (this.#oldCopies.explains(machine, error)) this.#counts.refusedStores++;
    else if (this.#seams.isFatalFault(error)) this.#auditor.fail(`${name} stops: ${error.message}`);
    const end = (): void => {
      this.#down(machine, false);
      this.#bootAfter(machine, RESTART_MS);
    };
    this.#schedule.after(dice.below(LONGEST_STOP_MS), end, life);
  }

  #payer(life: Life): TaskPart {
    const { accountIds, assets } = this.#plan.world;
    const isIdle = (): boolean => this.#isLookedAt || !this.#isOpened;
    return new Payer({ schedule: this.#schedule, life, accountIds, asset: assets[0]?.asset ?? "", isIdle });
  }

  /** Copies rows from another node's journal when the log no longer contains the row after this journal's last one. */
  #catchUp(machine: Machine, journal: SimJournal): void {
    const number = journal.place()?.number ?? 0;
    if (number >= this.#store.trimmed) return;
    const others = this.#machines.flatMap(({ node }) => (node === undefined ? [] : [node.journal]));
    const best = others.toSorted((a, b) => b.end.lastSeq - a.end.lastSeq)[0];
    if ((best?.place()?.number ?? 0) < this.#store.trimmed || best === undefined) {
      throw new Error("nobody is there who has the rows that are gone");
    }
    this.#counts.catchUps++;
    journal.copy([...best.read(journal.end.lastSeq + 1)], best.place());
    this.#say(`${machine.name} catches up to ${journal.end.lastSeq}`);
  }

  #down(machine: Machine, byPower: boolean): void {
    const { node, life, audit } = machine;
    if (!life.alive) return;
    life.alive = false;
    this.#counts[byPower ? "powerCuts" : "kills"]++;
    this.#say(`${machine.name} down`);
    machine.heldNumber = node?.journal.place()?.number ?? machine.heldNumber;
    machine.node = undefined;
    machine.audit = undefined;
    machine.disk.operationsLeft = Number.POSITIVE_INFINITY;
    if (audit !== undefined) this.#auditor.died(audit);
    if (machine.startsAtMs <= this.#schedule.nowMs) this.#bootAfter(machine, machine.dice.below(RESTART_MS));
  }

  #keepTail(): void {
    this.#schedule.after(TRIM_EVERY_MS, () => this.#keepTail());
    if (this.#oldCopies.isOld) return;
    this.#oldCopies.keep();
    const to = this.#tail.trim();
    if (to !== undefined) this.#say(`the rows to ${to} are removed`);
  }

  // The steps and faults.

  async #drive(): Promise<void> {
    await this.#open();
    for (let step = this.#nextStep(); step !== undefined; step = this.#nextStep()) {
      this.#performed.push(step);
      await this.#schedule.pause(step.afterMs);
      if (step.act.type === "audit") await this.#audit();
      else this.#perform(step.act);
    }
    await this.#audit();
    for (const machine of this.#machines) machine.disk.cut();
    await this.#audit();
    this.#isOver = true;
  }

  /** Sets up the exchange before the clients start: each command is executed before the next. */
  async #open(): Promise<void> {
    for (const [at, { act }] of this.#plan.opening.entries()) {
      if (act.type === "command") await this.#must(act.command, at);
    }
    this.#isOpened = true;
    for (const { node, life } of this.#machines) if (node !== undefined) this.#listeners.listen(node, () => life.alive);
  }

  async #must(command: Parameters<ClusterRequests["command"]>[1], at: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      const machine = this.#at(at + tries);
      if (machine?.node?.isAble === true) {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        this.#requests.command(machine, command, "inside", ({ state }) => resolve(state === "applied"));
        if (await promise) return;
      }
      await this.#schedule.pause(50);
    }
  }

  /** The node with this number or, if it is down, the next. */
  #at(node: number): Machine | undefined {
    const { length } = this.#machines;
    for (let i = 0; i < length; i++) {
      const machine = this.#machines[(node + i) % length] as Machine;
      if (machine.node !== undefined) return machine;
    }
    return undefined;
  }

  #nextStep(): ClusterStep | undefined {
    const { steps, length } = this.#options;
    const at = this.#performed.length;
    if (steps !== undefined) return steps[at];
    return at < length ? this.#plan.next(this.#auditor) : undefined;
  }

  #perform(act: Exclude<ClusterAct, { type: "audit" }>): void {
    if (act.type !== "command" && act.type !== "read") this.#say(`fault ${JSON.stringify(act)}`);
    if (act.type === "leaderless") {
      this.#store.leaderlessUntilMs = this.#schedule.nowMs + act.forMs;
      this.#counts.leaderChanges++;
      return;
    }
    if (act.type === "oldStore") {
      if (this.#oldCopies.goBack(act.rows, act.forMs)) this.#counts.oldStores++;
      return;
    }
    if (act.type === "allDown") {
      this.#counts.allDowns++;
      for (const machine of this.#machines) machine.disk.cut();
      return;
    }
    if (act.type === "command" || act.type === "read") {
      const machine = this.#at(act.node);
      if (machine === undefined) return;
      if (act.type === "read") this.#requests.read(machine, act.accountId, act.orderId);
      else this.#requests.command(machine, act.command, act.via);
      return;
    }
    const machine = this.#machines[act.node % this.#machines.length] as Machine;
    this.#break(machine, act);
  }

  #break(
    machine: Machine,
    act: Extract<ClusterAct, { node: number; type: Exclude<string, "command" | "read"> }>,
  ): void {
    const { node, disk } = machine;
    const later = (forMs: number, heal: () => void): void => void this.#schedule.after(forMs, heal);
    switch (act.type) {
      case "kill":
        if (node === undefined) return;
        this.#bootAfter(machine, act.forMs);
        return this.#down(machine, false);
      case "power":
        if (node === undefined) return;
        this.#bootAfter(machine, act.forMs + 1);
        disk.operationsLeft = act.operations;
        return;
      case "pause":
        this.#counts.pauses++;
        return machine.pause(act.forMs);
      case "cut":
        if (node === undefined) return;
        this.#counts.cuts++;
        node.line.isCut = true;
        return later(act.forMs, () => {
          node.line.isCut = false;
          this.#store.wakeAll();
        });
      case "silent":
        if (node === undefined) return;
        this.#counts.silences++;
        node.line.silentUntilMs = this.#schedule.nowMs + act.forMs;
        return;
      case "clock":
        this.#counts.clockJumps++;
        machine.wallOffsetMs += act.jumpMs;
        return later(act.forMs, () => {
          machine.wallOffsetMs -= act.jumpMs;
        });
      case "full":
        disk.isFull = true;
        return later(act.forMs, () => {
          disk.isFull = false;
        });
      case "failSyncs":
        disk.failingSyncs = act.count;
        return;
      case "slow":
        machine.stepMs = act.stepMs;
        return later(act.forMs, () => {
          machine.stepMs = 1;
        });
      default:
    }
  }

  // Audits.

  async #audit(): Promise<void> {
    this.#counts.audits++;
    this.#isLookedAt = true;
    await this.#quiet();
    await this.#look();
    this.#isLookedAt = false;
  }

  async #look(): Promise<void> {
    if (this.#auditor.violation !== undefined) return;
    const heads = new Set<string>();
    for (const machine of this.#machines) {
      const { node, name } = machine;
      if (node === undefined) return;
      this.#auditor.atEnd(name, node.engine);
      heads.add(`${node.journal.end.lastSeq} ${node.journal.end.chainHash}`);
    }
    if (heads.size > 1) this.#auditor.fail(`the journals differ: ${[...heads].join(", ")}`);
    // In a cluster, requests change the random choices of the store, on which rare planted bugs depend.
    const isThorough = interfaceOf({ seed: this.#options.seed }, TODAY_EVERY) === "today";
    for (const machine of this.#machines) {
      await auditState(this.#auditor, (request) => this.#requests.ask(machine, request), isThorough);
    }
  }

  /**
   * Ends all faults and waits until all nodes are running, have reached the end of the log, and no request is running.
   */
  async #quiet(): Promise<void> {
    const endMs = this.#schedule.nowMs + LONGEST_QUIETING_MS;
    const { seq } = this.#auditor;
    for (let quietTurns = 0; quietTurns < 3; ) {
      if (this.#schedule.nowMs > endMs) return this.#auditor.fail(`it does not get quiet: ${this.#unquiet()}`);
      await this.#schedule.pause(500);
      this.#setClocks();
      quietTurns = this.#unquiet() === "" ? quietTurns + 1 : 0;
    }
    this.#say(`quiet from ${seq} to ${this.#auditor.seq}`);
    return undefined;
  }

  /** An operator restarts a node whose clock differs from the machine's. */
  #setClocks(): void {
    for (const machine of this.#machines) {
      const { node, wallMs, life } = machine;
      if (node === undefined || life.isPaused) continue;
      if (Math.abs(node.clock.nowMs() - wallMs) > CLOCK_FAULT_MS) this.#down(machine, false);
    }
  }

  #unquiet(): string {
    for (const { name, node, life, audit, disk } of this.#machines) {
      if (node === undefined) return `${name} is not there`;
      if (life.isPaused) return `${name} is paused`;
      if (Number.isFinite(disk.operationsLeft)) disk.operationsLeft = Number.POSITIVE_INFINITY;
      if (node.line.isCut || node.line.underWay.size > 0) return `${name} has something on its way`;
      if (!node.isAble) return `${name} takes no commands: ${node.heldBy}`;
      if (node.engine.seq !== this.#auditor.seq) return `${name} is at ${node.engine.seq} of ${this.#auditor.seq}`;
      if ((audit?.waiting.length ?? 0) > 0) return `${name} has requests that wait`;
    }
    if (this.#oldCopies.isOld) return "the store is an old copy";
    return this.#store.hasLeader ? "" : "the store has no leader";
  }
}
