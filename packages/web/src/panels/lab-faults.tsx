/** Fault injection: common faults by name, and the active faults with the number of times they occurred. */
import { Button, onSubmitOf, Select, Tick } from "./controls.tsx";
import { useSignal } from "@preact/signals";
import type { Lab } from "../lab/lab.ts";
import type { FaultRequest, LabFault } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { LabNumber, LabSeen } from "./lab-seen.tsx";

type Name = keyof typeof LAB.faultNames;

const LATE_MS = 2000;
const ORDERS = { endpoint: "/api/v3/order", method: "POST" };
const TOO_MANY = { code: -1003, msg: "Too many requests." };

/** The request for each common fault. `where` is extended by the symbol if the fault affects only one market. */
const FAULTS: Readonly<Record<Name, FaultRequest>> = {
  slow: { fault: "delay", ms: LATE_MS, when: "after" },
  failedDone: { fault: "fail-after", where: ORDERS },
  failedUndone: { fault: "fail-before", where: ORDERS },
  silent: { fault: "hang", when: "after", where: ORDERS },
  cut: { fault: "disconnect", when: "after", where: ORDERS },
  limited: { fault: "reply", status: 429, ...TOO_MANY, headers: { "Retry-After": "5" }, where: ORDERS },
  dropped: { fault: "drop" },
  held: { fault: "hold", ms: LATE_MS },
  doubled: { fault: "duplicate" },
  hole: { fault: "gap" },
  ended: { fault: "cut" },
};
const NAMES = Object.keys(FAULTS) as Name[];

const wordsOf = ({ fault, where }: LabFault): string => {
  const whom = Object.values(where).join(", ");
  return `${fault}: ${whom === "" ? LAB.everything : whom}`;
};

/** The active faults and how many times they occurred. */
function FaultList({ lab, faults }: { lab: Lab; faults: readonly LabFault[] }) {
  const isBusy = lab.isBusy.value;
  if (faults.length === 0) return <p class="muted">{LAB.noFaults}</p>;
  return (
    <ul class="lab-list">
      {faults.map((fault) => (
        <li key={fault.id}>
          <span class="grow">{wordsOf(fault)}</span>
          <span class="muted">{LAB.struck(fault.struck)}</span>
          <Button
            aria-label={LAB.remove(wordsOf(fault))}
            disabled={isBusy}
            onClick={() => void lab.removeFault(fault.id)}
          >
            ✕
          </Button>
        </li>
      ))}
      <li>
        <Button disabled={isBusy} onClick={() => void lab.removeFault(null)}>
          {LAB.removeAll}
        </Button>
      </li>
    </ul>
  );
}

export function LabFaults({ terminal }: { terminal: TerminalContext }) {
  return (
    <LabSeen seen={terminal.lab.seen("faults")} absent={LAB.noFaultsHere}>
      {(faults) => <Faults terminal={terminal} faults={faults} />}
    </LabSeen>
  );
}

function Faults({ terminal, faults }: { terminal: TerminalContext; faults: readonly LabFault[] }) {
  const { lab, feed } = terminal;
  const chosen = useSignal<Name>("slow");
  const count = useSignal("1");
  const isAlone = useSignal(false);
  const symbol = feed.market.value?.symbol;
  const isBusy = lab.isBusy.value;

  function add(): void {
    const { where = {}, ...fault } = FAULTS[chosen.value];
    const whom = isAlone.value && symbol !== undefined ? { ...where, symbol } : where;
    void lab.addFault({ ...fault, where: whom, count: Number(count.value) }); // The promise never rejects.
  }

  return (
    <>
      <form class="lab-row" aria-label={LAB.faults} onSubmit={onSubmitOf(add)}>
        <label>
          {LAB.fault}
          <Select
            value={chosen.value}
            options={NAMES.map((name) => [name, LAB.faultNames[name]])}
            onChoose={(name) => (chosen.value = name as Name)}
          />
        </label>
        <LabNumber label={LAB.count} value={count} least={1} />
        {symbol !== undefined && (
          <Tick isOn={isAlone.value} onTick={(isOn) => (isAlone.value = isOn)}>
            {LAB.thisMarketAlone(symbol)}
          </Tick>
        )}
        <button type="submit" class="button primary" disabled={isBusy}>
          {LAB.add}
        </button>
      </form>
      <p class="muted">{LAB.faultsHere}</p>
      <FaultList lab={lab} faults={faults} />
    </>
  );
}
