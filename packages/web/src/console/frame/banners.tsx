/** Banners above every page: suspensions in force and an announced emergency override. */
import { consoleSuspensions, consoleApprovals } from "../../words/words.ts";
import { SELDOM_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Link } from "../draw/link.tsx";
import { showMoment } from "../../pages/shown.ts";
import type { BreakGlass, Glass } from "../forms/proposal.ts";
import { mayDo } from "../rights.ts";
import type { Stop } from "../stops/stop.ts";
import { showSpan } from "../../panels/show.ts";

const END_IT = "DELETE /v1/emergency-override";

export function Banners({ desk, stops }: { desk: Desk; stops: readonly Stop[] }) {
  const glass = useAsked<Glass>(desk, "/v1/emergency-override", { everyMs: SELDOM_MS });
  return (
    <>
      {stops.length > 0 && (
        <p class="banner bad" role="status">
          <b>{consoleSuspensions.suspended}</b>{" "}
          {stops.map(({ scope }) => consoleSuspensions.scopeName(scope)).join(", ")}.{" "}
          <Link to={{ page: "overview" }}>{consoleSuspensions.show}</Link>
        </p>
      )}
      {glass.value !== null && glass.value.emergencyOverride !== null && (
        <Broken desk={desk} glass={glass.value.emergencyOverride} />
      )}
    </>
  );
}

function Broken({ desk, glass: { by, why, fromMs } }: { desk: Desk; glass: BreakGlass }) {
  const left = showSpan(Math.max(0, fromMs - desk.nowMs.value));
  return (
    <p class="banner bad" role="alert">
      <span>
        <b>{consoleApprovals.overrideAt(showMoment(desk, fromMs), left)}</b> {consoleApprovals.overrideBy(by, why)}
      </span>
      {mayDo(desk, END_IT) && (
        <button
          type="button"
          class="button"
          onClick={() => {
            desk.wish.value = { key: END_IT, given: {} };
          }}
        >
          {consoleApprovals.stopOverride}
        </button>
      )}
    </p>
  );
}
