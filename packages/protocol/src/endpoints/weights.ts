/** Weights that vary with the parameters sent. Interface 4.1, 4.2. */

type Sent = ReadonlyMap<string, string>;

const DEPTH_WEIGHTS: ReadonlyMap<string, number> = new Map([
  ["500", 5],
  ["1000", 10],
  ["5000", 50],
]);

/** The weight by limit; a limit that will be refused costs as little as the smallest. */
export function depthWeight(sent: Sent): number {
  return DEPTH_WEIGHTS.get(sent.get("limit") ?? "") ?? 1;
}

/** 1 for one symbol, else `all`. */
export function bySymbol(all: number): (sent: Sent) => number {
  return (sent) => (sent.has("symbol") ? 1 : all);
}

/** 1 for each symbol, and never more than `all`. */
export function bySymbols(all: number): (sent: Sent) => number {
  return (sent) => {
    if (sent.has("symbol")) return 1;
    const symbols = sent.get("symbols");
    return symbols === undefined ? all : Math.min(all, symbols.split(",").length);
  };
}
