/** The operator's profile: role, rights, password and two-factor authentication. */
import { type Signal, useSignal } from "@preact/signals";
import { consoleProfile as words, consoleSays, pagesSay } from "../../words/words.ts";
import { type Desk, useAsked } from "../context.ts";
import { Field, Form } from "../../pages/form.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { QrCode } from "../../pages/secret.tsx";
import { ActionButtons } from "../elements.tsx";
import type { Me } from "../admin-client.ts";

// Sets up two-factor authentication: the secret is shown once and takes effect when a code confirms it.

/** A secret that the node offers but has not stored yet. */
interface Offered {
  readonly secret: string;
  readonly uri: string;
  /** The secret, encrypted by the node: it is sent back with the code. */
  readonly pending: string;
}

function TotpPane({ desk }: { desk: Desk }) {
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

const REMOVE = "POST /v1/me/totp/remove";

export function ProfilePage({ desk }: { desk: Desk }) {
  const { value, denied } = useAsked<Me>(desk, "/v1/me");
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <Pane title={words.profile} denied={denied}>
        {value !== null && (
          <Facts
            rows={{
              [words.name]: value.name,
              [words.role]: value.isToken ? words.tokenRole : (value.role ?? pagesSay.noFigure),
              [words.rights]: value.isToken ? words.allRights : value.rights.join(", ") || words.viewOnly,
              [words.totp]: value.isToken ? words.notForToken : value.hasTotp ? consoleSays.yes : consoleSays.no,
            }}
          />
        )}
        {value?.isToken === false && (
          <ActionButtons desk={desk} page="profile" on="list" hidden={value.hasTotp ? [] : [REMOVE]} />
        )}
      </Pane>
      {value?.isToken === false && !value.hasTotp && <TotpPane desk={desk} />}
      {value?.isToken === true && <p class="muted">{words.tokenHelp}</p>}
    </div>
  );
}
