/** Sets up two-factor authentication: the secret is shown once and takes effect when a code confirms it. */
import { type Signal, useSignal } from "@preact/signals";
import { consoleProfile as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { Field, Form } from "../../pages/form.tsx";
import { Pane } from "../../pages/pane.tsx";
import { QrCode } from "../../pages/qr.tsx";

/** A secret that the node offers and does not keep yet. */
interface Offered {
  readonly secret: string;
  readonly uri: string;
  /** The secret, sealed by the node: it comes back with the code. */
  readonly pending: string;
}

export function TotpPane({ desk }: { desk: Desk }) {
  const offered = useSignal<Offered | null>(null);
  return (
    <Pane title={words.totp}>
      <div class="padded">
        {offered.value === null ? (
          <Begin desk={desk} offered={offered} />
        ) : (
          <Confirm desk={desk} offered={offered.value} />
        )}
      </div>
    </Pane>
  );
}

function Begin({ desk, offered }: { desk: Desk; offered: Signal<Offered | null> }) {
  const password = useSignal("");
  return (
    <Form
      label={words.beginTotp}
      submit={words.beginTotp}
      onSend={async () => {
        const body = { password: password.value };
        offered.value = await desk.admin.ask<Offered>("POST", "/v1/me/totp", { body });
      }}
    >
      <p class="muted">{words.totpHelp}</p>
      <Field
        id="totp-password"
        label={words.password}
        value={password}
        type="password"
        autocomplete="current-password"
      />
    </Form>
  );
}

function Confirm({ desk, offered: { secret, uri, pending } }: { desk: Desk; offered: Offered }) {
  const code = useSignal("");
  return (
    <Form
      label={words.confirmTotp}
      submit={words.confirmTotp}
      onSend={async () => {
        await desk.admin.ask("POST", "/v1/me/totp/confirm", { body: { pending, code: code.value.trim() } });
        desk.say("good", words.totpSet);
        desk.done.value++;
      }}
    >
      <p>{words.scan}</p>
      <QrCode text={uri} label={words.qr} />
      <p>
        {words.secret} <code data-secret="secret">{secret}</code>
      </p>
      <Field id="totp-code" label={words.code} value={code} autocomplete="one-time-code" inputMode="numeric" isFirst />
    </Form>
  );
}
