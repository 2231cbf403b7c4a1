/** Asking for a way back to an account whose password is lost. */
import { useSignal } from "@preact/signals";
import { customerOutside } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { LetterForm } from "./letter-form.tsx";
import { Outside } from "./outside.tsx";

export function Lost({ desk }: { desk: Desk }) {
  const email = useSignal("");
  return (
    <Outside desk={desk} title={customerOutside.lost}>
      <LetterForm
        desk={desk}
        path="password-reset"
        label={customerOutside.lost}
        email={email}
        help={customerOutside.lostHelp}
      />
    </Outside>
  );
}
