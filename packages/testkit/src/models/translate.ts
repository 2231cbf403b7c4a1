/**
 * Translates the engine's events to the model's terms, and compares the sessions, passwords and related state of both.
 */
import type { Engine, Event, Fill, OrderRecord, Trade } from "@pricetime/engine";
import { type Happening, plainResult, type TradeSide } from "./happening.ts";
import { type Amount, scaled, show } from "./money.ts";
import { adjusted } from "./payments.ts";
import { outcomeOf } from "./venue.ts";
import { reasonText } from "./withdrawals.ts";
import { isDeepStrictEqual } from "node:util";
import type { ModelState } from "./state.ts";

function resultOfAccess(event: Event): Happening | null {
  switch (event.type) {
    case "invitationChanged":
      return plainResult(`invitation ${event.invitationId} to ${event.email}: ${event.status}, of ${event.holder}`);
    case "passwordSet":
      return plainResult(`password of ${event.holder} set`);
    case "sessionOpened":
      return plainResult(
        `session ${event.session.sessionId} of ${event.session.holder} opened until ${event.session.untilMs}`,
      );
    case "sessionClosed":
      return plainResult(`session ${event.sessionId} of ${event.holder} closed`);
    case "recoveryChanged":
      return plainResult(`recovery ${event.recoveryId} of ${event.holder}: ${event.status}`);
    case "accountFrozen":
      return plainResult(`account ${event.accountId} frozen`);
    case "noticeChanged":
      return plainResult(`letter ${event.noticeId} about ${event.kind}: ${event.status}`);
    case "proofPublished":
      return plainResult(`proof ${event.proof.number} of entry ${event.proof.seq} published: ${event.proof.root}`);
    default:
      return null;
  }
}

function resultOfVenue(engine: Engine, event: Event): Happening | null {
  switch (event.type) {
    case "stopChanged": {
      const { scope, why, by, sinceMs, untilMs } = event.stop;
      return plainResult(
        `stop of ${scope} by ${by} from ${sinceMs} to ${untilMs}, ${why}: ${event.isOn ? "on" : "off"}`,
      );
    }
    case "balanceAdjusted": {
      const { asset, precision } = engine.asset(event.assetId).spec;
      return adjusted({ ...event, asset, moved: scaled(event.amount, precision) });
    }
    case "accountNoted":
      return plainResult(`note on ${event.accountId} by ${event.by}: ${event.text}`);
    case "unknownDepositChanged": {
      const { network, txId, output } = event.deposit;
      const coin = JSON.stringify([network, txId, output]);
      return plainResult(`coin ${coin} of nobody: ${event.status}, ${event.accountId} ${event.why}`);
    }
    case "operatorChanged":
      return plainResult(`operator ${event.name} changed`);
    case "approvalRulesChanged":
      return plainResult(`rules of approval: ${event.isAny ? "some" : "none"}`);
    case "breakGlassChanged":
      return plainResult(`rules end at ${event.fromMs}`);
    case "proposalChanged":
      return outcomeOf(event.proposal, event.status, event.by, event.why);
    default:
      return null;
  }
}

function resultOfWallet(engine: Engine, event: Event): Happening | null {
  const words = wordsOf(engine, event);
  return words === null ? null : { kind: "plain", words };
}

function wordsOf(engine: Engine, event: Event): string | null {
  const money = (assetId: number, units: bigint) => {
    const { asset, precision } = engine.asset(assetId).spec;
    return `${show(scaled(units, precision))} ${asset}`;
  };
  switch (event.type) {
    case "depositAddressAssigned": {
      const { accountId, network, address, tag } = event.address;
      return `address ${address}/${tag} on ${network} is of ${accountId}`;
    }
    case "depositChanged": {
      const { deposit, status, moved, shortage } = event;
      const { depositId, accountId, assetId, amount } = deposit;
      const change = `moved ${money(assetId, moved)} short ${money(assetId, shortage)}`;
      return `deposit ${depositId} of ${accountId}, ${money(assetId, amount)}, ${status} ${deposit.status}, ${change}`;
    }
    case "withdrawalChanged": {
      const { withdrawal, status, txId, why } = event;
      const { withdrawalId, accountId, assetId, amount, fee } = withdrawal;
      const what = `${money(assetId, amount)} fee ${money(assetId, fee)} on ${withdrawal.network}`;
      const { approvalReasons = [] } = withdrawal;
      const limits = approvalReasons.map(({ rule, hours, limit, sum }) => `; ${reasonText(rule, hours, limit, sum)}`);
      const became = `${status} ${withdrawal.status}, by ${txId}, ${why}${limits.join("")}`;
      return `withdrawal ${withdrawalId} of ${accountId}, ${what}, ${became}`;
    }
    case "transferred": {
      const { tranId, masterId, fromAccountId, toAccountId, assetId, amount, clientTranId } = event;
      const under = clientTranId === undefined ? "" : ` as ${clientTranId}`;
      return `${tranId}: ${masterId} transfers ${money(assetId, amount)} from ${fromAccountId} to ${toAccountId}${under}`;
    }
    case "dustConverted": {
      const { tranId, accountId, assetId, amount, dustAssetId, received, charge } = event;
      const price = `${money(dustAssetId, received)} charge ${money(dustAssetId, charge)}`;
      return `${tranId}: ${accountId} sells ${money(assetId, amount)} of dust for ${price}`;
    }
    case "dividendPaid":
      return `${event.tranId}: ${event.accountId} gets ${money(event.assetId, event.amount)}, ${event.info}`;
    case "maintenanceChanged":
      return `maintenance ${event.isOn}`;
    case "apiTradingLocked":
      return `${event.accountId} locked until ${event.untilMs}`;
    case "networkChanged":
      return `network ${event.network}`;
    case "letterChanged":
      return `letter of ${event.withdrawalId} is ${event.status}`;
    default:
      return null;
  }
}

export function happeningsOf(engine: Engine, events: readonly Event[]): Happening[] {
  return events.flatMap((event) => happeningOf(engine, event) ?? []);
}

function happeningOf(engine: Engine, event: Event): Happening | null {
  switch (event.type) {
    case "rejected":
      return { kind: "refused", reason: event.reason };
    case "done":
      return null;
    case "orderOpened":
    case "orderReleased":
      return opened(engine, event.order);
    case "trade":
      return traded(engine, event);
    case "tradePrevented":
      return prevented(engine, event);
    case "orderEnded":
      return {
        kind: "ended",
        orderId: event.order.orderId,
        clientOrderId: event.order.clientOrderId,
        status: event.status,
        executed: lotsOf(engine, event.order, event.order.executedLots),
        executedQuote: quoteOf(engine, event.order.symbolId, event.order.executedQuote),
        cancelClientOrderId: event.cancelClientOrderId,
        expiryReason: event.order.expiryReason ?? "NONE",
      };
    case "orderAmended": {
      const { order, origClientOrderId, origQuantityLots } = event;
      return {
        kind: "amended",
        orderId: order.orderId,
        clientOrderId: order.clientOrderId,
        origClientOrderId,
        quantity: lotsOf(engine, order, order.quantityLots),
        origQuantity: lotsOf(engine, order, origQuantityLots),
        executed: lotsOf(engine, order, order.executedLots),
      };
    }
    case "rulesAdopted":
      return plainResult(`rules ${event.edition} adopted`);
    case "roleGranted": {
      const { role, node, incarnation, number } = event;
      return plainResult(`${role} is for ${node} ${incarnation} by grant ${number}`);
    }
    case "orderListChanged":
      return listed(engine, event);
    case "cancelReplaced":
      return { kind: "replaced", cancelReason: event.cancelReason, placeReason: event.placeReason };
    default:
      return (
        resultOfListings(engine, event) ??
        resultOfWallet(engine, event) ??
        resultOfVenue(engine, event) ??
        resultOfAccess(event)
      );
  }
}

function prevented(engine: Engine, event: Event<"tradePrevented">): Happening {
  const { symbolId, taker, maker, otherLeg } = event;
  const market = engine.market(symbolId);
  const quantity = (lots: number) => scaled(lots, market.scale.quantityDecimals);
  const loss = (order: OrderRecord, lots: number) => ({
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    lost: quantity(lots),
    prevented: quantity(order.preventedLots ?? 0),
    status: order.status,
  });
  return {
    kind: "prevented",
    symbol: market.spec.symbol,
    id: event.preventedMatchId,
    mode: event.mode,
    tradeGroupId: event.tradeGroupId,
    price: scaled(event.priceTicks, market.scale.priceDecimals),
    quantity: quantity(event.lots),
    quote: quoteOf(engine, symbolId, event.quote),
    isTransfer: event.isTransfer,
    taker: loss(taker, event.takerLots),
    maker: loss(maker, event.makerLots),
    otherLeg: otherLeg === null ? null : loss(otherLeg, event.makerLots),
  };
}

function listed(engine: Engine, { list, listOrderStatus, isUpdate }: Event<"orderListChanged">): Happening {
  return {
    kind: "listed",
    status: isUpdate ? "UPDATED" : listOrderStatus,
    orderListId: list.orderListId,
    listClientOrderId: list.listClientOrderId,
    accountId: list.accountId,
    symbol: engine.market(list.symbolId).spec.symbol,
    listKind: list.kind ?? "OCO",
    ids: list.orders.map(({ clientOrderId }) => clientOrderId),
  };
}

function resultOfListings(engine: Engine, event: Event): Happening | null {
  switch (event.type) {
    case "assetListed":
      return plainResult(`asset ${engine.asset(event.assetId).spec.asset} listed`);
    case "symbolListed":
      return plainResult(`symbol ${engine.market(event.symbolId).spec.symbol} listed`);
    case "pastAdded":
    case "klinesImported":
      return plainResult(`${engine.market(event.symbolId).spec.symbol} has candles of before`);
    case "symbolChanged":
      return plainResult(`symbol ${engine.market(event.symbolId).spec.symbol} changed`);
    case "accountOpened":
      return plainResult(`account ${event.accountId} opened`);
    case "accountChanged":
      return plainResult(`account ${event.accountId} changed`);
    case "balanceMoved": {
      const { asset, precision } = engine.asset(event.assetId).spec;
      const value = scaled(event.amount, precision);
      return plainResult(`${value < 0n ? "debited" : "deposited"} ${show(value < 0n ? -value : value)} ${asset}`);
    }
    default:
      return null;
  }
}

function opened(engine: Engine, order: OrderRecord): Happening {
  const { spec, scale } = engine.market(order.symbolId);
  return {
    kind: "opened",
    orderId: order.orderId,
    accountId: order.accountId,
    clientOrderId: order.clientOrderId,
    symbol: spec.symbol,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: scaled(order.priceTicks, scale.priceDecimals),
    quantity: scaled(order.quantityLots, scale.quantityDecimals),
    stopPrice: scaled(order.stopTicks, scale.priceDecimals),
    icebergQty: scaled(order.icebergLots, scale.quantityDecimals),
    trailingDelta: order.trailingDelta ?? 0,
    follows: (order.trailingMs ?? 0) > 0,
    peg: (order.pegTo ?? "NONE") === "NONE" ? "" : `${order.pegTo} ${order.pegLevel}`,
    peggedPrice: scaled(order.peggedTicks ?? 0, scale.priceDecimals),
    isWorking: order.isWorking,
    isPending: order.status === "PENDING_NEW",
    orderListId: order.orderListId,
  };
}

function traded(engine: Engine, trade: Trade): Happening {
  const { spec, scale } = engine.market(trade.symbolId);
  return {
    kind: "traded",
    symbol: spec.symbol,
    tradeId: trade.tradeId,
    aggTradeId: trade.aggTradeId,
    price: scaled(trade.priceTicks, scale.priceDecimals),
    quantity: scaled(trade.lots, scale.quantityDecimals),
    quote: quoteOf(engine, trade.symbolId, trade.quote),
    takerSide: trade.takerSide,
    taker: sideOf(engine, trade.taker),
    maker: sideOf(engine, trade.maker),
  };
}

function sideOf(engine: Engine, fill: Fill): TradeSide {
  const { asset, precision } = engine.asset(fill.commissionAssetId).spec;
  return {
    orderId: fill.order.orderId,
    clientOrderId: fill.order.clientOrderId,
    status: fill.order.status,
    executed: lotsOf(engine, fill.order, fill.order.executedLots),
    executedQuote: quoteOf(engine, fill.order.symbolId, fill.order.executedQuote),
    commission: scaled(fill.commission, precision),
    commissionAsset: asset,
  };
}

function lotsOf(engine: Engine, order: OrderRecord, lots: number): Amount {
  return scaled(lots, engine.market(order.symbolId).scale.quantityDecimals);
}

function quoteOf(engine: Engine, symbolId: number, units: bigint): Amount {
  return scaled(units, engine.asset(engine.market(symbolId).quoteAssetId).spec.precision);
}

// The sign-in state of an engine or of the model.

type Side = Readonly<Record<string, unknown>>;

/** Returns a description of the first difference; undefined if there is none. */
export function differenceOfAccess(engine: Engine, model: ModelState): string | undefined {
  const [is, must] = [seen(engine, model), known(engine, model)];
  const name = Object.keys(must).find((each) => !isDeepStrictEqual(is[each], must[each]));
  if (name === undefined) return undefined;
  return `${name} must be\n    ${JSON.stringify(must[name])}\n  and is\n    ${JSON.stringify(is[name])}`;
}

function holdersIn({ accounts, venue }: ModelState): string[] {
  return [
    ...[...accounts.keys()].map((id) => `account:${id}`),
    ...venue.operators.map(({ name }) => `operator:${name}`),
  ];
}

function seen({ access, venue, timeMs }: Engine, model: ModelState): Side {
  const holders = holdersIn(model);
  return {
    passwords: holders.map((holder) => [access.sealedPassword(holder), access.heldUntilMs(holder)]),
    sessions: holders.map((holder) => access.sessions(holder, timeMs)),
    found: model.access.sessions.map(({ sessionId }) => access.session(sessionId, timeMs)?.sessionId),
    recoveries: holders.map((holder) => access.recoveryOf(holder)),
    links: model.access.recoveries.map(({ recoveryId }) => access.recovery(recoveryId)),
    invitations: [...access.invitations()],
    emails: [...access.notices()],
    codes: [...access.operators()].map(({ sealedTotp, totpStep }) => [sealedTotp, totpStep]),
    steps: [...model.accounts.keys()].map((accountId) => access.totpStep(accountId)),
    proof: venue.lastProof,
  };
}

function known({ timeMs }: Engine, model: ModelState): Side {
  const { access, venue, wallet } = model;
  const holders = holdersIn(model);
  const open = access.sessions.filter(({ untilMs }) => untilMs > timeMs);
  return {
    passwords: holders.map((holder) => {
      const { sealedPassword, heldUntilMs = 0 } = access.passwordOf(holder) ?? {};
      return [sealedPassword, heldUntilMs];
    }),
    sessions: holders.map((holder) => open.filter((session) => session.holder === holder)),
    found: access.sessions.map((session) => (open.includes(session) ? session.sessionId : undefined)),
    recoveries: holders.map((holder) => access.recoveries.find((recovery) => recovery.holder === holder)),
    links: access.recoveries,
    invitations: access.invitations,
    emails: access.notices,
    codes: venue.operators.map(({ name, totpSecret }) => {
      const used = access.operatorSteps.filter((each) => each.name === name);
      return [totpSecret, Math.max(-1, ...used.map(({ step }) => step))];
    }),
    steps: [...model.accounts.keys()].map((accountId) => {
      const used = wallet.totpSteps.filter((each) => each.accountId === accountId);
      return Math.max(-1, ...used.map(({ step }) => step));
    }),
    proof: access.lastProof,
  };
}
