/**
 * Compares emails with withdrawals: each withdrawal that awaits confirmation gets an email despite crashes, no process
 * sends one twice, and the link is valid.
 */
import type { Mail } from "@pricetime/server/parts";
import { CONFIRMATIONS } from "../world/tokens.ts";
import type { Auditor } from "./auditor.ts";

export class LetterAudit {
  readonly #auditor: Auditor;
  readonly #arrived = new Set<string>();
  #ofThisLife = new Set<string>();

  constructor(auditor: Auditor) {
    this.#auditor = auditor;
  }

  nodeStarts(): void {
    this.#ofThisLife = new Set();
  }

  /** An email has arrived. Returns the parameters of its link. */
  arrived({ withdrawalId = "", to, text }: Mail): URLSearchParams {
    const link = new URLSearchParams(/\?(?<query>id=\S+)/.exec(text)?.groups?.["query"] ?? "");
    const { wallet, accounts } = this.#auditor.model;
    const withdrawal = wallet.withdrawals.find((each) => each.withdrawalId === withdrawalId);
    const fail = (what: string): void => this.#auditor.fail(`a letter of ${withdrawalId}: ${what}`);
    if (withdrawal === undefined) fail("nobody asked for such a withdrawal");
    else {
      if (accounts.get(withdrawal.accountId)?.email !== to) fail(`it went to ${to}`);
      if (CONFIRMATIONS.hashOf(link.get("secret") ?? "") !== withdrawal.hash) fail("its link is not good");
    }
    if (this.#ofThisLife.has(withdrawalId)) fail("one process has sent two");
    this.#ofThisLife.add(withdrawalId);
    this.#arrived.add(withdrawalId);
    return link;
  }

  /** Whether an email has arrived for every withdrawal that awaits confirmation. */
  isSettled(): boolean {
    const { wallet } = this.#auditor.model;
    const isOurs = (withdrawalId: string, hash: string): boolean =>
      CONFIRMATIONS.hashOf(CONFIRMATIONS.secretOf(withdrawalId)) === hash;
    return wallet.withdrawals.every(
      ({ withdrawalId, hash, status }) =>
        status !== "emailSent" || this.#arrived.has(withdrawalId) || !isOurs(withdrawalId, hash),
    );
  }
}
