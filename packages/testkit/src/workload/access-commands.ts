/**
 * Random sign-in commands. Most have a valid password, code or link; some have one that is no longer valid, or come at
 * the wrong time. Sealed and hashed values are plain text here, because the engine does not interpret them.
 */
import { type Command, DAILY_PROOFS, LETTER_STATUSES, SIGN_UP } from "@pricetime/engine";
import { holderOf } from "../models/state.ts";
import type { ModelExchange } from "../models/exchange.ts";
import type { Dice } from "../dice.ts";
import { BY, holderOrOther, nameOf, NAMES, someone, type World } from "./world.ts";

type Maker = (dice: Dice, world: World, model: ModelExchange) => Command;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The time at which random exchanges start, by the clocks of their nodes. */
const OPENING_MS = 1_700_000_000_000;
/** The maximum number of sessions of one holder. */
const MANY_SESSIONS = 20;
/** The customers whose accounts are opened by invitations. */
/** The last is the address of a customer that every market has, in other case. */
const NEW_CUSTOMERS = ["zoe@example.org", "yan@example.org", "Zoe@Example.org", "102@Example.org"];
const FIRST_PASSWORD = "sealed 0";

const idOf = (number: number): string => number.toString(16).padStart(32, "0");
const hashOf = (number: number): string => number.toString(16).padStart(64, "0");
const newId = (dice: Dice): string => idOf(dice.oneIn(40) ? dice.below(4) : dice.below(2 ** 30));
const someHash = (dice: Dice): string => hashOf(dice.below(1_000));
const somePassword = (dice: Dice): string => `sealed ${dice.below(50)}`;

/**
 * Returns commands that give customers and operators passwords; in some exchanges, one of them has the maximum number
 * of sessions. Other exchanges start without passwords.
 */
export function openingOfAccess(dice: Dice, operators: readonly string[]): readonly Command[] {
  if (dice.oneIn(4)) return [];
  const holders = [
    ["account:100", "100@example.org"],
    ["account:101", "101@example.org"],
  ].concat(operators.map((name) => [`operator:${name}`, `${name}@example.org`]));
  const commands = holders.flatMap(([holder, email], at) => firstPassword(holder!, email!, at));
  return dice.oneIn(6) ? [...commands, ...manySessions()] : commands;
}

function firstPassword(holder: string, email: string, at: number): Command[] {
  const invitationId = idOf(0x1000 + at);
  const secretHash = hashOf(at);
  const untilMs = OPENING_MS + 7 * DAY_MS;
  return [
    { type: "invite", by: BY, invitationId, secretHash, email, holder, opens: null, untilMs },
    { type: "acceptInvitation", invitationId, secretHash, sealedPassword: FIRST_PASSWORD },
  ];
}

function manySessions(): Command[] {
  return Array.from({ length: MANY_SESSIONS }, (_, at) => ({
    ...{ type: "openSession", holder: "account:101", sessionId: idOf(0x2000 + at), secretHash: hashOf(at) },
    ...{ sealedPassword: FIRST_PASSWORD, totpStep: null, untilMs: OPENING_MS + (at + 1) * HOUR_MS, ip: "", client: "" },
  }));
}

/** Picks a holder, usually one with a password. */
function someHolder(dice: Dice, world: World, { access, venue }: ModelExchange): string {
  if (access.passwords.length > 0 && !dice.oneIn(8)) return dice.pick(access.passwords).holder;
  const operator = venue.operators.length === 0 ? "operator:nobody" : nameOf(dice.pick(venue.operators));
  return dice.oneIn(2) ? operator : `account:${dice.oneIn(20) ? 9_999 : dice.pick(world.accountIds)}`;
}

/** Returns a password, usually the current one of the holder. */
function passwordFor(dice: Dice, { access }: ModelExchange, holder: string): string {
  return dice.oneIn(12) ? somePassword(dice) : (access.passwordOf(holder)?.sealedPassword ?? FIRST_PASSWORD);
}

const openSession: Maker = (dice, world, model) => {
  const holder = someHolder(dice, world, model);
  const known = holderOf(model, holder);
  const lastStep = Math.max(-1, ...(known?.steps ?? []));
  const [session] = model.access.sessions;
  const lifeMs = dice.pick([5 * MINUTE_MS, HOUR_MS, DAY_MS, DAY_MS, 30 * DAY_MS]);
  return {
    ...{ type: "openSession", holder, secretHash: someHash(dice), sealedPassword: passwordFor(dice, model, holder) },
    sessionId: session !== undefined && dice.oneIn(30) ? session.sessionId : newId(dice),
    totpStep: dice.oneIn(6) ? null : Math.max(0, lastStep + dice.pick([-1, 0, 1, 1, 1, 2])),
    ...(dice.oneIn(8) ? {} : { totpSecret: dice.oneIn(10) ? "of another" : (known?.totpSecret ?? "sealed") }),
    untilMs: model.nowMs + (dice.oneIn(20) ? dice.pick([0, 31 * DAY_MS]) : lifeMs),
    ...{ ip: dice.pick(["10.1.0.1", "10.1.0.2"]), client: dice.pick(["Firefox", "curl"]) },
  };
};

const sessionStep: Maker = (dice, world, model) => {
  const { sessions } = model.access;
  const session = sessions.length === 0 || dice.oneIn(12) ? undefined : dice.pick(sessions);
  const sessionId = session?.sessionId ?? newId(dice);
  const holder = session?.holder ?? someHolder(dice, world, model);
  const secretHash = dice.oneIn(8) ? session?.previousHash || someHash(dice) : (session?.secretHash ?? hashOf(0));
  const by = holderOrOther(dice, model, holder);
  return dice.weighted<Command>([
    [6, { type: "renewSession", sessionId, secretHash, newSecretHash: someHash(dice) }],
    [4, { type: "closeSession", by, sessionId }],
    [2, { type: "closeSessions", by, holder, except: dice.oneIn(2) ? null : sessionId }],
  ]);
};

/**
 * Returns a two-factor code for a change to the holder's own account: usually a valid one, if one is required. `begun`
 * is the secret that the command sets.
 */
function codeOf(
  dice: Dice,
  model: ModelExchange,
  by: string,
  begun: string | null = null,
): { totpStep?: number; totpSecret?: string } {
  const known = holderOf(model, by);
  const totpSecret = begun ?? known?.totpSecret ?? null;
  if (dice.oneIn(8) || ((known === undefined || totpSecret === null) && !dice.oneIn(30))) return {};
  const lastStep = Math.max(-1, ...(known?.steps ?? []));
  const secret = dice.oneIn(12) ? "of another" : (totpSecret ?? "sealed");
  return { totpStep: Math.max(0, lastStep + dice.pick([-1, 0, 1, 1, 1, 1, 1, 2])), totpSecret: secret };
}

const setPassword: Maker = (dice, world, model) => {
  const holder = someHolder(dice, world, model);
  const mine = model.access.sessions.filter((session) => session.holder === holder);
  const by = holderOrOther(dice, model, holder);
  return {
    ...{ type: "setPassword", by, holder, sealedPassword: somePassword(dice), ...codeOf(dice, model, by) },
    was: passwordFor(dice, model, holder),
    except: mine.length === 0 || dice.oneIn(3) ? null : dice.pick(mine).sessionId,
  };
};

const askRecovery: Maker = (dice, world, model) => {
  const holder = someHolder(dice, world, model);
  const fromMs = model.nowMs + dice.pick([-5_000, 0, 20_000, 10 * MINUTE_MS, DAY_MS]);
  const lifeMs = dice.oneIn(12) ? dice.pick([0, 15 * DAY_MS]) : dice.pick([10 * MINUTE_MS, DAY_MS, 3 * DAY_MS]);
  const what = { recoveryId: newId(dice), secretHash: someHash(dice) };
  return { type: "askRecovery", holder, ...what, fromMs, untilMs: fromMs + lifeMs };
};

const recoveryStep: Maker = (dice, _world, model) => {
  const { recoveries } = model.access;
  // A recovery that would block the withdrawals of three accounts at once is picked less often.
  const open = recoveries.filter(({ holder }) => holder !== "account:100" || dice.oneIn(3));
  const recovery = open.length === 0 || dice.oneIn(10) ? undefined : dice.pick(open);
  const recoveryId = recovery?.recoveryId ?? newId(dice);
  const secretHash = recovery === undefined || dice.oneIn(8) ? someHash(dice) : recovery.secretHash;
  const by = holderOrOther(dice, model, recovery?.holder ?? BY);
  return dice.weighted<Command>([
    [6, { type: "recover", recoveryId, secretHash, sealedPassword: somePassword(dice) }],
    [1, { type: "cancelRecovery", by, recoveryId }],
  ]);
};

/** Creates an invitation for a known address, usually of an operator, or for a new customer. */
export function invitation(dice: Dice, world: World, model: ModelExchange, by: string): Command<"invite"> {
  const untilMs = model.nowMs + (dice.oneIn(20) ? dice.pick([0, 31 * DAY_MS]) : dice.pick([5 * MINUTE_MS, DAY_MS]));
  const what = { type: "invite", invitationId: newId(dice), secretHash: someHash(dice), untilMs } as const;
  const opens = { name: "new", makerBps: dice.oneIn(8) ? 10_000 : 10, takerBps: 10 };
  if (dice.oneIn(4)) {
    const signUp = dice.oneIn(2) ? SIGN_UP : by;
    return { ...what, by: signUp, email: dice.pick(NEW_CUSTOMERS), holder: null, opens };
  }
  const holder = dice.oneIn(3) ? someHolder(dice, world, model) : `operator:${dice.pick(NAMES)}`;
  const email = dice.oneIn(20) ? "other@example.org" : (holderOf(model, holder)?.email ?? "nobody@example.org");
  return { ...what, by, email, holder, opens: dice.oneIn(30) ? opens : null };
}

const invite: Maker = (dice, world, model) => invitation(dice, world, model, someone(dice, model));

const invitationStep: Maker = (dice, _world, model) => {
  const { invitations } = model.access;
  const open = invitations.filter(({ holder }) => holder !== "account:100" || dice.oneIn(3));
  const chosen = open.length === 0 || dice.oneIn(10) ? undefined : dice.pick(open);
  const invitationId = chosen?.invitationId ?? newId(dice);
  const secretHash = chosen === undefined || dice.oneIn(8) ? someHash(dice) : chosen.secretHash;
  const accepted = { type: "acceptInvitation", invitationId, secretHash, sealedPassword: somePassword(dice) } as const;
  return dice.weighted<Command>([
    [6, dice.oneIn(2) ? accepted : { ...accepted, name: "as wished" }],
    [1, { type: "revokeInvitation", by: someone(dice, model), invitationId }],
  ]);
};

/** Sets and removes two-factor secrets of operators, usually the author's own. */
export function operatorTotp(dice: Dice, model: ModelExchange, by: string): Command<"setOperatorTotp"> {
  const name = dice.oneIn(20) || model.venue.operators.length === 0 ? "nobody" : dice.pick(model.venue.operators).name;
  const sealedSecret = dice.pick(["sealed", "sealed anew", null]);
  return { type: "setOperatorTotp", by, name, sealedSecret };
}

const codes: Maker = (dice, world, model) => {
  const act = operatorTotp(dice, model, someone(dice, model));
  if (dice.oneIn(2)) {
    const by = dice.oneIn(3) ? act.by : `operator:${act.name}`;
    return { ...act, by, ...codeOf(dice, model, by, act.sealedSecret) };
  }
  const accountId = dice.pick(world.accountIds);
  const by = holderOrOther(dice, model, `account:${accountId}`);
  const sealedSecret = dice.pick(["sealed", "sealed anew", null, null]);
  return { type: "setTotp", by, accountId, sealedSecret, ...codeOf(dice, model, by, sealedSecret) };
};

/** Changes a customer's withdrawal address allowlist, with any session. */
const addressList: Maker = (dice, world, model) => {
  const accountId = dice.pick(world.accountIds);
  const by = holderOrOther(dice, model, `account:${accountId}`);
  const where = { network: "ONE", address: `stranger${dice.below(3)}`, tag: "" };
  const code = codeOf(dice, model, by);
  return dice.pick<Command>([
    { type: "allowAddress", by, accountId, ...where, name: "home", ...code },
    { type: "disallowAddress", by, accountId, ...where },
    { type: "setAddressList", by, accountId, isEnforced: dice.oneIn(4), ...code },
  ]);
};

const freeze: Maker = (dice, world, model) => {
  // Locking a master also locks all its sub-accounts. Few accounts are signed in, so half of the time one of them is
  // picked.
  const signedIn = world.accountIds.filter((id) =>
    model.access.sessions.some(({ holder }) => holder === `account:${id}`),
  );
  const any = [...world.accountIds.slice(1), ...world.accountIds];
  const accountId = dice.oneIn(20) ? 9_999 : dice.pick(signedIn.length > 0 && dice.oneIn(2) ? signedIn : any);
  return { type: "freezeAccount", by: holderOrOther(dice, model, `account:${accountId}`), accountId };
};

/** Changes the status of an email, usually of the one that has waited longest. */
const emailStep: Maker = (dice, _world, { access }) => {
  const notice = access.notices.length === 0 || dice.oneIn(20) ? undefined : access.notices[0];
  const number = dice.below(access.noticesEver.length + 2);
  const from = notice === undefined || dice.oneIn(15) ? dice.pick(LETTER_STATUSES) : notice.status;
  const to = from === "waiting" && dice.oneIn(2) ? "claimed" : dice.pick(LETTER_STATUSES);
  return { type: "changeNotice", noticeId: notice?.noticeId ?? number, from, to };
};

export function proof(dice: Dice, { access }: ModelExchange, by: string): Command<"publishProof"> {
  const { lastProof } = access;
  const seq = Math.max(0, access.seq + 1 - dice.below(30));
  const next = (lastProof?.number ?? 0) + 1;
  const none = hashOf(0);
  return {
    ...{ type: "publishProof", by, root: someHash(dice), seq },
    number: dice.oneIn(8) ? dice.pick([1, next + 1, Math.max(1, next - 1)]) : next,
    previous: dice.oneIn(8) ? dice.pick([none, someHash(dice)]) : (lastProof?.root ?? none),
  };
}

const publish: Maker = (dice, _world, model) => proof(dice, model, dice.oneIn(2) ? DAILY_PROOFS : someone(dice, model));

export const ACCESS_MAKERS: readonly (readonly [number, Maker])[] = [
  [14, openSession],
  [12, sessionStep],
  [4, setPassword],
  [7, askRecovery],
  [9, recoveryStep],
  [6, invite],
  [8, invitationStep],
  [9, codes],
  [4, addressList],
  [2, freeze],
  [1, (dice, world, model) => ({ type: "tellAlreadyKnown", holder: someHolder(dice, world, model) })],
  [20, emailStep],
  [3, publish],
];
