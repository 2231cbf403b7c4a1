/** An email address to which the node may send an email. Its answer does not reveal whether an account exists. */
import { type Signal, useSignal } from "@preact/signals";
import { customerOutside } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { Field, Form } from "../../pages/form.tsx";

interface Props {
  readonly desk: Desk;
  readonly path: "sign-up" | "password-reset";
  readonly label: string;
  readonly email: Signal<string>;
  readonly help: string;
}

export function LetterForm({ desk, path, label, email, help }: Props) {
  const isSent = useSignal(false);
  if (isSent.value)
    return (
      <p role="status" class="good-text">
        {customerOutside.emailSent[path](email.value.trim())}
      </p>
    );
  return (
    <Form
      label={label}
      submit={customerOutside.sendLetter}
      check={() => (email.value.includes("@") ? "" : customerOutside.emailNeeded)}
      onSend={async () => {
        await desk.wire.account("POST", path, { body: { email: email.value.trim() } });
        isSent.value = true;
      }}
    >
      <p class="muted">{help}</p>
      <Field
        id="email"
        label={customerOutside.email}
        type="email"
        inputMode="email"
        autocomplete="username"
        value={email}
        isFirst
      />
    </Form>
  );
}
