/** Actions of customers, operators, strangers and the chain on a wallet, in any order. */
import fc from "fast-check";
import type { Fate, SandboxFault } from "../../../src/funds/wallet/port.ts";

export const ASSETS = ["COIN", "TOKEN"] as const;
export type Asset = (typeof ASSETS)[number];
/** The first is the master of the second; the third is unrelated. */
export const CUSTOMERS = [100, 101, 102] as const;
/** One less than the depth at which the faster asset is final. */
export const DEEPEST_REORG = 2;

/** The chain reorganizes just before the wallet's step of this number. */
export interface Turn {
  readonly atStep: number;
  readonly depth: number;
  readonly fate: Fate;
}

export type Action =
  | { readonly type: "deposit"; readonly customer: number; readonly asset: Asset; readonly cents: number }
  | { readonly type: "payStranger" }
  | { readonly type: "mine"; readonly blocks: number }
  | { readonly type: "reorg"; readonly depth: number; readonly fate: Fate }
  | { readonly type: "fault"; readonly fault: SandboxFault }
  | {
      readonly type: "withdraw";
      readonly customer: number;
      readonly asset: Asset;
      readonly cents: number;
      /** To another customer's address; null: to an unknown one. */
      readonly to: number | null;
    }
  /** Many request a withdrawal at once, each of the minimum. */
  | { readonly type: "rush"; readonly asset: Asset; readonly count: number }
  | { readonly type: "transfer"; readonly isBack: boolean; readonly asset: Asset; readonly cents: number }
  /** An operator has a stuck payment signed again; the wallet dies of it after so many steps, null: not at all. */
  | { readonly type: "raise"; readonly which: number; readonly steps: number | null }
  /** A deposit is credited and spent, and then its block leaves the chain. */
  | { readonly type: "takeBack"; readonly asset: Asset; readonly cents: number; readonly fate: Fate }
  | { readonly type: "shut"; readonly asset: Asset; readonly isOpen: boolean }
  /** `steps` null: it survives. */
  | { readonly type: "live"; readonly rounds: number; readonly steps: number | null; readonly turn: Turn | null }
  | { readonly type: "restart"; readonly isInOrder: boolean };

const asset = fc.constantFrom(...ASSETS);
const customer = fc.constantFrom(...CUSTOMERS);
const fate = fc.constantFrom<Fate>("lost", "waiting", "mined");
const cents = fc.integer({ min: 1, max: 1000 });

const fault: fc.Arbitrary<SandboxFault> = fc.oneof(
  fc.constantFrom<SandboxFault>({ kind: "revert", payments: 1 }, { kind: "loseBroadcast", payments: 1 }),
  fc.constantFrom<SandboxFault>({ kind: "takeNonce" }),
  fc.constantFrom<SandboxFault>({ kind: "unreachable", durationMs: 3_600_000 }, { kind: "unreachable", durationMs: 0 }),
);

const depth = fc.integer({ min: 1, max: DEEPEST_REORG });
const turn: fc.Arbitrary<Turn> = fc.record({ atStep: fc.integer({ min: 0, max: 40 }), depth, fate });

const raise = (isMortal: boolean) =>
  fc.record({
    type: fc.constant("raise" as const),
    which: fc.nat({ max: 2 }),
    steps: isMortal ? fc.option(fc.integer({ min: 0, max: 12 })) : fc.constant(null),
  });

const live = (isMortal: boolean) =>
  fc.record({
    type: fc.constant("live" as const),
    rounds: fc.integer({ min: 1, max: 5 }),
    steps: isMortal ? fc.option(fc.integer({ min: 0, max: 20 })) : fc.constant(null),
    turn: fc.option(turn, { freq: 3 }),
  });

const common: fc.WeightedArbitrary<Action>[] = [
  { weight: 4, arbitrary: fc.record({ type: fc.constant("deposit" as const), customer, asset, cents }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("payStranger" as const) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("reorg" as const),
      depth,
      fate,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("fault" as const), fault }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("withdraw" as const),
      customer,
      asset,
      cents,
      to: fc.option<number>(customer, { freq: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("rush" as const), asset, count: fc.integer({ min: 2, max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("transfer" as const), isBack: fc.boolean(), asset, cents }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("takeBack" as const), asset, cents, fate }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("shut" as const), asset, isOpen: fc.boolean() }) },
];

const restart = fc.record({ type: fc.constant("restart" as const), isInOrder: fc.boolean() });

/** A wallet that never dies must find by itself what others find because they rescan. */
function action(isMortal: boolean): fc.Arbitrary<Action> {
  const mortal = isMortal ? [{ weight: 1, arbitrary: restart }] : [];
  return fc.oneof(
    ...common,
    { weight: 8, arbitrary: live(isMortal) },
    { weight: 3, arbitrary: raise(isMortal) },
    ...mortal,
  );
}

/** Between half as many and as many; in half of the histories nothing dies. */
export const actions = (maxLength: number): fc.Arbitrary<Action[]> =>
  fc.boolean().chain((isMortal) => fc.array(action(isMortal), { minLength: maxLength >> 1, maxLength, size: "max" }));
