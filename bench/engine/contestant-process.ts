/**
 * One implementation on one flow, in a process of its own: `contestant-process.ts <contestant> <flow> <symbols> <seed>
 * <steps>`. Loads the flow, then runs the requested slices.
 */
import { BARE, type Contestant, ENGINE, HFT_BOOK, NODE_BOOK, type Run } from "./contestants.ts";
import type { Report, RoundOrder } from "./messages.ts";
import { type FlowName, makeFlow } from "./flow.ts";
import { collectGarbage } from "./garbage.ts";
import { PauseMeter } from "./pauses.ts";

const CONTESTANTS: readonly Contestant[] = [ENGINE, BARE, NODE_BOOK, HFT_BOOK];

const [name, flowName, symbols, seed, steps] = process.argv.slice(2);

function say(report: Report): void {
  process.send?.(report);
}

function load(): Run {
  const contestant = CONTESTANTS.find((each) => each.name === name);
  if (contestant === undefined) throw new Error(`no contestant ${name}`);
  const flow = makeFlow(flowName as FlowName, Number(symbols), Number(seed), Number(steps));
  const run = contestant.load(flow);
  const { adds, cancels, crossing } = flow;
  say({ type: "loaded", flow: { opening: flow.opening.length, adds, cancels, crossing } });
  return run;
}

async function carryOut(run: Run, { kind, from, to }: RoundOrder): Promise<void> {
  collectGarbage();
  const meter = kind === "pauses" ? new PauseMeter(to - from) : null;
  const started = performance.now();
  if (meter === null) for (let i = from; i < to; i++) run.step(i);
  else meter.measure((i) => run.step(from + i));
  const perSecond = ((to - from) / (performance.now() - started)) * 1000;
  say({ type: "round", perSecond, pauses: (await meter?.result()) ?? null });
}

try {
  const run = load();
  process.on("message", (order: RoundOrder | "outcome") => {
    if (order === "outcome") say({ type: "outcome", outcome: run.outcome() });
    else carryOut(run, order).catch((error) => say({ type: "failed", reason: String(error) }));
  });
} catch (error) {
  say({ type: "failed", reason: String(error) });
}
