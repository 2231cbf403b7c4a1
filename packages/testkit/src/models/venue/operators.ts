/** Operators in the model. */
import type { ChangeOperator, OpenOperator, RejectReason } from "@pricetime/engine";
import { revokeOf } from "../access/invitations.ts";
import { endRecovery } from "../access/passwords.ts";
import { closeOthers } from "../access/sessions.ts";
import { type Happening, said } from "../happening.ts";
import { stored, type ModelVenue, type ModelOperator } from "../state.ts";

const MOST_OPERATORS = 1000;

export function openOperator(
  { operators, exchange }: ModelVenue,
  { name, email, role }: OpenOperator,
): Happening[] | RejectReason {
  if (operators.some((known) => known.name === name)) return "ALREADY_EXISTS";
  if (operators.length >= MOST_OPERATORS) return "TOO_MANY";
  operators.push({ name, email: stored(exchange, email), role, isEnabled: true, totpSecret: null });
  return [said(`operator ${name} changed`)];
}

export function changeOperator(
  { operators, exchange }: ModelVenue,
  command: ChangeOperator,
): Happening[] | RejectReason {
  const operator = operators.find(({ name }) => name === command.name);
  if (operator === undefined) return "UNKNOWN_OPERATOR";
  const email = command.email === undefined ? operator.email : stored(exchange, command.email);
  const isMoved = email !== operator.email;
  operator.email = email;
  operator.role = command.role ?? operator.role;
  operator.isEnabled = command.isEnabled ?? operator.isEnabled;
  const { access } = exchange;
  const holder = `operator:${operator.name}`;
  const ended = operator.isEnabled ? [] : closeOthers(access, holder, null);
  const links = isMoved ? [...revokeOf(access, holder), ...endRecovery(access, holder, "cancelled")] : [];
  return [said(`operator ${operator.name} changed`), ...ended, ...links];
}

/** The operator of that name who may act at all. */
export function enabled({ operators }: ModelVenue, by: string): ModelOperator | undefined {
  return operators.find(({ name, isEnabled }) => by === `operator:${name}` && isEnabled);
}
