/** Translates the events of those who sign in to the words of the model. */
import type { Event } from "@pricetime/engine";
import { type Happening, said } from "./happening.ts";

export function saidOfAccess(event: Event): Happening | null {
  switch (event.type) {
    case "invitationChanged":
      return said(`invitation ${event.invitationId} to ${event.email}: ${event.status}, of ${event.holder}`);
    case "passwordSet":
      return said(`password of ${event.holder} set`);
    case "sessionOpened":
      return said(
        `session ${event.session.sessionId} of ${event.session.holder} opened until ${event.session.untilMs}`,
      );
    case "sessionClosed":
      return said(`session ${event.sessionId} of ${event.holder} closed`);
    case "recoveryChanged":
      return said(`recovery ${event.recoveryId} of ${event.holder}: ${event.status}`);
    case "accountFrozen":
      return said(`account ${event.accountId} frozen`);
    case "noticeChanged":
      return said(`letter ${event.noticeId} about ${event.kind}: ${event.status}`);
    case "proofPublished":
      return said(`proof ${event.proof.number} of entry ${event.proof.seq} published: ${event.proof.root}`);
    default:
      return null;
  }
}
