/** Codes of a device: switched on by showing it a picture and typing its first code, switched off with another. */
import { useSignal } from "@preact/signals";
import { Copied } from "../../pages/once.tsx";
import { Pane } from "../../pages/pane.tsx";
import { customerSays, customerSecurity as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { CodeField, codeOf } from "../draw/code.tsx";
import { Field, Form } from "../../pages/form.tsx";
import { QrCode } from "../../pages/qr.tsx";

/** A secret that is not journaled before its first code was typed: `pending` carries it, sealed. */
interface Pending {
  readonly secret: string;
  readonly uri: string;
  readonly pending: string;
}

export function TwoFactor({ desk }: { desk: Desk }) {
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
