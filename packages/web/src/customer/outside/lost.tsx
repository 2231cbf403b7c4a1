/** Asking for a way back to an account whose password is lost. */
import { useSignal } from "@preact/signals";
import { customerOutside as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { LetterForm } from "./letter-form.tsx";
import { Outside } from "./outside.tsx";

export function Lost({ desk }: { desk: Desk }) {
  const email = useSignal("");
  return (
    <Outside desk={desk} title={words.lost}>
      <LetterForm desk={desk} path="password-reset" label={words.lost} email={email} help={words.lostHelp} />
    </Outside>
  );
}
