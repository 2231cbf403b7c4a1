/** Signing in: by the admin token and the name under which the journal shall know what is done. */
import { useSignal } from "@preact/signals";
import { consoleSays as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { DeniedText } from "../../pages/denied-text.tsx";
import { type Denied, deniedOf } from "../../pages/denied.ts";
import { isOperator, isToken } from "../wire/session.ts";
import { Brand } from "../../pages/brand.tsx";

export function SignIn({ desk }: { desk: Desk }) {
  const token = useSignal("");
  const operator = useSignal("");
  const problem = useSignal("");
  const denied = useSignal<Denied | null>(null);
  const isBusy = useSignal(false);
  const enter = async (): Promise<void> => {
    const wanted = { token: token.value.trim(), operator: operator.value.trim() };
    problem.value = !isToken(wanted.token) ? words.badToken : !isOperator(wanted.operator) ? words.badOperator : "";
    denied.value = null;
    desk.dismissed.value = "";
    if (problem.value !== "") return;
    isBusy.value = true;
    try {
      await desk.signIn(wanted);
    } catch (error) {
      denied.value = deniedOf(error);
    }
    isBusy.value = false;
  };
  return (
    <main class="sign-in">
      <form
        class="pane"
        aria-label={words.signIn}
        autocomplete="off"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void enter(); // Never rejects.
        }}
      >
        <h1>
          <Brand /> <span class="muted">{words.console}</span>
        </h1>
        {(
          [
            [words.token, "sign-in-token", token, "password"],
            [words.operator, "sign-in-operator", operator, "text"],
          ] as const
        ).map(([label, id, value, type]) => (
          <div key={id} class="entry">
            <label for={id}>{label}</label>
            <input
              id={id}
              {...(type === "password" ? { type } : { type: "text" as const })}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              value={value.value}
              onInput={({ currentTarget }) => {
                value.value = currentTarget.value;
              }}
            />
          </div>
        ))}
        {problem.value !== "" && (
          <p class="refusal" role="alert">
            {problem.value}
          </p>
        )}
        {denied.value !== null && <DeniedText denied={denied.value} />}
        {desk.dismissed.value !== "" && (
          <p class="warned" role="status">
            {desk.dismissed.value}
          </p>
        )}
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {words.signIn}
        </button>
        <p class="muted">{words.signInHelp}</p>
      </form>
    </main>
  );
}
