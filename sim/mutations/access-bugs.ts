/** Bugs of sign-in: sessions that should not be open, links that work twice or too early, and lost emails. */
import { type Command, Engine, type Entry, operatorNameOf, accountIdOf, type SessionRecord } from "@pricetime/engine";
import { AccessReader } from "../../packages/engine/src/engine-readers.ts";
import { Passwords, Sessions } from "../../packages/engine/src/state/access.ts";
import { FileOutbox } from "../../packages/server/src/people/mail/mail-room.ts";
import { NoticeEmails } from "../../packages/server/src/people/mail/node-mails.ts";
import type { Mail, MailRecord } from "../../packages/server/src/people/mail/port.ts";
import { SessionStore } from "../../packages/server/src/people/sign-in/sessions.ts";
import { inClass, type Mutation } from "./mutation.ts";

type OfType<T extends Command["type"]> = Extract<Command, { readonly type: T }>;
type State = Engine["state"];

/** Runs a function before commands of a type; its result runs after them. */
function around<T extends Command["type"]>(
  name: string,
  type: T,
  bug: (state: State, command: OfType<T>) => (() => void) | undefined,
): Mutation {
  return inClass(name, Engine.prototype, "apply", function (real, args) {
    const [{ command }] = args as unknown as [Entry];
    const after = command.type === type ? bug(this.state, command as OfType<T>) : undefined;
    const events = real.apply(this, args);
    after?.();
    return events;
  });
}

/** The session that a table removed last. */
const lastEnded = new WeakMap<Sessions, SessionRecord>();
const remembered = inClass("", Sessions.prototype, "remove", function (real, args) {
  lastEnded.set(this, (args as unknown as [SessionRecord])[0]);
  real.apply(this, args);
});
const written = inClass("", Sessions.prototype, "save", function (real, args) {
  const ended = lastEnded.get(this);
  const all = new Sessions();
  for (const sessions of this["byHolder"].values()) for (const session of sessions) all.add(session);
  if (ended !== undefined && all.get(ended.sessionId) === undefined) all.add(ended);
  real.apply(all, args);
});

/** Planted in a single node and in clusters. */
export const ENDED_SESSION_LIVES: Mutation = {
  ...written,
  name: "an ended session lives after a snapshot",
  plant: () => {
    const takeOut = [remembered.plant(), written.plant()];
    return () => takeOut.forEach((take) => take());
  },
};

export const ACCESS_BUGS: readonly Mutation[] = [
  ENDED_SESSION_LIVES,
  around("a used invitation can be used again", "acceptInvitation", ({ invitations }, { invitationId }) => {
    const open = invitations.get(invitationId);
    return open && (() => invitations.add(open));
  }),
  around("recovery skips its delay", "recover", ({ recoveries }, { recoveryId }) => {
    const open = recoveries.get(recoveryId);
    if (open === undefined) return undefined;
    recoveries.put({ ...open, fromMs: 0 });
    return () => {
      if (recoveries.get(recoveryId) !== undefined) recoveries.put(open);
    };
  }),
  around("a freeze leaves a session", "freezeAccount", ({ sessions }, { accountId }) => {
    const last = sessions.of(`account:${accountId}`).at(-1);
    if (last === undefined) return undefined;
    sessions.remove(last);
    return () => sessions.add(last);
  }),
  around("a code's step can be used twice", "openSession", ({ funds, operators }, { holder }) => {
    const accountId = accountIdOf(holder);
    if (accountId !== undefined) {
      const step = funds.totpSteps.get(accountId);
      return step === undefined ? undefined : () => funds.totpSteps.set(accountId, step);
    }
    const operator = operators.get(operatorNameOf(holder) ?? "");
    return operator && (() => operators.put(operator));
  }),
  inClass(
    "a snapshot forgets that withdrawals are held after a recovery",
    Passwords.prototype,
    "save",
    function (real, args) {
      const all = new Passwords();
      for (const [holder, { sealedPassword }] of this["byHolder"]) all.set(holder, sealedPassword);
      real.apply(all, args);
    },
  ),
  inClass("a letter is forgotten at a restart", NoticeEmails.prototype, "catchUp", () => 0),
  inClass("a letter is told as sent when it is written", NoticeEmails.prototype, "onWritten", function (real, args) {
    const [mail] = args as unknown as [MailRecord];
    real.apply(this, [{ ...mail, status: "sent" }] as unknown as typeof args);
  }),
  inClass("a letter tells of what is in no journal", FileOutbox.prototype, "post", function (real, args) {
    const [mail] = args as unknown as [Mail];
    const { noticeId } = mail;
    // The next email's ID, which is not pending yet.
    if (noticeId !== undefined) real.apply(this, [{ ...mail, noticeId: noticeId + 1 }] as unknown as typeof args);
    return real.apply(this, args);
  }),
  inClass("a cookie that was stolen ends no session", SessionStore.prototype, "close", () => {}),
  inClass("a session that is over opens the door", AccessReader.prototype, "session", function (real, args) {
    const [sessionId] = args as unknown as [string];
    return real.apply(this, [sessionId, 0] as unknown as typeof args);
  }),
];
