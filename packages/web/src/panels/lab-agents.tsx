/** Agents that trade beside the lab's bots: what they own and earn, on or off. */
import type { LabAgents as Agents } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import { LabSeen } from "./lab-seen.tsx";
import { showShort } from "./show.ts";

function Row({ desk, agents }: { desk: Desk; agents: Agents }) {
  const { lab, feed } = desk;
  const { id, type, symbol, count, isOn, trades, positionBase, profitQuote } = agents;
  const market = feed.markets.value.get(symbol);
  const what = LAB.agentsOf(type, symbol, count);
  const isBusy = lab.isBusy.value;
  // None of it ever rejects.
  return (
    <li>
      <span class="grow">
        {what}
        <small class="lab-more">
          {LAB.trades(trades)} · {LAB.position} {showShort(positionBase)} {market?.baseAsset} · {LAB.profit}{" "}
          {showShort(profitQuote)} {market?.quoteAsset}
        </small>
      </span>
      <button
        type="button"
        class="button"
        aria-pressed={isOn}
        aria-label={LAB.turn(what)}
        disabled={isBusy}
        onClick={() => void lab.turnAgents(id, !isOn)}
      >
        {LAB.isOn}
      </button>
      <button
        type="button"
        class="button"
        aria-label={LAB.remove(what)}
        disabled={isBusy}
        onClick={() => void lab.removeAgents(id)}
      >
        ✕
      </button>
    </li>
  );
}

export function LabAgents({ desk }: { desk: Desk }) {
  return (
    <LabSeen seen={desk.lab.seen("agents")} absent={LAB.noAgentsHere}>
      {(groups) =>
        groups.length === 0 ? (
          <p class="muted">{LAB.noAgents}</p>
        ) : (
          <ul class="lab-list">
            {groups.map((agents) => (
              <Row key={agents.id} desk={desk} agents={agents} />
            ))}
          </ul>
        )
      }
    </LabSeen>
  );
}
