/** Who asks the admin port, and what each may ask for. */
import { hasRight, type OperatorRole, type Right, RIGHTS } from "@pricetime/engine";

/**
 * What a route needs. nothing: no token at all; view: any operator who signed in; a right of the engine's, for what
 * changes something; token: the admin token, whatever the role.
 */
export type Need = "nothing" | "view" | Right | "token";

/** An operator who has signed in. */
export interface SignedIn {
  readonly kind: "operator";
  /** As in the journal, without `operator:` before it. */
  readonly name: string;
  readonly role: OperatorRole;
  readonly sessionId: string;
}

export interface Sender {
  /** The address that the connection comes from. */
  readonly ip: string;
  /** What the client calls itself; "": nothing. */
  readonly client: string;
  /** Whether nobody else reads what is sent: it stays on this machine, or goes over TLS. */
  readonly isSecure: boolean;
  /** The address under which it asked, for links to these pages. */
  readonly origin: string;
}

/** "token": whoever has the admin token; "node": another node of the cluster. */
export type Asker = Sender & (SignedIn | { readonly kind: "token" | "node" | "stranger" });

/** Somebody in this process who may do all that the admin token may. */
export const TOKEN_HOLDER: Asker = { kind: "token", ip: "", client: "", isSecure: true, origin: "" };

/** Whether somebody who asks may have what needs this. Nodes have routes of their own (`isForNodes`). */
export function mayAsk(asker: Asker, need: Need): boolean {
  if (need === "nothing" || asker.kind === "token") return true;
  if (asker.kind !== "operator" || need === "token") return false;
  return need === "view" || hasRight(asker.role, need);
}

/** Everything that the role allows, as words of `x-needs`. */
export const rightsOf = (role: OperatorRole): readonly Need[] => [
  "view",
  ...RIGHTS.filter((right) => hasRight(role, right)),
];

/** What the admin token may do. */
export const ALL_RIGHTS: readonly Need[] = ["view", ...RIGHTS, "token"];
