/** Sends letters, one after another, for as long as this node holds the role: claimed first, then sent, then told. */
import type { Event, LetterStatus, WithdrawalRecord } from "@pricetime/engine";
import { OutcomeUnknown, type Sequencer } from "../sequencer/port.ts";
import { atMost, type World } from "../world/port.ts";
import { confirmationMail } from "./confirmation.ts";
import { type LetterParts, letterOf } from "./letter-of.ts";
import { LAST_MAIL_MS, MAX_ATTEMPTS, pauseAfter } from "./limits.ts";
import { MailRefused, MailUnknown, type Sending } from "./smtp.ts";

/** The pause before a step that could not be journaled is tried again. */
const TELL_AGAIN_MS = 1000;
/** How often letters are looked for when nothing calls. */
const LOOK_EVERY_MS = 1000;

/** The time of one grant of the role. */
export interface LetterTenure extends Pick<Sequencer, "run"> {
  readonly isHeld: boolean;
}

export interface LetterRunParts extends LetterParts {
  readonly sending: Sending;
  /** Returns the beginning of links; asked for each letter. */
  readonly publicUrl: () => string;
  readonly log: { warn(fields: object, message: string): void };
  readonly world: World;
}

interface Attempts {
  readonly attempts: number;
  readonly trouble: string;
  /** The next attempt is not before this time of the clock that does not leap. */
  readonly dueMs: number;
  /** Whether it was given up: if it waits again, an operator had it begun anew. */
  readonly isOver: boolean;
}

export class LetterRun {
  readonly #parts: LetterRunParts;
  readonly #tenure: LetterTenure;
  /** Letters that the mail server would not take for now. */
  readonly #attempts = new Map<string, Attempts>();
  #running: Promise<void> | undefined;
  #isStopped = false;
  #isWoken = false;
  #wake: () => void = () => {};

  constructor(parts: LetterRunParts, tenure: LetterTenure) {
    this.#parts = parts;
    this.#tenure = tenure;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when nothing runs any more. It does not await a slow mail server, whose letter stays claimed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await atMost(this.#parts.world, LAST_MAIL_MS, this.#running);
  }

  /** Call it when letters may have changed. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  attemptsOf(withdrawalId: string): Pick<Attempts, "attempts" | "trouble"> | undefined {
    return this.#attempts.get(withdrawalId);
  }

  get #isOver(): boolean {
    return this.#isStopped || !this.#tenure.isHeld;
  }

  async #run(): Promise<void> {
    for (const { withdrawalId } of this.#inStatus("claimed")) await this.#tell(withdrawalId, "unknown");
    while (!this.#isOver) {
      this.#isWoken = false;
      const due = this.#due();
      if (due === undefined) await this.#pause(LOOK_EVERY_MS);
      else await this.#sendOne(due);
    }
  }

  #inStatus(status: LetterStatus): readonly WithdrawalRecord[] {
    const { funds } = this.#parts.view;
    const all = funds.openWithdrawals().filter((each) => each.status === "emailSent");
    return all.filter(({ withdrawalId }) => funds.letter(withdrawalId) === status);
  }

  #due(): WithdrawalRecord | undefined {
    const { world } = this.#parts;
    for (const withdrawalId of this.#attempts.keys()) {
      if (this.#parts.view.funds.withdrawal(withdrawalId)?.status !== "emailSent") this.#attempts.delete(withdrawalId);
    }
    return this.#inStatus("waiting").find((withdrawal) => {
      const tried = this.#attempts.get(withdrawal.withdrawalId);
      const isDue = tried === undefined || tried.isOver || tried.dueMs <= world.steadyMs();
      return isDue && letterOf(withdrawal, world.nowMs(), this.#parts) !== undefined;
    });
  }

  async #sendOne(withdrawal: WithdrawalRecord): Promise<void> {
    const { sending, publicUrl, world } = this.#parts;
    const { withdrawalId } = withdrawal;
    if (!(await this.#claim(withdrawalId))) return;
    const letter = letterOf(withdrawal, world.nowMs(), this.#parts);
    if (letter === undefined) return this.#tell(withdrawalId, "failed");
    const tried = this.#attempts.get(withdrawalId);
    const attempts = tried === undefined || tried.isOver ? 1 : tried.attempts + 1;
    try {
      await sending.send(confirmationMail(letter, publicUrl()));
      await this.#tell(withdrawalId, "sent");
    } catch (error) {
      await this.#notSent(withdrawalId, attempts, error as Error);
    }
  }

  async #notSent(withdrawalId: string, attempts: number, error: Error): Promise<void> {
    const { log, world } = this.#parts;
    const isFailed = error instanceof MailRefused || attempts >= MAX_ATTEMPTS;
    const to = error instanceof MailUnknown ? "unknown" : isFailed ? "failed" : "waiting";
    const trouble = error.message;
    const dueMs = world.steadyMs() + pauseAfter(attempts);
    this.#attempts.set(withdrawalId, { attempts, trouble, dueMs, isOver: to !== "waiting" });
    log.warn({ withdrawalId, attempts, trouble }, `a letter was not sent: it is ${to} now`);
    await this.#tell(withdrawalId, to);
  }

  /** Returns whether the letter is ours to send. */
  async #claim(withdrawalId: string): Promise<boolean> {
    for (let isPerhapsOurs = false; !this.#isOver; ) {
      try {
        const { events } = await this.#tenure.run(step(withdrawalId, "waiting", "claimed"));
        if (!isRefused(events)) return true;
        // During a tenure nobody else claims, and what others had claimed before is unknown.
        return isPerhapsOurs && this.#parts.view.funds.letter(withdrawalId) === "claimed";
      } catch (error) {
        isPerhapsOurs ||= error instanceof OutcomeUnknown;
        await this.#parts.world.pause(TELL_AGAIN_MS);
      }
    }
    return false;
  }

  /** Journals what became of a claimed letter. What is refused has been settled without us. */
  async #tell(withdrawalId: string, to: LetterStatus): Promise<void> {
    while (this.#tenure.isHeld) {
      try {
        await this.#tenure.run(step(withdrawalId, "claimed", to));
        return;
      } catch {
        await this.#parts.world.pause(TELL_AGAIN_MS);
      }
    }
  }

  async #pause(waitMs: number): Promise<void> {
    if (this.#isStopped || this.#isWoken) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#parts.world.after(waitMs, resolve);
    this.#wake = resolve;
    await promise;
    cancel();
  }
}

function step(withdrawalId: string, from: LetterStatus, to: LetterStatus) {
  return { type: "changeLetter", withdrawalId, from, to } as const;
}

function isRefused(events: readonly Event[]): boolean {
  return events[0]?.type === "rejected";
}
