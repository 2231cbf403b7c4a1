/** The account's security: password, two-factor authentication and sessions. */
import { Button } from "../../panels/controls.tsx";
import { useSignal } from "@preact/signals";
import { Copied, QrCode } from "../../pages/secret.tsx";
import { columnsOf, List, Pane } from "../../pages/pane.tsx";
import { showBrowser, showMoment } from "../../pages/format.ts";
import { customerWords, customerSecurity as words, pagesWords } from "../../words/words.ts";
import { type Context, notifyDone, useAccount, useAction } from "../context.ts";
import { CodeField, codeOf } from "../elements.tsx";
import { Form, PasswordField, TotpField } from "../../pages/form.tsx";
import { NewPasswordFields, useNewPassword } from "../sign-in.tsx";
import type { PendingTotp, SessionRow } from "@pricetime/server/answers";

// Two-factor authentication. Customers turn it on with a QR code and the app's first code, and off with another code.

function TwoFactor({ context }: { context: Context }) {
  const pending = useSignal<PendingTotp | null>(null);
  const profile = context.profile.value;
  const done = (text: string): void => {
    pending.value = null;
    notifyDone(context, text);
  };
  return (
    <Pane title={words.twoFactor} {...(profile !== null && { note: profile.hasTotp ? words.isOn : words.isOff })}>
      {profile === null ? null : profile.hasTotp ? (
        <Remove context={context} onDone={() => done(words.twoFactorOff)} />
      ) : pending.value === null ? (
        <Begin context={context} onBegun={(begun) => (pending.value = begun)} />
      ) : (
        <Confirm context={context} pending={pending.value} onDone={() => done(words.twoFactorOn)} />
      )}
    </Pane>
  );
}

function Begin({ context, onBegun }: { context: Context; onBegun: (pending: PendingTotp) => void }) {
  const password = useSignal("");
  return (
    <Form
      class="padded"
      label={words.twoFactor}
      submit={words.begin}
      check={() => (password.value === "" ? words.oldNeeded : "")}
      onSend={async () => {
        onBegun(await context.wire.account<PendingTotp>("POST", "totp", { body: { password: password.value } }));
      }}
    >
      <p class="muted">{words.twoFactorHelp}</p>
      <PasswordField id="totp-password" label={words.oldPassword} value={password} />
    </Form>
  );
}

function Confirm({ context, pending, onDone }: { context: Context; pending: PendingTotp; onDone: () => void }) {
  const code = useSignal("");
  return (
    <Form
      class="padded"
      label={words.twoFactor}
      submit={words.switchOn}
      check={() => (code.value.trim() === "" ? words.codeNeeded : "")}
      onSend={async () => {
        await context.wire.account("POST", "totp/confirm", { body: { pending: pending.pending, ...codeOf(code) } });
        onDone();
      }}
    >
      <p>{words.scan}</p>
      <QrCode text={pending.uri} label={words.qr} />
      <Copied name="secret" label={pagesWords.secretNames.secret} value={pending.secret} />
      <TotpField id="totp-code" label={customerWords.code} value={code} isFirst />
    </Form>
  );
}

function Remove({ context, onDone }: { context: Context; onDone: () => void }) {
  const password = useSignal("");
  const code = useSignal("");
  return (
    <Form
      class="padded"
      label={words.twoFactor}
      submit={words.switchOff}
      isDestructive
      check={() => (password.value === "" ? words.oldNeeded : code.value.trim() === "" ? words.codeNeeded : "")}
      onSend={async () => {
        await context.wire.account("POST", "totp/remove", { body: { password: password.value, ...codeOf(code) } });
        onDone();
      }}
    >
      <p class="muted">{words.removeHelp}</p>
      <PasswordField id="totp-password" label={words.oldPassword} value={password} />
      <CodeField context={context} id="totp-code" code={code} />
    </Form>
  );
}

export function SecurityPage({ context }: { context: Context }) {
  return (
    <>
      <Sessions context={context} />
      <div class="two">
        <TwoFactor context={context} />
        <Password context={context} />
      </div>
    </>
  );
}

function Sessions({ context }: { context: Context }) {
  const runAction = useAction(context);
  const { value, denied } = useAccount<readonly SessionRow[]>(context, "sessions");
  const column = columnsOf<SessionRow>(context);
  return (
    <List
      title={words.sessions}
      rows={value}
      denied={denied}
      empty={words.noSessions}
      keyOf={({ sessionId }) => sessionId}
      tools={
        <Button
          onClick={() =>
            runAction(words.othersEnded, () => context.wire.account("POST", "sessions/close-others", { body: {} }))
          }
        >
          {words.endOthers}
        </Button>
      }
      columns={[
        {
          label: words.client,
          isHead: true,
          show: ({ client }) => <span title={client}>{showBrowser(client)}</span>,
        },
        column.plain(words.ip, ({ ip }) => ip),
        column.moment(words.opened, ({ openedMs }) => openedMs),
        {
          ...column.moment(words.renewed, ({ renewedMs }) => renewedMs),
          show: ({ isThis, renewedMs }) => (isThis ? words.now : showMoment(context, renewedMs)),
        },
        column.moment(words.until, ({ untilMs }) => untilMs),
        {
          label: words.acts,
          isActions: true,
          show: ({ sessionId, isThis, client, ip }) =>
            isThis ? (
              <span class="tag good">{words.isThis}</span>
            ) : (
              <Button
                class="link"
                aria-label={words.endOf(showBrowser(client), ip)}
                onClick={() =>
                  runAction(words.ended, () =>
                    context.wire.account("DELETE", `sessions/${encodeURIComponent(sessionId)}`),
                  )
                }
              >
                {words.end}
              </Button>
            ),
        },
      ]}
    />
  );
}

function Password({ context }: { context: Context }) {
  const old = useSignal("");
  const code = useSignal("");
  const password = useNewPassword(context);
  return (
    <Pane title={words.password}>
      <Form
        class="padded"
        label={words.password}
        submit={words.setPassword}
        check={() => (old.value === "" ? words.oldNeeded : password.check())}
        onSend={async () => {
          await context.wire.account("POST", "password", {
            body: { password: old.value, newPassword: password.first.value, ...codeOf(code) },
          });
          for (const field of [old, code, password.first, password.again]) field.value = "";
          notifyDone(context, words.passwordSet);
        }}
      >
        <p class="muted">{words.passwordHelp}</p>
        <PasswordField id="old-password" label={words.oldPassword} value={old} />
        <NewPasswordFields password={password} email={context.session.value?.email ?? ""} />
        <CodeField context={context} id="password-code" code={code} />
      </Form>
    </Pane>
  );
}
