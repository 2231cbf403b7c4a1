/**
 * The faults that are injected into a lab, in the order of their injection: the objects that each applies to, whether
 * it is active, and the objects that it has affected. Faults use the lab's time, and its random source if they have a
 * probability.
 */
import { type EngineView, type Entry, type Event, parseDecimal, WIRE_PLACES } from "@pricetime/engine";
import { Rejection } from "../../people/http/answer.ts";
import { priceText } from "../../history/shapes/amounts.ts";
import {
  type Act,
  type After,
  type CoinFault,
  type ConnectionFault,
  type Fault,
  isChoosing,
  isCoinFault,
  isConnectionFault,
  isRequestFault,
  isStreamFault,
  MAX_FAULTS,
  type RequestFault,
  type StreamFault,
} from "./fault.ts";
import {
  accountNamed,
  type Asked,
  checkCoin,
  coinMatch,
  type Connecting,
  connectionMatch,
  type Heard,
  marketNamed,
  type MovingCoin,
  requestMatch,
  streamMatch,
} from "./targets.ts";
import type { Follower } from "../../api/edge/send-queue.ts";
import type { Dice, World } from "../../platform/world/port.ts";
import { checkFault } from "./made-answers.ts";
import { Delays } from "./delays.ts";
import { type FaultState, type FaultsState, type ListedFault, Rule, type Struck } from "./rule.ts";

// Events that arm a fault: an order, a fill, a price, a deposit, or another fault.

/** Returns whether the event arms the fault. */
type IsIt = (event: Event) => boolean;

const WAYS = ["order", "fill", "price", "deposit", "fault"] as const;

/**
 * Returns the check for events that arm a fault. Throws `Rejection` for conditions that can never occur. `isFault`:
 * whether a fault with this id exists.
 */
function whatArms(after: After, view: EngineView, isFault: (id: number) => boolean): IsIt {
  const named = WAYS.filter((way) => after[way] !== undefined);
  if (named.length !== 1) throw bad(`after: one of ${WAYS.join(", ")}`);
  if (after.fault !== undefined) {
    if (!isFault(after.fault)) throw bad(`after.fault: there is no fault ${after.fault}`);
    return () => false;
  }
  if (after.price !== undefined) return priceReached(after.price, view);
  if (after.deposit !== undefined) return depositCredited(after.deposit, view);
  const { account, symbol } = after.fill ?? after.order ?? {};
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  const symbolId = symbol === undefined ? undefined : marketNamed(view, symbol).symbolId;
  const isHis = (owner: number): boolean => accountId === undefined || owner === accountId;
  const isThere = (market: number): boolean => symbolId === undefined || market === symbolId;
  if (after.order !== undefined) {
    return (event) => event.type === "orderOpened" && isHis(event.order.accountId) && isThere(event.order.symbolId);
  }
  return (event) =>
    event.type === "trade" &&
    isThere(event.symbolId) &&
    [event.taker, event.maker].some(({ order }) => isHis(order.accountId));
}

function priceReached({ symbol, atLeast, atMost }: NonNullable<After["price"]>, view: EngineView): IsIt {
  if ((atLeast === undefined) === (atMost === undefined)) throw bad("after.price: one of atLeast, atMost");
  const market = marketNamed(view, symbol);
  const bound = units(atLeast ?? atMost ?? "");
  return (event) => {
    if (event.type !== "trade" || event.symbolId !== market.symbolId) return false;
    const price = units(priceText(market, event.priceTicks));
    return atLeast === undefined ? price <= bound : price >= bound;
  };
}

function depositCredited({ account, coin }: NonNullable<After["deposit"]>, view: EngineView): IsIt {
  checkCoin(view, coin, undefined);
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  return (event) =>
    event.type === "depositChanged" &&
    // Checks the moved amount instead of the status: a deposit that has enough confirmations when it is first seen is
    // never "credited".
    event.moved > 0n &&
    (accountId === undefined || event.deposit.accountId === accountId) &&
    (coin === undefined || view.asset(event.deposit.assetId).spec.asset === coin);
}

function units(price: string): bigint {
  const found = parseDecimal(price, WIRE_PLACES);
  if (found === null) throw bad(`after.price: at most ${WIRE_PLACES} decimals`);
  return found;
}

function bad(why: string): Rejection {
  return new Rejection(400, "BAD_REQUEST", why);
}

interface Meant<F extends Fault, Of> {
  readonly rule: Rule<F>;
  readonly isMeant: (one: Of) => boolean;
}
export type RequestRule = Meant<RequestFault, Asked>;
type ConnectionRule = Meant<ConnectionFault, Connecting>;
export type StreamRule = Meant<StreamFault, Heard>;
export interface CoinRule extends Meant<CoinFault, MovingCoin> {
  /** The deposits that the fault delays, by name, and the end of each delay; null while the fault exists. */
  readonly stuck: Map<string, number | null>;
}

export interface FaultBookOptions {
  readonly view: EngineView;
  readonly world: World;
  /** The random source for probabilities and delays. Default: the environment's random source. */
  readonly dice?: Dice;
  readonly performer: Performer;
}

/** Performs faults that happen once. */
export interface Performer {
  /** Checks the names in a fault. Throws `Rejection` for names that do not exist. */
  check(act: Act): void;
  /** Performs the fault. Throws `Rejection` or `ControlRefused` if it is not possible now. */
  perform(act: Act): Omit<Struck, "atMs">;
}

/** The part of a fault's state in a checkpoint that is not in its list entry. */
type Before = Pick<FaultState, "stuck">;

interface ArmedBy {
  readonly rule: Rule;
  readonly isIt: IsIt;
}

export class FaultBook implements Follower {
  readonly view: EngineView;
  readonly world: World;
  readonly dice: Dice;
  readonly delays: Delays;
  /** Each change replaces the whole list, because requests iterate over it across turns. */
  requestRules: readonly RequestRule[] = [];
  streamRules: readonly StreamRule[] = [];
  coinRules: readonly CoinRule[] = [];
  connectionRules: readonly ConnectionRule[] = [];
  readonly #rules = new Map<number, Rule>();
  #toArm: readonly ArmedBy[] = [];
  #nextId = 1;
  readonly #performer: Performer;

  constructor({ view, world, dice = world, performer }: FaultBookOptions) {
    this.#performer = performer;
    this.view = view;
    this.world = world;
    this.dice = dice;
    this.delays = new Delays(world);
  }

  nowMs(): number {
    return this.world.nowMs();
  }

  /** Adds a fault. Returns its id. Throws `Rejection`; for a fault that happens now, also the errors of `Performer`. */
  add(fault: Fault): number {
    if (this.#rules.size >= MAX_FAULTS) {
      throw new Rejection(409, "TOO_MANY", `There can be ${MAX_FAULTS} faults: delete those that are over.`);
    }
    checkFault(fault, this.nowMs());
    const id = this.#nextId;
    this.#put({ id, fault, armed: fault.after === undefined, met: 0, struck: 0, strikes: [] });
    this.#nextId++;
    return id;
  }

  /** Removes a fault. Returns false if there is no fault with this id. */
  remove(id: number): boolean {
    const isThere = this.#rules.delete(id);
    const isIn = ({ rule }: { readonly rule: Rule }): boolean => rule.id !== id;
    this.requestRules = this.requestRules.filter(isIn);
    this.streamRules = this.streamRules.filter(isIn);
    this.coinRules = this.coinRules.filter(isIn);
    this.connectionRules = this.connectionRules.filter(isIn);
    this.#toArm = this.#toArm.filter(isIn);
    return isThere;
  }

  /** Removes all faults. Returns their number. */
  clear(): number {
    const ids = [...this.#rules.keys()];
    for (const id of ids) this.remove(id);
    return ids.length;
  }

  list(): readonly ListedFault[] {
    return [...this.#rules.values()].map((rule) => rule.listed());
  }

  /** Whether the fault affects a matching object. If true, the caller must call `note`. */
  strikes(rule: Rule): boolean {
    return this.#rules.has(rule.id) && rule.strikes(this.nowMs(), this.dice);
  }

  note(rule: Rule, told: Omit<Struck, "atMs">): void {
    rule.note({ atMs: this.nowMs(), ...told });
    for (const armed of this.#toArm) if (armed.rule.fault.after?.fault === rule.id) this.#arm(armed.rule);
  }

  /** Returns the fault that affects a new connection; undefined if there is none. */
  strikesAt(connecting: Connecting): ConnectionFault | undefined {
    for (const { rule, isMeant } of this.connectionRules) {
      if (!isMeant(connecting) || !this.strikes(rule)) continue;
      this.note(rule, { ...connecting });
      return rule.fault;
    }
    return undefined;
  }

  applied(_entry: Entry, events: readonly Event[]): void {
    for (const { rule, isIt } of this.#toArm) if (events.some(isIt)) this.#arm(rule);
  }

  get state(): FaultsState {
    const stuckOf = (id: number): Record<string, number | null> =>
      Object.fromEntries(this.coinRules.find(({ rule }) => rule.id === id)?.stuck ?? []);
    return { nextId: this.#nextId, faults: this.list().map((fault) => ({ ...fault, stuck: stuckOf(fault.id) })) };
  }

  /** Restores faults from a checkpoint. Throws `Rejection` for names that do not exist. */
  goOnFrom({ nextId, faults }: FaultsState): void {
    for (const { stuck, ...fault } of faults) this.#put(fault, { stuck });
    this.#nextId = nextId;
  }

  /**
   * Adds a fault to the list. `before`: set for a fault from a checkpoint, which was validated when it was injected.
   */
  #put(listed: ListedFault, before?: Before): void {
    const { id, fault } = listed;
    const isFault = (other: number): boolean => before !== undefined || this.#rules.has(other);
    const isIt = fault.after && whatArms(fault.after, this.view, isFault);
    const rule = this.#sort(listed, before);
    this.#rules.set(id, rule);
    if (isIt !== undefined && !rule.isArmed) this.#toArm = [...this.#toArm, { rule, isIt }];
  }

  #sort(listed: ListedFault, before: Before | undefined): Rule {
    const { fault } = listed;
    if (isRequestFault(fault)) {
      const rule = new Rule({ ...listed, fault });
      this.requestRules = [...this.requestRules, { rule, isMeant: requestMatch(fault, this.view) }];
      return rule;
    }
    if (isStreamFault(fault)) {
      const rule = new Rule({ ...listed, fault });
      this.streamRules = [...this.streamRules, { rule, isMeant: streamMatch(fault, this.view) }];
      return rule;
    }
    if (isCoinFault(fault)) {
      const rule = new Rule({ ...listed, fault });
      const isMeant = coinMatch(fault, this.view);
      this.coinRules = [...this.coinRules, { rule, isMeant, stuck: new Map(Object.entries(before?.stuck ?? {})) }];
      return rule;
    }
    if (isConnectionFault(fault)) {
      const rule = new Rule({ ...listed, fault });
      this.connectionRules = [...this.connectionRules, { rule, isMeant: connectionMatch(fault) }];
      return rule;
    }
    if (before === undefined) this.#performer.check(fault);
    const rule = new Rule({ ...listed, fault });
    if (rule.isArmed && rule.struck === 0) this.#inItsTime(rule, fault, before === undefined);
    return rule;
  }

  #arm(rule: Rule): void {
    this.#toArm = this.#toArm.filter((each) => each.rule !== rule);
    rule.arm();
    const { fault } = rule;
    if (isChoosing(fault)) return;
    // Deferred, because the engine is applying an entry that other followers must receive first.
    this.world.soon(() => this.#performLater(rule, fault));
  }

  #inItsTime(rule: Rule, act: Act, isNew: boolean): void {
    const waitMs = (act.fromMs ?? 0) - this.nowMs();
    if (waitMs <= 0 && isNew) this.note(rule, this.#performer.perform(act));
    else
      this.delays.later(
        waitMs,
        () => this.#performLater(rule, act),
        () => {},
      );
  }

  /** Performs a fault for which no caller waits: a failure appears in the list of faults. */
  #performLater(rule: Rule, act: Act): void {
    if (!this.#rules.has(rule.id)) return;
    try {
      this.note(rule, this.#performer.perform(act));
    } catch (error) {
      this.note(rule, { failed: (error as Error).message });
    }
  }
}
