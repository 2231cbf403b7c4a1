/** The lab's dialog: its market, agents, faults, replays, scenario and checkpoints. */
import type { LabAgents as Agents, LabCheckpoint, LabPartName, MarketMove } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { LabNumber, LabSeen } from "./lab-seen.tsx";
import { showShort } from "../exact/shown.ts";
import { showDateTime } from "./show.ts";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { LabFaults } from "./lab-faults.tsx";
import { LabReplays } from "./lab-replays.tsx";
import { LabScenario } from "./lab-strip.tsx";
import { bind, Button, onSubmitOf, Tabs, Window } from "./controls.tsx";

// Agents that trade alongside the lab's bots: position, profit, and whether they are on.

function AgentsRow({ terminal, agents }: { terminal: TerminalContext; agents: Agents }) {
  const { lab, feed } = terminal;
  const { id, type, symbol, count, isOn, trades, positionBase, profitQuote } = agents;
  const market = feed.markets.value.get(symbol);
  const what = LAB.agentsOf(type, symbol, count);
  const isBusy = lab.isBusy.value;
  // These promises never reject.
  return (
    <li>
      <span class="grow">
        {what}
        <small class="lab-more">
          {LAB.trades(trades)} · {LAB.position} {showShort(positionBase)} {market?.baseAsset} · {LAB.profit}{" "}
          {showShort(profitQuote)} {market?.quoteAsset}
        </small>
      </span>
      <Button
        aria-pressed={isOn}
        aria-label={LAB.turn(what)}
        disabled={isBusy}
        onClick={() => void lab.turnAgents(id, !isOn)}
      >
        {LAB.isOn}
      </Button>
      <Button aria-label={LAB.remove(what)} disabled={isBusy} onClick={() => void lab.removeAgents(id)}>
        ✕
      </Button>
    </li>
  );
}

function LabAgents({ terminal }: { terminal: TerminalContext }) {
  return (
    <LabSeen seen={terminal.lab.seen("agents")} absent={LAB.noAgentsHere}>
      {(groups) =>
        groups.length === 0 ? (
          <p class="muted">{LAB.noAgents}</p>
        ) : (
          <ul class="lab-list">
            {groups.map((agents) => (
              <AgentsRow key={agents.id} terminal={terminal} agents={agents} />
            ))}
          </ul>
        )
      }
    </LabSeen>
  );
}

// Lists, saves and restores checkpoints of the lab.

/** The pattern of names that the node accepts. */
const CHECKPOINT_NAME = "[A-Za-z0-9][A-Za-z0-9._:~\\-]{0,99}";

function LabCheckpoints({ terminal }: { terminal: TerminalContext }) {
  return (
    <LabSeen seen={terminal.lab.seen("checkpoints")} absent={LAB.noCheckpointsHere}>
      {(checkpoints) => <Checkpoints terminal={terminal} checkpoints={checkpoints} />}
    </LabSeen>
  );
}

function Checkpoints({ terminal, checkpoints }: { terminal: TerminalContext; checkpoints: readonly LabCheckpoint[] }) {
  const { lab, ask, preferences } = terminal;
  const name = useSignal("");
  const isBusy = lab.isBusy.value;
  const take = async (): Promise<void> => {
    if (await lab.takeCheckpoint(name.value)) name.value = "";
  };
  const reset = async (): Promise<void> => {
    if (await ask.confirm({ title: LAB.resetTitle, facts: LAB.resetFacts, yes: LAB.reset })) await lab.reset();
  };
  // These promises never reject.
  return (
    <>
      <form class="lab-row" aria-label={LAB.checkpoints} onSubmit={onSubmitOf(() => void take())}>
        <label>
          {LAB.checkpointName}
          <input
            type="text"
            class="words"
            required
            pattern={CHECKPOINT_NAME}
            autocomplete="off"
            spellcheck={false}
            {...bind(name)}
          />
        </label>
        <button type="submit" class="button primary" disabled={isBusy}>
          {LAB.take}
        </button>
      </form>
      {checkpoints.length === 0 ? (
        <p class="muted">{LAB.noCheckpoints}</p>
      ) : (
        <ul class="lab-list">
          {checkpoints.map((one) => (
            <li key={one.name}>
              <span class="grow">{one.name}</span>
              <span class="muted">{showDateTime(one.nowMs, preferences.timeZone.value)}</span>
              <Button aria-label={LAB.restoreTo(one.name)} disabled={isBusy} onClick={() => void lab.restore(one.name)}>
                {LAB.restore}
              </Button>
              <Button
                aria-label={LAB.delete(one.name)}
                disabled={isBusy}
                onClick={() => void lab.deleteCheckpoint(one.name)}
              >
                ✕
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div class="lab-row">
        <Button disabled={isBusy} onClick={() => void reset()}>
          {LAB.reset}
        </Button>
      </div>
    </>
  );
}

// Changes the selected market.

const DRY_FOR_MS = 60_000;

function LabMarket({ terminal }: { terminal: TerminalContext }) {
  const { lab, feed } = terminal;
  const market = feed.market.value;
  const percent = useSignal("10");
  const seconds = useSignal("10");
  const volatility = useSignal("5");
  const spread = useSignal("5");
  const fairPrice = useSignal("");
  const seen = lab.seen("markets");
  if (seen.state !== "known") return <LabSeen seen={seen} absent={LAB.noMoves} />;
  if (market === null) return <p class="muted">{LAB.noMoves}</p>;
  const { symbol, status } = market;
  const isBusy = lab.isBusy.value;
  // The promise never rejects.
  const move = (what: MarketMove): void => void lab.moveMarket(symbol, what).then(() => feed.refresh());
  const shock = (): object => ({
    percent: Number(percent.value),
    overMs: Math.round(Number(seconds.value) * 1000),
  });
  const button = (label: string, what: () => MarketMove) => (
    <Button key={label} disabled={isBusy} onClick={() => move(what())}>
      {label}
    </Button>
  );
  return (
    <>
      <h3>{LAB.market(symbol)}</h3>
      <div class="lab-row">
        <LabNumber label={LAB.percent} value={percent} />
        <LabNumber label={LAB.overSeconds} value={seconds} />
        {button(LAB.crash, () => ({ crash: shock() }))}
        {button(LAB.spike, () => ({ spike: shock() }))}
      </div>
      <div class="lab-row" role="group" aria-label={LAB.dryUp}>
        <span>{LAB.dryUp}</span>
        {button(LAB.dryUpBuy, () => ({ dryUp: { side: "BUY", forMs: DRY_FOR_MS } }))}
        {button(LAB.dryUpSell, () => ({ dryUp: { side: "SELL", forMs: DRY_FOR_MS } }))}
      </div>
      {(
        [
          ["volatility", LAB.volatility, volatility],
          ["spread", LAB.spread, spread],
          ["fairPrice", LAB.fairPrice, fairPrice],
        ] as const
      ).map(([name, label, value]) => (
        <form
          key={name}
          class="lab-row"
          aria-label={label}
          onSubmit={onSubmitOf(() => {
            // A price is sent as typed, so that it stays exact.
            move({ [name]: name === "fairPrice" ? value.value : Number(value.value) });
          })}
        >
          <LabNumber label={label} value={value} />
          <button type="submit" class="button" disabled={isBusy}>
            {LAB.set}
          </button>
        </form>
      ))}
      <div class="lab-row" role="group" aria-label={LAB.status}>
        <span>
          {LAB.status}: {status}
        </span>
        {button(LAB.halt, () => ({ halt: true }))}
        {button(LAB.resume, () => ({ resume: true }))}
      </div>
    </>
  );
}

// The lab's dialog.

type Shown = LabPartName | "clock";
const BODY = "lab-body";

function GoTo({ terminal: { lab } }: { terminal: TerminalContext }) {
  const text = useSignal("");
  const problem = useSignal("");
  const go = async (): Promise<void> => {
    const timeMs = Date.parse(`${text.value}Z`);
    problem.value = Number.isNaN(timeMs) ? LAB.notATime : "";
    if (problem.value === "") await lab.goTo(timeMs);
  };
  return (
    <form
      class="lab-row"
      onSubmit={onSubmitOf(() => void go())} // The promise never rejects: errors are shown in the strip and the dialog.
    >
      <label>
        {LAB.goTo}
        <input type="datetime-local" step="1" {...bind(text)} />
      </label>
      <button type="submit" class="button" disabled={lab.isBusy.value}>
        {LAB.go}
      </button>
      {lab.clock.value?.mode === "manual" && (
        <Button
          disabled={lab.isBusy.value}
          onClick={() => void lab.advanceUntilIdle()} // The promise never rejects.
        >
          {LAB.untilIdle}
        </Button>
      )}
      {problem.value !== "" && <p class="refusal">{problem}</p>}
    </form>
  );
}

export function LabWindow({ terminal }: { terminal: TerminalContext }) {
  const { lab } = terminal;
  const scenario = lab.seen("scenario");
  const isPlayed = scenario.state === "known" && scenario.value !== null;
  const shown = useSignal<Shown>(isPlayed ? "scenario" : "markets");
  const name = shown.value;
  useEffect(() => lab.watch(name === "clock" ? undefined : name), [lab, name]);
  const counted = (part: "agents" | "replays" | "faults" | "checkpoints") => {
    const seen = lab.seen(part);
    return { name: part, label: LAB[part], count: seen.state === "known" ? seen.value.length : 0 };
  };
  const refusal = lab.refusal.value;
  return (
    <Window title={LAB.name} class="lab-window" onClose={() => (terminal.overlay.value = "none")}>
      <Tabs<Shown>
        label={LAB.name}
        chosen={name}
        controls={BODY}
        tabs={[
          { name: "markets", label: LAB.marketShort },
          counted("agents"),
          counted("replays"),
          { name: "scenario", label: LAB.scenario },
          counted("faults"),
          counted("checkpoints"),
          { name: "clock", label: LAB.clockShort },
        ]}
        onChoose={(chosen) => (shown.value = chosen)}
      />
      <div class="body" id={BODY} role="tabpanel" aria-label={LAB.name}>
        {name === "markets" && <LabMarket terminal={terminal} />}
        {name === "agents" && <LabAgents terminal={terminal} />}
        {name === "replays" && <LabReplays terminal={terminal} />}
        {name === "scenario" && <LabScenario terminal={terminal} />}
        {name === "faults" && <LabFaults terminal={terminal} />}
        {name === "checkpoints" && <LabCheckpoints terminal={terminal} />}
        {name === "clock" && <GoTo terminal={terminal} />}
        <p class="lab-word" role="status">
          {lab.isBusy.value ? LAB.busy : refusal !== null && <span class="refusal">{refusal}</span>}
        </p>
      </div>
    </Window>
  );
}
