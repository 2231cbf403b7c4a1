/** The status of the node, on every page, with a link to the overview. */
import { consoleSays, pagesSay } from "../../words/words.ts";
import type { Asked } from "../asked.ts";
import type { Overview } from "../overview/overview.ts";
import { hashOf } from "../place.ts";

export function Lamp({ overview: { value, denied } }: { overview: Asked<Overview> }) {
  const [state, text] =
    denied !== null
      ? (["down", consoleSays.notReached] as const)
      : value === null
        ? (["connecting", pagesSay.loading] as const)
        : !value.isReady
          ? (["down", consoleSays.notReady] as const)
          : value.isInMaintenance
            ? (["connecting", consoleSays.inMaintenance] as const)
            : (["live", consoleSays.ready] as const);
  return (
    <a class={`state ${state}`} href={hashOf({ page: "overview" })} title={text}>
      <span class="unseen-narrow" role="status">
        {text}
      </span>
    </a>
  );
}
