/** Email addresses in the model: from rules version 4 on upper and lower case are one. */
import type { ModelExchange } from "../exchange.ts";

/** The address as it is stored. */
export function stored({ edition }: ModelExchange, email: string): string {
  return edition < 4 ? email : email.toLowerCase();
}

/** The other accounts that have the address. */
export function having({ accounts, edition }: ModelExchange, email: string, except?: number): readonly number[] {
  const isSame = (other: string): boolean =>
    edition < 4 ? other === email : other.toLowerCase() === email.toLowerCase();
  const found = [...accounts.values()].filter((account) => isSame(account.email) && account.accountId !== except);
  return found.map(({ accountId }) => accountId);
}

/** Whether no link may be sent to the holder, because another account has the same address. */
export function sharesEmail(exchange: ModelExchange, holder: string): boolean {
  if (exchange.edition < 4 || !holder.startsWith("account:")) return false;
  const account = exchange.accounts.get(Number(holder.slice("account:".length)));
  return account !== undefined && having(exchange, account.email, account.accountId).length > 0;
}
