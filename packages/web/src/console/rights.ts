/** Which acts whoever is signed in may do: what the node would refuse for want of a right has no button. */
import type { Desk } from "./desk.ts";

/** A person must stand behind these, and the admin token is nobody in particular. */
const OF_PERSONS = /^(?:POST|PUT) \/v1\/(?:approval-requests|me)(?:\/|$)/;

/** An operation that the node does not have may be done by nobody. */
export function mayDo({ operations, me }: Pick<Desk, "operations" | "me">, key: string): boolean {
  const needs = operations.value.get(key)?.needs;
  if (needs === undefined || (me.value?.isToken === true && OF_PERSONS.test(key))) return false;
  return needs === "nothing" || hasRight({ me }, needs);
}

export function hasRight({ me }: Pick<Desk, "me">, needs: string): boolean {
  return me.value?.rights.includes(needs) === true;
}
