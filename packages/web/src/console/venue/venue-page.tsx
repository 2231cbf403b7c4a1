/** Settings of the whole venue: maintenance, and how dust is converted. */
import { consoleVenue as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Pane } from "../draw/pane.tsx";
import { Told } from "../forms/told.tsx";
import type { Json } from "../wire/document.ts";

const MAINTENANCE = "PUT /v1/maintenance";
const DUST = "PUT /v1/dust-rules";

export function VenuePage({ desk }: { desk: Desk }) {
  const maintenance = useAsked<{ readonly isOn: boolean }>(desk, "/v1/maintenance");
  const dust = useAsked<Json>(desk, "/v1/dust-rules");
  const isOn = maintenance.value?.isOn;
  // A venue without dust conversion says so by a refusal, which is no trouble.
  const isWithoutDust = dust.denied?.code === "DUST_NOT_OFFERED";
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <Pane title={words.maintenance} denied={maintenance.denied}>
        {isOn !== undefined && (
          <>
            <p class={`headline ${isOn ? "warn" : "good"}`}>{isOn ? words.isOn : words.isOff}</p>
            <p class="muted padded">{words.maintenanceHelp}</p>
          </>
        )}
      </Pane>
      <Pane title={words.dust} denied={isWithoutDust ? null : dust.denied}>
        <div class="padded">
          {isWithoutDust ? <p class="muted">{words.noDust}</p> : <Told value={dust.value ?? undefined} />}
        </div>
      </Pane>
      <Acts
        desk={desk}
        page="venue"
        on="list"
        now={{
          ...(isOn !== undefined && { [MAINTENANCE]: { isOn } }),
          ...(dust.value !== null && { [DUST]: dust.value }),
        }}
        starts={isOn === undefined ? {} : { [MAINTENANCE]: { isOn: !isOn } }}
      />
    </div>
  );
}
