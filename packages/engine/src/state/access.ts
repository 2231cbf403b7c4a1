/**
 * Data of sign-in and API access: operators, passwords, sessions, invitations, recoveries, and keys; and the emails
 * about these that are still to be sent.
 */
import { assert } from "../assert.ts";
import type { ByteReader, ByteWriter } from "../bytes.ts";
import type {
  ApiKey,
  Holder,
  InvitationRecord,
  NoticeRecord,
  OperatorRecord,
  RecoveryRecord,
  SessionRecord,
} from "../entry/access.ts";
import { LISTEN_KEY_LIFE_MS } from "../limits.ts";

// The operators, by name. They are never removed, because the journal refers to them.

export class Operators {
  private readonly byName = new Map<string, OperatorRecord>();

  get size(): number {
    return this.byName.size;
  }
  get(name: string): OperatorRecord | undefined {
    return this.byName.get(name);
  }
  all(): Iterable<OperatorRecord> {
    return this.byName.values();
  }
  put(operator: OperatorRecord): void {
    this.byName.set(operator.name, operator);
  }

  /** The number of enabled operators with all rights. */
  get adminCount(): number {
    return [...this.byName.values()].filter(({ role, isEnabled }) => isEnabled && role === "admin").length;
  }

  check(): void {
    for (const [name, operator] of this.byName) assert(operator.name === name, "an operator is found by name");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byName.values()]));
  }
  load(reader: ByteReader): void {
    for (const operator of JSON.parse(reader.text()) as OperatorRecord[]) this.put(operator);
  }
}

// Sealed password hashes by holder, and the time until which withdrawals are held because the password is new.

interface Password {
  readonly sealedPassword: string;
  /** 0 if withdrawals are not held. */
  readonly heldUntilMs: number;
}

export class Passwords {
  private readonly byHolder = new Map<Holder, Password>();

  get size(): number {
    return this.byHolder.size;
  }
  get(holder: Holder): string | undefined {
    return this.byHolder.get(holder)?.sealedPassword;
  }
  /** The time until which withdrawals of a recovered account are held; 0 if they are not held. */
  heldUntilMs(holder: Holder): number {
    return this.byHolder.get(holder)?.heldUntilMs ?? 0;
  }
  set(holder: Holder, sealedPassword: string, heldUntilMs = this.heldUntilMs(holder)): void {
    this.byHolder.set(holder, { sealedPassword, heldUntilMs });
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byHolder]));
  }
  load(reader: ByteReader): void {
    for (const [holder, password] of JSON.parse(reader.text()) as [Holder, Password][]) {
      this.byHolder.set(holder, password);
    }
  }
}

// Open sessions, by id and by holder. Expired ones are removed when their holder opens another.

const NO_SESSIONS: readonly SessionRecord[] = [];

export class Sessions {
  private readonly byId = new Map<string, SessionRecord>();
  private readonly byHolder = new Map<Holder, readonly SessionRecord[]>();

  get(sessionId: string): SessionRecord | undefined {
    return this.byId.get(sessionId);
  }
  /** The holder's sessions, oldest first. */
  of(holder: Holder): readonly SessionRecord[] {
    return this.byHolder.get(holder) ?? NO_SESSIONS;
  }

  add(session: SessionRecord): void {
    this.byId.set(session.sessionId, session);
    this.byHolder.set(session.holder, [...this.of(session.holder), session]);
  }
  /** Replaces the session with the same id. */
  replace(session: SessionRecord): void {
    this.byId.set(session.sessionId, session);
    const all = this.of(session.holder);
    this.byHolder.set(
      session.holder,
      all.map((other) => (other.sessionId === session.sessionId ? session : other)),
    );
  }
  remove({ sessionId, holder }: SessionRecord): void {
    this.byId.delete(sessionId);
    const left = this.of(holder).filter((other) => other.sessionId !== sessionId);
    if (left.length === 0) this.byHolder.delete(holder);
    else this.byHolder.set(holder, left);
  }

  check(isHolder: (holder: Holder) => boolean): void {
    let count = 0;
    for (const [holder, sessions] of this.byHolder) {
      assert(isHolder(holder) && sessions.length > 0, "sessions are of holders");
      for (const session of sessions) {
        assert(
          session.holder === holder && this.byId.get(session.sessionId) === session,
          "a session is found either way",
        );
        count++;
      }
    }
    assert(count === this.byId.size, "no session is left over");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byHolder.values()].flat()));
  }
  load(reader: ByteReader): void {
    for (const session of JSON.parse(reader.text()) as SessionRecord[]) this.add(session);
  }
}

// Open invitations, in the order of their creation.

export class Invitations {
  private readonly byId = new Map<string, InvitationRecord>();

  get size(): number {
    return this.byId.size;
  }
  get(invitationId: string): InvitationRecord | undefined {
    return this.byId.get(invitationId);
  }
  all(): Iterable<InvitationRecord> {
    return this.byId.values();
  }
  /** The time when the next invitation expires; Infinity if there is none. */
  nextDueMs(): number {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const { untilMs } of this.byId.values()) if (untilMs < dueMs) dueMs = untilMs;
    return dueMs;
  }
  oldestOf(by: string): InvitationRecord | undefined {
    for (const invitation of this.byId.values()) if (invitation.by === by) return invitation;
    return undefined;
  }
  add(invitation: InvitationRecord): void {
    this.byId.set(invitation.invitationId, invitation);
  }
  remove(invitationId: string): void {
    this.byId.delete(invitationId);
  }

  check(): void {
    for (const [id, { invitationId, holder, opens }] of this.byId) {
      assert(id === invitationId, "an invitation is found by its number");
      assert((holder === null) !== (opens === null), "an invitation is of a holder or of a new customer");
    }
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byId.values()]));
  }
  load(reader: ByteReader): void {
    for (const invitation of JSON.parse(reader.text()) as InvitationRecord[]) this.add(invitation);
  }
}

// Open recoveries of passwords: at most one for each holder.

export class Recoveries {
  private readonly byHolder = new Map<Holder, RecoveryRecord>();
  private readonly byId = new Map<string, RecoveryRecord>();

  get(recoveryId: string): RecoveryRecord | undefined {
    return this.byId.get(recoveryId);
  }
  of(holder: Holder): RecoveryRecord | undefined {
    return this.byHolder.get(holder);
  }
  put(recovery: RecoveryRecord): void {
    this.byHolder.set(recovery.holder, recovery);
    this.byId.set(recovery.recoveryId, recovery);
  }
  remove({ recoveryId, holder }: RecoveryRecord): void {
    this.byId.delete(recoveryId);
    this.byHolder.delete(holder);
  }

  check(isHolder: (holder: Holder) => boolean): void {
    for (const [holder, recovery] of this.byHolder) {
      assert(isHolder(holder) && this.byId.get(recovery.recoveryId) === recovery, "a recovery is found either way");
    }
    assert(this.byId.size === this.byHolder.size, "no recovery is left over");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byHolder.values()]));
  }
  load(reader: ByteReader): void {
    for (const recovery of JSON.parse(reader.text()) as RecoveryRecord[]) this.put(recovery);
  }
}

// Queued emails, in the order of their creation. An email that was sent or given up is removed.

export class Notices {
  private readonly byId = new Map<number, NoticeRecord>();
  private lastId = 0;

  get size(): number {
    return this.byId.size;
  }
  get(noticeId: number): NoticeRecord | undefined {
    return this.byId.get(noticeId);
  }
  all(): Iterable<NoticeRecord> {
    return this.byId.values();
  }
  queueEmail(notice: Omit<NoticeRecord, "noticeId" | "status">): NoticeRecord {
    const owed: NoticeRecord = { noticeId: ++this.lastId, ...notice, status: "waiting" };
    this.byId.set(owed.noticeId, owed);
    return owed;
  }
  replace(notice: NoticeRecord): void {
    this.byId.set(notice.noticeId, notice);
  }
  remove(noticeId: number): void {
    this.byId.delete(noticeId);
  }
  /** The email that was queued first. */
  first(): NoticeRecord | undefined {
    for (const notice of this.byId.values()) return notice;
    return undefined;
  }

  check(): void {
    for (const [id, { noticeId, status }] of this.byId) {
      assert(id === noticeId && noticeId <= this.lastId, "a letter is found by its number");
      assert(status === "waiting" || status === "claimed", "a letter that is over is no longer owed");
    }
  }

  save(writer: ByteWriter): void {
    writer.uint(this.lastId);
    writer.text(JSON.stringify([...this.byId.values()]));
  }
  load(reader: ByteReader): void {
    this.lastId = reader.uint();
    for (const notice of JSON.parse(reader.text()) as NoticeRecord[]) this.replace(notice);
  }
}

// The API keys of all accounts.

export class ApiKeys {
  private readonly byKey = new Map<string, ApiKey>();
  private readonly byAccount = new Map<number, readonly ApiKey[]>();

  get(apiKey: string): ApiKey | undefined {
    return this.byKey.get(apiKey);
  }

  of(accountId: number): readonly ApiKey[] {
    return this.byAccount.get(accountId) ?? [];
  }

  add(key: ApiKey): void {
    this.byKey.set(key.apiKey, key);
    this.byAccount.set(key.accountId, [...this.of(key.accountId), key]);
  }

  delete(key: ApiKey): void {
    this.byKey.delete(key.apiKey);
    this.byAccount.set(
      key.accountId,
      this.of(key.accountId).filter((other) => other !== key),
    );
  }

  /** Throws if the indices do not match the keys, or a key belongs to an account that does not exist. */
  check(isAccount: (accountId: number) => boolean): void {
    let count = 0;
    for (const [accountId, keys] of this.byAccount) {
      assert(isAccount(accountId), "API keys are of accounts");
      for (const key of keys) {
        assert(key.accountId === accountId && this.byKey.get(key.apiKey) === key, "an API key is found either way");
        count++;
      }
    }
    assert(count === this.byKey.size, "no API key is left over");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byKey.values()]));
  }

  load(reader: ByteReader): void {
    for (const key of JSON.parse(reader.text()) as ApiKey[]) this.add(key);
  }
}

// Listen keys: the open user streams, one for each account. Interface 3.7, 4.4.

export interface ListenKey {
  readonly listenKey: string;
  readonly accountId: number;
  expiresMs: number;
}

export class ListenKeys {
  /** Sorted by expiry: every extension moves a key to the end. */
  private readonly byKey = new Map<string, ListenKey>();
  private readonly byAccount = new Map<number, ListenKey>();

  get(listenKey: string): ListenKey | undefined {
    return this.byKey.get(listenKey);
  }
  of(accountId: number): ListenKey | undefined {
    return this.byAccount.get(accountId);
  }

  open(accountId: number, listenKey: string, nowMs: number): ListenKey {
    const key = { listenKey, accountId, expiresMs: nowMs + LISTEN_KEY_LIFE_MS };
    this.put(key);
    return key;
  }

  extend(key: ListenKey, nowMs: number): void {
    key.expiresMs = nowMs + LISTEN_KEY_LIFE_MS;
    this.byKey.delete(key.listenKey);
    this.byKey.set(key.listenKey, key);
  }

  close(key: ListenKey): void {
    this.byKey.delete(key.listenKey);
    this.byAccount.delete(key.accountId);
  }

  /** The key that expires first, if there is any. */
  first(): ListenKey | undefined {
    return this.byKey.values().next().value;
  }

  private put(key: ListenKey): void {
    this.byKey.set(key.listenKey, key);
    this.byAccount.set(key.accountId, key);
  }

  /** Throws if the indices do not match the keys, or the keys are not sorted by expiry. */
  check(): void {
    let expiresMs = 0;
    for (const [listenKey, key] of this.byKey) {
      const isFound = key.listenKey === listenKey && this.byAccount.get(key.accountId) === key;
      assert(isFound, "a listen key is found either way");
      assert(key.expiresMs >= expiresMs, "the first listen key expires first");
      expiresMs = key.expiresMs;
    }
    assert(this.byAccount.size === this.byKey.size, "no listen key is left over");
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byKey.values()]));
  }

  load(reader: ByteReader): void {
    for (const key of JSON.parse(reader.text()) as ListenKey[]) this.put(key);
  }
}
