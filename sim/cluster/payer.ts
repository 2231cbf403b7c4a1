/**
 * A task that one node at a time performs: it pays small amounts to accounts, so that two nodes that perform it at once
 * would show in the balances.
 */
import type { TaskPart, TaskGrant } from "@pricetime/server/parts";
import type { Life, Schedule } from "@pricetime/testkit/schedule";

const PAY_EVERY_MS = 700;

export interface PayerOptions {
  readonly schedule: Schedule;
  readonly life: Life;
  readonly accountIds: readonly number[];
  readonly asset: string;
  /** Whether nothing is to be paid now. */
  readonly isIdle: () => boolean;
}

export class Payer implements TaskPart {
  readonly role = "bots";
  readonly #options: PayerOptions;
  #round = { isOver: true };
  #payments = 0;

  constructor(options: PayerOptions) {
    this.#options = options;
  }

  start(tenure: TaskGrant): void {
    const round = { isOver: false };
    this.#round = round;
    const { schedule, life, isIdle } = this.#options;
    const pay = (): void => {
      if (round.isOver) return;
      if (!isIdle()) this.#pay(tenure);
      schedule.after(PAY_EVERY_MS, pay, life);
    };
    pay();
  }

  #pay(tenure: TaskGrant): void {
    const { accountIds, asset } = this.#options;
    const accountId = accountIds[this.#payments++ % accountIds.length] as number;
    const reference = `payer ${tenure.number} ${this.#payments}`;
    tenure.submit({ type: "deposit", by: "payer", accountId, asset, amount: "1", reference }, () => {});
  }

  async stop(): Promise<void> {
    this.#round.isOver = true;
  }
}
