/** The page behind the link in an operator's invitation: a password is chosen, and one can sign in. */
import { useSignal } from "@preact/signals";
import { consoleSays, consoleSignIn as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { DeniedText } from "../../pages/denied-text.tsx";
import { goTo, type Invitation } from "../place.ts";
import { type Denied, deniedOf } from "../../pages/denied.ts";
import { Brand } from "../../pages/brand.tsx";
import { LEAST_PASSWORD_CHARACTERS } from "../../pages/password-length.ts";
import { Entry } from "../draw/entry.tsx";

export function InvitationPage({ desk, invitation }: { desk: Desk; invitation: Invitation }) {
  const password = useSignal("");
  const again = useSignal("");
  const problem = useSignal("");
  const denied = useSignal<Denied | null>(null);
  const isBusy = useSignal(false);
  const accept = async (): Promise<void> => {
    problem.value =
      password.value.length < LEAST_PASSWORD_CHARACTERS
        ? words.tooShort(LEAST_PASSWORD_CHARACTERS)
        : password.value === again.value
          ? ""
          : words.notAlike;
    denied.value = null;
    if (problem.value !== "" || isBusy.value) return;
    isBusy.value = true;
    try {
      const { name } = await desk.admin.ask<{ readonly name: string }>("POST", "/v1/accept-invitation", {
        body: { ...invitation, password: password.value },
      });
      desk.session.value = null;
      desk.familiar.value = { name, mark: "" };
      desk.dismissed.value = words.accepted(name);
      goTo({ page: "overview" });
    } catch (error) {
      denied.value = deniedOf(error);
    }
    isBusy.value = false;
  };
  return (
    <main class="sign-in">
      <div class="pane sign-in-pane">
        <h1>
          <Brand /> <span class="muted">{consoleSays.console}</span>
        </h1>
        <form
          aria-label={words.invitation}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void accept(); // Never rejects.
          }}
        >
          <p>{words.invitationHelp}</p>
          <Entry id="new-password" label={words.newPassword} value={password} autocomplete="new-password" isSecret />
          <Entry id="new-password-again" label={words.again} value={again} autocomplete="new-password" isSecret />
          {problem.value !== "" && (
            <p class="refusal" role="alert">
              {problem.value}
            </p>
          )}
          {denied.value !== null && <DeniedText denied={denied.value} />}
          <button type="submit" class="button primary" disabled={isBusy.value}>
            {words.accept}
          </button>
        </form>
      </div>
    </main>
  );
}
