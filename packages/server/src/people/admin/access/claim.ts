/** An operator who says the own password, and a code where one is required. */
import { AdminRefusal } from "../answer.ts";
import type { AdminNode } from "../node.ts";
import type { Proven } from "../../sign-in/sign-in.ts";
import type { Asker, SignedIn } from "../asker.ts";
import { browserOf } from "../../sign-in/familiar-browsers.ts";
import type { DoneWork } from "../../sign-in/work.ts";

interface Said {
  readonly name: string;
  readonly password: string;
  readonly code?: string | undefined;
  /** That this browser has signed in before. */
  readonly mark?: string | undefined;
  readonly work?: DoneWork | undefined;
}

/** Rejects with `SignInRefused`, the same for a name that nobody has. A disabled operator is nobody. */
export function proveOperator(
  { view, signIn, links }: AdminNode,
  { name, password, code, mark, work }: Said,
  asker: Asker,
): Promise<Proven> {
  const operator = view.access.operator(name);
  const subject = `operator:${name}`;
  const holder = operator?.isEnabled === true ? subject : undefined;
  const device = ownSender(asker, name) ?? browserOf(links, subject, mark);
  // The port is on loopback: behind a tunnel or a proxy all operators have one address, and so have those who guess.
  const guess = { subject, ip: asker.ip, device, isFamiliarAddress: false, isSharedAddress: true } as const;
  return signIn.prove({ holder, password, code, sealedTotp: operator?.sealedTotp ?? null, guess, work });
}

/** What no stranger can have: the operator's own session, or the admin token. */
function ownSender(asker: Asker, name: string): string | null {
  if (asker.kind === "token") return "admin-token";
  return asker.kind === "operator" && asker.name === name ? asker.sessionId : null;
}

/** Who has signed in; throws `AdminRefusal` for the admin token, which has no password. */
export function signedIn(asker: Asker): Asker & SignedIn {
  if (asker.kind === "operator") return asker;
  throw new AdminRefusal(
    409,
    "NOT_AN_OPERATOR",
    "The admin token has no password and no two-factor codes. Sign in as an operator.",
  );
}

/** Passwords go over nobody's wire in the clear. Throws `AdminRefusal`. */
export function mustBePrivate({ isSecure }: Pick<Asker, "isSecure">): void {
  if (isSecure) return;
  const message =
    "Passwords are accepted only over TLS or on this machine. Set admin.tls, or use a proxy that sends X-Forwarded-Proto: https.";
  throw new AdminRefusal(403, "INSECURE", message);
}
