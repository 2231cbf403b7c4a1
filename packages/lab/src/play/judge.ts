/** Judges what must hold in a scenario, after each thing that has happened. */
import type { Assertion, AssertKind, Condition } from "@pricetime/server/scenarios";
import { findingOf } from "./conditions.ts";
import type { World } from "./world.ts";

/** The state of one assertion. `atMs`: when it was decided, unless the end decides it. */
export interface Verdict {
  readonly kind: AssertKind;
  readonly name: string;
  readonly state: "holds" | "waiting" | "failed";
  /** The values when it was decided; before that, the present ones. */
  readonly text: string;
  readonly atMs?: number;
  /** The number of moments at which it did not hold. */
  readonly failures: number;
}

interface Judged {
  readonly assertion: Assertion;
  state: Verdict["state"];
  text: string;
  atMs?: number;
  failures: number;
}

export class Judge {
  readonly #world: World;
  readonly #bot: string;
  readonly #judged: readonly Judged[];

  constructor(assertions: readonly Assertion[], world: World, bot: string) {
    this.#world = world;
    this.#bot = bot;
    this.#judged = assertions.map((assertion) => ({
      assertion,
      state: assertion.kind === "always" || assertion.kind === "never" ? "holds" : "waiting",
      text: "",
      failures: 0,
    }));
  }

  /** The state of `world` is that of this moment. */
  look(atMs: number): void {
    for (const judged of this.#judged) {
      const { kind, condition } = judged.assertion;
      const isDecided = kind === "sometimes" && judged.state === "holds";
      if (isDecided) continue;
      const { holds, text } = findingOf(condition, this.#world, this.#bot);
      if (kind === "sometimes" && holds) Object.assign(judged, { state: "holds", atMs });
      const isAgainst = (kind === "always" && !holds) || (kind === "never" && holds);
      if (isAgainst) judged.failures += 1;
      // The first failure says the most.
      if (isAgainst && judged.failures === 1) Object.assign(judged, { state: "failed", atMs, text });
      else if (judged.state !== "failed") judged.text = text;
    }
  }

  /** Nothing happens any more. */
  end(atMs: number): void {
    this.look(atMs);
    for (const judged of this.#judged) {
      if (judged.state !== "waiting") continue;
      const { holds } = findingOf(judged.assertion.condition, this.#world, this.#bot);
      const holdsAtLast = judged.assertion.kind === "finally" && holds;
      Object.assign(judged, { state: holdsAtLast ? "holds" : "failed", atMs, failures: holdsAtLast ? 0 : 1 });
    }
  }

  get verdicts(): readonly Verdict[] {
    return this.#judged.map(({ assertion: { kind, name, condition }, state, text, atMs, failures }) => ({
      kind,
      name: name ?? nameOf(condition),
      state,
      text,
      failures,
      ...(atMs !== undefined && { atMs }),
    }));
  }
}

/** The condition's subject; its text has the bounds. */
function nameOf({ is, of }: Condition): string {
  const about = Object.entries(of).filter(([key]) => !BOUNDS.has(key));
  return [is, ...about.map(([, value]) => String(value))].join(" ");
}

const BOUNDS: ReadonlySet<string> = new Set(["min", "max", "maxPercent", "empty"]);
