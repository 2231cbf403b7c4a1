/** Settings of the whole venue: maintenance and dust conversion. */
import type { Overview } from "@pricetime/server/answers";
import { consoleSettings as words } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import { ActionButtons } from "../elements.tsx";
import { Pane } from "../../pages/pane.tsx";
import { Answer } from "../forms/confirmation.tsx";
import type { Json } from "../openapi.ts";

const MAINTENANCE = "PUT /v1/maintenance";
const DUST = "PUT /v1/dust-rules";

export function SettingsPage({ context }: { context: Context }) {
  const maintenance = useFetched<{ readonly isOn: boolean }>(context, "/v1/maintenance");
  const overview = useFetched<Overview>(context, "/v1/overview");
  // The route is not requested if the venue does not offer dust conversion: it would return an error, which browsers
  // log.
  const isOffered = overview.value?.isDustOffered;
  const dust = useFetched<Json>(context, isOffered === true ? "/v1/dust-rules" : null);
  const isOn = maintenance.value?.isOn;
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
      <Pane title={words.dust} denied={overview.denied ?? dust.denied}>
        <div class="padded">
          {isOffered === false ? <p class="muted">{words.noDust}</p> : <Answer value={dust.value ?? undefined} />}
        </div>
      </Pane>
      <ActionButtons
        context={context}
        page="settings"
        on="list"
        now={{
          // The button is available before the current value has loaded, because operators may need it in an emergency.
          ...(isOn !== undefined && { [MAINTENANCE]: { isOn } }),
          ...(isOffered !== false && { [DUST]: dust.value ?? undefined }),
        }}
        starts={isOn === undefined ? {} : { [MAINTENANCE]: { isOn: !isOn } }}
        labels={isOn === undefined ? {} : { [MAINTENANCE]: isOn ? words.end : words.start }}
      />
    </div>
  );
}
