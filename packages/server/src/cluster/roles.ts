/**
 * Roles: what one process did alone has one holder at a time. The right to act is granted in the journal, with a number
 * that every act of the holder carries and the engine compares. A lease only says when to request it.
 * docs/decisions/0044.
 */
import { NotAccepted, type Outcome, OutcomeUnknown, type Sequencer } from "../journal/sequencer/port.ts";
import type { Command, EngineView, ExchangeCommand, RoleRecord } from "@pricetime/engine";
import type { Logger } from "../platform/observe/log.ts";
import type { Cancel, Timers } from "../platform/world/port.ts";
import { type ClusterStore, type Lease, StoreUnfit } from "./port.ts";
import type { Metrics } from "../platform/observe/metrics.ts";

/** The process has lost the role: the act was certainly not carried out, and no other of this tenure will be. */
class RoleLost extends NotAccepted {}

/** The way to the exchange for the time of one grant. */
export interface Tenure extends Sequencer {
  /** The number of the grant; it rises with each. */
  readonly number: number;
  /** False once the role is known to be lost, and for good. */
  readonly isHeld: boolean;
}

/** Something that one process at a time may do. */
export interface RolePart {
  /** Its name: the same on every node. */
  readonly role: string;
  /** Resolves to why this node must not ask for the role now; "" when it may. Default: it always may. */
  readonly whyNot?: () => Promise<string>;
  /** Begins the work. Every act goes through `tenure`. Called anew for each tenure, after the last one was stopped. */
  start(tenure: Tenure): void;
  /** Resolves when nothing of it runs any more. Unless the role was lost, last acts are still carried out. */
  stop(): Promise<void>;
}

/** Who holds a role, as far as this node has read the journal. */
interface RoleHolder {
  readonly node: string;
  readonly number: number;
  /** Whether it is this process, and it acts. */
  readonly isHere: boolean;
}

/** The pause between two attempts to get a role. With a lease of 6 s, a dead holder is replaced within 8 s. */
const ASK_EVERY_MS = 1000;
/** How often a holder looks whether the journal has given its role to another. */
const CHECK_EVERY_MS = 250;
/**
 * A holder that cannot have anything journaled for this long hands its role on. Longer than the store takes to choose a
 * leader: then no node can, and the next holder would be no better.
 */
const MAX_UNABLE_MS = 5000;

type Settle = (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;

class RoleTenure implements Tenure {
  readonly number: number;
  readonly #role: string;
  readonly #sequencer: Sequencer;
  readonly #onTaken: () => void;
  #isHeld = true;

  /** `onTaken` is called when the exchange says that the role is another's. */
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
    return new Promise((resolve, reject) => {
      this.submit(command, (outcome) => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    });
  }

  nowMs(): number {
    return this.#sequencer.nowMs();
  }

  /** No command that a holder carries is refused for this reason, so it is always about the holder. */
  #isTaken(outcome: Outcome | OutcomeUnknown | NotAccepted): boolean {
    if (outcome instanceof Error) return false;
    const [first] = outcome.events;
    if (first?.type !== "rejected" || first.reason !== "ROLE_TAKEN") return false;
    this.#isHeld = false;
    this.#onTaken();
    return true;
  }

  #lost(): RoleLost {
    return new RoleLost(`another process holds the role ${this.#role}`);
  }
}

// One role on one node: takes the lease, then the grant, runs the part while it has both, and begins again. Each round
// ends with the part stopped and the lease given back, so that nothing of one tenure reaches into the next.

const UNABLE = "the node cannot journal anything";

interface RoleOptions {
  readonly part: RolePart;
  readonly store: Pick<ClusterStore, "lease">;
  readonly sequencer: Sequencer;
  readonly view: Pick<EngineView, "nodes">;
  readonly node: string;
  /** See `NodePosition`. */
  readonly incarnation: string;
  /** Whether the node can have commands journaled now; one that cannot for a while hands its roles on. */
  readonly isAble: () => boolean;
  readonly world: Timers;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Called on a bug of ours: the node must stop. */
  readonly onFatal: (error: Error) => void;
}

class Role {
  readonly #options: RoleOptions;
  readonly #name: string;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #wake: () => void = () => {};
  #endTenure: (why: string) => void = () => {};
  #tenure: RoleTenure | undefined;
  #trouble = "";

  constructor(options: RoleOptions) {
    this.#options = options;
    this.#name = options.part.role;
  }

  /** Why this node does not ask for the role, or cannot; "" when it does. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Undefined before the first grant. */
  holder(): RoleHolder | undefined {
    const record = this.#options.view.nodes.role(this.#name);
    if (record === undefined) return undefined;
    const { node, number } = record;
    return { node, number, isHere: this.#tenure?.isHeld === true && this.#tenure.number === number };
  }

  start(): void {
    this.#running ??= this.#run().catch((error: unknown) => this.#options.onFatal(error as Error));
  }

  /** Hands the role over if it is held here: its last acts are journaled, then the lease is free. */
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
    // A node that asked meanwhile was granted the role after us; without a lease we must not act in between.
    if (number === undefined || !lease.isHeld || this.#isStopped) return;
    const tenure = new RoleTenure({ role, number }, this.#options.sequencer, () => ended.resolve("it was taken"));
    this.#tenure = tenure;
    const stopLooking = this.#watch(number, lease, ended.resolve);
    log.info({ task: role, number }, "task acquired");
    part.start(tenure);
    const why = await ended.promise;
    stopLooking();
    // Work under way is not carried out any more, unless the role is handed over in order.
    if (!this.#isStopped || !lease.isHeld) tenure.end();
    await part.stop();
    tenure.end();
    log.info({ task: role, number, why }, "task released");
  }

  /** Asks the journal for the role. Undefined: it was not granted, or nobody knows, and then nothing is done with it. */
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

  /** The journal may give the role to another although the lease lasts, and timers may be late. */
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
      // It ends by itself.
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

export interface HoldRolesOptions extends Omit<RoleOptions, "part"> {
  readonly parts: readonly RolePart[];
}

export interface HeldRoles {
  /** Asks for every role from here on. */
  start(): void;
  /** Hands over what is held; resolves when no part runs any more. */
  stop(): Promise<void>;
  /** The holder of a role; undefined when it was never granted, or is none of this node's. */
  holder(role: string): RoleHolder | undefined;
  /** Why this node does not have roles, by role; those without a reason are left out. */
  troubles(): Readonly<Record<string, string>>;
  names(): readonly string[];
}

export function holdRoles({ parts, ...options }: HoldRolesOptions): HeldRoles {
  const roles = new Map(parts.map((part) => [part.role, new Role({ ...options, part })]));
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

// One node after another: what each does at its start, and would be refused to two at once.

/** A store that does not answer so many times is not waited for any longer. */
const MAX_FAILURES = 30;

/**
 * Runs `act` while no other node runs what has the same name. A node that dies meanwhile holds the others up until its
 * lease ends; one that is paused may run beside the next, so `act` must bear that. Rejects as `act` does, with `StoreUnfit`,
 * and when the store does not answer for long.
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
      // A lease that was given and not heard of ends by itself.
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

/** `roles`: undefined until the node has asked for them. */
export function watchRoles(metrics: Pick<Metrics, "gauges">, roles: () => HeldRoles | undefined): void {
  const gauges = (name: string, help: string, value: (role: string, held: HeldRoles) => number): void =>
    metrics.gauges(name, help, () => {
      const held = roles();
      return held?.names().map((role) => ({ labels: { task: role }, value: value(role, held) })) ?? [];
    });
  gauges("pricetime_task_owned", "1 if this node owns the task", (role, held) =>
    Number(held.holder(role)?.isHere ?? false),
  );
  gauges("pricetime_task_grants", "Times the task was granted", (role, held) => held.holder(role)?.number ?? 0);
}
