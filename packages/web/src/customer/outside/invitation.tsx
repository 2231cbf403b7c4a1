/** An invitation: whom it is for, a password, and a name where the account is new. Who takes it is signed in. */
import { useSignal } from "@preact/signals";
import { customerOutside as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Field, Form } from "../../pages/form.tsx";
import { goTo } from "../place.ts";
import { type LetterLink, Looking, NoLink, useLink } from "./link.tsx";
import { Outside } from "./outside.tsx";
import { NewPasswordFields, useNewPassword } from "./password.tsx";

interface Looked {
  readonly email: string;
  readonly isNew: boolean;
  readonly untilMs: number;
}

export function Invitation({ desk }: { desk: Desk }) {
  const link = useLink(desk);
  return (
    <Outside desk={desk} title={words.invitation}>
      {link === null ? <NoLink /> : <Accept desk={desk} link={link} />}
    </Outside>
  );
}

function Accept({ desk, link }: { desk: Desk; link: LetterLink }) {
  const looked = useAsked(desk, link.id, (wire) => wire.account<Looked>("POST", "invitation/check", { body: link }), {
    isStill: true,
  });
  const name = useSignal("");
  const password = useNewPassword(desk);
  const { value } = looked;
  if (value === null) return <Looking looked={looked} />;
  const accept = async (): Promise<void> => {
    const named = value.isNew && name.value.trim() !== "" ? { name: name.value.trim() } : {};
    await desk.wire.account("POST", "invitation/accept", {
      body: { ...link, password: password.first.value, ...named },
    });
    await desk.enter();
    goTo("overview");
  };
  return (
    <Form label={words.invitation} submit={words.accept} check={password.check} onSend={accept}>
      <p>{words.invitedAs(value.email)}</p>
      {value.isNew && <Field id="name" label={words.name} value={name} autocomplete="name" isFirst />}
      <NewPasswordFields password={password} email={value.email} />
    </Form>
  );
}
