/**
 * Checks emails about sign-in: each pending one arrives despite crashes; none refers to an event that is not journaled;
 * no process sends one twice; the links are valid; and the exchange records the outcome of each only after it happened.
 */
import type { Command, NoticeRecord } from "@pricetime/engine";
import { createLinkSecrets, type LinkSecrets, type Mail } from "@pricetime/server/parts";
import type { Auditor } from "./auditor.ts";
import type { AuditedEntry } from "./entry.ts";

export const LINKS: LinkSecrets = createLinkSecrets("5b".repeat(32));

const LINK = /#\/(?<page>[a-z-]+)\?(?<query>\S+)/g;
/** The longest time from the expiry of an invitation to the tick that removes it. */
const LONGEST_TICK_MS = 60_000;
/** The password hash that a customer sets through a link. */
const CHOSEN = "sealed by a link";

export class NoticeAudit {
  readonly #auditor: Auditor;
  readonly #arrived = new Set<number>();
  #ofThisLife = new Set<number>();

  constructor(auditor: Auditor) {
    this.#auditor = auditor;
  }

  nodeStarts(): void {
    this.#ofThisLife = new Set();
  }

  /** An email has arrived. Returns the commands that its links cause when they are opened. */
  arrived({ noticeId = 0, to, text }: Mail): readonly Command[] {
    const fail = (what: string): void => this.#auditor.fail(`letter ${noticeId}: ${what}`);
    const notice = this.#auditor.model.access.noticesEver[noticeId - 1];
    if (notice === undefined) fail("nothing that is in the journal owes it");
    else if (notice.email !== to) fail(`it went to ${to}`);
    if (this.#ofThisLife.has(noticeId)) fail("one process has sent two");
    this.#ofThisLife.add(noticeId);
    this.#arrived.add(noticeId);
    const links = [...text.matchAll(LINK)];
    return links.flatMap(
      ({ groups }) => this.#actOf(groups?.["page"] ?? "", new URLSearchParams(groups?.["query"])) ?? [],
    );
  }

  #actOf(page: string, query: URLSearchParams): Command | undefined {
    const [id, secret] = [query.get("id") ?? "", query.get("secret") ?? ""];
    const secretHash = LINKS.hashOf(secret);
    switch (page) {
      case "invitation":
        return { type: "acceptInvitation", invitationId: id, secretHash, sealedPassword: CHOSEN };
      case "recovery":
        return { type: "recover", recoveryId: id, secretHash, sealedPassword: CHOSEN };
      case "cancel-recovery": {
        const holder = this.#auditor.model.access.recoveries.find(({ recoveryId }) => recoveryId === id)?.holder;
        return holder === undefined ? undefined : { type: "cancelRecovery", recoveryId: id, by: holder };
      }
      case "lock-account": {
        const account = query.get("account") ?? "";
        const of = `${account}:${query.get("notice")}:${query.get("until")}`;
        if (LINKS.secretOf("freeze", of) !== secret) {
          this.#auditor.fail(`the link that locks ${account} is not valid`);
        }
        return { type: "freezeAccount", by: `account:${account}`, accountId: Number(account) };
      }
      default:
        return undefined;
    }
  }

  entry({ command, happened, timeMs, isLive }: AuditedEntry, isOwn: boolean): void {
    if (command.type !== "changeNotice" || happened[0]?.kind === "refused") return;
    const { noticeId, to } = command;
    const fail = (what: string): void => this.#auditor.fail(`letter ${noticeId} is told as ${to}: ${what}`);
    if (isLive && !isOwn) fail("the node did not say so");
    if (to === "sent" && !this.#arrived.has(noticeId)) fail("it has not arrived");
    const notice = this.#auditor.model.access.noticesEver[noticeId - 1];
    if (to === "failed" && notice !== undefined && this.#canBeWritten(notice, timeMs)) fail("it could be written");
    if (to !== "sent" && to !== "failed") fail("nobody else sends letters");
  }

  /** Whether every pending email has arrived and is recorded by the exchange. */
  isSettled(): boolean {
    return this.#auditor.model.access.notices.length === 0;
  }

  /** Whether every expired invitation is removed. `nowMs` is the exchange's time. */
  isTidy(nowMs: number): boolean {
    return this.#auditor.model.access.invitations.every(({ untilMs }) => nowMs < untilMs + LONGEST_TICK_MS);
  }

  /** An email whose links are no longer valid has no content. */
  #canBeWritten({ kind, facts, createdMs }: NoticeRecord, nowMs: number): boolean {
    const { invitations, recoveries } = this.#auditor.model.access;
    if (kind === "invitation") {
      const id = facts["invitationId"] ?? "";
      const open = invitations.find((each) => each.invitationId === id && each.createdMs === createdMs);
      return open !== undefined && nowMs < open.untilMs && isOurs("invitation", id, open.secretHash);
    }
    if (kind === "recovery") {
      const id = facts["recoveryId"] ?? "";
      const open = recoveries.find((each) => each.recoveryId === id && each.askedMs === createdMs);
      return open !== undefined && nowMs < open.untilMs && isOurs("recovery", id, open.secretHash);
    }
    return true;
  }
}

function isOurs(purpose: "invitation" | "recovery", id: string, hash: string): boolean {
  return LINKS.hashOf(LINKS.secretOf(purpose, id)) === hash;
}
