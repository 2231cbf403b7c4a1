/** The operator's profile: role, rights, password and two-factor authentication. */
import { type Signal, useSignal } from "@preact/signals";
import { consoleProfile as words, consoleWords, pagesWords } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import { Form, PasswordField, TotpField } from "../../pages/form.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { QrCode } from "../../pages/secret.tsx";
import { ActionButtons } from "../elements.tsx";
import type { Me, PendingTotp } from "@pricetime/server/answers";

// Sets up two-factor authentication. The secret is shown once and takes effect after the operator has entered a code.

function TotpPane({ context }: { context: Context }) {
  const offered = useSignal<PendingTotp | null>(null);
  return (
    <Pane title={words.totp}>
      <div class="padded">
        {offered.value === null ? (
          <Begin context={context} offered={offered} />
        ) : (
          <Confirm context={context} offered={offered.value} />
        )}
      </div>
    </Pane>
  );
}

function Begin({ context, offered }: { context: Context; offered: Signal<PendingTotp | null> }) {
  const password = useSignal("");
  return (
    <Form
      label={words.beginTotp}
      submit={words.beginTotp}
      onSend={async () => {
        const body = { password: password.value };
        offered.value = await context.admin.ask<PendingTotp>("POST", "/v1/me/totp", { body });
      }}
    >
      <p class="muted">{words.totpHelp}</p>
      <PasswordField id="totp-password" label={words.password} value={password} />
    </Form>
  );
}

function Confirm({ context, offered: { secret, uri, pending } }: { context: Context; offered: PendingTotp }) {
  const code = useSignal("");
  return (
    <Form
      label={words.confirmTotp}
      submit={words.confirmTotp}
      onSend={async () => {
        await context.admin.ask("POST", "/v1/me/totp/confirm", { body: { pending, code: code.value.trim() } });
        context.notify("good", words.totpSet);
        context.done.value++;
      }}
    >
      <p>{words.scan}</p>
      <QrCode text={uri} label={words.qr} />
      <p>
        {words.secret} <code data-secret="secret">{secret}</code>
      </p>
      <TotpField id="totp-code" label={words.code} value={code} isFirst />
    </Form>
  );
}

const REMOVE = "POST /v1/me/totp/remove";

export function ProfilePage({ context }: { context: Context }) {
  const { value, denied } = useFetched<Me>(context, "/v1/me");
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <Pane title={words.profile} denied={denied}>
        {value !== null && (
          <Facts
            rows={{
              [words.name]: value.name,
              [words.role]: value.isToken ? words.tokenRole : (value.role ?? pagesWords.noFigure),
              [words.rights]: value.isToken ? words.allRights : value.rights.join(", ") || words.viewOnly,
              [words.totp]: value.isToken ? words.notForToken : value.hasTotp ? consoleWords.yes : consoleWords.no,
            }}
          />
        )}
        {value?.isToken === false && (
          <ActionButtons context={context} page="profile" on="list" hidden={value.hasTotp ? [] : [REMOVE]} />
        )}
      </Pane>
      {value?.isToken === false && !value.hasTotp && <TotpPane context={context} />}
      {value?.isToken === true && <p class="muted">{words.tokenHelp}</p>}
    </div>
  );
}
