import type {
  Holder,
  InvitationRecord,
  NoticeRecord,
  OperatorRecord,
  RecoveryRecord,
  SessionRecord,
} from "../entry/access-record.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { AccessView } from "../view/access-view.ts";

export class AccessReader implements AccessView {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  operator(name: string): OperatorRecord | undefined {
    return this.#state.operators.get(name);
  }
  operators(): Iterable<OperatorRecord> {
    return this.#state.operators.all();
  }
  sealedPassword(holder: Holder): string | undefined {
    return this.#state.passwords.get(holder);
  }
  heldUntilMs(holder: Holder): number {
    return this.#state.passwords.heldUntilMs(holder);
  }
  totpStep(accountId: number): number {
    return this.#state.funds.totpSteps.get(accountId) ?? -1;
  }
  session(sessionId: string, nowMs: number): SessionRecord | undefined {
    const session = this.#state.sessions.get(sessionId);
    return session !== undefined && nowMs < session.untilMs ? session : undefined;
  }
  sessions(holder: Holder, nowMs: number): readonly SessionRecord[] {
    return this.#state.sessions.of(holder).filter(({ untilMs }) => nowMs < untilMs);
  }
  invitation(invitationId: string, nowMs: number): InvitationRecord | undefined {
    const invitation = this.#state.invitations.get(invitationId);
    return invitation !== undefined && nowMs < invitation.untilMs ? invitation : undefined;
  }
  invitations(): Iterable<InvitationRecord> {
    return this.#state.invitations.all();
  }
  recovery(recoveryId: string): RecoveryRecord | undefined {
    return this.#state.recoveries.get(recoveryId);
  }
  recoveryOf(holder: Holder): RecoveryRecord | undefined {
    return this.#state.recoveries.of(holder);
  }
  notice(noticeId: number): NoticeRecord | undefined {
    return this.#state.notices.get(noticeId);
  }
  notices(): Iterable<NoticeRecord> {
    return this.#state.notices.all();
  }
}
