/** The security of the account: password, two-factor authentication and sessions. */
import { useSignal } from "@preact/signals";
import { Copied, QrCode } from "../../pages/secret.tsx";
import { columnsOf, List, Pane } from "../../pages/pane.tsx";
import { customerSays, customerSecurity as words } from "../../words/words.ts";
import { type Desk, useAct, useAsked } from "../context.ts";
import { CodeField, codeOf } from "../elements.tsx";
import { Field, Form } from "../../pages/form.tsx";
import { NewPasswordFields, useNewPassword } from "../sign-in.tsx";
import type { SessionRow } from "../api-types.ts";

// Two-factor authentication: turned on with a QR code and the first code of the app, turned off with another code.

/** A secret that is not journaled before its first code is confirmed; `pending` contains it, encrypted. */
interface Pending {
  readonly secret: string;
  readonly uri: string;
  readonly pending: string;
}

function TwoFactor({ desk }: { desk: Desk }) {
  const pending = useSignal<Pending | null>(null);
  const profile = desk.profile.value;
  const done = (text: string): void => {
    pending.value = null;
    desk.say("good", text);
    desk.done.value++;
  };
  return (
    <Pane title={words.twoFactor} {...(profile !== null && { note: profile.hasTotp ? words.isOn : words.isOff })}>
      {profile === null ? null : profile.hasTotp ? (
        <Remove desk={desk} onDone={() => done(words.twoFactorOff)} />
      ) : pending.value === null ? (
        <Begin desk={desk} onBegun={(told) => (pending.value = told)} />
      ) : (
        <Confirm desk={desk} pending={pending.value} onDone={() => done(words.twoFactorOn)} />
      )}
    </Pane>
  );
}

function Begin({ desk, onBegun }: { desk: Desk; onBegun: (pending: Pending) => void }) {
  const password = useSignal("");
  return (
    <Form
      class="padded"
      label={words.twoFactor}
      submit={words.begin}
      check={() => (password.value === "" ? words.oldNeeded : "")}
      onSend={async () => {
        onBegun(await desk.wire.account<Pending>("POST", "totp", { body: { password: password.value } }));
      }}
    >
      <p class="muted">{words.twoFactorHelp}</p>
      <Field
        id="totp-password"
        label={words.oldPassword}
        type="password"
        autocomplete="current-password"
        value={password}
      />
    </Form>
  );
}

function Confirm({ desk, pending, onDone }: { desk: Desk; pending: Pending; onDone: () => void }) {
  const code = useSignal("");
  return (
    <Form
      class="padded"
      label={words.twoFactor}
      submit={words.switchOn}
      check={() => (code.value.trim() === "" ? words.codeNeeded : "")}
      onSend={async () => {
        await desk.wire.account("POST", "totp/confirm", { body: { pending: pending.pending, ...codeOf(code) } });
        onDone();
      }}
    >
      <p>{words.scan}</p>
      <QrCode text={pending.uri} label={words.qr} />
      <Copied name="secret" value={pending.secret} />
      <Field
        id="totp-code"
        label={customerSays.code}
        value={code}
        inputMode="numeric"
        autocomplete="one-time-code"
        isFirst
      />
    </Form>
  );
}

function Remove({ desk, onDone }: { desk: Desk; onDone: () => void }) {
  const password = useSignal("");
  const code = useSignal("");
  return (
    <Form
      class="padded"
      label={words.twoFactor}
      submit={words.switchOff}
      isGrave
      check={() => (password.value === "" ? words.oldNeeded : code.value.trim() === "" ? words.codeNeeded : "")}
      onSend={async () => {
        await desk.wire.account("POST", "totp/remove", { body: { password: password.value, ...codeOf(code) } });
        onDone();
      }}
    >
      <p class="muted">{words.removeHelp}</p>
      <Field
        id="totp-password"
        label={words.oldPassword}
        type="password"
        autocomplete="current-password"
        value={password}
      />
      <CodeField desk={desk} id="totp-code" code={code} />
    </Form>
  );
}

export function SecurityPage({ desk }: { desk: Desk }) {
  return (
    <>
      <Sessions desk={desk} />
      <div class="two">
        <TwoFactor desk={desk} />
        <Password desk={desk} />
      </div>
    </>
  );
}

function Sessions({ desk }: { desk: Desk }) {
  const act = useAct(desk);
  const { value, denied } = useAsked(desk, "sessions", (wire) =>
    wire.account<readonly SessionRow[]>("GET", "sessions"),
  );
  const column = columnsOf<SessionRow>(desk);
  return (
    <List
      title={words.sessions}
      rows={value}
      denied={denied}
      empty={words.noSessions}
      keyOf={({ sessionId }) => sessionId}
      tools={
        <button
          type="button"
          class="button"
          onClick={() => act(words.othersEnded, () => desk.wire.account("POST", "sessions/close-others", { body: {} }))}
        >
          {words.endOthers}
        </button>
      }
      columns={[
        column.plain(words.client, ({ client }) => client),
        column.plain(words.ip, ({ ip }) => ip),
        column.moment(words.opened, ({ openedMs }) => openedMs),
        column.moment(words.renewed, ({ renewedMs }) => renewedMs),
        column.moment(words.until, ({ untilMs }) => untilMs),
        {
          label: words.acts,
          isActs: true,
          show: ({ sessionId, isThis, client, ip }) =>
            isThis ? (
              <span class="tag good">{words.isThis}</span>
            ) : (
              <button
                type="button"
                class="link"
                aria-label={words.endOf(client, ip)}
                onClick={() =>
                  act(words.ended, () => desk.wire.account("DELETE", `sessions/${encodeURIComponent(sessionId)}`))
                }
              >
                {words.end}
              </button>
            ),
        },
      ]}
    />
  );
}

function Password({ desk }: { desk: Desk }) {
  const old = useSignal("");
  const code = useSignal("");
  const password = useNewPassword(desk);
  return (
    <Pane title={words.password}>
      <Form
        class="padded"
        label={words.password}
        submit={words.setPassword}
        check={() => (old.value === "" ? words.oldNeeded : password.check())}
        onSend={async () => {
          await desk.wire.account("POST", "password", {
            body: { password: old.value, newPassword: password.first.value, ...codeOf(code) },
          });
          for (const field of [old, code, password.first, password.again]) field.value = "";
          desk.say("good", words.passwordSet);
          desk.done.value++;
        }}
      >
        <p class="muted">{words.passwordHelp}</p>
        <Field
          id="old-password"
          label={words.oldPassword}
          type="password"
          autocomplete="current-password"
          value={old}
        />
        <NewPasswordFields password={password} email={desk.session.value?.email ?? ""} />
        <CodeField desk={desk} id="password-code" code={code} />
      </Form>
    </Pane>
  );
}
