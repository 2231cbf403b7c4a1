/** Functions that the parts of the model's wallet share. */
import type { ModelExchange } from "../exchange.ts";
import type { Happening } from "../happening.ts";

export function said(words: string): Happening {
  return { kind: "said", words };
}

/** Returns the master of an account's family. */
export function familyOf(exchange: ModelExchange, accountId: number): number | null {
  const account = exchange.accounts.get(accountId);
  return account === undefined ? null : (account.masterId ?? accountId);
}
