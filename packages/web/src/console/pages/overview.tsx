/** The overview page: health, pending work, the dashboard of the business, suspensions, and charts of the last hour. */
import type { Figure, Overview } from "@pricetime/server/answers";
import {
  consoleDashboard as venueWords,
  consoleOverview as words,
  consoleSuspensions,
  consoleWords,
  pagesWords,
} from "../../words/words.ts";
import { showSpan } from "../../panels/show.ts";
import { grouped } from "../../exact/shown.ts";
import { byNeed } from "../by-need.tsx";
import { type Fetched, type Context, OFTEN_MS, useFetched } from "../context.ts";
import { ActionButtons, Link, Spark } from "../elements.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { showAge, showBytes, showFigure, showMoment } from "../../pages/format.ts";
import { HISTORY_LAG, venueState } from "../venue-state.ts";
import { Dashboard } from "./dashboard.tsx";
import { LIFT, SET, SuspensionsPane } from "./suspensions.tsx";

const SetupChecklist = byNeed(() => import("./setup-checklist.tsx").then((module) => module.SetupChecklist));

const HASH_SHOWN = 16;
const HOUR_MS = 3_600_000;

/** The time span of the charts; "" once they cover the full hour. */
function spanOf({ figures, periodMs }: Overview): string {
  const shownMs = Math.max(0, ...figures.map(({ hour }) => hour.length)) * periodMs;
  return shownMs < HOUR_MS ? words.soFar(showSpan(shownMs)) : "";
}

export function OverviewPage({ context }: { context: Context }) {
  const fetched = useFetched<Overview>(context, "/v1/overview", { everyMs: OFTEN_MS });
  const { value } = fetched;
  return (
    <div class="page overview">
      <h1>{words.title}</h1>
      {value !== null && <SetupChecklist context={context} hasMarket={Object.keys(value.markets).length > 0} />}
      <Health fetched={fetched} />
      {value !== null && (
        <>
          <Waiting value={value} />
          <Dashboard context={context} />
          <SuspensionsPane context={context} />
          <Pane title={words.hour} class="figures-pane" note={spanOf(value)}>
            <div class={`figure-grid ${fetched.denied === null ? "" : "stale"}`}>
              {value.figures.map((figure) => (
                <FigureCard key={figure.name} figure={figure} />
              ))}
            </div>
          </Pane>
          <div class="two">
            <Positions context={context} value={value} />
            <Running context={context} value={value} />
          </div>
        </>
      )}
      <Pane title={consoleWords.actions}>
        <ActionButtons context={context} page="overview" on="list" hidden={[SET, LIFT]} />
      </Pane>
    </div>
  );
}

function Health({ fetched: { value, denied } }: { fetched: Fetched<Overview> }) {
  const state = venueState(value, denied === null);
  const faults = Object.entries(value?.faults ?? {});
  const warnings = [...Object.entries(value?.warnings ?? {}), ...Object.entries(value?.networks ?? {})];
  const isBehind = value !== null && value.history.lag >= HISTORY_LAG;
  return (
    <Pane title={words.health} denied={denied} class={`health ${state?.tone === "bad" ? "ill" : ""}`}>
      {value !== null && state !== null && (
        <>
          <p class={`headline ${state.tone}`}>
            {venueWords.state[state.name][1]} {state.suspended.map(consoleSuspensions.scopeName).join(", ")}
          </p>
          {isBehind && <p class="muted">{venueWords.historyBehind(grouped(String(value.history.lag)))}</p>}
          {faults.length + warnings.length === 0 ? (
            <p class="muted">{words.noFailures}</p>
          ) : (
            <ul class="troubles">
              {faults.map(([name, text]) => (
                <li key={name}>
                  <span class="tag bad">{name}</span> {text}
                </li>
              ))}
              {warnings.map(([name, text]) => (
                <li key={name}>
                  <span class="tag warn">{name}</span> {text}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Pane>
  );
}

/** Pending work for operators, with links. */
function Waiting({ value: { withdrawals, markets, unattributedDeposits, suspensions } }: { value: Overview }) {
  const all = Object.values(markets).reduce((sum, count) => sum + count, 0);
  const isSuspended = suspensions.some(({ scope }) => scope === "trading" || scope === "placing");
  const trading = isSuspended ? 0 : (markets["TRADING"] ?? 0);
  const cards = [
    [words.awaiting, withdrawals["awaitingApproval"] ?? 0, "withdrawals", true, "awaitingApproval"],
    [words.processing, withdrawals["processing"] ?? 0, "withdrawals", false, "processing"],
    [words.emailSent, withdrawals["emailSent"] ?? 0, "withdrawals", false, "emailSent"],
    [words.unattributed, unattributedDeposits, "deposits", true],
    [words.trading, trading, "markets", false],
    [words.closed, all - trading, "markets", true],
  ] as const;
  return (
    <div class="cards">
      {cards.map(([label, count, page, calls, status]) => (
        <Link
          key={label}
          to={{ page, ...(status !== undefined && { params: { status } }) }}
          class={`card ${calls && count > 0 ? "calls" : ""}`}
        >
          <b>{grouped(String(count))}</b> <span>{label}</span>
        </Link>
      ))}
    </div>
  );
}

function FigureCard({ figure: { name, unit, now, hour } }: { figure: Figure }) {
  const label = words.figures[name] ?? name;
  const known = hour.filter((one): one is number => one !== null);
  const most = known.length === 0 ? null : Math.max(...known);
  return (
    <div class="figure" data-figure={name}>
      <div class="figure-head">
        <span class="muted">{label}</span>
        <b>{showFigure(now, unit)}</b>
      </div>
      <Spark hour={hour} label={words.spark(label, showFigure(now, unit), showFigure(most, unit))} />
      <div class="muted figure-foot">{words.most(showFigure(most, unit))}</div>
    </div>
  );
}

function Positions({ context, value: { journal, state, history } }: { context: Context; value: Overview }) {
  return (
    <Pane title={words.positions}>
      <Facts
        rows={{
          [words.journal]: <Link to={{ page: "journal" }}>{grouped(String(journal.lastSeq))}</Link>,
          [words.journalTime]: showMoment(context, journal.lastTimeMs),
          [words.chain]: <code title={journal.chainHash}>{journal.chainHash.slice(0, HASH_SHOWN)}…</code>,
          [words.state]: grouped(String(state.seq)),
          [words.history]: `${grouped(String(history.seq))} (${words.lag(history.lag)})`,
        }}
      />
    </Pane>
  );
}

function Running({ context, value }: { context: Context; value: Overview }) {
  const { version, startedMs, disk, tasks } = value;
  const held = Object.entries(tasks).map(([role, who]) => `${role}: ${who}`);
  return (
    <Pane title={words.node}>
      <Facts
        rows={{
          [words.version]: version,
          [words.interface]: words.interfaces[value.interface],
          [words.orderIds]: words.orderIdScopes[value.orderIds],
          [words.started]: `${showMoment(context, startedMs)} (${showAge(context, startedMs)})`,
          [words.disk]:
            disk === null ? pagesWords.noFigure : words.diskFree(showBytes(disk.freeBytes), showBytes(disk.totalBytes)),
          ...(held.length > 0 && { [words.tasks]: held.join(", ") }),
        }}
      />
    </Pane>
  );
}

// The data of the overview.
