/** Asking for an account: the node answers alike whether the address is known or not, and writes a letter. */
import { useSignal } from "@preact/signals";
import { customerOutside } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { LetterForm } from "./letter-form.tsx";
import { Outside } from "./outside.tsx";
import { useVenue } from "./password.tsx";

export function SignUp({ desk }: { desk: Desk }) {
  const email = useSignal("");
  const venue = useVenue(desk).value;
  return (
    <Outside desk={desk} title={customerOutside.signUp}>
      {venue?.signUp === "invitation" ? (
        <p>{customerOutside.byInvitation}</p>
      ) : (
        <LetterForm
          desk={desk}
          path="sign-up"
          label={customerOutside.signUp}
          email={email}
          help={customerOutside.signUpHelp}
        />
      )}
    </Outside>
  );
}
