/**
 * External events from a random source of their own, so that they do not change other random choices: customers with
 * assets on a chain, subscribed clients, and one client that breaks the trading rules.
 */
import type { Command, PlaceOrder } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { BY, type World } from "@pricetime/testkit/workload";
import type { Auditor } from "../audit/auditor.ts";
import { COINS, SANDBOX } from "../outside/network.ts";
import { apiKeyOf, secretOf } from "../world/request.ts";
import type { Act, Step } from "./step.ts";

const NAMES = ["ann", "ben", "careless"] as const;
const PERMISSIONS = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA", "WITHDRAW"] as const;
/** One in so many steps is an external event. */
const RARITY = 4;

export class OutsidePlan {
  readonly opening: readonly Command[];
  readonly #dice: Dice;
  readonly #world: World;
  readonly #ann: number;
  readonly #ben: number;
  readonly #careless: number;
  #withdrawals = 0;
  #orders = 0;
  /** The orders that the rule-breaking client has yet to send. */
  #burst = 0;
  #symbolId = 0;

  constructor(seed: number, world: World) {
    this.#dice = new Dice(seed ^ 0x01d5);
    this.#world = world;
    const first = Math.max(...world.accountIds) + 1;
    [this.#ann, this.#ben, this.#careless] = [first, first + 1, first + 2];
    this.opening = [
      ...COINS.map((asset): Command => ({ type: "listAsset", by: BY, asset })),
      ...NAMES.flatMap((name, at) => openingOf(name, first + at)),
      ...world.assets.map(({ asset }): Command => {
        const what = { by: BY, accountId: this.#careless, asset, amount: "900000", reference: `careless ${asset}` };
        return { type: "deposit", ...what };
      }),
    ];
  }

  /** The external event before the next regular step; undefined if none. */
  next(auditor: Auditor): Step | undefined {
    if (this.#burst > 0) {
      this.#burst--;
      return { afterMs: this.#dice.below(30), act: this.#carelessOrder() };
    }
    if (!this.#dice.oneIn(RARITY)) return undefined;
    const act = this.#act(auditor);
    return act && { afterMs: this.#dice.below(20), act };
  }

  #act(auditor: Auditor): Act | undefined {
    const dice = this.#dice;
    const accountId = dice.pick([this.#ann, this.#ben]);
    return dice.weighted<() => Act | undefined>([
      [20, () => ({ type: "listen", names: this.#streams() })],
      [12, () => ({ type: "follow", accountId: dice.pick([...this.#world.accountIds, accountId]) })],
      [12, () => this.#openKey(auditor)],
      [4, () => ({ type: "hangUp", which: dice.below(8) })],
      [20, () => ({ type: "payIn", accountId, asset: dice.pick(COINS).asset, amount: String(dice.between(1, 90)) })],
      [26, () => this.#withdraw(accountId)],
      [3, () => ({ type: "reorg", depth: dice.between(1, 2), fate: dice.pick(["lost", "waiting", "mined"]) })],
      [4, () => this.#fault()],
      [3, () => ({ type: "mailDown", forMs: dice.below(4_000) })],
      [2, () => this.#beginBurst()],
      [2, () => ({ type: "kill", turns: dice.below(40), flips: 0, cutTurns: dice.below(30) })],
    ])();
  }

  #streams(): string[] {
    const symbols = this.#world.symbols.map(({ symbol }) => symbol.toLowerCase());
    const kinds = ["trade", "aggTrade", "depth@100ms", "depth", "kline_1m", "kline_1h"];
    const all = symbols.flatMap((symbol) => kinds.map((kind) => `${symbol}@${kind}`));
    return all.filter(() => this.#dice.oneIn(3));
  }

  #openKey({ keys }: Auditor): Act {
    const accountId = this.#dice.pick([...this.#world.accountIds, this.#ann, this.#ben]);
    const held = keys.listenKeys.get(accountId)?.listenKey;
    const command: Command =
      held !== undefined && this.#dice.oneIn(6)
        ? { type: "closeListenKey", accountId, listenKey: held }
        : { type: "openListenKey", accountId, listenKey: "L".repeat(64) };
    return { type: "command", command, via: "client" };
  }

  #withdraw(accountId: number): Act {
    const dice = this.#dice;
    const at = ++this.#withdrawals;
    const command: Command = {
      ...{ type: "requestWithdrawal", withdrawalId: "", accountId, asset: dice.pick(COINS).asset, network: SANDBOX },
      ...{ address: `home${String(at).padStart(16, "0")}`, tag: "", amount: String(dice.between(1, 40)), name: "home" },
      // The gateway generates the ID and the hash of the link.
      ...{ withdrawOrderId: `w${at}`, totpStep: null, confirmationHash: "" },
    };
    return { type: "command", command, via: "client" };
  }

  #fault(): Act {
    const dice = this.#dice;
    const fault = dice.weighted<Extract<Act, { type: "chainFault" }>["fault"]>([
      [2, { kind: "revert", payments: 1 }],
      [3, { kind: "loseBroadcast", payments: dice.between(1, 2) }],
      [1, { kind: "takeNonce" }],
      [4, { kind: "unreachable", durationMs: dice.below(6_000) }],
    ]);
    return { type: "chainFault", fault };
  }

  #beginBurst(): Act {
    this.#burst = this.#dice.between(5, 10);
    this.#symbolId = this.#dice.below(this.#world.symbols.length);
    return this.#carelessOrder();
  }

  /** An order at a price that does not match. */
  #carelessOrder(): Act {
    const { midTicks, minTicks, stepTicks, minLots, stepLots } = this.#world.habits[this.#symbolId]!;
    const steps = Math.floor((midTicks - minTicks) / stepTicks) - this.#dice.between(8, 12);
    const order: PlaceOrder = placeOrder({
      accountId: this.#careless,
      symbolId: this.#symbolId,
      side: "BUY",
      timeInForce: "IOC",
      priceTicks: minTicks + steps * stepTicks,
      quantityLots: minLots + 3 * stepLots,
      clientOrderId: `careless${++this.#orders}`,
    });
    return { type: "command", command: order, via: "client" };
  }
}

function openingOf(name: string, accountId: number): Command[] {
  return [
    { type: "openAccount", by: BY, email: `${name}@example.org`, name, makerBps: 10, takerBps: 10 },
    {
      ...{ type: "createApiKey", by: BY, accountId, apiKey: apiKeyOf(accountId), ipAllowList: [], label: "" },
      sealedSecret: [...secretOf(accountId)].reverse().join(""),
      permissions: PERMISSIONS,
    },
  ];
}
