/** The steps that a new venue needs before its first customer can trade, derived from the venue's state. */
import type {
  AssetReport,
  Configuration,
  Invited,
  ListedAsset,
  NetworkState,
  Operator,
  PlainAccount,
} from "@pricetime/server/answers";
import { consolePages, consoleSetup as words } from "../../words/words.ts";
import { type Context, SELDOM_MS, useFetched } from "../context.ts";
import { FormButton, Link } from "../elements.tsx";
import { Pane } from "../../pages/pane.tsx";
import type { PageName } from "../routes.ts";

type StepName = keyof typeof words.steps;

/** The form that completes a step, or the page on which it is completed. */
const ACTIONS: Readonly<Record<StepName, { readonly opens: string } | { readonly page: PageName }>> = {
  operator: { opens: "POST /v1/operators" },
  network: { page: "networks" },
  asset: { opens: "POST /v1/assets" },
  assetNetwork: { page: "assets" },
  market: { opens: "POST /v1/symbols" },
  mail: { page: "emails" },
  approvals: { page: "approvals" },
  customer: { opens: "POST /v1/invitations" },
  deposit: { page: "deposits" },
};

/** Two operators, because one cannot approve their own requests. */
const LEAST_OPERATORS = 2;
/** A market trades one asset for another. */
const LEAST_ASSETS = 2;

/** The report of assets over the longest time that it covers cheaply. */
const MONTHS = { by: "month", periods: 24 };

/** Nothing on a venue that has a market, a customer and a deposit. */
export function SetupChecklist({ context, hasMarket }: { context: Context; hasMarket: boolean }) {
  const customers = useFetched<readonly PlainAccount[]>(context, "/v1/accounts", {
    query: { limit: 1 },
    everyMs: SELDOM_MS,
  }).value;
  const hasCustomer = (customers?.length ?? 0) > 0;
  // Deposits of networks, and those that operators booked by hand.
  const path = hasMarket && hasCustomer ? "/v1/reports/assets" : null;
  const assets = useFetched<AssetReport>(context, path, { query: MONTHS, everyMs: SELDOM_MS }).value;
  if (customers === null || (path !== null && assets === null)) return null;
  if (assets?.rows.some(({ deposits }) => Number(deposits) > 0) === true) return null;
  return <Steps {...{ context, hasMarket, hasCustomer }} />;
}

interface StepsProps {
  readonly context: Context;
  readonly hasMarket: boolean;
  readonly hasCustomer: boolean;
}

function Steps({ context, hasMarket, hasCustomer }: StepsProps) {
  const operators = useFetched<readonly Operator[]>(context, "/v1/operators").value;
  const networks = useFetched<readonly NetworkState[]>(context, "/v1/networks").value;
  const assets = useFetched<readonly ListedAsset[]>(context, "/v1/assets").value;
  const invitations = useFetched<readonly Invited[]>(context, "/v1/invitations").value ?? [];
  const venue = useFetched<Configuration>(context, "/v1/configuration").value;
  const rules = context.approvalRules.value;
  if (operators === null || networks === null || assets === null || venue === null) return null;
  const enabled = operators.filter(({ isEnabled }) => isEnabled).length;
  const isDone: Readonly<Record<StepName, boolean>> = {
    operator: enabled >= LEAST_OPERATORS,
    network: networks.length > 0,
    asset: assets.length >= LEAST_ASSETS,
    assetNetwork: assets.some((asset) => asset.networks.length > 0),
    market: hasMarket,
    mail: venue.hasMailServer,
    approvals: rules !== null && rules.actions.length + rules.withdrawalsAbove.length > 0,
    customer: hasCustomer,
    // The checklist is not shown any more.
    deposit: false,
  };
  /** How many of several objects exist, and whether a customer has not accepted yet. */
  const counts: Partial<Readonly<Record<StepName, string>>> = {
    operator: words.count(enabled, LEAST_OPERATORS),
    asset: words.count(assets.length, LEAST_ASSETS),
    ...(invitations.some(({ holder }) => holder === null) && { customer: words.invited }),
    ...{ mail: words.optional, approvals: words.optional },
  };
  const names = Object.keys(words.steps) as StepName[];
  const done = names.filter((name) => isDone[name]).length;
  return (
    <Pane title={words.title} note={words.progress(done, names.length)}>
      <ol class="setup">
        {names.map((name) => (
          <li key={name} class={isDone[name] ? "done" : ""}>
            <span class={`tag ${isDone[name] ? "good" : ""}`}>
              {isDone[name] ? words.done : (counts[name] ?? words.open)}
            </span>
            <span>
              <b>{words.steps[name].title}</b> <span class="muted">{words.steps[name].help}</span>
            </span>
            {!isDone[name] && <StepAction context={context} name={name} />}
          </li>
        ))}
      </ol>
    </Pane>
  );
}

function StepAction({ context, name }: { context: Context; name: StepName }) {
  const action = ACTIONS[name];
  return "page" in action ? (
    <Link to={{ page: action.page }} class="button">
      {words.show(consolePages[action.page].toLowerCase())}
    </Link>
  ) : (
    <FormButton context={context} form={{ key: action.opens, given: {} }} class="button">
      {words.steps[name].title}
    </FormButton>
  );
}
