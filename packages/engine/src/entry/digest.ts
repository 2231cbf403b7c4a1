/**
 * The event digest: a running digest of all events so far, in two 32-bit lanes of multiply-and-shift mixing. It is not
 * cryptographic (the journal's hash chain is). It detects after each command whether two replicas of a journal differ.
 */
import { UPPER } from "../numbers.ts";
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

/** Odd, so that different values give different sums. */
const [SECOND, THIRD, FOURTH] = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35] as const;

export class EventDigest {
  private a = 0x9e3779b9;
  private b = 0x85ebca6b;

  mix(word: number): void {
    this.a = Math.imul(this.a ^ word, 0xcc9e2d51);
    this.a ^= this.a >>> 15;
    this.b = Math.imul(this.b + this.a, 0x1b873593);
    this.b ^= (this.b >>> 13) ^ word;
  }

  /** Mixes four words in little more time than one. */
  mixFour(a: number, b: number, c: number, d: number): void {
    this.mix((a + Math.imul(b, SECOND) + Math.imul(c, THIRD) + Math.imul(d, FOURTH)) | 0);
  }

  mixSeven(a: number, b: number, c: number, d: number, e: number, f: number, g: number): void {
    const first = a + Math.imul(b, SECOND) + Math.imul(c, THIRD) + Math.imul(d, FOURTH);
    this.mix((first + Math.imul(e, 0x27d4eb2f) + Math.imul(f, 0x165667b1) + Math.imul(g, 0xcc9e2d51)) | 0);
  }

  /**
   * Adds a safe integer, zero or above, as in rules versions 1 and 2. The next two methods are also for these versions.
   */
  add(value: number): void {
    this.mix(value | 0);
    if (value > 0xffffffff) this.mix(Math.floor(value / 0x100000000));
  }

  addBig(value: bigint): void {
    if (value >= 0n && value <= 0x1fffffffffffffn) this.add(Number(value));
    else this.addText(value.toString());
  }

  addText(text: string): void {
    for (let i = 0; i < text.length; i++) this.mix(text.charCodeAt(i));
    this.mix(text.length);
  }

  /** 16 hex digits. */
  toString(): string {
    return hexOf(this.a) + hexOf(this.b);
  }

  lanes(): readonly [number, number] {
    return [this.a >>> 0, this.b >>> 0];
  }
  setLanes(a: number, b: number): void {
    this.a = a | 0;
    this.b = b | 0;
  }
}

/** Each row of a journal has a digest, and `toString(16)` with padding costs four times as much. */
function hexOf(word: number): string {
  const high = [hexDigit(word >>> 28), hexDigit(word >>> 24), hexDigit(word >>> 20), hexDigit(word >>> 16)] as const;
  const low = [hexDigit(word >>> 12), hexDigit(word >>> 8), hexDigit(word >>> 4), hexDigit(word)] as const;
  return String.fromCharCode(...high, ...low);
}

/** The character code of a word's last four bits as a hex digit. */
function hexDigit(word: number): number {
  const digit = word & 15;
  return digit + (digit < 10 ? 48 : 87);
}

/** Folds a safe integer into a word of 32 bits. */
export function fold(value: number): number {
  return value > 0xffffffff ? (value | 0) ^ Math.imul((value * UPPER) | 0, SECOND) : value | 0;
}

const quad = new BigInt64Array(1);
const halves = new Int32Array(quad.buffer);

/** Writes the value into 64 bits and reads it as two halves, which is far faster than a conversion to a number. */
export function foldBig(value: bigint): number {
  // Most orders have nothing executed yet.
  if (value === 0n) return 0;
  if (BigInt.asIntN(64, value) !== value) return foldText(value.toString());
  quad[0] = value;
  return (halves[0] as number) ^ Math.imul(halves[1] as number, SECOND);
}

const EACH = 0x2c1b3c6d;

export function foldText(text: string): number {
  const { length } = text;
  let sum = length;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    const pair = text.charCodeAt(i) + Math.imul(text.charCodeAt(i + 1), SECOND);
    const next = Math.imul(text.charCodeAt(i + 2), THIRD) + Math.imul(text.charCodeAt(i + 3), FOURTH);
    sum = (Math.imul(sum, EACH) + pair + next) | 0;
  }
  for (; i < length; i++) sum = (Math.imul(sum, EACH) + text.charCodeAt(i)) | 0;
  return sum;
}

/** 8 bits for a word, from its length and first letter. A test checks that they differ within each list. */
export function foldWord(word: string): number {
  return (word.length + 8 * word.charCodeAt(0)) & 0xff;
}

// The event digest of rules versions 1 and 2, which covers only some fields. Journals written under those versions
// contain such digests, so this part never changes, and no new event or field is added: later events are part of the
// full digest in any version.

/** The events of releases before rules version 3. */
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

/** The candles are omitted, because they are computed from these fields. */
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
