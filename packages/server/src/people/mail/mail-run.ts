/** Sends emails one at a time while this node owns the task: claims each email, sends it, and journals the outcome. */
import type { Event, LetterStatus } from "@pricetime/engine";
import { OutcomeUnknown, type Sequencer } from "../../journal/sequencer/port.ts";
import { atMost, type World } from "../../platform/world/port.ts";
import {
  LAST_MAIL_MS,
  MailRefused,
  MailUnknown,
  MAX_ATTEMPTS,
  pauseAfter,
  type Sending,
  TELL_AGAIN_MS,
} from "./smtp.ts";
import type { OwedEmail, OwedLetters } from "./owed-mails.ts";

/** How often to look for emails without a `wake` call. */
const LOOK_EVERY_MS = 1000;

/** A period in which this node owns the task. */
export interface EmailTenure extends Pick<Sequencer, "run"> {
  readonly isHeld: boolean;
}

export interface EmailRunParts {
  readonly owed: OwedLetters;
  readonly sending: Sending;
  readonly log: { warn(fields: object, message: string): void };
  readonly world: World;
}

interface Attempts {
  readonly attempts: number;
  readonly trouble: string;
  /** Time of the next attempt at the earliest, on the monotonic clock. */
  readonly dueMs: number;
  /** Whether the last attempt was made. If the email is waiting again, an operator has resent it. */
  readonly isOver: boolean;
}

/** A resent email whose notice is no longer in the exchange's state, so nothing is journaled for it. */
interface SentAgain {
  readonly letter: OwedEmail;
  readonly told: (status: LetterStatus) => void;
  isUnderWay: boolean;
}

export class EmailRun {
  readonly #parts: EmailRunParts;
  readonly #tenure: EmailTenure;
  /** Emails that the mail server has not accepted yet. */
  readonly #attempts = new Map<string, Attempts>();
  readonly #again = new Map<string, SentAgain>();
  #running: Promise<void> | undefined;
  #isStopped = false;
  #isWoken = false;
  #wake: () => void = () => {};

  constructor(parts: EmailRunParts, tenure: EmailTenure) {
    this.#parts = parts;
    this.#tenure = tenure;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is running. Does not wait for a slow mail server; the email in transit stays claimed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await atMost(this.#parts.world, LAST_MAIL_MS, this.#running);
    for (const { told, isUnderWay } of this.#again.values()) told(isUnderWay ? "unknown" : "failed");
    this.#again.clear();
  }

  /** Resends an email with as many attempts as a new one. Calls `told` with its status now and at the end. */
  sendAgain(letter: OwedEmail, told: SentAgain["told"]): void {
    this.#attempts.delete(letter.key);
    this.#again.set(letter.key, { letter, told, isUnderWay: false });
    told("waiting");
    this.wake();
  }

  /** Call this when emails may have changed. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  attemptsOf(key: string): Pick<Attempts, "attempts" | "trouble"> | undefined {
    return this.#attempts.get(key);
  }

  get #isOver(): boolean {
    return this.#isStopped || !this.#tenure.isHeld;
  }

  async #run(): Promise<void> {
    for (const letter of [...this.#parts.owed.all()])
      if (letter.status === "claimed") await this.#tell(letter, "unknown");
    while (!this.#isOver) {
      this.#isWoken = false;
      const due = this.#due();
      if (due === undefined) await this.#pause(LOOK_EVERY_MS);
      else await this.#sendOne(due);
    }
  }

  #due(): OwedEmail | undefined {
    const { owed } = this.#parts;
    for (const key of this.#attempts.keys()) {
      if (owed.find(key) === undefined && !this.#again.has(key)) this.#attempts.delete(key);
    }
    for (const { letter } of this.#again.values()) if (this.#isDue(letter)) return letter;
    for (const letter of owed.all()) if (letter.status === "waiting" && this.#isDue(letter)) return letter;
    return undefined;
  }

  #isDue(letter: OwedEmail): boolean {
    const { world } = this.#parts;
    const tried = this.#attempts.get(letter.key);
    if (tried !== undefined && !tried.isOver && tried.dueMs > world.steadyMs()) return false;
    return !letter.endsByItself || letter.write(world.nowMs()) !== undefined;
  }

  async #sendOne(letter: OwedEmail): Promise<void> {
    const { sending, world } = this.#parts;
    if (!(await this.#claim(letter))) return;
    const mail = letter.write(world.nowMs());
    if (mail === undefined) return this.#tell(letter, "failed");
    const tried = this.#attempts.get(letter.key);
    const attempts = tried === undefined || tried.isOver ? 1 : tried.attempts + 1;
    try {
      await sending.send(mail);
      await this.#tell(letter, "sent");
    } catch (error) {
      await this.#notSent(letter, attempts, error as Error);
    }
  }

  async #notSent(letter: OwedEmail, attempts: number, error: Error): Promise<void> {
    const { log, world } = this.#parts;
    const { key } = letter;
    const isFailed = error instanceof MailRefused || attempts >= MAX_ATTEMPTS;
    const to = error instanceof MailUnknown ? "unknown" : isFailed ? "failed" : "waiting";
    const trouble = error.message;
    const dueMs = world.steadyMs() + pauseAfter(attempts);
    this.#attempts.set(key, { attempts, trouble, dueMs, isOver: to !== "waiting" });
    log.warn({ letter: key, attempts, trouble }, `an email was not sent; its status is ${to}`);
    await this.#tell(letter, to);
  }

  /** Returns whether this node may send the email. */
  async #claim(letter: OwedEmail): Promise<boolean> {
    const again = this.#again.get(letter.key);
    if (again !== undefined) {
      again.isUnderWay = true;
      return true;
    }
    for (let isPerhapsOurs = false; !this.#isOver; ) {
      try {
        const { events } = await this.#tenure.run(letter.step("waiting", "claimed"));
        if (!isRefused(events)) return true;
        // No other node claims emails during this tenure, and emails claimed earlier have the status unknown.
        return isPerhapsOurs && this.#parts.owed.find(letter.key)?.status === "claimed";
      } catch (error) {
        isPerhapsOurs ||= error instanceof OutcomeUnknown;
        await this.#parts.world.pause(TELL_AGAIN_MS);
      }
    }
    return false;
  }

  /**
   * Journals the outcome of a claimed email. A rejected command means that the status was already changed elsewhere.
   */
  async #tell(letter: OwedEmail, to: LetterStatus): Promise<void> {
    const again = this.#again.get(letter.key);
    if (again !== undefined) {
      again.isUnderWay = false;
      if (to !== "waiting") this.#again.delete(letter.key);
      again.told(to);
      return;
    }
    while (this.#tenure.isHeld) {
      try {
        await this.#tenure.run(letter.step("claimed", to));
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

function isRefused(events: readonly Event[]): boolean {
  return events[0]?.type === "rejected";
}
