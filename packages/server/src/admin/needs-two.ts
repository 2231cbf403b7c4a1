/** The refusal of an act that waits for a second person: it has the act as it would be proposed. */
import { type Command, PROPOSABLE_ACTS } from "@pricetime/engine";
import { AdminRefusal } from "./answer.ts";

const MESSAGE = "It needs a second person: propose it (POST /v1/approval-requests), and somebody else approves it.";
const NOT_AS_IT_IS =
  "It needs a second person, and what it makes is told to one alone: a key with a secret of ours or a code's secret " +
  "cannot be proposed. A key that signs by a public key can.";

export function needsTwo(command: Command): AdminRefusal {
  const isTellable = PROPOSABLE_ACTS.includes(command.type) && !holdsSecret(command);
  return isTellable
    ? new AdminRefusal(409, "NEEDS_APPROVAL", MESSAGE, { action: command })
    : new AdminRefusal(409, "NEEDS_APPROVAL", NOT_AS_IT_IS);
}

/** Whether the act sets a secret. Sealed or not, nobody is shown it, and nobody would know it afterwards. */
export function holdsSecret(act: object): boolean {
  const { sealedSecret = "" } = act as { readonly sealedSecret?: unknown };
  return sealedSecret !== "" && sealedSecret !== null;
}
