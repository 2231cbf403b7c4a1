/**
 * One role on one node: asks for the lease, then for the grant, runs the part while it has both, and begins again. Each
 * round ends with the part stopped and the lease given back, so that nothing of one tenure reaches into the next.
 */
import type { EngineView } from "@pricetime/engine";
import type { Logger } from "../../platform/observe/log.ts";
import { NotAccepted, OutcomeUnknown, type Sequencer } from "../../journal/sequencer/port.ts";
import type { Cancel, Timers } from "../../platform/world/port.ts";
import type { ClusterStore, Lease } from "../port.ts";
import { ASK_EVERY_MS, CHECK_EVERY_MS, MAX_UNABLE_MS } from "./limits.ts";
import type { RoleHolder, RolePart } from "./port.ts";
import { RoleTenure } from "./role-tenure.ts";

const UNABLE = "the node cannot journal anything";

export interface RoleOptions {
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

export class Role {
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
