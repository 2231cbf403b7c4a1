/** Pages that links in emails open: an invitation, a password reset, and the lock of an account that may be compromised. */
import { useMemo } from "preact/hooks";
import { DeniedText } from "../pages/pane.tsx";
import { customerOutside as words } from "../words/words.ts";
import type { Asked } from "../pages/page-data.ts";
import { type Desk, useAsked } from "./context.ts";
import { useSignal } from "@preact/signals";
import { Field, Form } from "../pages/form.tsx";
import { goTo } from "./place.ts";
import { NewPasswordFields, Outside, useNewPassword } from "./sign-in.tsx";
import { showMoment } from "../pages/format.ts";

interface LetterLink {
  readonly id: string;
  readonly secret: string;
}

/** Null if the address has no link, for example after a reload. */
function useLink(desk: Desk): LetterLink | null {
  const { asked } = desk.place.value;
  return useMemo(() => {
    const { id = "", secret = "" } = asked;
    return id === "" || secret === "" ? null : { id, secret };
  }, [asked]);
}

function NoLink() {
  return <p class="warned">{words.noLink}</p>;
}

/** Shown while the node checks the link, and if it rejects the link. */
function Looking({ looked: { denied } }: { looked: Asked<unknown> }) {
  return denied === null ? <p class="muted">{words.looking}</p> : <DeniedText denied={denied} />;
}

// An invitation: a password, and a name for a new account. Accepting it signs the customer in.

interface InvitationAnswer {
  readonly email: string;
  readonly isNew: boolean;
  readonly untilMs: number;
}

export function Invitation({ desk }: { desk: Desk }) {
  const link = useLink(desk);
  return (
    <Outside desk={desk} title={words.invitation}>
      {link === null ? <NoLink /> : <Accept desk={desk} link={link} />}
    </Outside>
  );
}

function Accept({ desk, link }: { desk: Desk; link: LetterLink }) {
  const looked = useAsked(
    desk,
    link.id,
    (wire) => wire.account<InvitationAnswer>("POST", "invitation/check", { body: link }),
    {
      isStill: true,
    },
  );
  const name = useSignal("");
  const password = useNewPassword(desk);
  const { value } = looked;
  if (value === null) return <Looking looked={looked} />;
  const accept = async (): Promise<void> => {
    const named = value.isNew && name.value.trim() !== "" ? { name: name.value.trim() } : {};
    await desk.wire.account("POST", "invitation/accept", {
      body: { ...link, password: password.first.value, ...named },
    });
    await desk.enter();
    goTo("overview");
  };
  return (
    <Form label={words.invitation} submit={words.accept} check={password.check} onSend={accept}>
      <p>{words.invitedAs(value.email)}</p>
      {value.isNew && <Field id="name" label={words.name} value={name} autocomplete="name" isFirst />}
      <NewPasswordFields password={password} email={value.email} />
    </Form>
  );
}

// A password reset: a new password after the waiting period, or the cancellation by an owner who did not request it.

interface RecoveryAnswer {
  readonly fromMs: number;
  readonly untilMs: number;
}

export function Recovery({ desk }: { desk: Desk }) {
  const link = useLink(desk);
  return (
    <Outside desk={desk} title={words.recovery}>
      {link === null ? <NoLink /> : <Complete desk={desk} link={link} />}
    </Outside>
  );
}

function Complete({ desk, link }: { desk: Desk; link: LetterLink }) {
  const looked = useAsked(
    desk,
    link.id,
    (wire) => wire.account<RecoveryAnswer>("POST", "password-reset/check", { body: link }),
    {
      isStill: true,
    },
  );
  const password = useNewPassword(desk);
  const isDone = useSignal(false);
  const { value } = looked;
  if (isDone.value)
    return (
      <p role="status" class="good-text">
        {words.recovered}
      </p>
    );
  if (value === null) return <Looking looked={looked} />;
  const isEarly = value.fromMs > desk.nowMs.value;
  if (isEarly) return <p role="status">{words.recoveryWaits(showMoment(desk, value.fromMs))}</p>;
  return (
    <Form
      label={words.recovery}
      submit={words.setPassword}
      check={password.check}
      onSend={async () => {
        await desk.wire.account("POST", "password-reset/complete", {
          body: { ...link, password: password.first.value },
        });
        isDone.value = true;
      }}
    >
      <p class="muted">{words.recoveryHelp}</p>
      <NewPasswordFields password={password} />
    </Form>
  );
}

export function CancelRecovery({ desk }: { desk: Desk }) {
  const link = useLink(desk);
  const isDone = useSignal(false);
  return (
    <Outside desk={desk} title={words.cancelRecovery}>
      {link === null ? (
        <NoLink />
      ) : isDone.value ? (
        <p role="status" class="good-text">
          {words.recoveryCancelled}
        </p>
      ) : (
        <Form
          label={words.cancelRecovery}
          submit={words.cancelIt}
          onSend={async () => {
            await desk.wire.account("POST", "password-reset/cancel", { body: link });
            isDone.value = true;
          }}
        >
          <p>{words.cancelRecoveryHelp}</p>
        </Form>
      )}
    </Outside>
  );
}

// Opened by the link of a security email: locks an account that may be compromised.

export function LockAccount({ desk }: { desk: Desk }) {
  const { asked } = desk.place.value;
  const link = useMemo(() => {
    const { account = "", notice = "", until = "", secret = "" } = asked;
    return account === "" || notice === "" || until === "" || secret === ""
      ? null
      : { account: Number(account), notification: Number(notice), until: Number(until), secret };
  }, [asked]);
  const isDone = useSignal(false);
  return (
    <Outside desk={desk} title={words.lock}>
      {link === null ? (
        <NoLink />
      ) : isDone.value ? (
        <p role="status" class="good-text">
          {words.locked}
        </p>
      ) : (
        <Form
          label={words.lock}
          submit={words.lockIt}
          isGrave
          onSend={async () => {
            await desk.wire.account("POST", "lock", { body: link });
            isDone.value = true;
          }}
        >
          <p>{words.lockHelp}</p>
        </Form>
      )}
    </Outside>
  );
}
