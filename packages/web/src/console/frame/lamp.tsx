/** Whether all is well, on every page: it leads to the overview. */
import { consoleSays as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import type { Overview } from "../overview/overview.ts";
import { hashOf } from "../place.ts";

const EVERY_MS = 10_000;

export function Lamp({ desk }: { desk: Desk }) {
  const { value, denied } = useAsked<Overview>(desk, "/v1/overview", { everyMs: EVERY_MS });
  const [state, text] =
    denied !== null
      ? (["down", words.notReached] as const)
      : value === null
        ? (["connecting", words.loading] as const)
        : !value.isReady
          ? (["down", words.notReady] as const)
          : value.isInMaintenance
            ? (["connecting", words.inMaintenance] as const)
            : (["live", words.ready] as const);
  return (
    <a class={`state ${state}`} href={hashOf({ page: "overview" })} title={text}>
      <span class="unseen-narrow" role="status">
        {text}
      </span>
    </a>
  );
}
