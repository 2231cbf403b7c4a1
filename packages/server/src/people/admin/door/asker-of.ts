/** Who sends a request to the admin port, by the token and the name that it shows. */
import type { IncomingMessage } from "node:http";
import { type EngineView, MAX_CLIENT_LENGTH, NODES_OWN_NAMES } from "@pricetime/engine";
import { sameSecret } from "../../../platform/config/random-key.ts";
import { hostName, isLoopbackName } from "../../../platform/transport/host-name.ts";
import { AdminRefusal } from "../answer.ts";
import type { Asker, Sender } from "../asker.ts";
import type { OperatorSessions } from "./operator-sessions.ts";

export interface Tokens {
  readonly token: string;
  /** Absent: no node may ask. */
  readonly nodeToken?: string | undefined;
}

interface Known {
  readonly view: EngineView;
  readonly sessions: OperatorSessions;
  readonly nowMs: () => number;
  /** The admin port speaks TLS itself. */
  readonly isTls: boolean;
  /** Ends a session that nobody has used for long. */
  readonly endIdle: (name: string, sessionId: string) => void;
}

/** `ip`: the address that the connection comes from. */
export function askerOf(request: IncomingMessage, ip: string, { token, nodeToken }: Tokens, known: Known): Asker {
  const sender = senderOf(request, ip, known.isTls);
  const shown = shownToken(request);
  if (shown === undefined) return { ...sender, kind: "stranger" };
  if (sameSecret(shown, token)) return { ...sender, kind: "token" };
  if (nodeToken !== undefined && sameSecret(shown, nodeToken)) return { ...sender, kind: "node" };
  const found = known.sessions.find(known.view, shown, known.nowMs());
  if (found?.kind === "operator") return { ...sender, ...found };
  if (found !== undefined) known.endIdle(found.name, found.sessionId);
  return { ...sender, kind: "stranger" };
}

function shownToken({ headers }: IncomingMessage): string | undefined {
  const [scheme, given = ""] = (headers.authorization ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" && given !== "" ? given : undefined;
}

/**
 * A browser on this machine sends what only this machine reads; from elsewhere it is TLS, the port's own or that of a
 * proxy, which must say so.
 */
function senderOf({ headers }: IncomingMessage, ip: string, isOwnTls: boolean): Sender {
  const host = headers.host === undefined ? undefined : hostName(headers.host);
  const isHere = host === undefined || isLoopbackName(host);
  const isTls = isOwnTls || headers["x-forwarded-proto"] === "https";
  const client = (headers["user-agent"] ?? "").slice(0, MAX_CLIENT_LENGTH);
  return { ip, client, isSecure: isHere || isTls, origin: `${isTls ? "https" : "http"}://${headers.host ?? ""}` };
}

/** Names of holders in a name that anybody may choose would be taken for theirs. */
const HOLDER = /(operator|account):/i;

/** The actor's name, as the journal will show it. Throws `AdminRefusal` 400. */
export function actorOf({ headers }: IncomingMessage, asker: Asker): string {
  const name = headers["x-pricetime-user"];
  if (asker.kind === "operator") {
    if (name === undefined) return `operator:${asker.name}`;
    throw new AdminRefusal(400, "BAD_REQUEST", "X-Pricetime-User is allowed only with the admin token");
  }
  if (asker.kind === "stranger") return "stranger";
  if (name === undefined) return "admin";
  if (typeof name !== "string" || !/^[\x21-\x7e]{1,64}$/.test(name)) {
    throw new AdminRefusal(400, "BAD_REQUEST", "X-Pricetime-User must be 1 to 64 visible ASCII characters");
  }
  if (NODES_OWN_NAMES.includes(name)) {
    throw new AdminRefusal(400, "BAD_REQUEST", `X-Pricetime-User: ${name} is reserved for actions of the node`);
  }
  if (HOLDER.test(name)) {
    throw new AdminRefusal(
      400,
      "BAD_REQUEST",
      "X-Pricetime-User must not contain operator: or account:, which are reserved for signed-in users",
    );
  }
  return name;
}
