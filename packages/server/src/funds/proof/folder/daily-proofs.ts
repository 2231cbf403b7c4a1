/**
 * Creates a proof each day for a position that is drawn from the journal, and publishes its root. Publications are
 * journaled, so a node that was down at the time catches up later, and only one node of a cluster publishes.
 */
import { DAILY_PROOFS, type EngineView } from "@pricetime/engine";
import type { Sequencer } from "../../../journal/sequencer/port.ts";
import type { Cancel, Timers } from "../../../platform/world/port.ts";
import { SLOT_MS } from "./moments.ts";
import { type Audits, DAILY_LIMITS } from "./port.ts";

export interface DailyProofsOptions {
  /** Whether daily proofs are enabled. */
  readonly isOn: boolean;
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly audits: Pick<Audits, "makeProof" | "newestMoment" | "publications">;
  readonly world: Timers;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

interface DailyProofsPart {
  readonly role: string;
  start(sequencer: Sequencer): void;
  stop(): Promise<void>;
}

export class DailyProofs {
  readonly #options: DailyProofsOptions;
  #stopTimer: Cancel = () => {};
  /**
   * A new object per start, undefined when stopped. Work that finds it changed after an audit (up to minutes) is
   * abandoned.
   */
  #tenure: object | undefined;
  #isMaking = false;
  /** After a failure: the time of the next attempt. */
  #notBeforeMs = 0;
  /** The last slot in which no proof was due. */
  #lookedSlot = -1;

  constructor(options: DailyProofsOptions) {
    this.#options = options;
  }

  get part(): DailyProofsPart {
    return { role: "proofs", start: (sequencer) => this.start(sequencer), stop: () => this.stop() };
  }

  /**
   * `sequencer`: receives the commands of this task until it is stopped. The task may be started again after a stop.
   */
  start(sequencer: Sequencer = this.#options.sequencer): void {
    const { isOn, world } = this.#options;
    if (!isOn) return;
    this.#tenure = {};
    this.#stopTimer = world.every(DAILY_LIMITS.lookEveryMs, () => void this.look(sequencer), "daily proofs");
  }

  async stop(): Promise<void> {
    this.#stopTimer();
    this.#tenure = undefined;
  }

  /**
   * Creates and publishes the proof that is due, if any. The promise never rejects: failures are logged and retried.
   */
  async look(sequencer: Sequencer = this.#options.sequencer): Promise<void> {
    const nowMs = sequencer.nowMs();
    if (this.#isMaking || nowMs < this.#notBeforeMs) return;
    this.#isMaking = true;
    try {
      const seq = await this.#due(nowMs);
      if (seq !== null) await this.#publish(seq, sequencer);
    } catch (error) {
      this.#notBeforeMs = nowMs + DAILY_LIMITS.pauseMs;
      this.#options.log.warn({ err: error }, "daily proof of liabilities failed, retrying");
    } finally {
      this.#isMaking = false;
    }
  }

  /** The position of the proof that is due; null if no proof is due. */
  async #due(nowMs: number): Promise<number | null> {
    const { view, audits } = this.#options;
    const slot = Math.floor((nowMs - DAILY_LIMITS.settleMs) / SLOT_MS);
    if (slot === this.#lookedSlot) return null;
    const moment = await audits.newestMoment(nowMs);
    const isPublished = moment === null || (view.venue.lastProof?.seq ?? 0) >= moment.seq;
    // Positions are drawn only at the beginning of a slot.
    if (isPublished) this.#lookedSlot = slot;
    return isPublished ? null : moment.seq;
  }

  async #publish(at: number, sequencer: Sequencer): Promise<void> {
    const { view, audits, log } = this.#options;
    const tenure = this.#tenure;
    const { seq } = await audits.makeProof(at);
    for (const each of await audits.publications(seq, view.venue.lastProof)) {
      if (this.#tenure !== tenure) return;
      const { events } = await sequencer.run({ type: "publishProof", ...each, by: DAILY_PROOFS });
      const [first] = events;
      if (first?.type === "rejected") throw new Error(`the exchange refused it: ${first.reason}`);
      log.info({ number: each.number, seq: each.seq, root: each.root }, "proof of liabilities published");
    }
  }
}
