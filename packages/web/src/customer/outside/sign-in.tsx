/** Signing in: email and password, a 2FA code when the node asks for one, and in a demo its accounts with one click. */
import { useSignal } from "@preact/signals";
import { customerOutside, customerSays } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { DeniedText } from "../../pages/denied-text.tsx";
import { type Denied, deniedOf } from "../../pages/denied.ts";
import { type DemoAccount, useDemo } from "../demo.ts";
import { codeOf } from "../draw/code.tsx";
import { Field, Form } from "../../pages/form.tsx";
import { hashOf } from "../place.ts";
import { Dismissed } from "../../pages/dismissed.tsx";
import { useSignInWorker, WorkShown } from "../../pages/work-shown.tsx";
import { Outside } from "./outside.tsx";
import { useVenue } from "./password.tsx";

export function SignIn({ desk }: { desk: Desk }) {
  const email = useSignal("");
  const password = useSignal("");
  const code = useSignal("");
  const needsCode = useSignal(false);
  const venue = useVenue(desk).value;
  const { worker, progress } = useSignInWorker();
  const send = async (): Promise<void> => {
    desk.dismissed.value = "";
    const body = { email: email.value.trim(), password: password.value, ...codeOf(code) };
    await worker.send((work) => desk.wire.account("POST", "sign-in", { body: { ...body, ...(work && { work }) } }));
    await desk.enter();
  };
  return (
    <Outside desk={desk} title={customerOutside.signIn} isSignIn>
      <Form
        label={customerOutside.signIn}
        submit={customerOutside.signIn}
        check={() => (email.value.trim() === "" || password.value === "" ? customerOutside.bothNeeded : "")}
        onSend={send}
        onDenied={({ code: why }) => {
          if (why !== "CODE_REQUIRED") return false;
          needsCode.value = true;
          return true;
        }}
      >
        <Field
          id="email"
          label={customerOutside.email}
          type="email"
          inputMode="email"
          autocomplete="username"
          value={email}
          isFirst
        />
        <Field
          id="password"
          label={customerOutside.password}
          type="password"
          autocomplete="current-password"
          value={password}
        />
        {needsCode.value && (
          <Field
            id="code"
            label={customerSays.code}
            value={code}
            inputMode="numeric"
            autocomplete="one-time-code"
            help={customerOutside.codeHelp}
            isFirst
          />
        )}
        <WorkShown progress={progress} />
        <Dismissed why={desk.dismissed.value} />
      </Form>
      <DemoAccounts desk={desk} />
      <p class="row-of">
        <a href={hashOf("lost")}>{customerOutside.lost}</a>
        {venue?.signUp === "open" && <a href={hashOf("sign-up")}>{customerOutside.signUp}</a>}
      </p>
    </Outside>
  );
}

/** The passwords of a demo's accounts are public: on the demo's own machine each signs in with one click. */
function DemoAccounts({ desk }: { desk: Desk }) {
  const accounts = useDemo(desk)?.accounts ?? [];
  const denied = useSignal<Denied | null>(null);
  // Never rejects.
  const enter = async ({ email, password }: DemoAccount): Promise<void> => {
    denied.value = null;
    try {
      await desk.wire.account("POST", "sign-in", { body: { email, password } });
      await desk.enter();
    } catch (error) {
      denied.value = deniedOf(error);
    }
  };
  if (accounts.length === 0) return null;
  return (
    <div class="stack" role="group" aria-label={customerOutside.demo}>
      <p class="muted">{customerOutside.demo}</p>
      <p class="row-of">
        {accounts.map((account) => (
          <button key={account.email} type="button" class="button" onClick={() => void enter(account)}>
            {customerOutside.signInAs(account.name)}
          </button>
        ))}
      </p>
      {denied.value !== null && <DeniedText denied={denied.value} />}
    </div>
  );
}
