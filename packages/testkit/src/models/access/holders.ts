/** Who can have a password in the model: customers with an account of their own, and operators. */
import type { ModelExchange } from "../exchange.ts";

export interface ModelHolder {
  readonly email: string;
  readonly isEnabled: boolean;
  readonly totpSecret: string | null;
  /** Every step of a code that was accepted. */
  readonly steps: readonly number[];
}

export function holderOf({ accounts, venue, wallet, access }: ModelExchange, holder: string): ModelHolder | undefined {
  const [kind, name] = [holder.slice(0, holder.indexOf(":")), holder.slice(holder.indexOf(":") + 1)];
  if (kind === "operator") {
    const operator = venue.operators.find((known) => known.name === name);
    const used = access.operatorSteps.filter((known) => known.name === name);
    return operator && { ...operator, steps: used.map(({ step }) => step) };
  }
  const account = accounts.get(Number(name));
  if (account === undefined || account.masterId !== null) return undefined;
  const used = wallet.totpSteps.filter(({ accountId }) => accountId === account.accountId);
  return { ...account, steps: used.map(({ step }) => step) };
}
