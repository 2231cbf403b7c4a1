/** What one node at a time may do: pays a little to accounts, so that two who act at once would show in the balances. */
import type { RolePart, Tenure } from "@pricetime/server/parts";
import type { Schedule } from "@pricetime/testkit/schedule";

const PAY_EVERY_MS = 2_500;

export class Payer implements RolePart {
  readonly role = "bots";
  readonly #schedule: Schedule;
  readonly #accountIds: () => readonly number[];
  readonly #asset: string;
  #round = { isOver: true };
  #payments = 0;

  constructor(schedule: Schedule, accountIds: () => readonly number[], asset: string) {
    this.#schedule = schedule;
    this.#accountIds = accountIds;
    this.#asset = asset;
  }

  start(tenure: Tenure): void {
    const round = { isOver: false };
    this.#round = round;
    const pay = (): void => {
      if (round.isOver) return;
      const accountIds = this.#accountIds();
      const accountId = accountIds[this.#payments++ % accountIds.length] as number;
      const reference = `payer ${tenure.number} ${this.#payments}`;
      tenure.submit({ type: "deposit", by: "payer", accountId, asset: this.#asset, amount: "1", reference }, () => {});
      this.#schedule.after(PAY_EVERY_MS, pay);
    };
    pay();
  }

  async stop(): Promise<void> {
    this.#round.isOver = true;
  }
}
