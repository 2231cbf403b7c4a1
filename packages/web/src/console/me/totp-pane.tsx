/** Two-factor of one's own: the secret is shown once, and counts when a code of it was told back. */
import { type Signal, useSignal } from "@preact/signals";
import { consoleMe as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { DeniedText } from "../../pages/denied-text.tsx";
import { Entry } from "../draw/entry.tsx";
import { Pane } from "../../pages/pane.tsx";
import { type Denied, deniedOf } from "../../pages/denied.ts";
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
    <Step
      label={words.beginTotp}
      onGo={async () => {
        const body = { password: password.value };
        offered.value = await desk.admin.ask<Offered>("POST", "/v1/me/totp", { body });
      }}
    >
      <p class="muted">{words.totpHelp}</p>
      <Entry id="totp-password" label={words.password} value={password} autocomplete="current-password" isSecret />
    </Step>
  );
}

function Confirm({ desk, offered: { secret, uri, pending } }: { desk: Desk; offered: Offered }) {
  const code = useSignal("");
  return (
    <Step
      label={words.confirmTotp}
      onGo={async () => {
        await desk.admin.ask("POST", "/v1/me/totp/confirm", { body: { pending, code: code.value.trim() } });
        desk.say("good", words.totpSet);
        desk.done.value++;
      }}
    >
      <p>{words.scan}</p>
      <QrCode text={uri} label={words.qr} />
      <p>
        {words.orType} <code data-secret="secret">{secret}</code>
      </p>
      <Entry id="totp-code" label={words.code} value={code} autocomplete="one-time-code" isNumber isFirst />
    </Step>
  );
}

interface StepProps {
  readonly label: string;
  readonly onGo: () => Promise<void>;
  readonly children: preact.ComponentChildren;
}

function Step({ label, onGo, children }: StepProps) {
  const denied = useSignal<Denied | null>(null);
  const isBusy = useSignal(false);
  const go = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    denied.value = null;
    try {
      await onGo();
    } catch (error) {
      denied.value = deniedOf(error);
    }
    isBusy.value = false;
  };
  return (
    <form
      class="step"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void go(); // Never rejects.
      }}
    >
      {children}
      {denied.value !== null && <DeniedText denied={denied.value} />}
      <button type="submit" class="button primary" disabled={isBusy.value}>
        {label}
      </button>
    </form>
  );
}
