/** Those who sign in, in the model: who has a password, and every session, invitation, recovery and letter, in plain lists. */
import type { AccessCommand, RejectReason, VenueCommand } from "@pricetime/engine";
import type { Happening } from "../happening.ts";
import type { ModelAccess } from "../state.ts";
import { freezeAccount } from "./freeze.ts";
import { acceptInvitation, invite, revokeInvitation } from "./invitations.ts";
import { changeNotice, tellAlreadyKnown } from "./letters.ts";
import { askRecovery, cancelRecovery, recover, setPassword } from "./passwords.ts";
import { publishProof } from "./proofs.ts";
import { closeSession, closeSessions, openSession, renewSession } from "./sessions.ts";
import { setOperatorTotp } from "./totp.ts";

export type AccessActs = AccessCommand | Extract<VenueCommand, { readonly type: "setOperatorTotp" | "publishProof" }>;

export function accessAnswer(access: ModelAccess, command: AccessActs): Happening[] | RejectReason {
  switch (command.type) {
    case "invite":
      return invite(access, command);
    case "revokeInvitation":
      return revokeInvitation(access, command);
    case "acceptInvitation":
      return acceptInvitation(access, command);
    case "setPassword":
      return setPassword(access, command);
    case "openSession":
      return openSession(access, command);
    case "renewSession":
      return renewSession(access, command);
    case "closeSession":
      return closeSession(access, command);
    case "closeSessions":
      return closeSessions(access, command);
    case "askRecovery":
      return askRecovery(access, command);
    case "cancelRecovery":
      return cancelRecovery(access, command);
    case "recover":
      return recover(access, command);
    case "freezeAccount":
      return freezeAccount(access, command);
    case "tellAlreadyKnown":
      return tellAlreadyKnown(access, command);
    case "changeNotice":
      return changeNotice(access, command);
    case "setOperatorTotp":
      return setOperatorTotp(access, command);
    case "publishProof":
      return publishProof(access, command);
  }
}
