/** A part of the lab that is looked at, again and again: its faults, its agents, its replays. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { refusalOf } from "../wire/refused.ts";
import type { Seen } from "./port.ts";
import { LabRefused } from "./requests.ts";

const UNSEEN = { state: "unknown", problem: null } as const;

export class LabPart<Value> {
  readonly #path: string;
  readonly #ask: (path: string) => Promise<Value>;
  readonly #seen = signal<Seen<Value>>(UNSEEN);
  /** What is on its way when it is forgotten came from another lab. */
  #round = 0;

  constructor(path: string, ask: (path: string) => Promise<Value>) {
    this.#path = path;
    this.#ask = ask;
  }

  get seen(): ReadonlySignal<Seen<Value>> {
    return this.#seen;
  }

  /** Never rejects. What the lab does not have is not asked for again, until it may be another lab. */
  async look(): Promise<void> {
    if (this.#seen.peek().state === "absent") return;
    const round = this.#round;
    const seen = await this.#ask(this.#path).then(
      (value): Seen<Value> => ({ state: "known", value, problem: null }),
      (error: unknown): Seen<Value> => {
        if (error instanceof LabRefused && error.isAbsent) return { state: "absent", problem: null };
        return { ...this.#seen.peek(), problem: refusalOf(error).message };
      },
    );
    if (round === this.#round) this.#seen.value = seen;
  }

  /** The lab may be another one, which has it. */
  mayBeThere(): void {
    if (this.#seen.peek().state === "absent") this.forget();
  }

  forget(): void {
    this.#round++;
    this.#seen.value = UNSEEN;
  }
}
