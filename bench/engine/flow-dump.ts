/**
 * Writes a flow to a file, so that other engines can be measured with it. README.md in this folder describes the
 * format.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { FLOW_NAMES, type FlowName, makeFlow, type Step } from "./flow.ts";
import { thousands } from "../measure.ts";

const SEED = 1;
const STEPS = 500_000;
/** Rows written at once. */
const CHUNK = 10_000;

export interface DumpOptions {
  readonly file: string;
  readonly flow: string;
  readonly symbols: number;
}

export function dump({ file, flow: name, symbols }: DumpOptions): string {
  if (!FLOW_NAMES.includes(name as FlowName)) throw new Error(`no flow ${name}; there are ${FLOW_NAMES.join(", ")}`);
  if (!Number.isInteger(symbols) || symbols < 1) throw new Error("--symbols is a number of symbols");
  const { opening, steps } = makeFlow(name as FlowName, symbols, SEED, STEPS);
  const rows = rowsOf(opening, steps, symbols > 1);
  const out = openSync(file, "w");
  for (let at = 0; at < rows.length; at += CHUNK) writeSync(out, `${rows.slice(at, at + CHUNK).join("\n")}\n`);
  closeSync(out);
  return `${file}: ${thousands(opening.length)} opening orders, ${thousands(steps.length)} timed steps of ${name}, seed ${SEED}`;
}

function rowsOf(opening: readonly Step[], steps: readonly Step[], withSymbol: boolean): string[] {
  const placed = new Map<number, string>();
  const row = (op: string, step: Step): string => {
    if (step.kind === "place") {
      const terms = `${step.buys ? "BUY" : "SELL"},${step.ticks},${step.lots}`;
      placed.set(step.orderId, withSymbol ? `${terms},${step.symbolId}` : terms);
    }
    return `${op},${step.orderId},${placed.get(step.orderId)}`;
  };
  const head = withSymbol ? "op,id,side,price_ticks,lots,symbol" : "op,id,side,price_ticks,lots";
  const timed = (step: Step): string => row(step.kind === "place" ? "add" : "cancel", step);
  return [head, ...opening.map((step) => row("open", step)), ...steps.map(timed)];
}
