/** Codes of operators in the model, and which steps of a code were used. */
import type { RejectReason, SetOperatorTotp } from "@pricetime/engine";
import { type Happening, said } from "../happening.ts";
import type { ModelAccess } from "../state.ts";
import { owe } from "./letters.ts";

export function useStep({ exchange, operatorSteps }: ModelAccess, holder: string, step: number): void {
  const name = holder.slice(holder.indexOf(":") + 1);
  if (holder.startsWith("operator:")) operatorSteps.push({ name, step });
  else exchange.wallet.totpSteps.push({ accountId: Number(name), step });
}

export function setOperatorTotp(access: ModelAccess, command: SetOperatorTotp): Happening[] | RejectReason {
  const { name, sealedSecret, by } = command;
  const operator = access.exchange.venue.operators.find((known) => known.name === name);
  if (operator === undefined) return "UNKNOWN_OPERATOR";
  if (sealedSecret !== null && operator.totpSecret !== null) return "ALREADY_EXISTS";
  operator.totpSecret = sealedSecret;
  const facts = { holder: `operator:${name}`, by, change: sealedSecret === null ? "removed" : "set" };
  return [said(`operator ${name} changed`), ...owe(access, "totpChanged", operator.email, facts)];
}
