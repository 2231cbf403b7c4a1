/** Signing in: mail address and password, and the code of a device when the node asks for one. */
import { useSignal } from "@preact/signals";
import { customerOutside as words, customerSays } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { codeOf } from "../draw/code.tsx";
import { Field, Form } from "../../pages/form.tsx";
import { hashOf } from "../place.ts";
import { Dismissed } from "../../pages/dismissed.tsx";
import { Outside } from "./outside.tsx";
import { useVenue } from "./password.tsx";

export function SignIn({ desk }: { desk: Desk }) {
  const email = useSignal("");
  const password = useSignal("");
  const code = useSignal("");
  const needsCode = useSignal(false);
  const venue = useVenue(desk).value;
  const send = async (): Promise<void> => {
    desk.dismissed.value = "";
    const body = { email: email.value.trim(), password: password.value, ...codeOf(code) };
    await desk.wire.account("POST", "sign-in", { body });
    await desk.enter();
  };
  return (
    <Outside title={words.signIn} isSignIn>
      <Form
        label={words.signIn}
        submit={words.signIn}
        check={() => (email.value.trim() === "" || password.value === "" ? words.bothNeeded : "")}
        onSend={send}
        onDenied={({ code: why }) => {
          if (why !== "CODE_REQUIRED") return false;
          needsCode.value = true;
          return true;
        }}
      >
        <Field
          id="email"
          label={words.email}
          type="email"
          inputMode="email"
          autocomplete="username"
          value={email}
          isFirst
        />
        <Field id="password" label={words.password} type="password" autocomplete="current-password" value={password} />
        {needsCode.value && (
          <Field
            id="code"
            label={customerSays.code}
            value={code}
            inputMode="numeric"
            autocomplete="one-time-code"
            help={words.codeHelp}
            isFirst
          />
        )}
        <Dismissed why={desk.dismissed.value} />
      </Form>
      <p class="row-of">
        <a href={hashOf("lost")}>{words.lost}</a>
        {venue?.signUp === "open" && <a href={hashOf("sign-up")}>{words.signUp}</a>}
      </p>
    </Outside>
  );
}
