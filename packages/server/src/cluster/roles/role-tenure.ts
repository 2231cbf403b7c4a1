/** One grant of a role: wraps each command in the holder's number until the role is lost. */
import type { Command, ExchangeCommand, RoleRecord } from "@pricetime/engine";
import type { NotAccepted, Outcome, OutcomeUnknown, Sequencer } from "../../journal/sequencer/port.ts";
import { RoleLost, type Tenure } from "./port.ts";

type Settle = (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;

export class RoleTenure implements Tenure {
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
