/** Counts the outcomes in random histories, so that a test fails if they become trivial. */
import type { Command, RejectReason } from "@pricetime/engine";
import { type Happening, type ModelExchange, ONE, type Opened, opposite, triggerOf } from "@pricetime/testkit/models";

interface Waiting {
  /** Null if it is not known yet. */
  readonly price: bigint | null;
  readonly kind: string;
  readonly isReleased: boolean;
}

export class Tally {
  readonly #counts = new Map<string, number>();
  /** Every order of the current history, as placed. */
  #orders = new Map<number, Opened>();
  readonly #released = new WeakSet<Happening>();
  /** How each waiting order was triggered if it was triggered by the next command. */
  #waiting = new Map<number, Waiting>();
  commands = 0;

  beginHistory(): void {
    this.#orders = new Map();
    this.#waiting = new Map();
  }

  count(command: Command, happened: readonly Happening[], model: ModelExchange): void {
    this.commands++;
    this.#countPending(happened);
    const triggered = this.#countTriggers(happened);
    this.#countSlices(happened);
    for (const happening of happened) {
      this.#add(happening.kind);
      if (happening.kind === "plain") this.#countPlain(happening.words, command);
      if (happening.kind === "refused") this.#countRefusal(happening.reason, command, model);
      if (happening.kind === "replaced") {
        const [canceled, placed] = [happening.cancelReason === null, happening.placeReason === null];
        this.#add(`replaced: ${canceled ? "canceled" : "not canceled"}, ${placed ? "placed" : "not placed"}`);
      }
      if (happening.kind === "opened") this.#countOpened(happening);
      if (happening.kind === "traded") {
        this.#countTrade(happening, command);
        this.#countDiscounts(happening, model);
      }
      if (happening.kind === "prevented") this.#countPrevented(happening);
      if (happening.kind === "ended") this.#countEnd(happening, triggered, model);
    }
    this.#countAmended(happened, model);
    this.#countListEnds(command, happened);
    this.#countOperatorEnds(command, happened);
    this.#watch(happened, model);
  }

  #watch(happened: readonly Happening[], { markets }: ModelExchange): void {
    const released = happened.filter((each) => each.kind === "opened" && this.#released.has(each));
    const late = new Set(released.map((each) => (each as Opened).orderId));
    const before = this.#waiting;
    this.#waiting = new Map();
    for (const market of markets) {
      for (const order of market.orders.filter(({ place }) => place === "waiting")) {
        const { orderId, trailing } = order;
        const isReleased = late.has(orderId) || before.get(orderId)?.isReleased === true;
        const kind = `${isReleased ? "released " : ""}${trailing === null ? "stop" : "trailing"}`;
        this.#waiting.set(orderId, { price: triggerOf(market, order), kind, isReleased });
      }
    }
  }

  /** Orders that were ended by a command of another party. */
  #countOperatorEnds({ type }: Command, happened: readonly Happening[]): void {
    if (/^(place|cancel)/.test(type)) return;
    for (const { kind } of happened) if (kind === "ended") this.#add(`${type} ends an order`);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** One name and count per line, most frequent first. */
  toString(): string {
    const sorted = [...this.#counts].sort((a, b) => b[1] - a[1]);
    return sorted.map(([name, count]) => `${count} ${name}`).join("\n");
  }

  /** Steps of the wallet: the command, and for deposits and withdrawals the resulting status. */
  #countPlain(words: string, command: Command): void {
    const step = /^(?:deposit|withdrawal) .*?, (\w+) \w+, (?:moved|by) /.exec(words);
    this.#add(step === null ? command.type : `${command.type} to ${step[1]}`);
    if (/^stop of .* off$/.test(words) && command.type === "tick") this.#add("stop ends in time");
    if (/^[0-9]+ adjusted by /.test(words)) this.#add("adjusted");
    if (/^proposal .*, done by/.test(words)) this.#add("proposal carried out");
    if (/^proposal .*, cancelled by/.test(words)) this.#add("proposal cancelled");
    this.#countAccess(words, command);
    if (/ short [1-9]/.test(words) || / short 0\.0*[1-9]/.test(words)) this.#add("treasury covers");
  }

  #countRefusal(reason: RejectReason, command: Command, { access, accounts }: ModelExchange): void {
    this.#add(`refused ${reason}`);
    if (command.type === "openSession") this.#add(`sign-in refused ${reason}`);
    if (reason !== "ACCOUNT_MAY_NOT_WITHDRAW" || command.type !== "requestWithdrawal") return;
    const { canWithdraw, isEnabled } = accounts.get(command.accountId)!;
    if (canWithdraw && isEnabled && access.isHeld(command.accountId)) this.#add("withdrawal held after a link");
  }

  /** Outcomes of sessions, invitations, recoveries and emails. */
  #countAccess(words: string, { type }: Command): void {
    const step =
      /^(session|invitation|recovery|letter|password|proof) \S+.*?(opened|closed|: \w+|set|published)\b/.exec(words);
    if (step !== null) this.#add(`${step[1]} ${step[2]?.replace(": ", "")}`);
    if (step?.[1] === "session" && step[2] === "closed") this.#add(`${type} ends a session`);
    if (/^account [0-9]+ frozen$/.test(words)) this.#add("account frozen");
    if (/^withdrawal .* cancelled /.test(words) && type === "freezeAccount")
      this.#add("withdrawal given back by a freeze");
    if (/^account [0-9]+ opened$/.test(words) && type === "acceptInvitation") this.#add("account opened by invitation");
  }

  /** Amendments of each kind of order. */
  #countAmended(happened: readonly Happening[], model: ModelExchange): void {
    for (const happening of happened) {
      if (happening.kind !== "amended") continue;
      const { type, icebergQty, orderListId } = this.#orders.get(happening.orderId)!;
      const open = model.markets.flatMap(({ orders }) => orders).find(({ orderId }) => orderId === happening.orderId);
      this.#add(`amended ${type}`);
      if (icebergQty > 0n) this.#add("amended iceberg");
      if (this.#orders.get(happening.orderId)!.peg !== "") this.#add("amended pegged");
      if (orderListId !== -1) this.#add("amended leg");
      if (happening.executed > 0n) this.#add(`amended after fills${open === undefined ? ", and expired" : ""}`);
      if (happening.origClientOrderId === happening.clientOrderId) this.#add("amended with the same id");
    }
  }

  /** Orders of lists that wait for the working order: each is placed once, or ends before. */
  #countPending(happened: readonly Happening[]): void {
    let released = 0;
    for (const happening of happened) {
      if (happening.kind === "listed" && happening.status === "EXECUTING") this.#add(`${happening.listKind} placed`);
      if (happening.kind !== "opened" && happening.kind !== "ended") continue;
      const pending = this.#orders.get(happening.orderId);
      if (pending?.isPending !== true) continue;
      const { type } = pending;
      this.#orders.set(pending.orderId, { ...pending, isPending: false });
      if (happening.kind === "opened") {
        released++;
        this.#released.add(happening);
        if (happening.peg !== "") this.#add(`released pegged ${type}`);
        this.#add(`released ${type}${happening.quantity === pending.quantity ? "" : " with what was bought"}`);
      } else this.#add(`pending ${happening.status} ${happening.expiryReason}`);
    }
    if (released > 2) this.#add("several lists released at once");
  }

  /** Orders that were triggered by this command. */
  #countTriggers(happened: readonly Happening[]): ReadonlySet<number> {
    const triggered = new Set<number>();
    let last: Waiting | undefined;
    let isCascade = false;
    for (const happening of happened) {
      if (happening.kind === "opened" && this.#orders.has(happening.orderId) && !this.#released.has(happening)) {
        triggered.add(happening.orderId);
        this.#add(`triggered ${nameOf(happening)}`);
        if (happening.icebergQty > 0n) this.#add("triggered iceberg");
        if (happening.peg !== "") this.#add(`triggered pegged ${happening.side}`);
        if (happening.follows) this.#countTrailing(happening, this.#orders.get(happening.orderId)!);
        if (isCascade) this.#add("cascade");
        const waiting = this.#waiting.get(happening.orderId);
        if (last !== undefined && waiting?.price === last.price) {
          this.#add(`same trigger price: ${[last.kind, waiting.kind].sort().join(", ")}`);
        }
        last = waiting;
      } else if (happening.kind === "traded") isCascade ||= triggered.has(happening.taker.orderId);
    }
    if (triggered.size > 1) this.#add("several triggered at once");
    return triggered;
  }

  /** If an iceberg trades again with the same taker, its next slice has become visible. */
  #countSlices(happened: readonly Happening[]): void {
    const seen = new Set<string>();
    for (const happening of happened) {
      if (happening.kind !== "traded") continue;
      const pair = `${happening.taker.orderId} ${happening.maker.orderId}`;
      const isIceberg = (this.#orders.get(happening.maker.orderId)?.icebergQty ?? 0n) > 0n;
      if (isIceberg && seen.has(pair)) this.#add("next slice");
      seen.add(pair);
    }
  }

  #countOpened(opened: Opened): void {
    if (this.#orders.has(opened.orderId)) return;
    this.#orders.set(opened.orderId, opened);
    this.#add(`opened ${nameOf(opened)}`);
    if (opened.icebergQty > 0n) this.#add(`opened iceberg ${opened.type}`);
    if (opened.peg !== "")
      this.#add(`opened pegged ${opened.side} ${opened.type}${opened.price === 0n ? "" : " with a price"}`);
    if (opened.trailingDelta > 0)
      this.#add(`opened trailing ${opened.side}${opened.follows ? "" : " with stop price"}`);
  }

  #countTrailing({ side, orderListId }: Opened, { follows }: Opened): void {
    this.#add(`triggered trailing ${side}${follows ? "" : " with stop price"}`);
    if (orderListId !== -1) this.#add("triggered trailing leg");
  }

  #countTrade({ taker, maker }: Happening & { kind: "traded" }, command: Command): void {
    const order = this.#orders.get(taker.orderId)!;
    this.#add(`maker ${maker.status}`);
    this.#add(`traded ${nameOf(order)}`);
    const isDearer = taker.executedQuote * ONE > order.stopPrice * order.quantity;
    const isStop = order.side === "BUY" && order.price === 0n && order.stopPrice > 0n && order.peg === "";
    if (order.peg !== "") this.#add("traded pegged taker");
    if (this.#orders.get(maker.orderId)!.peg !== "") this.#add("traded pegged maker");
    if (isStop && isDearer) this.#add(`paid out of free money, ${taker.status}`);
    const isByQuote = command.type === "placeOrder" && command.quoteOrderQty > 0n;
    if (!isByQuote || order.type !== "MARKET") return;
    const isShort = taker.executed === order.quantity && taker.status !== "FILLED";
    this.#add(`${isShort ? "book too thin for" : "traded by"} quote ${order.side}`);
  }

  /** Fills by how the accounts with the discount paid their commission. */
  #countDiscounts(
    { symbol, taker, maker }: Happening & { kind: "traded" },
    { markets, accounts, discount }: ModelExchange,
  ) {
    const { base, quote } = markets.find(({ spec }) => spec.symbol === symbol)!;
    for (const { orderId, commission, commissionAsset } of [taker, maker]) {
      const { accountId, side } = this.#orders.get(orderId)!;
      if (discount === null || commission === 0n || !accounts.get(accountId)!.paysInDiscountAsset) continue;
      const received = side === "BUY" ? base : quote;
      const isOwnMarket = base === discount.asset || quote === discount.asset;
      const where = isOwnMarket ? ", in a market of the discount asset" : "";
      if (received === discount.asset) this.#add("discount asset received");
      else if (commissionAsset === received) this.#add(`no discount${where}`);
      else this.#add(`discounted commission of a ${orderId === taker.orderId ? "taker" : "maker"}${where}`);
    }
  }

  #countPrevented({ taker, maker, mode, isTransfer, otherLeg }: Happening & { kind: "prevented" }): void {
    const [order, resting] = [this.#orders.get(taker.orderId)!, this.#orders.get(maker.orderId)!];
    this.#add(`prevented by ${mode}${isTransfer ? " between accounts" : ""}`);
    this.#add(`prevented ${order.type} ${order.timeInForce}`);
    this.#add(`prevented maker ${maker.status}`);
    if (resting.icebergQty > 0n) this.#add(`prevented iceberg by ${mode}`);
    if (resting.orderListId !== -1) this.#add("prevented leg");
    if (otherLeg !== null) this.#add("prevented legs go on");
  }

  #countEnd(ended: Happening & { kind: "ended" }, triggered: ReadonlySet<number>, model: ModelExchange): void {
    const order = this.#orders.get(ended.orderId)!;
    const after = ended.executed > 0n ? " after fills" : "";
    this.#add(`${ended.status}${after}`);
    if (ended.expiryReason === "EXECUTION_RULE_PRICE_RANGE_EXCEEDED") {
      this.#add(`stopped by its range ${order.type} ${order.timeInForce}${after}`);
    }
    this.#add(`ended ${nameOf(order)}`);
    if (order.peg !== "" && ended.expiryReason === "REJECTED") this.#add(`rejected pegged ${order.type}`);
    if (!triggered.has(ended.orderId)) return;
    this.#add(`triggered and expired ${order.type} ${order.timeInForce}${after}`);
    const market = model.markets.find(({ spec }) => spec.symbol === order.symbol)!;
    const isShort =
      order.side === "BUY" && order.price === 0n && order.peg === "" && opposite(market, "BUY", 0n).length > 0;
    if (isShort) this.#add(`could not pay${after}`);
  }

  #countListEnds(command: Command, happened: readonly Happening[]): void {
    for (const [at, happening] of happened.entries()) {
      if (happening.kind !== "listed") continue;
      if (happening.status !== "ALL_DONE") {
        this.#add(happening.status === "EXECUTING" ? "list placed" : "list updated");
        continue;
      }
      const before = happened[at - 1]!;
      if (before.kind === "opened") this.#add(`list ended by ${before.type}`);
      else if (before.kind === "ended" && before.status === "CANCELED") this.#add(`list ended by ${command.type}`);
      else {
        const fill = happened[at - 2]!;
        this.#add(`list ended by its limit ${fill.kind === "traded" ? fill.maker.status : fill.kind}`);
      }
    }
  }

  #add(name: string): void {
    this.#counts.set(name, this.of(name) + 1);
  }
}

function nameOf({ side, type, timeInForce }: Opened): string {
  return `${side} ${type} ${timeInForce}`;
}
