/**
 * The model exchange: the rules of trading in their simplest form, without regard to speed. It shares only the types of
 * commands with the engine, and predicts the result of each command.
 */
import {
  type AmendOrder,
  type CancelOpenOrders,
  type CancelOrder,
  type CancelOrderList,
  type CancelReplace,
  type Command,
  DUST_ACCOUNT,
  FEE_ACCOUNT,
  type OperatorCommand,
  type PlaceOrder,
  type SymbolSpec,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { ACCESS_ANSWERS, expireInvitations, moveAccount } from "./access.ts";
import { codeRefusal, spendCode } from "./sign-in.ts";
import { amount, type Amount, fits, placesOf, scaled, show } from "./money.ts";
import { placeOto, release } from "./pending.ts";
import { amend, listsOf, placeOco, refusal } from "./placing.ts";
import { execute } from "./matching.ts";
import type { ModelOto } from "./lists.ts";
import { type ModelMarket, type ModelOrder, openWindows, roundingBps, scaleOf } from "./market.ts";
import { isPriceRange } from "./price-range.ts";
import { type Answer, type Happening, plainResult } from "./happening.ts";
import {
  cancelList,
  cancelOto,
  ended,
  endInTime,
  expireOrdersOf,
  isDelistedBy,
  liveList,
  otoOf,
  statusOf,
} from "./order-ends.ts";
import { having, stored, ModelState } from "./state.ts";
import { mayAct } from "./operators.ts";
import { expireInVenue, VENUE_ANSWERS } from "./venue.ts";
import { WALLET_ANSWERS } from "./wallet.ts";
import { expire } from "./withdrawals.ts";

const LARGEST_SAFE = 2n ** 53n - 2n;

export class ModelExchange extends ModelState {
  apply(timeMs: number, command: Command): Happening[] {
    this.access.seq++;
    this.nowMs = Math.max(this.nowMs, timeMs);
    for (const market of this.markets) {
      market.touched = false;
      market.tradesBefore = market.trades.length;
    }
    const answer = this.#answer(command);
    return typeof answer === "string" ? [{ kind: "refused", reason: answer }] : answer;
  }

  #answer(command: Command): Answer {
    switch (command.type) {
      case "placeOrder":
        this.#count(command.accountId, 1);
        return this.#place(command);
      case "cancelOrder":
        return this.#cancel(command);
      case "amendOrder":
        return this.#amend(command);
      case "cancelOpenOrders":
        return this.#cancelAll(command);
      case "placeOco":
        this.#count(command.accountId, 2);
        return placeOco(this, command);
      case "placeOto":
        this.#count(command.accountId, command.kind === "OTOCO" || command.kind === "OPOCO" ? 3 : 2);
        return placeOto(this, command);
      case "cancelOrderList":
        return this.#cancelList(command);
      case "cancelReplace":
        this.#count(command.place.accountId, 1);
        return this.#replace(command);
      case "tick":
        return [
          ...[...expire(this.wallet), ...expireInvitations(this.access), ...expireInVenue(this.venue)],
          ...endInTime(this),
        ];
      case "adoptRules":
        if (command.edition <= this.edition) return "ALREADY_EXISTS";
        this.edition = command.edition;
        return [plainResult(`rules ${command.edition} adopted`)];
      case "openListenKey":
      case "keepListenKey":
      case "closeListenKey":
        return [];
      case "nodeBatch":
        return this.nodes.begin(command);
      case "grantRole":
        return this.nodes.grant(command);
      case "asHolder":
        return this.nodes.actRefusal(command) ?? this.#answer(command.command);
      default:
        return mayAct(this.venue, command) ?? codeRefusal(this.access, command) ?? this.#carryOutWithCode(command);
    }
  }

  #carryOutWithCode(command: Command): Answer {
    const answer = this.carryOut(command);
    if (typeof answer !== "string") spendCode(this.access, command);
    return answer;
  }

  /** Executes a command of an operator or of the wallet, whose permission was already checked. */
  override carryOut(command: Command): Answer {
    const { type } = command;
    if (type in ACCESS_ANSWERS) return ACCESS_ANSWERS[type as "invite"](this.access, command as never);
    if (type in VENUE_ANSWERS) return VENUE_ANSWERS[type as "setStop"](this.venue, command as never);
    if (type in WALLET_ANSWERS) return WALLET_ANSWERS[type as "transfer"](this.wallet, command as never);
    return this.#operate(command as OperatorCommand);
  }

  #count(accountId: number, orders: number): void {
    if (this.accounts.has(accountId)) this.orderLimits.count(accountId, orders, this.nowMs);
  }

  #place(command: PlaceOrder): Answer {
    const reason = refusal(this, command);
    return reason ?? execute(this, this.markets[command.symbolId]!, command);
  }

  #allowsCancels(market: ModelMarket): boolean {
    const status = statusOf(market, this.nowMs);
    return ["TRADING", "HALT", "BREAK", "CANCEL_ONLY"].includes(status) && !this.venue.isStopped("trading");
  }

  #cancel(command: CancelOrder): Answer {
    const market = this.markets[command.symbolId];
    if (market === undefined) return "UNKNOWN_SYMBOL";
    if (!this.#allowsCancels(market)) return "MARKET_CLOSED";
    const order = namedBy(market, command);
    if (order === undefined) return "UNKNOWN_ORDER";
    const other = command.origClientOrderId;
    if (other !== "" && other !== order.clientOrderId) return "CANCEL_IDS_DISAGREE";
    const { onlyIn } = command;
    if (order.place === "pending" && onlyIn !== undefined && onlyIn !== "ANY") return "CANCEL_RESTRICTED";
    if ((onlyIn === "NEW" && order.executed > 0n) || (onlyIn === "PARTIALLY_FILLED" && order.executed === 0n))
      return "CANCEL_RESTRICTED";
    return this.#end(market, order, command.newClientOrderId);
  }

  #amend(command: AmendOrder): Answer {
    if (this.edition < 5) return "AMEND_NOT_SUPPORTED";
    const market = this.markets[command.symbolId];
    if (market === undefined) return "UNKNOWN_SYMBOL";
    if (!this.#allowsCancels(market)) return "MARKET_CLOSED";
    const order = namedBy(market, command);
    const other = command.origClientOrderId;
    if (order === undefined || (other !== "" && other !== order.clientOrderId)) return "UNKNOWN_ORDER";
    return amend(this, market, order, command);
  }

  #cancelAll(command: CancelOpenOrders): Answer {
    const market = this.markets[command.symbolId];
    if (market === undefined) return "UNKNOWN_SYMBOL";
    if (!this.#allowsCancels(market)) return "MARKET_CLOSED";
    const open = this.openOrders(command.accountId).filter((order) => order.symbolId === market.symbolId);
    if (open.length === 0) return "UNKNOWN_ORDER";
    // The order may already have ended together with the other order of its list.
    return open.flatMap((order) => (order.place === "over" ? [] : this.#end(market, order, command.newClientOrderId)));
  }

  #cancelList(command: CancelOrderList): Answer {
    const market = this.markets[command.symbolId];
    if (market === undefined) return "UNKNOWN_SYMBOL";
    if (!this.#allowsCancels(market)) return "MARKET_CLOSED";
    const mine = listsOf(this, command.accountId).filter(({ symbolId }) => symbolId === command.symbolId);
    const list =
      command.orderListId === -1
        ? mine.find(({ listClientOrderId }) => listClientOrderId === command.listClientOrderId)
        : mine.find(({ orderListId }) => orderListId === command.orderListId);
    if (list === undefined) return "UNKNOWN_ORDER";
    const other = command.listClientOrderId;
    if (other !== "" && other !== list.listClientOrderId) return "CANCEL_IDS_DISAGREE";
    if ("pending" in list) return cancelOto(this, market, list, command.newClientOrderId);
    return cancelList(this, market, list, command.newClientOrderId);
  }

  override release(market: ModelMarket, oto: ModelOto): Happening[] {
    return release(this, market, oto);
  }

  #replace(command: CancelReplace): Answer {
    if (this.wallet.isInMaintenance) return "MAINTENANCE";
    const canceled = this.#cancel(command.cancel);
    const cancelReason = typeof canceled === "string" ? canceled : null;
    const goesOn = cancelReason === null || command.mode === "ALLOW_FAILURE";
    const placed = goesOn ? this.#place(command.place) : "NOT_ATTEMPTED";
    const placeReason = typeof placed === "string" ? placed : null;
    const happenings: Happening[] = [{ kind: "replaced", cancelReason, placeReason }];
    if (typeof canceled !== "string") happenings.push(...canceled);
    if (typeof placed !== "string") happenings.push(...placed);
    return happenings;
  }

  /** Cancels an order. If it is a leg of a list, cancels the list. */
  #end(market: ModelMarket, order: ModelOrder, cancelClientOrderId: string): Happening[] {
    const oto = otoOf(this, order);
    if (oto !== undefined) return cancelOto(this, market, oto, cancelClientOrderId);
    const list = liveList(this, order);
    if (list !== undefined) return cancelList(this, market, list, cancelClientOrderId);
    return [ended(this, market, order, "CANCELED", cancelClientOrderId)];
  }

  #operate(command: OperatorCommand): Answer {
    switch (command.type) {
      case "listAsset": {
        if (this.assets.some(({ asset }) => asset === command.asset.asset)) return "ALREADY_EXISTS";
        const { asset, precision, networks } = command.asset;
        this.assets.push({ asset, precision, networks });
        return [plainResult(`asset ${asset} listed`)];
      }
      case "listSymbol":
        return this.#listSymbol(command.symbol);
      case "setSymbolStatus":
      case "setSymbolFilters":
      case "setSelfTradePrevention":
      case "setPriceRange":
        return this.#changeSymbol(command);
      case "setExchangeFilters":
        this.exchangeFilters = command.filters;
        return [];
      case "openAccount":
      case "changeAccount":
      case "setSymbolFee":
        return this.#changeAccount(command);
      case "deposit":
      case "debit":
        return this.#move(command);
      case "createApiKey":
      case "deleteApiKey":
      case "bindMasterKey":
        return [];
      case "setSharedSettings":
        this.hasSharedSettings = true;
        return [];
      case "setOrderLimits":
        this.orderLimits.set(command.rules, (this.edition >= 5 && command.fillCredits) || { taker: 0, maker: 0 });
        return [];
      case "setInterface":
        if (this.edition < 5) return "INVALID_VALUE";
        this.interface = command.interface;
        for (const market of this.markets) market.hasStepsFromZero = command.interface === "today";
        return [];
      case "setOrderIds":
        if (this.edition < 5) return "INVALID_VALUE";
        if (this.lastOrderId > 0 || this.orderCounts.size > 0 || this.hasSharedSettings) return "ALREADY_EXISTS";
        this.hasOrderIdsBySymbol = command.orderIds === "symbol";
        return [];
      case "setCommissionDiscount":
        return this.#setDiscount(command);
      case "addPast":
      case "importKlines":
        return this.#addPast(command);
      default:
        throw new Error(`The model does not execute ${command.type}.`);
    }
  }

  #setDiscount({ discount }: Command<"setCommissionDiscount">): Answer {
    if (this.edition < 5) return "INVALID_VALUE";
    const { asset, excludedSymbols = [], factorBps = 1 } = discount ?? {};
    if (factorBps < 1 || factorBps >= 10_000) return "INVALID_VALUE";
    if (asset !== undefined && !this.assets.some((listed) => listed.asset === asset)) return "UNKNOWN_ASSET";
    const isListed = (symbol: string) => this.markets.some(({ spec }) => spec.symbol === symbol);
    if (!excludedSymbols.every(isListed)) return "UNKNOWN_SYMBOL";
    if (excludedSymbols.some((symbol, at) => excludedSymbols.indexOf(symbol) !== at)) return "INVALID_VALUE";
    this.discount = discount;
    return [];
  }

  /** Adds synthetic history or imported candles. The candles must be well-formed. */
  #addPast(command: Command<"addPast"> | Command<"importKlines">): Answer {
    const market = this.markets.find(({ spec }) => spec.symbol === command.symbol);
    if (market === undefined) return "UNKNOWN_SYMBOL";
    const [firstTrade] = market.trades;
    const { past } = market;
    const changed: Happening[] = [plainResult(`${command.symbol} has candles of before`)];
    if (command.type === "addPast") {
      if (past !== null || firstTrade !== undefined) return "PAST_OVERLAPS";
      if (!holds(market, [command.endPrice], [command.dayVolume])) return "INVALID_VALUE";
      if (command.endMs > this.nowMs) return "PAST_NOT_OVER";
      if (market.orders.some(({ place }) => place === "waiting")) return "ORDERS_WAIT";
      market.past = { interval: "generated", endMs: command.endMs, isFine: false, close: amount(command.endPrice) };
      return changed;
    }
    const { interval, candles } = command;
    const [first, last] = [candles[0], candles.at(-1)];
    if (interval !== "1m" || first === undefined || last === undefined) return "INVALID_VALUE";
    const prices = candles.flatMap((candle) => candle.slice(1, 5) as string[]);
    const volumes = candles.flatMap((candle) => [candle[5], candle[8]]);
    const quotes = candles.flatMap((candle) => [candle[6], candle[9]]);
    const areHeld = holds(market, prices, volumes) && quotes.every((text) => placesOf(text) <= market.quotePlaces);
    // Since rules version 4, the first candles decide whether all candles of a symbol may be finer than its steps.
    const isFine = past === null ? this.edition >= 4 : past.isFine;
    if (!isFine && !areHeld) return "INVALID_VALUE";
    const endMs = last[0] + 60_000;
    if (endMs > this.nowMs) return "PAST_NOT_OVER";
    if (past !== null && (past.interval !== interval || first[0] < past.endMs)) return "PAST_OVERLAPS";
    if (firstTrade !== undefined && endMs > firstTrade.timeMs) return "PAST_OVERLAPS";
    if (firstTrade === undefined && market.orders.some(({ place }) => place === "waiting")) return "ORDERS_WAIT";
    market.past = { interval, endMs, isFine, close: onTick(amount(last[4]), market.priceDecimals) };
    return changed;
  }

  #listSymbol(spec: SymbolSpec): Answer {
    if (this.markets.some((market) => market.spec.symbol === spec.symbol)) return "ALREADY_EXISTS";
    const base = this.assets.find(({ asset }) => asset === spec.baseAsset);
    const quote = this.assets.find(({ asset }) => asset === spec.quoteAsset);
    if (base === undefined || quote === undefined) return "UNKNOWN_ASSET";
    const [priceDecimals, quantityDecimals] = scaleOf(spec, base.precision, quote.precision);
    const { priceFilter, lotSize } = spec.filters;
    if (priceFilter !== undefined && inUnits(priceFilter.maxPrice, priceDecimals) > LARGEST_SAFE)
      return "INVALID_VALUE";
    if (lotSize !== undefined && inUnits(lotSize.maxQty, quantityDecimals) > LARGEST_SAFE) return "INVALID_VALUE";
    if (spec.priceRange !== undefined && (this.edition < 5 || !isPriceRange(spec.priceRange))) return "INVALID_VALUE";
    const market: ModelMarket = {
      symbolId: this.markets.length,
      spec,
      base: base.asset,
      quote: quote.asset,
      basePlaces: base.precision,
      quotePlaces: quote.precision,
      priceDecimals,
      quantityDecimals,
      filters: spec.filters,
      hasStepsFromZero: this.interface === "today",
      status: spec.status,
      orders: [],
      touched: false,
      trades: [],
      tradesBefore: 0,
      past: null,
      referenceFrom: 0,
      aggregates: 0,
      preventions: 0,
      delistedFromMs: Number.POSITIVE_INFINITY,
      isDelisted: false,
      isEnding: false,
      windows: new Map(),
    };
    if (this.#roundsTooMuch(market, spec)) return "ROUNDING_TOO_COARSE";
    this.markets.push(market);
    openWindows(market, this.nowMs);
    return [plainResult(`symbol ${spec.symbol} listed`)];
  }

  #roundsTooMuch(market: ModelMarket, spec: SymbolSpec): boolean {
    return this.edition >= 4 && spec.acceptRounding !== true && roundingBps(market, spec) > 5;
  }

  #changeSymbol(
    command: OperatorCommand & {
      type: "setSymbolStatus" | "setSymbolFilters" | "setSelfTradePrevention" | "setPriceRange";
    },
  ): Answer {
    const market = this.markets.find(({ spec }) => spec.symbol === command.symbol);
    if (market === undefined) return "UNKNOWN_SYMBOL";
    if (command.type === "setSymbolStatus") {
      if (this.edition < 5 && command.status === "CANCEL_ONLY") return "INVALID_VALUE";
      if (isDelistedBy(market, this.nowMs) && command.status !== "BREAK") return "DELISTED";
      if (market.isEnding && command.status === "TRADING") return "ORDERS_ARE_ENDING";
      market.status = command.status;
    } else if (command.type === "setSelfTradePrevention") {
      const { defaultMode, allowedModes } = command;
      if (this.edition < 5 || !allowedModes.includes(defaultMode)) return "INVALID_VALUE";
      if (allowedModes.some((mode, at) => allowedModes.indexOf(mode) !== at)) return "INVALID_VALUE";
      market.spec = { ...market.spec, selfTradePrevention: { defaultMode, allowedModes } };
    } else if (command.type === "setPriceRange") {
      const { priceRange: before, ...spec } = market.spec;
      const { priceRange } = command;
      if (this.edition < 5 || (priceRange !== null && !isPriceRange(priceRange))) return "INVALID_VALUE";
      market.spec = priceRange === null ? spec : { ...spec, priceRange };
      const isSame =
        before?.bucketCount === priceRange?.bucketCount && before?.bucketWidthMs === priceRange?.bucketWidthMs;
      if (!isSame) market.referenceFrom = market.trades.length;
    } else {
      const { filters, acceptRounding = market.spec.acceptRounding ?? false } = command;
      const spec = { ...market.spec, filters, acceptRounding };
      if (this.#roundsTooMuch(market, spec)) return "ROUNDING_TOO_COARSE";
      market.spec = spec;
      market.filters = filters;
    }
    openWindows(market, this.nowMs);
    return [plainResult(`symbol ${command.symbol} changed`)];
  }

  #changeAccount(command: OperatorCommand & { type: "openAccount" | "changeAccount" | "setSymbolFee" }): Answer {
    if (command.type === "openAccount") return this.#openAccount(command);
    const account = this.accounts.get(command.accountId);
    if (account === undefined) return "UNKNOWN_ACCOUNT";
    const { makerBps, takerBps } = command;
    if (command.type === "changeAccount") {
      if (!isRate(makerBps ?? 0) || !isRate(takerBps ?? 0)) return "INVALID_VALUE";
      if (command.isEnabled === false && account.masterId === null) return "INVALID_VALUE";
      if (command.isTradeGroup !== undefined) {
        if (this.edition < 5 || account.masterId !== null) return "INVALID_VALUE";
      }
      if (command.paysInDiscountAsset !== undefined && this.edition < 5) return "INVALID_VALUE";
      const endsOrders = this.edition >= 4 && command.endOrders === true;
      if (endsOrders && command.canTrade !== false && command.isEnabled !== false) return "INVALID_VALUE";
      const email = this.edition < 4 || command.email === undefined ? account.email : stored(this, command.email);
      const isMoved = email !== account.email;
      if (isMoved && having(this, email, account.accountId).length > 0) return "ALREADY_EXISTS";
      account.makerBps = makerBps ?? account.makerBps;
      account.takerBps = takerBps ?? account.takerBps;
      for (const flag of ["canTrade", "canWithdraw", "canDeposit", "isEnabled", "confirmsByMail"] as const) {
        account[flag] = command[flag] ?? account[flag];
      }
      account.paysInDiscountAsset = command.paysInDiscountAsset ?? account.paysInDiscountAsset;
      account.isTradeGroup = command.isTradeGroup ?? account.isTradeGroup;
      const changed: Happening = plainResult(`account ${command.accountId} changed`);
      const ended = endsOrders ? expireOrdersOf(this, command.accountId) : [];
      return [changed, ...ended, ...(isMoved ? moveAccount(this.access, account, email, command.by) : [])];
    } else {
      if (!this.markets.some(({ spec }) => spec.symbol === command.symbol)) return "UNKNOWN_SYMBOL";
      if (makerBps === null && takerBps === null) account.overrides.delete(command.symbol);
      else if (!isRate(makerBps) || !isRate(takerBps)) return "INVALID_VALUE";
      else account.overrides.set(command.symbol, { makerBps, takerBps });
    }
    return [plainResult(`account ${command.accountId} changed`)];
  }

  #openAccount(command: OperatorCommand & { type: "openAccount" }): Answer {
    const { email, makerBps, takerBps } = command;
    if (!isRate(makerBps) || !isRate(takerBps)) return "INVALID_VALUE";
    if (having(this, email).length > 0) return "ALREADY_EXISTS";
    const masterId = command.masterId ?? null;
    if (masterId !== null && !this.accounts.has(masterId)) return "UNKNOWN_ACCOUNT";
    if (masterId !== null && this.accounts.get(masterId)!.masterId !== null) return "MASTER_ONLY";
    return [plainResult(`account ${this.newAccount(email, command, masterId)} opened`)];
  }

  #move(command: OperatorCommand & { type: "deposit" | "debit" }): Answer {
    const asset = this.assets.find((listed) => listed.asset === command.asset);
    const isVenues = [FEE_ACCOUNT, TREASURY_ACCOUNT, DUST_ACCOUNT].includes(command.accountId);
    if (!this.accounts.has(command.accountId) && !isVenues) return "UNKNOWN_ACCOUNT";
    if (asset === undefined) return "UNKNOWN_ASSET";
    if (!fits(this, command.amount, asset.precision)) return "INVALID_VALUE";
    const value = amount(command.amount);
    if (value === 0n) return "INVALID_VALUE";
    const { accountId, reference } = command;
    const contents = [command.type, accountId, asset.asset, value];
    const repeat = this.references.repeat(this.edition, reference, contents);
    if (repeat !== null) return repeat;
    const isDebit = command.type === "debit";
    if (isDebit && this.money.of(command.accountId, asset.asset).free < value) return "INSUFFICIENT_BALANCE";
    this.references.add(this.edition, reference, contents);
    this.money.enter(command.accountId, asset.asset, isDebit ? -value : value);
    return [plainResult(`${isDebit ? "debited" : "deposited"} ${show(value)} ${asset.asset}`)];
  }
}

/** Returns the account's open order with the id or, if the command has none, with the client id. */
function namedBy(
  market: ModelMarket,
  command: Pick<CancelOrder, "accountId" | "orderId" | "origClientOrderId">,
): ModelOrder | undefined {
  const mine = market.orders.filter(({ accountId }) => accountId === command.accountId);
  return command.orderId === 0
    ? mine.find(({ clientOrderId }) => clientOrderId === command.origClientOrderId)
    : mine.find(({ orderId }) => orderId === command.orderId);
}

/** Whether the value is a rate in basis points of at most 100 %. */
function isRate(bps: number | null | undefined): bps is number {
  return typeof bps === "number" && bps >= 0 && bps <= 10_000;
}

function inUnits(text: string, decimals: number): Amount {
  return amount(text) / 10n ** BigInt(8 - decimals);
}

function holds(market: ModelMarket, prices: readonly string[], quantities: readonly string[]): boolean {
  const { priceDecimals, quantityDecimals } = market;
  return (
    prices.every((text) => placesOf(text) <= priceDecimals) &&
    quantities.every((text) => placesOf(text) <= quantityDecimals)
  );
}

/** Returns the nearest valid price of the symbol, rounded half up, at least one tick. */
function onTick(price: Amount, priceDecimals: number): Amount {
  const tick = scaled(1, priceDecimals);
  const ticks = (2n * price + tick) / (2n * tick);
  return ticks === 0n ? tick : ticks * tick;
}
