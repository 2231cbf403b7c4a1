/** Those who sign in, in the model: who has a password, and every session, invitation, recovery and letter, in plain lists. */
import type {
  AccessCommand,
  InvitationRecord,
  NoticeRecord,
  PublishedProof,
  RejectReason,
  SessionRecord,
  VenueCommand,
} from "@pricetime/engine";
import type { ModelExchange } from "../exchange.ts";
import type { Happening } from "../happening.ts";
import { freezeAccount } from "./freeze.ts";
import { acceptInvitation, invite, revokeInvitation } from "./invitations.ts";
import { changeNotice, tellAlreadyKnown } from "./letters.ts";
import { askRecovery, cancelRecovery, type ModelRecovery, recover, setPassword } from "./passwords.ts";
import { publishProof } from "./proofs.ts";
import { closeSession, closeSessions, openSession, renewSession } from "./sessions.ts";
import { setOperatorTotp } from "./totp.ts";

export type AccessActs = AccessCommand | Extract<VenueCommand, { readonly type: "setOperatorTotp" | "publishProof" }>;

export interface ModelPassword {
  readonly holder: string;
  readonly sealedPassword: string;
  /** No withdrawals before; 0: nothing is held. */
  readonly heldUntilMs: number;
}

export class ModelAccess {
  readonly exchange: ModelExchange;
  passwords: ModelPassword[] = [];
  /** Oldest first, as all lists here. */
  invitations: InvitationRecord[] = [];
  sessions: SessionRecord[] = [];
  recoveries: ModelRecovery[] = [];
  /** Letters that are still owed. */
  notices: NoticeRecord[] = [];
  /** Every letter that was ever owed. */
  readonly noticesEver: NoticeRecord[] = [];
  /** Every step of an operator's code that was accepted. */
  readonly operatorSteps: { readonly name: string; readonly step: number }[] = [];
  lastProof: PublishedProof | null = null;
  /** The number of the entry at hand. */
  seq = 0;

  constructor(exchange: ModelExchange) {
    this.exchange = exchange;
  }

  answer(command: AccessActs): Happening[] | RejectReason {
    switch (command.type) {
      case "invite":
        return invite(this, command);
      case "revokeInvitation":
        return revokeInvitation(this, command);
      case "acceptInvitation":
        return acceptInvitation(this, command);
      case "setPassword":
        return setPassword(this, command);
      case "openSession":
        return openSession(this, command);
      case "renewSession":
        return renewSession(this, command);
      case "closeSession":
        return closeSession(this, command);
      case "closeSessions":
        return closeSessions(this, command);
      case "askRecovery":
        return askRecovery(this, command);
      case "cancelRecovery":
        return cancelRecovery(this, command);
      case "recover":
        return recover(this, command);
      case "freezeAccount":
        return freezeAccount(this, command);
      case "tellAlreadyKnown":
        return tellAlreadyKnown(this, command);
      case "changeNotice":
        return changeNotice(this, command);
      case "setOperatorTotp":
        return setOperatorTotp(this, command);
      case "publishProof":
        return publishProof(this, command);
    }
  }

  passwordOf(holder: string): ModelPassword | undefined {
    return this.passwords.find((known) => known.holder === holder);
  }

  /** Whether the owner of the account may not withdraw because a link has replaced the password. */
  isHeld(accountId: number): boolean {
    const { accounts, nowMs } = this.exchange;
    const owner = accounts.get(accountId)?.masterId ?? accountId;
    return nowMs < (this.passwordOf(`account:${owner}`)?.heldUntilMs ?? 0);
  }
}
