/** The page behind the link in an operator's invitation, where the operator chooses a password. */
import { useSignal } from "@preact/signals";
import { consoleSays, consoleSignIn as words } from "../../words/words.ts";
import type { Desk, Familiar } from "../desk.ts";
import { goTo, type Invitation } from "../place.ts";
import { Brand } from "../../pages/brand.tsx";
import { LEAST_PASSWORD_CHARACTERS } from "../../pages/password-length.ts";
import { Field, Form } from "../../pages/form.tsx";

export function InvitationPage({ desk, invitation }: { desk: Desk; invitation: Invitation }) {
  const password = useSignal("");
  const again = useSignal("");
  const check = (): string =>
    password.value.length < LEAST_PASSWORD_CHARACTERS
      ? words.tooShort(LEAST_PASSWORD_CHARACTERS)
      : password.value === again.value
        ? ""
        : words.mismatch;
  const accept = async (): Promise<void> => {
    const { name, mark } = await desk.admin.ask<Familiar>("POST", "/v1/accept-invitation", {
      body: { ...invitation, password: password.value },
    });
    desk.session.value = null;
    desk.familiar.value = { name, mark };
    desk.dismissed.value = words.accepted(name);
    goTo({ page: "overview" });
  };
  return (
    <main class="sign-in">
      <div class="pane">
        <h1>
          <Brand /> <span class="muted">{consoleSays.console}</span>
        </h1>
        <Form label={words.invitation} submit={words.accept} check={check} onSend={accept}>
          <p>{words.invitationHelp}</p>
          <Field
            id="new-password"
            label={words.newPassword}
            value={password}
            type="password"
            autocomplete="new-password"
          />
          <Field
            id="new-password-again"
            label={words.repeat}
            value={again}
            type="password"
            autocomplete="new-password"
          />
        </Form>
      </div>
    </main>
  );
}
