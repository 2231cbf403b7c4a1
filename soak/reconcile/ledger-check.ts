/**
 * Balances: the sum of all postings, compared with the ledger at the end of the replay and with the reported balances.
 */
import type { Engine, Posting } from "@pricetime/engine";
import type { Evidence } from "../evidence.ts";
import { wire } from "../markets.ts";
import type { Findings } from "./findings.ts";

interface Sums {
  free: bigint;
  locked: bigint;
}

export class LedgerCheck {
  postings = 0;
  /** Sums by account, then by asset. */
  readonly #accounts = new Map<number, Map<number, Sums>>();

  add(postings: readonly Posting[]): void {
    this.postings += postings.length;
    for (const { assetId, amount, fromAccountId, fromBucket, toAccountId, toBucket } of postings) {
      this.#of(fromAccountId, assetId)[fromBucket] -= amount;
      this.#of(toAccountId, assetId)[toBucket] += amount;
    }
  }

  #of(accountId: number, assetId: number): Sums {
    let account = this.#accounts.get(accountId);
    if (account === undefined) this.#accounts.set(accountId, (account = new Map()));
    let sums = account.get(assetId);
    if (sums === undefined) account.set(assetId, (sums = { free: 0n, locked: 0n }));
    return sums;
  }

  end(engine: Engine, balances: Evidence["balances"], findings: Findings): void {
    this.#compareWithEngine(engine, findings);
    for (const [email, said] of Object.entries(balances)) {
      const account = engine.accountByEmail(email);
      if (account === undefined) findings.add(`${email}: the journal has no such account`);
      else this.#compareWithSaid(engine, account.accountId, said, findings);
    }
  }

  #compareWithEngine(engine: Engine, findings: Findings): void {
    for (const { assetId, spec } of engine.assets()) {
      let total = 0n;
      for (const [accountId, assets] of this.#accounts) {
        const { free, locked } = assets.get(assetId) ?? { free: 0n, locked: 0n };
        const held = engine.balance(accountId, assetId);
        total += held.free + held.locked;
        if (held.free === free && held.locked === locked) continue;
        findings.add(`account ${accountId}, ${spec.asset}: its postings do not make its balance`);
      }
      if (total !== 0n) findings.add(`${spec.asset}: all accounts together hold ${total} units, and must hold nothing`);
    }
  }

  #compareWithSaid(engine: Engine, accountId: number, said: Evidence["balances"][string], findings: Findings): void {
    for (const { assetId, spec } of engine.assets()) {
      const balance = said.find(({ asset }) => asset === spec.asset);
      const { free, locked } = engine.balance(accountId, assetId);
      const what = `account ${accountId}, ${spec.asset}`;
      findings.compare(`${what}, free`, balance?.free, wire(free, spec.precision));
      findings.compare(`${what}, locked`, balance?.locked, wire(locked, spec.precision));
    }
  }
}
