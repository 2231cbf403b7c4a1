/** Pages opened by links in emails: invitations, password resets, and locking an account that may be compromised. */
import type { InvitationLink, ResetLink } from "@pricetime/server/answers";
import { useEffect, useMemo } from "preact/hooks";
import { DeniedText } from "../pages/pane.tsx";
import { customerOutside as words } from "../words/words.ts";
import type { Fetched } from "../pages/page-data.ts";
import { type Context, useFetched } from "./context.ts";
import { useSignal } from "@preact/signals";
import { Field, Form } from "../pages/form.tsx";
import { goTo } from "./place.ts";
import { NewPasswordFields, Outside, Success, useNewPassword } from "./sign-in.tsx";
import { showMoment } from "../pages/format.ts";

interface EmailLink {
  readonly id: string;
  readonly secret: string;
}

/** The link in the page's address; null if there is none, for example after a reload. */
function useLink(context: Context): EmailLink | null {
  const { params } = context.place.value;
  return useMemo(() => {
    const { id = "", secret = "" } = params;
    return id === "" || secret === "" ? null : { id, secret };
  }, [params]);
}

function NoLink() {
  return <p class="warned">{words.noLink}</p>;
}

/** The node's response to a check of the link. */
function useLooked<Value>(context: Context, link: EmailLink, path: string): Fetched<Value> {
  return useFetched(context, link.id, (wire) => wire.account<Value>("POST", path, { body: link }), { isStill: true });
}

/** Content shown while the node checks the link, or if it rejects the link. */
function Looking({ looked: { denied } }: { looked: Fetched<unknown> }) {
  return denied === null ? <p class="muted">{words.looking}</p> : <DeniedText denied={denied} />;
}

// An invitation: the form for a password and a name. Accepting it signs the customer in.

export function Invitation({ context }: { context: Context }) {
  const link = useLink(context);
  return (
    <Outside context={context} title={words.invitation}>
      {link === null ? <NoLink /> : <Accept context={context} link={link} />}
    </Outside>
  );
}

function Accept({ context, link }: { context: Context; link: EmailLink }) {
  const looked = useLooked<InvitationLink>(context, link, "invitation/check");
  const name = useSignal("");
  const password = useNewPassword(context);
  const { value } = looked;
  useEffect(() => {
    name.value = value?.name ?? "";
  }, [name, value]);
  if (value === null) return <Looking looked={looked} />;
  const accept = async (): Promise<void> => {
    const named = value.isNew && name.value.trim() !== "" ? { name: name.value.trim() } : {};
    const body = { ...link, password: password.first.value, ...named };
    await context.wire.account("POST", "invitation/accept", { body });
    await context.enter();
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

// A password reset: sets a new password after the waiting period. The owner can cancel a reset they did not request.

export function Recovery({ context }: { context: Context }) {
  const link = useLink(context);
  return (
    <Outside context={context} title={words.recovery}>
      {link === null ? <NoLink /> : <Complete context={context} link={link} />}
    </Outside>
  );
}

function Complete({ context, link }: { context: Context; link: EmailLink }) {
  const looked = useLooked<ResetLink>(context, link, "password-reset/check");
  const password = useNewPassword(context);
  const isDone = useSignal(false);
  const { value } = looked;
  if (isDone.value) return <Success>{words.recovered}</Success>;
  if (value === null) return <Looking looked={looked} />;
  const isEarly = value.fromMs > context.nowMs.value;
  if (isEarly) return <p role="status">{words.recoveryWaits(showMoment(context, value.fromMs))}</p>;
  return (
    <Form
      label={words.recovery}
      submit={words.setPassword}
      check={password.check}
      onSend={async () => {
        const body = { ...link, password: password.first.value };
        await context.wire.account("POST", "password-reset/complete", { body });
        isDone.value = true;
      }}
    >
      <p class="muted">{words.recoveryHelp}</p>
      <NewPasswordFields password={password} />
    </Form>
  );
}

export function CancelRecovery({ context }: { context: Context }) {
  return (
    <OneStep
      {...{ context, path: "password-reset/cancel", link: useLink(context) }}
      title={words.cancelRecovery}
      submit={words.cancelIt}
      help={words.cancelRecoveryHelp}
      done={words.recoveryCancelled}
    />
  );
}

// Locks an account that may be compromised, by the link in a security email.

export function LockAccount({ context }: { context: Context }) {
  const { params } = context.place.value;
  const link = useMemo(() => {
    const { account = "", notice = "", until = "", secret = "" } = params;
    return account === "" || notice === "" || until === "" || secret === ""
      ? null
      : { account: Number(account), notification: Number(notice), until: Number(until), secret };
  }, [params]);
  return (
    <OneStep
      {...{ context, path: "lock", link }}
      title={words.lock}
      submit={words.lockIt}
      help={words.lockHelp}
      done={words.locked}
      isDestructive
    />
  );
}

interface OneStepProps {
  readonly context: Context;
  /** The route to which the link is sent. */
  readonly path: string;
  readonly link: object | null;
  readonly title: string;
  readonly submit: string;
  readonly help: string;
  /** The text shown after success. */
  readonly done: string;
  readonly isDestructive?: boolean;
}

/** A page with one button that carries out the link's action. */
function OneStep({ context, path, link, title, submit, help, done, isDestructive = false }: OneStepProps) {
  const isDone = useSignal(false);
  return (
    <Outside context={context} title={title}>
      {link === null ? (
        <NoLink />
      ) : isDone.value ? (
        <Success>{done}</Success>
      ) : (
        <Form
          {...{ submit, isDestructive }}
          label={title}
          onSend={async () => {
            await context.wire.account("POST", path, { body: link });
            isDone.value = true;
          }}
        >
          <p>{help}</p>
        </Form>
      )}
    </Outside>
  );
}
