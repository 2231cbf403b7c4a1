/**
 * Random commands of operators: suspensions, which usually end soon; approval requests, which others approve, change or
 * reject; unattributed deposits.
 */
import {
  ADJUSTMENT_CATEGORIES,
  type Command,
  HOUSE_ACCOUNTS,
  OPERATOR_ROLES,
  type ProposedAct,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import type { ModelExchange } from "../models/exchange.ts";
import type { ModelOrder } from "../models/market.ts";
import type { ModelProposal } from "../models/state.ts";
import type { Dice } from "../dice.ts";
import { invitation, openingOfAccess, operatorTotp, proof } from "./access-commands.ts";
import { BY, limitsOverTime, nameOf, NAMES, NETWORKS, someAmount, somebody, someone, type World } from "./world.ts";

type Maker = (dice: Dice, world: World, model: ModelExchange) => Command;
type ActMaker = (dice: Dice, world: World, model: ModelExchange, by: string) => ProposedAct;

const HOUR_MS = 3_600_000;

/** Two admins, a treasurer, a support operator, and one with read access. */
const OPERATORS: readonly Command[] = (["admin", "admin", "treasurer", "support", "viewer"] as const).map(
  (role, at) => ({ type: "openOperator", by: "admin", name: NAMES[at]!, email: `${NAMES[at]}@example.org`, role }),
);

const TWO_MUST_APPROVE: Command = {
  ...{ type: "setApprovalRules", by: "admin" },
  rules: { approvals: 2, withdrawalsAbove: [], acts: [] },
};

/** An operator's approval requests, one more than an author may have open. The newest rules reject the last one. */
const CROWD: readonly Command[] = Array.from({ length: 101 }, (_, at) => {
  const by = `operator:${NAMES[0]}`;
  const act: ProposedAct = { type: "liftStop", by, scope: "withdrawals" };
  return { type: "propose", by, proposalId: (2 ** 40 + at).toString(16).padStart(32, "0"), act, why: "many" };
});

/** Returns the initial operators and rules. Most exchanges have operators, and in half of those two must approve. */
export function openingOfVenue(dice: Dice, isCrowded: boolean): readonly Command[] {
  if (dice.oneIn(4)) return openingOfAccess(dice, []);
  const opened = [...OPERATORS, ...openingOfAccess(dice, NAMES), ...(isCrowded ? CROWD : [])];
  return dice.oneIn(2) ? opened : [...opened, TWO_MUST_APPROVE];
}

function someScope(dice: Dice, { assets }: ModelExchange): string {
  const { asset, networks } = dice.pick(assets);
  const network = networks.length === 0 ? dice.pick(NETWORKS) : dice.pick(networks).network;
  if (dice.oneIn(30)) return dice.pick(["everything", "coin:ZZZ", "network:NONE", "coin:"]);
  return dice.pick(["trading", "placing", "withdrawals", `coin:${asset}`, `network:${network}`]);
}

const stop: ActMaker = (dice, _world, model, by) => {
  const untilMs = dice.weighted<number | null>([
    [2, null],
    [6, model.nowMs + 1 + dice.below(90_000)],
    [1, model.nowMs + dice.below(HOUR_MS)],
    [1, model.nowMs - dice.below(2)],
  ]);
  return { type: "setStop", by, scope: someScope(dice, model), why: "fire", untilMs };
};

const lift: ActMaker = (dice, _world, model, by) => {
  const { venue } = model;
  const isOn = venue.stops.length > 0 && !dice.oneIn(8);
  return { type: "liftStop", by, scope: isOn ? dice.pick(venue.stops).scope : someScope(dice, model) };
};

const adjustment: ActMaker = (dice, world, _model, by) => {
  if (dice.oneIn(4)) {
    // The reference repeats often, usually with the same contents.
    const what = { accountId: 100, asset: "AAA", direction: "credit", amount: dice.pick(["1", "1", "2"]) } as const;
    const why = { house: "treasury", category: "goodwill", why: "an outage", reference: `b${dice.below(3)}` } as const;
    return { type: "adjust", by, ...what, ...why };
  }
  const { asset, precision } = dice.oneIn(30) ? { asset: "ZZZ", precision: 3 } : dice.pick(world.assets);
  return {
    ...{ type: "adjust", by, accountId: dice.oneIn(30) ? 9_999 : dice.pick(world.accountIds), asset },
    ...{ direction: dice.pick(["credit", "debit"]), amount: someAmount(dice, precision) },
    ...{ house: dice.pick(HOUSE_ACCOUNTS), category: dice.pick(ADJUSTMENT_CATEGORIES), why: "an outage" },
    reference: `a${dice.below(300)}`,
  };
};

const settlement: ActMaker = (dice, world, { venue }, by) => {
  const open = venue.unknownCoins.filter(({ state }) => state === "open" || dice.oneIn(10));
  if (dice.oneIn(4)) {
    const over = venue.unknownCoins.find(({ state }) => state === "dismissed" || dice.oneIn(3));
    const [net, tx, at] = JSON.parse(over?.coin ?? '["ONE","t1",0]') as [string, string, number];
    const why = dice.oneIn(4) ? "worthless" : "found";
    const nothing = { toAccountId: null, asset: null, amount: null };
    return { type: "settleUnknownDeposit", by, network: net, txId: tx, output: at, how: "dismiss", ...nothing, why };
  }
  const coin = open.length === 0 ? ["ONE", "t1", 0] : (JSON.parse(dice.pick(open).coin) as unknown[]);
  const [network, txId, output] = coin as [string, string, number];
  const { asset, precision } = dice.pick(world.assets);
  const how = dice.pick(["credit", "credit", "keep", "dismiss"] as const);
  const toAccountId = how === "credit" ? dice.pick([...world.accountIds, 9_999]) : null;
  const what = how === "dismiss" ? { asset: null, amount: null } : { asset, amount: someAmount(dice, precision) };
  const odd = dice.oneIn(12) ? { toAccountId: dice.pick([null, TREASURY_ACCOUNT]) } : {};
  return { type: "settleUnknownDeposit", by, network, txId, output, how, toAccountId, ...what, why: "found", ...odd };
};

const rules: ActMaker = (dice, world, _model, by) => {
  const some = ["deposit", "debit", "approveWithdrawal", "noteAccount", "settleUnknownDeposit", "invite", "setTotp"];
  if (dice.oneIn(4)) some.push("setWithdrawalLimits");
  const acts = some.filter(() => dice.oneIn(4));
  if (dice.oneIn(12)) acts.push(dice.pick(["setStop", "noteUnknownDeposit", "freezeAccount", "nothing"]));
  const { asset, precision } = dice.pick(world.assets);
  const withdrawalsAbove = dice.oneIn(2) ? [{ asset, amount: someAmount(dice, precision) }] : [];
  const isNone = dice.oneIn(2);
  const wanted = isNone ? { withdrawalsAbove: [], acts: [] } : { withdrawalsAbove, acts };
  return { type: "setApprovalRules", by, rules: { approvals: dice.pick([1, 1, 2, 3]), ...wanted } };
};

const operator: ActMaker = (dice, _world, { venue }, by) => {
  const name = dice.pick([...NAMES, "new"]);
  const role = dice.pick([...OPERATOR_ROLES, "admin", "admin"] as const);
  const isMoved = venue.operators.some((known) => known.name === name && known.email.endsWith(".net"));
  const otherEmail = isMoved ? `${name}@example.org` : `${name}@example.net`;
  if (dice.oneIn(4)) return { type: "openOperator", by, name, email: `${name}@example.org`, role };
  return {
    ...{ type: "changeOperator", by, name },
    ...dice.pick([{ role }, { isEnabled: true }, { isEnabled: true, email: otherEmail }, { isEnabled: false }]),
  };
};

/** How an operator names an order; the first one if there is none. */
function namedOf(
  { hasOrderIdsBySymbol, markets }: ModelExchange,
  { orderId, symbolId }: Pick<ModelOrder, "orderId" | "symbolId"> = { orderId: 1, symbolId: 0 },
): Pick<Command<"endOrder">, "orderId" | "symbol"> {
  if (!hasOrderIdsBySymbol) return { orderId };
  return { orderId: orderId % 2 ** 38, symbol: markets[symbolId]?.spec.symbol ?? "NOSUCH" };
}

const endOfOrders: ActMaker = (dice, world, model, by) => {
  const why = "a broken bot";
  const accountId = dice.oneIn(30) ? 9_999 : dice.pick(world.accountIds);
  const open = model.openOrders(accountId);
  const { symbol } = dice.oneIn(30) ? { symbol: "NOSUCH" } : dice.pick(world.symbols);
  // Only few symbols are not trading, so the command picks one of them if there is any.
  const closed = model.markets.find((market) => market.status !== "TRADING")?.spec.symbol ?? symbol;
  return dice.weighted<ProposedAct>([
    [6, { type: "endOrder", by, ...namedOf(model, open.length === 0 ? undefined : dice.pick(open)), why }],
    [3, { type: "endAccountOrders", by, accountId, why }],
    [2, { type: "endAccountOrders", by, accountId, symbol, why }],
    [1, { type: "endSymbolOrders", by, symbol, why }],
    [4, { type: "endSymbolOrders", by, symbol: closed, why }],
  ]);
};

/**
 * Delists a symbol at a time that is soon enough to be within the history. The history continues with the remaining
 * symbols, or with none.
 */
const delisting: ActMaker = (dice, world, model, by) => {
  const mayCome = world.symbols.length > 1 || dice.oneIn(4);
  const atMs = dice.weighted<number | null>([
    [mayCome ? 5 : 0, model.nowMs + 1 + dice.below(60_000)],
    [3, model.nowMs + HOUR_MS + dice.below(10 * HOUR_MS)],
    [3, null],
    [1, model.nowMs - dice.below(2)],
  ]);
  const { symbol } = dice.oneIn(20) ? { symbol: "NOSUCH" } : world.symbols.at(-1)!;
  return { type: "setDelisting", by, symbol, atMs, why: "too few trades" };
};

/** Disables an operator who has an open approval request, or enables a disabled operator. */
const shutOut: Maker = (dice, _world, { venue }) => {
  const shut = venue.operators.find(({ isEnabled }) => !isEnabled);
  if (shut !== undefined) return { type: "changeOperator", by: BY, name: shut.name, isEnabled: true };
  const author = venue.proposals.at(-1)?.authors.at(-1) ?? `operator:${dice.pick(NAMES)}`;
  return { type: "changeOperator", by: BY, name: author.slice("operator:".length), isEnabled: false };
};

const ACTS: readonly (readonly [number, ActMaker])[] = [
  [8, adjustment],
  [4, settlement],
  [2, stop],
  [2, lift],
  [3, rules],
  [2, operator],
  [
    1,
    (dice, world, _model, by) => ({
      ...limitsOverTime(dice, dice.pick(world.assets), dice.oneIn(2) ? null : dice.pick(world.accountIds)),
      by,
    }),
  ],
  [2, endOfOrders],
  [1, delisting],
  [1, invitation],
  [1, (dice, _world, model, by) => operatorTotp(dice, model, by)],
  [1, (dice, _world, model, by) => proof(dice, model, by)],
  [1, (dice, world, _model, by) => ({ type: "noteAccount", by, accountId: dice.pick(world.accountIds), text: "rude" })],
  [
    2,
    (dice, world, _model, by) => ({
      ...{ type: "deposit", by, accountId: dice.pick(world.accountIds), asset: dice.pick(world.assets).asset },
      ...{ amount: dice.pick(["1", "20"]), reference: `p${dice.below(1000)}` },
    }),
  ],
];

/** Picks an action; sometimes one that cannot be requested. */
function someAct(dice: Dice, world: World, model: ModelExchange, by: string): ProposedAct {
  if (dice.oneIn(25)) return { type: "stopBreakGlass", by: "operator:other" };
  if (dice.oneIn(25)) return { type: "rejectProposal", by, proposalId: "0".repeat(32), why: "" } as never;
  return dice.weighted(ACTS)(dice, world, model, by);
}

const propose: Maker = (dice, world, model) => {
  const by = somebody(dice, model);
  const proposalId = (dice.oneIn(20) ? dice.below(9) : dice.below(2 ** 30)).toString(16).padStart(32, "0");
  return { type: "propose", by, proposalId, act: someAct(dice, world, model, by), why: "needed" };
};

type Decided = Pick<ModelProposal, "proposalId" | "version" | "authors" | "approvals">;

/** Picks an approval request, usually the newest one, which others have not decided yet. */
function someProposal(dice: Dice, { venue }: ModelExchange): Decided {
  const found = dice.oneIn(3) ? dice.pick([...venue.proposals, undefined]) : venue.proposals.at(-1);
  const none: Decided = { proposalId: "f".repeat(32), version: 1, authors: [], approvals: [] };
  const { proposalId, version, authors, approvals } = found ?? none;
  return { proposalId, version: version + (dice.oneIn(10) ? dice.pick([-1, 1]) : 0), authors, approvals };
}

/** Picks an operator, usually one who has neither written nor approved the request. */
function somebodyElse(dice: Dice, model: ModelExchange, { authors, approvals }: Decided): string {
  const others = model.venue.operators.map(nameOf).filter((name) => ![...authors, ...approvals].includes(name));
  return others.length === 0 || dice.oneIn(5) ? somebody(dice, model) : dice.pick(others);
}

const decide: Maker = (dice, world, model) => {
  const proposal = someProposal(dice, model);
  const { proposalId, version, approvals } = proposal;
  const by = somebody(dice, model);
  const change: Command = {
    ...{ type: "changeProposal", by, proposalId, version },
    ...{ act: someAct(dice, world, model, by), why: "rather" },
  };
  return dice.weighted<Command>([
    [14, { type: "approveProposal", by: somebodyElse(dice, model, proposal), proposalId, version }],
    [approvals.length > 0 ? 8 : 3, change],
    [1, { type: "rejectProposal", by, proposalId, why: "no" }],
  ]);
};

const noteCoin: Maker = (dice, _world, model) => {
  const { deposits } = model.wallet;
  const { unknownCoins } = model.venue;
  const deposit = deposits.length > 0 && dice.oneIn(4) ? dice.pick(deposits).coin : undefined;
  const known = unknownCoins.length > 0 && dice.oneIn(4) ? dice.pick(unknownCoins).coin : deposit;
  const [network, txId, output] = (
    known === undefined ? [dice.pick(NETWORKS), `t${dice.below(1_000)}`, dice.below(2)] : JSON.parse(known)
  ) as [string, string, number];
  return {
    ...{
      type: "noteUnknownDeposit",
      network,
      txId,
      output,
      address: "lost",
      tag: "",
      coin: "AAA",
      amount: dice.pick(["5", "5", "5.0", "6"]),
    },
    ...{ reason: "unknownAddress", ...(dice.oneIn(2) ? { by: someone(dice, model) } : {}) },
  };
};

const alone: Maker = (dice, world, model) => {
  const by = someone(dice, model);
  return dice.weighted<Command>([
    [26, stop(dice, world, model, by)],
    [8, lift(dice, world, model, by)],
    [3, adjustment(dice, world, model, by)],
    [6, settlement(dice, world, model, by)],
    [2, rules(dice, world, model, by)],
    [2, operator(dice, world, model, by)],
    [12, endOfOrders(dice, world, model, by)],
    [2, delisting(dice, world, model, by)],
    [3, { type: "noteAccount", by, accountId: dice.pick([...world.accountIds, 9_999]), text: "asks often" }],
    [1, { type: "breakGlass", by, why: "nobody is left" }],
    [1, { type: "stopBreakGlass", by }],
  ]);
};

export const VENUE_MAKERS: readonly (readonly [number, Maker])[] = [
  [32, alone],
  [22, propose],
  [44, decide],
  [6, noteCoin],
  [4, shutOut],
];

/** Ends suspensions that would block most other commands. */
export function venueRelief(dice: Dice, { venue }: ModelExchange): Command | null {
  const shut = venue.stops.find(({ scope }) => venue.isStopped(scope));
  return shut !== undefined && dice.oneIn(15) ? { type: "liftStop", by: BY, scope: shut.scope } : null;
}
