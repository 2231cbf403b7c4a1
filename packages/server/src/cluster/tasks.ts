/**
 * Tasks that only one node performs at a time. The right to perform a task is granted in the journal, with a fencing
 * token that each of the owner's commands carries and the engine compares. A lease only tells when to request the
 * grant. docs/decisions/0044.
 */
import { NotAccepted, type Outcome, OutcomeUnknown, runBySubmit, type Sequencer } from "../journal/sequencer/port.ts";
import type { Command, EngineView, ExchangeCommand, RoleRecord } from "@pricetime/engine";
import type { Logger } from "../platform/observe/log.ts";
import type { Cancel, Timers } from "../platform/world/port.ts";
import { type ClusterStore, type Lease, StoreUnfit } from "./port.ts";
import type { Metrics } from "../platform/observe/metrics.ts";

/** The process has lost the task: the command was certainly not carried out, and no other one of this grant will be. */
class TaskLost extends NotAccepted {}

/** Access to the exchange for the duration of a grant. */
export interface TaskGrant extends Sequencer {
  /** The fencing token, which increases with each grant. */
  readonly number: number;
  /** False once the task is known to be lost, permanently. */
  readonly isHeld: boolean;
}

/** A task that one process may perform at a time. */
export interface TaskPart {
  /** The task's name, the same on every node. */
  readonly role: string;
  /** Resolves to the reason why this node must not request the task now; "" if it may. Default: it always may. */
  readonly whyNot?: () => Promise<string>;
  /**
   * Starts the work. Every command goes through `tenure`. Called for each tenure, after the previous one was stopped.
   */
  start(tenure: TaskGrant): void;
  /** Resolves when everything has stopped. Unless the task was lost, the last commands are still carried out. */
  stop(): Promise<void>;
}

/** The owner of a task, as far as this node has read the journal. */
interface TaskOwner {
  readonly node: string;
  readonly number: number;
  /** Whether this process owns the task and performs it. */
  readonly isHere: boolean;
}

/** The pause between two requests. With a lease of 6 s, a failed owner is replaced within 8 s. */
const ASK_EVERY_MS = 1000;
/** How often an owner checks whether the journal has granted its task to another node. */
const CHECK_EVERY_MS = 250;
/**
 * An owner that cannot journal commands for this long hands its task over. Longer than an election in the store, during
 * which no node can.
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

  /** Only the fencing token is rejected with this reason, never the command inside. */
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

// One task on one node: acquires the lease, then the grant, runs the part while it has both, and starts over. Each
// round ends with the part stopped and the lease released, so that tenures do not overlap.

const UNABLE = "the node cannot journal anything";

interface TaskOptions {
  readonly part: TaskPart;
  readonly store: Pick<ClusterStore, "lease">;
  readonly sequencer: Sequencer;
  readonly view: Pick<EngineView, "nodes">;
  readonly node: string;
  /** See `NodePosition`. */
  readonly incarnation: string;
  /** Whether the node can journal commands now. A node that cannot for a while hands its tasks over. */
  readonly isAble: () => boolean;
  readonly world: Timers;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Called on a bug of ours: the node must stop. */
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

  /** Why this node does not request the task, or cannot; "" if it does. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Undefined before the first grant. */
  holder(): TaskOwner | undefined {
    const record = this.#options.view.nodes.role(this.#name);
    if (record === undefined) return undefined;
    const { node, number } = record;
    return { node, number, isHere: this.#tenure?.isHeld === true && this.#tenure.number === number };
  }

  start(): void {
    this.#running ??= this.#run().catch((error: unknown) => this.#options.onFatal(error as Error));
  }

  /** Hands the task over if this node owns it: its last commands are journaled, then the lease is released. */
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
    // A node that requested it meanwhile was granted the task after us; without a lease, we must not act in between.
    if (number === undefined || !lease.isHeld || this.#isStopped) return;
    const tenure = new HeldGrant({ role, number }, this.#options.sequencer, () => ended.resolve("it was taken"));
    this.#tenure = tenure;
    const stopLooking = this.#watch(number, lease, ended.resolve);
    log.info({ task: role, number }, "task acquired");
    part.start(tenure);
    const why = await ended.promise;
    stopLooking();
    // Work in progress is abandoned, unless the task is handed over in order.
    if (!this.#isStopped || !lease.isHeld) tenure.end();
    await part.stop();
    tenure.end();
    log.info({ task: role, number, why }, "task released");
  }

  /** Requests the grant. Undefined if it was not granted or the outcome is unknown; the task is then not performed. */
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

  /** The journal may grant the task to another node while the lease lasts, and timers may be late. */
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
      // The lease expires.
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

/** The node cannot write at the moment, or is about to stop. */
function isPassing(error: unknown): boolean {
  return error instanceof NotAccepted || error instanceof OutcomeUnknown;
}

export interface OwnTasksOptions extends Omit<TaskOptions, "part"> {
  readonly parts: readonly TaskPart[];
}

export interface OwnedTasks {
  /** Requests all tasks from now on. */
  start(): void;
  /** Hands over owned tasks; resolves when no part is running. */
  stop(): Promise<void>;
  /** The owner of a task; undefined if it was never granted, or is not one of this node's. */
  holder(role: string): TaskOwner | undefined;
  /** Why this node does not own tasks, by task, if there is a reason. */
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

// Runs startup work on one node after another, because concurrent attempts would be rejected.

/** After this many failures of the store, the work fails. */
const MAX_FAILURES = 30;

/**
 * Runs `act` while no other node runs work with the same name. If a node dies, the others wait until its lease ends; a
 * suspended node may run concurrently with the next, so `act` must tolerate that. Rejects as `act` does, with
 * `StoreUnfit`, and if the store does not answer for long.
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
      // A lease that was granted without a response expires.
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

/** `roles`: undefined until the node competes for tasks. */
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
