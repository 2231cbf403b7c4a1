/** A refusal: the node's sentence for people, its word for programs, and whether anybody knows what became of it. */
import { pagesSay } from "../words/words.ts";
import type { Denied } from "./denied.ts";

export function DeniedText({ denied }: { denied: Denied }) {
  return (
    <p class="refusal" role="alert">
      {denied.message} {denied.code !== "" && <code>{denied.code}</code>}
      {denied.code === "NOT_PERMITTED" && ` ${pagesSay.notPermitted}`}
      {denied.isUnknown && ` ${pagesSay.outcomeUnknown}`}
    </p>
  );
}
