/** Lists a market: two assets and a price suggest all other values, and a preview shows what clients will see. */
import type { Configuration, ListedAsset, ListedSymbol, Overview } from "@pricetime/server/answers";
import { type Signal, useSignal } from "@preact/signals";
import { Button } from "../../panels/controls.tsx";
import { AmountField, Choice, Field } from "../../pages/form.tsx";
import { Facts } from "../../pages/pane.tsx";
import { divideDown, formatShort, multiply, parseDecimal } from "../../exact/decimal.ts";
import { grouped } from "../../exact/shown.ts";
import { consoleForms, consoleListMarket as words, consoleMarkets } from "../../words/words.ts";
import { stepOriginOf } from "../../rules/market-filters.ts";
import { useFetched } from "../context.ts";
import { goTo } from "../place.ts";
import { MarketPreview } from "./market-preview.tsx";
import {
  assetsOf,
  assetsProblem,
  bandFields,
  bodyOf,
  COUNT_FIELDS,
  type FieldName,
  type FilterForms,
  type MarketDraft,
  marketOf,
  NEW_DRAFT,
  PRICE_FIELDS,
  quantityFields,
  RULE_FIELDS,
  symbolOf,
  valuesOf,
  valuesProblem,
} from "./market-draft.ts";
import { type Step, StepsWindow } from "./steps.tsx";
import { cell } from "./typed-text.ts";
import { type TaskProps, TaskWindow } from "./task-window.tsx";

const LIST_ASSET = "POST /v1/assets";

export function ListMarket(props: TaskProps) {
  const { context, openForm } = props;
  const draft = useSignal(NEW_DRAFT);
  const assets = useFetched<readonly ListedAsset[]>(context, "/v1/assets").value;
  const symbols = useFetched<readonly ListedSymbol[]>(context, "/v1/symbols").value ?? [];
  const venue = useFetched<Configuration>(context, "/v1/configuration").value;
  const listed = assets ?? [];
  const now = draft.value;
  const ofVenue = useFetched<Overview>(context, "/v1/overview").value?.interface ?? "2019";
  const forms = now.forms ?? ofVenue;
  const traded = assetsOf(now, listed);
  const values = valuesOf(now, traded);
  const terms = { orderTypes: orderTypesOf(props), stepOrigin: stepOriginOf(ofVenue) };
  const market = marketOf(now, listed, forms, terms);
  const fields = { draft, values };
  const names = symbols.map(({ symbol }) => symbol);
  if (assets !== null && assets.length < 2) return <NeedsAssets {...props} />;
  const steps: Step[] = [
    {
      name: words.steps.assets,
      check: () => assetsProblem(now, listed, names),
      children: <AssetFields draft={draft} assets={listed} forms={forms} />,
    },
    {
      name: words.steps.trading,
      check: () => valuesProblem(values, [...PRICE_FIELDS, ...quantityFields(forms)]),
      children: (
        <>
          <p class="muted">{words.suggestions}</p>
          <ValueFields {...fields} names={PRICE_FIELDS} unit={now.quote} help={{ tickSize: tickHelp(values, now) }} />
          <ValueFields
            {...fields}
            names={quantityFields(forms)}
            unit={now.base}
            help={{ stepSize: stepHelp(values, now) }}
          />
          {Object.keys(now.changed).length > 0 && (
            <Button onClick={() => (draft.value = { ...now, changed: {} })}>{words.useSuggestions}</Button>
          )}
        </>
      ),
    },
    {
      name: words.steps.rules,
      check: () => valuesProblem(values, [...bandFields(forms), ...RULE_FIELDS]),
      children: <Rules {...fields} forms={forms} venue={venue} />,
    },
    {
      name: words.steps.review,
      check: () => "",
      children: <Review draft={now} values={values} venue={venue} />,
    },
  ];
  return (
    <StepsWindow
      {...props}
      steps={steps}
      request={() => (market === null ? {} : { body: bodyOf(now, market) })}
      onDone={() => goTo({ page: "markets", subject: symbolOf(now) })}
      aside={
        market !== null &&
        parseDecimal(now.price.trim()) !== null && (
          <MarketPreview
            key={openForm.key}
            market={market}
            status={now.status}
            price={now.price.trim()}
            takerBps={venue?.fees.takerBps ?? 0}
          />
        )
      }
    />
  );
}

interface RulesProps extends DraftProps {
  readonly forms: FilterForms;
  readonly values: Readonly<Record<FieldName, string>>;
  readonly venue: Configuration | null;
}

function Rules({ venue, forms, ...fields }: RulesProps) {
  const { draft } = fields;
  return (
    <>
      <ValueFields
        {...fields}
        names={bandFields(forms)}
        unit=""
        labels={forms === "2019" ? {} : words.bidFields}
        help={{ multiplierDown: words.bandHelp }}
      />
      <ValueFields
        {...fields}
        names={RULE_FIELDS}
        unit=""
        help={{ rangeDown: words.rangeHelp, trailingMost: words.trailingHelp, maxPosition: words.positionHelp }}
      />
      <Choice
        id="market-start"
        label={words.start}
        value={draft.value.status}
        options={Object.entries(words.starts)}
        onChoose={(status) => (draft.value = { ...draft.value, status: status === "HALT" ? "HALT" : "TRADING" })}
      />
      <FeesShown venue={venue} />
    </>
  );
}

function rangeShown({ rangeUp, rangeDown }: Readonly<Record<FieldName, string>>): string {
  return consoleMarkets.rangeIs(rangeDown.trim(), rangeUp.trim());
}

interface ReviewProps {
  readonly draft: MarketDraft;
  readonly values: Readonly<Record<FieldName, string>>;
  readonly venue: Configuration | null;
}

function Review({ draft, values, venue }: ReviewProps) {
  return (
    <>
      <Facts
        rows={{
          [words.symbol]: <b>{symbolOf(draft)}</b>,
          [words.base]: draft.base,
          [words.quote]: draft.quote,
          [words.range]: rangeShown(values),
          [words.start]: words.starts[draft.status],
        }}
      />
      <FeesShown venue={venue} />
    </>
  );
}

/** The order types that the node sets if the request names none. */
function orderTypesOf({ context, openForm }: TaskProps): readonly string[] {
  const types = context.operations.value.get(openForm.key)?.body?.properties?.["orderTypes"]?.default;
  return Array.isArray(types) ? types.map(String) : [];
}

function NeedsAssets({ context, openForm }: TaskProps) {
  return (
    <TaskWindow {...{ context, openForm }} isOff request={() => ({})}>
      <p class="warned">{words.needsAssets}</p>
      <div class="row-of">
        <Button class="button primary" onClick={() => (context.openForm.value = { key: LIST_ASSET, given: {} })}>
          {words.listAsset}
        </Button>
      </div>
    </TaskWindow>
  );
}

interface DraftProps {
  readonly draft: Signal<MarketDraft>;
}

interface AssetFieldsProps extends DraftProps {
  readonly assets: readonly ListedAsset[];
  readonly forms: FilterForms;
}

function AssetFields({ draft, assets, forms }: AssetFieldsProps) {
  const now = draft.value;
  const options: [string, string][] = [
    ["", words.choose],
    ...assets.map(({ asset, name }): [string, string] => [asset, `${asset} – ${name}`]),
  ];
  // Other assets have other suggestions, so that earlier changes no longer apply.
  const choose = (asset: "base" | "quote") => (value: string) => {
    draft.value = { ...now, [asset]: value, changed: {} };
  };
  return (
    <>
      <Choice
        {...{ id: "market-base", label: words.base, help: words.baseHelp, options }}
        value={now.base}
        onChoose={choose("base")}
      />
      <Choice
        {...{ id: "market-quote", label: words.quote, help: words.quoteHelp, options }}
        value={now.quote}
        onChoose={choose("quote")}
      />
      <AmountField
        id="market-price"
        label={now.quote === "" ? words.price : `${words.price} (${now.quote})`}
        value={cell(now.price, (price) => (draft.value = { ...now, price }))}
        help={words.priceHelp}
      />
      <Field
        id="market-symbol"
        label={words.symbol}
        value={cell(symbolOf(now), (symbol) => (draft.value = { ...now, symbol: symbol.toUpperCase() }))}
        help={words.symbolHelp}
      />
      <Choice
        {...{ id: "market-forms", label: words.forms, help: words.formsHelp, options: FORMS }}
        value={forms}
        onChoose={(chosen) => (draft.value = { ...now, forms: chosen as FilterForms })}
      />
    </>
  );
}

const FORMS = Object.entries(words.formNames);

interface ValueFieldsProps extends DraftProps {
  readonly values: Readonly<Record<FieldName, string>>;
  readonly names: readonly FieldName[];
  readonly unit: string;
  /** Labels that differ from the usual ones. */
  readonly labels?: Partial<Readonly<Record<FieldName, string>>>;
  readonly help?: Partial<Readonly<Record<FieldName, string>>>;
}

function ValueFields({ draft, values, names, unit, labels = {}, help = {} }: ValueFieldsProps) {
  return (
    <div class="pairs">
      {names.map((name) => (
        <ValueField
          key={name}
          {...{ draft, name, value: values[name], label: labels[name] ?? words.fields[name], help: help[name] }}
          unit={isOrderValue(name) ? draft.value.quote : name === "maxPosition" ? draft.value.base : unit}
        />
      ))}
    </div>
  );
}

const isOrderValue = (name: FieldName): boolean => name === "minNotional" || name === "maxNotional";

interface ValueFieldProps extends DraftProps {
  readonly name: FieldName;
  readonly value: string;
  readonly label: string;
  readonly unit: string;
  readonly help: string | undefined;
}

function ValueField({ draft, name, value, label, unit, help }: ValueFieldProps) {
  const now = draft.value;
  const id = `market-${name}`;
  const field = {
    label: unit === "" ? label : `${label} (${unit})`,
    value: cell(value, (text) => (draft.value = { ...now, changed: { ...now.changed, [name]: text } })),
    help: help ?? (name.startsWith("max") ? words.empty : undefined),
  };
  const isCount = COUNT_FIELDS.some((one) => one === name);
  return isCount ? <Field id={id} {...field} inputMode="numeric" /> : <AmountField id={id} {...field} />;
}

function tickHelp({ tickSize }: Readonly<Record<FieldName, string>>, { price }: MarketDraft): string {
  const [tick, near] = [parseDecimal(tickSize), parseDecimal(price.trim())];
  if (tick === null || near === null || near.units <= 0n) return words.permanent;
  return words.tickIs(formatShort(divideDown(multiply(tick, { units: 100n, digits: 0 }), near, 6)));
}

function stepHelp({ stepSize }: Readonly<Record<FieldName, string>>, { price, quote }: MarketDraft): string {
  const [step, near] = [parseDecimal(stepSize), parseDecimal(price.trim())];
  if (step === null || near === null) return words.permanent;
  return words.stepIs(`${grouped(formatShort(multiply(step, near)))} ${quote}`);
}

function FeesShown({ venue }: { venue: Configuration | null }) {
  if (venue === null) return <p class="muted">{consoleForms.loading}</p>;
  const { makerBps, takerBps } = venue.fees;
  return (
    <>
      <Facts
        rows={{ [words.fees]: words.feesAre(consoleMarkets.percent(makerBps), consoleMarkets.percent(takerBps)) }}
      />
      <p class="muted">{words.feesHelp}</p>
    </>
  );
}
