/** Settings of the whole venue: maintenance and dust conversion. */
import type { CommissionDiscountAnswer, Configuration, Overview } from "@pricetime/server/answers";
import { consoleFees, consoleMarkets, consoleSettings as words } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import { ActionButtons } from "../elements.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { Answer } from "../forms/confirmation.tsx";
import type { Json } from "../openapi.ts";

const MAINTENANCE = "PUT /v1/maintenance";
const DUST = "PUT /v1/dust-rules";
const DISCOUNT = "PUT /v1/commission-discount";
const NO_DISCOUNT = "DELETE /v1/commission-discount";

export function SettingsPage({ context }: { context: Context }) {
  const maintenance = useFetched<{ readonly isOn: boolean }>(context, "/v1/maintenance");
  const overview = useFetched<Overview>(context, "/v1/overview");
  // The route is not requested if the venue does not offer dust conversion: it would return an error, which browsers
  // log.
  const isOffered = overview.value?.isDustOffered;
  const dust = useFetched<Json>(context, isOffered === true ? "/v1/dust-rules" : null);
  const discount = useFetched<CommissionDiscountAnswer>(context, "/v1/commission-discount");
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
      <FeesPane context={context} />
      <Pane title={words.discount} denied={discount.denied}>
        {discount.value !== null && <DiscountFacts {...discount.value} />}
      </Pane>
      <ActionButtons
        context={context}
        page="settings"
        on="list"
        hidden={discount.value?.discount === null ? [NO_DISCOUNT] : []}
        now={{
          // The button is available before the current value has loaded, because operators may need it in an emergency.
          ...(isOn !== undefined && { [MAINTENANCE]: { isOn } }),
          ...(isOffered !== false && { [DUST]: dust.value ?? undefined }),
          ...(discount.value?.discount && { [DISCOUNT]: discount.value.discount }),
        }}
        starts={isOn === undefined ? {} : { [MAINTENANCE]: { isOn: !isOn } }}
        labels={isOn === undefined ? {} : { [MAINTENANCE]: isOn ? words.end : words.start }}
      />
    </div>
  );
}

function FeesPane({ context }: { context: Context }) {
  const { value, denied } = useFetched<Configuration>(context, "/v1/configuration");
  return (
    <Pane title={consoleFees.venue} denied={denied}>
      {value !== null && (
        <>
          <Facts
            rows={{
              [consoleFees.makerName]: consoleMarkets.percent(value.fees.makerBps),
              [consoleFees.takerName]: consoleMarkets.percent(value.fees.takerBps),
            }}
          />
          <p class="muted padded">{consoleFees.venueHelp}</p>
        </>
      )}
    </Pane>
  );
}

function DiscountFacts({ discount }: CommissionDiscountAnswer) {
  if (discount === null) return <p class="muted padded">{words.noDiscount}</p>;
  const { asset, factorBps, excludedSymbols } = discount;
  return (
    <>
      <Facts
        rows={{
          [words.discountAsset]: asset,
          [words.discountOff]: consoleMarkets.percent(10_000 - factorBps),
          [words.excludedMarkets]: excludedSymbols.length === 0 ? words.noExcluded : excludedSymbols.join(", "),
        }}
      />
      <p class="muted padded">{words.discountHelp}</p>
    </>
  );
}
