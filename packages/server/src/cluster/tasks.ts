/**
 * Tasks that only one node performs at a time. The journal grants the right to perform a task, with a fencing token
 * that each of the owner's commands carries and the engine compares. A lease only determines when a node requests the
 * grant. docs/decisions/0044.
 */
import { NotAccepted, type Outcome, OutcomeUnknown, runBySubmit, type Sequencer } from "../journal/sequencer/port.ts";
import type { Command, EngineView, ExchangeCommand, RoleRecord } from "@pricetime/engine";
import type { Logger } from "../platform/observe/log.ts";
import type { Cancel, Timers } from "../platform/world/port.ts";
import { type ClusterStore, type Lease, StoreUnfit } from "./port.ts";
import type { Metrics } from "../platform/observe/metrics.ts";

/**
 * The process has lost the task. The command was certainly not carried out, and no later command of this grant will be.
 */
class TaskLost extends NotAccepted {}

/** Access to the exchange while a grant lasts. */
export interface TaskGrant extends Sequencer {
  /** The fencing token. It increases with each grant. */
  readonly number: number;
  /** False once the task is known to be lost. It never becomes true again. */
  readonly isHeld: boolean;
}

/** A task that one process may perform at a time. */
export interface TaskPart {
  /** The name of the task. It is the same on every node. */
  readonly role: string;
  /**
   * Resolves to the reason why this node must not request the task now; "" if it may. If absent, the node may always
   * request it.
   */
  readonly whyNot?: () => Promise<string>;
  /**
   * Starts the work. The work must submit every command through `tenure`. Called once per grant, after the work of the
   * previous one has stopped.
   */
  start(tenure: TaskGrant): void;
  /** Resolves when all work has stopped. Unless the task was lost, the last commands are still carried out. */
  stop(): Promise<void>;
}

/** The owner of a task as of the last journal entry that this node has applied. */
interface TaskOwner {
  readonly node: string;
  readonly number: number;
  /** Whether this process owns the task and performs it. */
  readonly isHere: boolean;
}

/** Pause between two requests. With a lease of 6 s, a failed owner is replaced within 8 s. */
const ASK_EVERY_MS = 1000;
/** Interval at which an owner checks whether the journal has granted its task to another node. */
const CHECK_EVERY_MS = 250;
/**
 * An owner that cannot journal commands for this long hands its task over. It is longer than an election in the store,
 * during which no node can.
 */
const MAX_UNABLE_MS = 5000;

type Settle = (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;

class HeldGrant implements TaskGrant {
  readonly number: number;
  readonly #role: string;
  readonly #sequencer: Sequencer;
  readonly #onTaken: () => void;
  #isHeld = true;

  /** `onTaken` is called when the exchange reports that another process owns the task. */
  constructor({ role, number }: Pick<RoleRecord, "role" | "number">, sequencer: Sequencer, onTaken: () => void) {
    this.number = number;
    this.#role = role;
    this.#sequencer = sequencer;
    this.#onTaken = onTaken;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  end(): void {
    this.#isHeld = false;
  }

  submit(command: Command, settle: Settle): void {
    if (!this.#isHeld) {
      settle(this.#lost());
      return;
    }
    const { number } = this;
    const act = { type: "asHolder", role: this.#role, number, command: command as ExchangeCommand } as const;
    this.#sequencer.submit(act, (outcome) => settle(this.#isTaken(outcome) ? this.#lost() : outcome));
  }

  run(command: Command): Promise<Outcome> {
    return runBySubmit(this, command);
  }

  nowMs(): number {
    return this.#sequencer.nowMs();
  }

  /**
   * Checks whether a command was rejected because the task has a new owner. Only the fencing token is rejected with
   * this reason, never the inner command.
   */
  #isTaken(outcome: Outcome | OutcomeUnknown | NotAccepted): boolean {
    if (outcome instanceof Error) return false;
    const [first] = outcome.events;
    if (first?.type !== "rejected" || first.reason !== "ROLE_TAKEN") return false;
    this.#isHeld = false;
    this.#onTaken();
    return true;
  }

  #lost(): TaskLost {
    return new TaskLost(`another process holds the role ${this.#role}`);
  }
}

// One task on one node. Acquires the lease, then the grant, runs the part while it has both, and starts over. At the
// end of each round, the part is stopped and the lease released, so that grants do not overlap.

const UNABLE = "the node cannot journal anything";

interface TaskOptions {
  readonly part: TaskPart;
  readonly store: Pick<ClusterStore, "lease">;
  readonly sequencer: Sequencer;
  readonly view: Pick<EngineView, "nodes">;
  readonly node: string;
  /** See `NodePosition`. */
  readonly incarnation: string;
  /** Whether the node can currently journal commands. If it cannot for a while, it hands its tasks over. */
  readonly isAble: () => boolean;
  readonly world: Timers;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Called on an internal error (a bug). The node must stop. */
  readonly onFatal: (error: Error) => void;
}

class Task {
  readonly #options: TaskOptions;
  readonly #name: string;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #wake: () => void = () => {};
  #endTenure: (why: string) => void = () => {};
  #tenure: HeldGrant | undefined;
  #trouble = "";

  constructor(options: TaskOptions) {
    this.#options = options;
    this.#name = options.part.role;
  }

  /** Why this node does not request the task or cannot acquire it; "" if there is no reason. */
  get trouble(): string {
    return this.#trouble;
  }

  /** The owner of the task; undefined before the first grant. */
  holder(): TaskOwner | undefined {
    const record = this.#options.view.nodes.role(this.#name);
    if (record === undefined) return undefined;
    const { node, number } = record;
    return { node, number, isHere: this.#tenure?.isHeld === true && this.#tenure.number === number };
  }

  start(): void {
    this.#running ??= this.#run().catch((error: unknown) => this.#options.onFatal(error as Error));
  }

  /** Hands the task over if this node owns it. The task's last commands are journaled before the lease is released. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endTenure("the node stops");
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const lease = await this.#lease();
      if (lease !== undefined) {
        await this.#holdWhile(lease);
        await this.#giveBack(lease);
      }
      await this.#pause();
    }
  }

  async #lease(): Promise<Lease | undefined> {
    const { part, store, isAble } = this.#options;
    try {
      const whyNot = isAble() ? ((await part.whyNot?.()) ?? "") : UNABLE;
      const lease = whyNot === "" && !this.#isStopped ? await store.lease(this.#name) : undefined;
      this.#noteTrouble(whyNot);
      return lease;
    } catch (error) {
      this.#noteTrouble((error as Error).message);
      return undefined;
    }
  }

  async #holdWhile(lease: Lease): Promise<void> {
    const { part, log } = this.#options;
    const role = this.#name;
    const ended = Promise.withResolvers<string>();
    this.#endTenure = ended.resolve;
    lease.onLost(() => ended.resolve("the lease has ended"));
    const number = await this.#grant();
    // A node that requested the task meanwhile was granted it after us. Without a lease, we must not perform the task
    // in between.
    if (number === undefined || !lease.isHeld || this.#isStopped) return;
    const tenure = new HeldGrant({ role, number }, this.#options.sequencer, () => ended.resolve("it was taken"));
    this.#tenure = tenure;
    const stopLooking = this.#watch(number, lease, ended.resolve);
    log.info({ task: role, number }, "task acquired");
    part.start(tenure);
    const why = await ended.promise;
    stopLooking();
    // Abandon work in progress unless the task is handed over in order.
    if (!this.#isStopped || !lease.isHeld) tenure.end();
    await part.stop();
    tenure.end();
    log.info({ task: role, number, why }, "task released");
  }

  /**
   * Requests the grant. Resolves to undefined if it was not granted or the outcome is unknown; the task is then not
   * performed.
   */
  async #grant(): Promise<number | undefined> {
    const { sequencer, view, node, incarnation, log } = this.#options;
    const role = this.#name;
    const after = view.nodes.role(role)?.number ?? 0;
    try {
      const { events } = await sequencer.run({ type: "grantRole", role, node, incarnation, after });
      const [first] = events;
      if (first?.type === "roleGranted") return first.number;
      log.warn({ task: role, after, why: first?.type === "rejected" ? first.reason : "" }, "task not granted");
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#noteTrouble((error as Error).message);
    }
    return undefined;
  }

  /**
   * Ends the tenure if the grant or the lease is lost, or the node cannot journal. The grant is checked as well,
   * because the journal may grant the task to another node while the lease lasts.
   */
  #watch(number: number, lease: Lease, end: (why: string) => void): Cancel {
    const { world, view, isAble } = this.#options;
    let unableMs = 0;
    return world.every(CHECK_EVERY_MS, () => {
      unableMs = isAble() ? 0 : unableMs + CHECK_EVERY_MS;
      if (unableMs >= MAX_UNABLE_MS) end(UNABLE);
      if (view.nodes.role(this.#name)?.number !== number) end("it was taken");
      if (!lease.isHeld) end("the lease has ended");
    });
  }

  async #giveBack(lease: Lease): Promise<void> {
    try {
      await lease.release();
    } catch (error) {
      // Ignore the error, because the lease expires by itself.
      this.#noteTrouble((error as Error).message);
    }
  }

  async #pause(): Promise<void> {
    if (this.#isStopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.world.after(ASK_EVERY_MS, resolve);
    this.#wake = resolve;
    await promise;
    cancel();
  }

  #noteTrouble(trouble: string): void {
    if (trouble !== "" && trouble !== this.#trouble) {
      this.#options.log.warn({ task: this.#name, why: trouble }, "cannot acquire task, retrying");
    }
    this.#trouble = trouble;
  }
}

/** Whether the error is temporary: the node cannot write at the moment, or is about to stop. */
function isPassing(error: unknown): boolean {
  return error instanceof NotAccepted || error instanceof OutcomeUnknown;
}

export interface OwnTasksOptions extends Omit<TaskOptions, "part"> {
  readonly parts: readonly TaskPart[];
}

export interface OwnedTasks {
  /** Starts requesting all tasks. */
  start(): void;
  /** Hands over all owned tasks. Resolves when no part is running. */
  stop(): Promise<void>;
  /** The owner of a task; undefined if the task was never granted or this node does not know it. */
  holder(role: string): TaskOwner | undefined;
  /** Reasons why this node does not own tasks, by task. Tasks without a reason are omitted. */
  troubles(): Readonly<Record<string, string>>;
  names(): readonly string[];
}

export function ownTasks({ parts, ...options }: OwnTasksOptions): OwnedTasks {
  const roles = new Map(parts.map((part) => [part.role, new Task({ ...options, part })]));
  return {
    start: () => {
      for (const role of roles.values()) role.start();
    },
    stop: async () => {
      await Promise.all([...roles.values()].map((role) => role.stop()));
    },
    holder: (name) => roles.get(name)?.holder(),
    troubles: () => {
      const all = [...roles].map(([name, { trouble }]) => [name, trouble] as const);
      return Object.fromEntries(all.filter(([, trouble]) => trouble !== ""));
    },
    names: () => [...roles.keys()],
  };
}

// Runs startup work on one node after the other, because concurrent attempts would be rejected.

/** The work fails after this many errors of the store. */
const MAX_FAILURES = 30;

/**
 * Runs `act` while no other node runs work with the same name. If the node that runs it dies, the others wait until its
 * lease ends. A suspended node may run `act` concurrently with the next node, so `act` must tolerate that. Rejects with
 * the error of `act`, with `StoreUnfit`, or if the store does not answer for long.
 */
export async function inTurn<T>(
  store: Pick<ClusterStore, "lease">,
  name: string,
  world: Pick<Timers, "pause">,
  act: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; ) {
    let lease: Lease | undefined;
    try {
      lease = await store.lease(name);
    } catch (error) {
      // If the lease was granted but the response was lost, the lease expires.
      if (error instanceof StoreUnfit || ++failures === MAX_FAILURES) throw error;
    }
    if (lease === undefined) {
      await world.pause(ASK_EVERY_MS);
      continue;
    }
    try {
      return await act();
    } finally {
      await lease.release().catch(() => {});
    }
  }
}

/** `roles` returns undefined until the node competes for tasks. */
export function watchTasks(metrics: Pick<Metrics, "gauges">, roles: () => OwnedTasks | undefined): void {
  const gauges = (name: string, help: string, value: (role: string, held: OwnedTasks) => number): void =>
    metrics.gauges(name, help, () => {
      const held = roles();
      return held?.names().map((role) => ({ labels: { task: role }, value: value(role, held) })) ?? [];
    });
  gauges("pricetime_task_owned", "1 if this node owns the task", (role, held) =>
    Number(held.holder(role)?.isHere ?? false),
  );
  gauges("pricetime_task_grants", "Times the task was granted", (role, held) => held.holder(role)?.number ?? 0);
}
