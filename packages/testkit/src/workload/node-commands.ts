/**
 * Random headers, leases and commands of nodes. Most are in order; some are repeated, late, or from a process that has
 * ended.
 */
import { type Command, type ExchangeCommand, LETTER_STATUSES, type NodeBatch } from "@pricetime/engine";
import type { Dice } from "../dice.ts";
import type { ModelExchange } from "../models/exchange.ts";
import { BY, type World } from "./world.ts";

type Maker = (dice: Dice, world: World, model: ModelExchange) => Command;

const NODES = ["n1", "n2", "n3", "a-fourth"];
const ROLES = ["mail", "network:ONE", "network:TWO"];

function incarnation(dice: Dice): string {
  return dice
    .below(2 ** 32)
    .toString(16)
    .padStart(16, "0");
}

const nodeBatch: Maker = (dice, _world, { nodes }) => {
  const node = dice.pick(NODES);
  const ofNode = nodes.batches.filter((batch) => batch.node === node);
  const last = ofNode.at(-1);
  // A repeated or late header.
  if (last !== undefined && dice.oneIn(5)) return dice.pick(ofNode);
  const header: NodeBatch = {
    type: "nodeBatch",
    node,
    incarnation: last?.incarnation ?? incarnation(dice),
    replaces: last?.replaces ?? "",
    number: (last?.number ?? 0) + 1 + (dice.oneIn(6) ? dice.below(3) : 0),
    atSeq: dice.below(1000),
    digest: incarnation(dice),
    release: dice.pick(["0.1.0", "0.2.0"]),
  };
  if (last !== undefined && !dice.oneIn(4)) return header;
  // A new process names its predecessor, sometimes the wrong one.
  const known = dice.oneIn(4) ? dice.pick(ofNode.length > 0 ? ofNode : [header]).incarnation : last?.incarnation;
  return { ...header, incarnation: incarnation(dice), replaces: known ?? "", number: 1 };
};

const grantRole: Maker = (dice, _world, { nodes }) => {
  const role = dice.pick(ROLES);
  const after = granted(nodes.grants, role);
  return {
    type: "grantRole",
    role,
    node: dice.pick(NODES),
    incarnation: incarnation(dice),
    after: dice.oneIn(4) ? dice.below(after + 2) : after,
  };
};

const asHolder: Maker = (dice, _world, { nodes }) => {
  const role = dice.oneIn(20) ? "bots" : dice.pick(ROLES);
  const number = granted(nodes.grants, role);
  return {
    type: "asHolder",
    role,
    number: dice.oneIn(4) ? dice.below(number + 2) : number,
    command: dice.weighted(ACTS)(dice),
  };
};

const ACTS: readonly (readonly [number, (dice: Dice) => ExchangeCommand])[] = [
  [2, () => ({ type: "tick" })],
  [2, () => ({ type: "setMaintenance", by: BY, isOn: false })],
  [1, () => ({ type: "cancelOpenOrders", accountId: 9_999, symbolId: 0, newClientOrderId: "none" })],
];

/**
 * Changes the status of a withdrawal's email: usually for a withdrawal that waits for its confirmation link, and from
 * the email's current status.
 */
const changeLetter: Maker = (dice, _world, { wallet }) => {
  const unconfirmed = wallet.withdrawals.filter(({ status }) => status === "emailSent");
  const among = unconfirmed.length > 0 && !dice.oneIn(10) ? unconfirmed : wallet.withdrawals;
  const withdrawal = among.length === 0 ? undefined : dice.pick(among);
  return {
    type: "changeLetter",
    withdrawalId: withdrawal?.withdrawalId ?? "0".repeat(32),
    from: dice.oneIn(6) || withdrawal === undefined ? dice.pick(LETTER_STATUSES) : withdrawal.emailStatus,
    to: dice.pick(LETTER_STATUSES),
    ...(dice.oneIn(4) ? { by: BY } : {}),
  };
};

function granted(grants: readonly { readonly role: string }[], role: string): number {
  return grants.filter((grant) => grant.role === role).length;
}

export const NODE_MAKERS: readonly (readonly [number, Maker])[] = [
  [4, nodeBatch],
  [2, grantRole],
  [3, asHolder],
  [1, changeLetter],
];
