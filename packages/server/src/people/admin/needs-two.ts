/** Rejections of actions that require dual approval. */
import { type Command, PROPOSABLE_ACTS } from "@pricetime/engine";
import { AdminRefusal } from "./answer.ts";

const MESSAGE =
  "This action requires dual approval. Send `action` to POST /v1/approval-requests; another operator must approve it.";
const NOT_AS_IT_IS =
  "This action requires dual approval and creates a secret that only one person may see, so it cannot be requested. Create " +
  "the API key with a public key of yours instead.";

export function needsTwo(command: Command): AdminRefusal {
  const isTellable = PROPOSABLE_ACTS.includes(command.type) && !holdsSecret(command);
  return isTellable
    ? new AdminRefusal(409, "NEEDS_APPROVAL", MESSAGE, { action: command })
    : new AdminRefusal(409, "NEEDS_APPROVAL", NOT_AS_IT_IS);
}

/** Whether the action sets a secret. Approvers never see it, so nobody could use it afterwards. */
export function holdsSecret(act: object): boolean {
  const { sealedSecret = "" } = act as { readonly sealedSecret?: unknown };
  return sealedSecret !== "" && sealedSecret !== null;
}
