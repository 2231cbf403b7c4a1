/**
 * The event digest of the editions before the third, which covers only some fields. Journals written under those
 * editions hold such digests, so this file never changes, and no new event or field is added: later events go into the
 * full digest in any edition.
 */
import type { EventDigest } from "./digest.ts";
import type {
  Event,
  Fill,
  KlinesImported,
  LetterChanged,
  PastAdded,
  RoleGranted,
  VenueEvent,
  WalletEvent,
} from "./event.ts";

/** The events that releases before the third edition knew. */
type FirstEvent = Exclude<Event, RoleGranted | LetterChanged | VenueEvent>;

const EVENT_NUMBERS: { readonly [Type in FirstEvent["type"]]: number } = {
  rejected: 1,
  done: 2,
  orderOpened: 3,
  trade: 4,
  orderEnded: 5,
  listenKeyOpened: 6,
  listenKeyClosed: 7,
  assetListed: 8,
  symbolListed: 9,
  symbolChanged: 10,
  accountOpened: 11,
  accountChanged: 12,
  apiKeyCreated: 13,
  apiKeyDeleted: 14,
  balanceMoved: 15,
  orderListChanged: 16,
  cancelReplaced: 17,
  depositAddressAssigned: 18,
  depositChanged: 19,
  withdrawalChanged: 20,
  transferred: 21,
  dustConverted: 22,
  dividendPaid: 23,
  maintenanceChanged: 24,
  apiTradingLocked: 25,
  networkChanged: 26,
  rulesAdopted: 27,
  masterKeyBound: 28,
  pastAdded: 29,
  klinesImported: 30,
};

export function isOfFirstDigest(event: Event): event is FirstEvent {
  return event.type in EVENT_NUMBERS;
}

export function digestSomeFields(digest: EventDigest, event: FirstEvent): void {
  digest.add(EVENT_NUMBERS[event.type]);
  switch (event.type) {
    case "rejected":
      return digest.addText(event.reason);
    case "rulesAdopted":
      return digest.add(event.edition);
    case "orderOpened":
      digest.add(event.order.orderId);
      digest.add(event.order.quantityLots);
      return digest.add(event.order.priceTicks);
    case "trade":
      digest.add(event.tradeId);
      digest.add(event.priceTicks);
      digest.add(event.lots);
      digest.addBig(event.quote);
      digestFill(digest, event.taker);
      return digestFill(digest, event.maker);
    case "orderEnded":
      digest.add(event.order.orderId);
      return digest.add(event.order.executedLots);
    case "orderListChanged":
      digest.add(event.list.orderListId);
      return digest.addText(event.listOrderStatus);
    case "cancelReplaced":
      digest.addText(event.cancelReason ?? "");
      return digest.addText(event.placeReason ?? "");
    case "listenKeyOpened":
    case "listenKeyClosed":
      digest.add(event.accountId);
      return digest.addText(event.listenKey);
    case "apiKeyCreated":
      return digest.addText(event.key.apiKey);
    case "apiKeyDeleted":
      return digest.addText(event.apiKey);
    case "masterKeyBound":
      return digest.addText(event.keyCheck);
    case "balanceMoved":
      digest.add(event.accountId);
      digest.add(event.assetId);
      return digest.addBig(event.amount);
    case "assetListed":
      return digest.add(event.assetId);
    case "symbolListed":
    case "symbolChanged":
      return digest.add(event.symbolId);
    case "accountOpened":
    case "accountChanged":
      return digest.add(event.accountId);
    case "pastAdded":
      return digestPast(digest, event);
    case "klinesImported":
      return digestKlines(digest, event);
    case "done":
      return;
    default:
      return digestWalletEvent(digest, event);
  }
}

function digestWalletEvent(digest: EventDigest, event: Exclude<WalletEvent, LetterChanged>): void {
  switch (event.type) {
    case "depositAddressAssigned":
      digest.add(event.address.accountId);
      return digest.addText(event.address.address);
    case "depositChanged":
      digest.add(event.deposit.depositId);
      digest.addText(event.status);
      digest.addBig(event.moved);
      return digest.addBig(event.shortage);
    case "withdrawalChanged":
      digest.addText(event.withdrawal.withdrawalId);
      digest.addText(event.status);
      digest.addBig(event.withdrawal.amount);
      return digest.addText(event.txId);
    case "transferred":
      digest.add(event.fromAccountId);
      digest.add(event.toAccountId);
      digest.add(event.assetId);
      return digest.addBig(event.amount);
    case "dustConverted":
      digest.add(event.accountId);
      digest.add(event.assetId);
      digest.addBig(event.amount);
      digest.addBig(event.received);
      return digest.addBig(event.charge);
    case "dividendPaid":
      digest.add(event.accountId);
      digest.add(event.assetId);
      return digest.addBig(event.amount);
    case "maintenanceChanged":
      return digest.add(event.isOn ? 1 : 0);
    case "apiTradingLocked":
      digest.add(event.accountId);
      return digest.add(event.untilMs);
    case "networkChanged":
      return digest.addText(event.network);
  }
}

/** The candles are omitted: they follow from these fields. */
function digestPast(digest: EventDigest, { symbolId, past }: PastAdded): void {
  digest.add(symbolId);
  digest.add(past.generator);
  digest.add(past.seed);
  digest.add(past.endMs);
  digest.add(past.endTicks);
  digest.add(past.dayLots);
}

function digestKlines(digest: EventDigest, { symbolId, candles }: KlinesImported): void {
  digest.add(symbolId);
  for (const { openTimeMs, openTicks, highTicks, lowTicks, closeTicks, lots, quote } of candles) {
    for (const number of [openTimeMs, openTicks, highTicks, lowTicks, closeTicks]) digest.add(number);
    digest.addBig(lots);
    digest.addBig(quote);
  }
}

function digestFill(digest: EventDigest, fill: Fill): void {
  digest.add(fill.order.orderId);
  digest.add(fill.order.executedLots);
  digest.addBig(fill.commission);
}
