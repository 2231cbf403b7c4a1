/** Moves the market that is looked at. */
import { useSignal } from "@preact/signals";
import type { MarketMove } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import { LabNumber } from "./lab-number.tsx";
import { LabSeen } from "./lab-seen.tsx";

const DRY_FOR_MS = 60_000;

export function LabMarket({ desk }: { desk: Desk }) {
  const { lab, feed } = desk;
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
  // It never rejects.
  const move = (what: MarketMove): void => void lab.moveMarket(symbol, what).then(() => feed.refresh());
  const shock = (): object => ({
    percent: Number(percent.value),
    overMs: Math.round(Number(seconds.value) * 1000),
  });
  const button = (label: string, what: () => MarketMove) => (
    <button key={label} type="button" class="button" disabled={isBusy} onClick={() => move(what())}>
      {label}
    </button>
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
          onSubmit={(event) => {
            event.preventDefault();
            // A price goes as it was typed: it is exact.
            move({ [name]: name === "fairPrice" ? value.value : Number(value.value) });
          }}
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
