/**
 * The hash of the state changes when any field changes. A history creates a state with values in all parts. Each
 * primitive that can be reached from the engine is changed, and the hash of exactly its own part must differ. Fields
 * that are derived from others are listed with the reason; there, the invariants must detect the change. A last list
 * has the fields that neither detects, and why this is harmless. STATE_HISTORIES sets the number of histories;
 * state-hash.campaign.ts has more, and changes more places of each kind.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Command,
  decodeCommands,
  differingParts,
  encodeCommands,
  Engine,
  InvariantBroken,
  type StateHash,
} from "@pricetime/engine";
import { NO_CONTENTS } from "../src/state/funds/used-ids.ts";
import { Dice } from "@pricetime/testkit/dice";
import { makeWorld, NODE_MAKERS, randomCommand, WALLET_MAKERS } from "@pricetime/testkit/workload";
import { SAMPLES } from "@pricetime/testkit/samples";
import { ModelExchange } from "@pricetime/testkit/models";

interface Place {
  /**
   * The class that contains it, and the fields that lead there from the class; `[]` is an element of a list, map or
   * set.
   */
  readonly kind: string;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

const HISTORIES = Number(process.env["STATE_HISTORIES"] ?? 1);
/**
 * The maximum, if the first histories did not contain all rare values. Which history contains them depends on the
 * workload.
 */
const MOST_HISTORIES = 100;
const COMMANDS = 600;
const LOOK_EVERY = 50;
/** The number of changed places of each kind. */
const FLIPS_A_KIND = Number(process.env["STATE_FLIPS"] ?? 1);

/** Fields that belong to the command being applied; the next command clears them. */
const PASSING = ["events", "postings"];

/** All primitives that can be reached, each once. Fields that are null here have a value elsewhere. */
function* placesIn(root: object): Iterable<Place> {
  const seen = new Set<object>();
  const waiting: Reached[] = [{ kind: "", at: root, replace: () => assert.fail("nothing holds the engine") }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { at } = next;
    if (seen.has(at)) continue;
    seen.add(at);
    const { name } = at.constructor;
    const isPlain = ArrayBuffer.isView(at) || [Object, Array, Map, Set].some((plain) => plain === at.constructor);
    for (const { step, value, set } of membersOf(next)) {
      const kind = `${isPlain ? next.kind : name}.${step}`;
      if (typeof value === "object" && value !== null) waiting.push({ kind, at: value, replace: set });
      else if (value !== undefined && value !== null && typeof value !== "function") yield { kind, value, set };
    }
  }
}

interface Reached {
  readonly kind: string;
  readonly at: object;
  /** Replaces this object in its container. */
  readonly replace: (by: unknown) => void;
}

interface Member {
  readonly step: string;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
}

function* membersOf({ at, replace }: Reached): Iterable<Member> {
  assert.ok(!(at instanceof DataView), "a view has no members to flip");
  if (at instanceof Map) {
    const entries = [...at] as [unknown, unknown][];
    for (const [index, [key, value]] of entries.entries()) {
      yield { step: "[]", value, set: (changed) => refill(at, entries.with(index, [key, changed])) };
      yield { step: "[key]", value: key, set: (changed) => refill(at, entries.with(index, [changed, value])) };
    }
  } else if (at instanceof Set) {
    const members = [...at] as unknown[];
    for (const [index, value] of members.entries()) {
      yield { step: "[]", value, set: (changed) => refill(at, members.with(index, changed)) };
    }
  } else {
    const fields = at as Record<string, unknown>;
    for (const name of Object.keys(at)) {
      // An id from before rules version 4 is stored without its entry and its answer.
      if (PASSING.includes(name) || (fields["contents"] === NO_CONTENTS && name !== "contents")) continue;
      const step = Array.isArray(at) || ArrayBuffer.isView(at) ? "[]" : name;
      const value = fields[name];
      const change = (changed: unknown): void => void (fields[name] = changed);
      // A frozen object is replaced by a changed copy and restored afterwards, because others may refer to it.
      const exchange = (changed: unknown): void => replace(changed === value ? at : copyWith(at, name, changed));
      yield { step, value, set: Object.isFrozen(at) ? exchange : change };
    }
  }
}

function copyWith(at: object, name: string, changed: unknown): object {
  const copy: object = Array.isArray(at) ? [] : Object.create(Object.getPrototypeOf(at));
  return Object.assign(copy, at, { [name]: changed });
}

function refill(at: Map<unknown, unknown> | Set<unknown>, members: readonly unknown[]): void {
  at.clear();
  for (const member of members) {
    if (at instanceof Set) at.add(member);
    else at.set(...(member as [unknown, unknown]));
  }
}

function flipped(value: unknown): unknown {
  switch (typeof value) {
    case "number":
      // Far from all other numbers, so that no key of a map becomes equal to another.
      return Number.isFinite(value) ? value + 1_000_000 : 1_000_000;
    case "bigint":
      return value + 1n;
    case "boolean":
      return !value;
    case "string":
      return `${value}x`;
    default:
      return assert.fail(`no flip of ${typeof value}`);
  }
}

/** The part whose hash must change; the first matching pattern applies. */
const PARTS: readonly (readonly [kind: RegExp, part: RegExp])[] = [
  [/^(ExchangeState\.interface$|PlacedCounts\.fillCredits\.)/, /^interface$/],
  [/^CommissionDiscount\./, /^discount$/],
  [/^ExchangeState\.masterKeyCheck/, /^master key$/],
  [/^ExchangeState\.sharedSettings\./, /^settings$/],
  [/^ExchangeState\.lastProof\./, /^last proof$/],
  [/^UsedIds\./, /^(references|funds|coins of nobody)$/],
  [/^TransferIds\./, /^funds$/],
  [/^ExchangeState\.assets\./, /^assets$/],
  [/^(ExchangeState|EventDigest)\./, /^exchange$/],
  [/^Accounts\./, /^accounts$/],
  [/^ApiKeys\./, /^API keys$/],
  [/^ListenKeys\./, /^listen keys$/],
  [/^Ledger\./, /^ledger$/],
  [/^WithdrawalCounts\./, /^withdrawal limits$/],
  [/^(Funds|DepositAddresses|Deposits|Withdrawals|AllowLists|ApiLocks)\./, /^funds$/],
  [/^Nodes\./, /^nodes$/],
  [/^Operators\./, /^operators$/],
  [/^Passwords\./, /^passwords$/],
  [/^Sessions\./, /^sessions$/],
  [/^Invitations\./, /^invitations$/],
  [/^Recoveries\./, /^recoveries$/],
  [/^Notices\./, /^letters$/],
  [/^Suspensions\./, /^stops$/],
  [/^Proposals\./, /^proposals$/],
  [/^UnknownDeposits\./, /^coins of nobody$/],
  [/^PlacedCounts\./, /^order counts$/],
  [/^OrderLists\./, /^order lists$/],
  [/^Order\./, /^(orders |order lists$)/],
  // It is part of both names.
  [/^Market\.spec\.symbol$/, /^(market|orders) /],
  [/^(Market|AveragePrice|ReferencePrice|Ticker)\./, /^market /],
];

/** Fields that the hash does not cover. Each line must match a field that exists and is not covered. */
const UNSEEN: readonly (readonly [kind: RegExp, why: string])[] = [
  [/^Ledger\.nowMs$/, "of the command at hand"],
  [/^Market\.touchedBySeq$/, "of the command at hand"],
  [/^CommissionDiscount\.(pricedSeq$|prices\.)/, "of the command at hand"],
  [/^CommissionDiscount\.(assetId|excludedIds\.\[\])$/, "found by the names"],
  [
    /^(Operators|Sessions|Invitations|Recoveries|Notices|Suspensions|Proposals|UnknownDeposits)\.by\w+\.\[key\]$/,
    "index",
  ],
  [/^Suspensions\.(placing|cancelling)UntilMs$/, "the ends of stops of trading"],
  [/^ExchangeState\.(assetsByName|marketsBySymbol|marketsByAsset)\./, "index"],
  [/^DueMarkets\./, "index"],
  [/^Accounts\.(byEmail\.\[key\]|byMaster\.|shared\.)/, "index"],
  [/^ApiKeys\.(byKey|byAccount)\.\[key\]$/, "index"],
  [/^ListenKeys\.(byKey|byAccount)\.\[key\]$/, "index"],
  [/^OrderLists\..*\[key\]$/, "index"],
  [/^PlacedCounts\.(untilMs|lookAtSize|size)$/, "worked out from the windows; when the past is forgotten"],
  [/^PlacedCounts\.byAccount\.\[\]\.\[\]$/, "windows that are over are forgotten in time"],
  [/^Nodes\.(byName|byRole)\.\[key\]$/, "index"],
  [/^DepositAddresses\..*\[key\]$/, "index"],
  [/^Deposits\.byCoin\.\[key\]$/, "index"],
  [/^Withdrawals\.(byId|unconfirmed|openByAccount)\..*\[key\]$/, "index"],
  [/^WithdrawalCounts\.(totals\.|ownLimitCount$)/, "sums and counts of what accounts have"],
  [/^AllowLists\.byAccount\.\[\]\.\[key\]$/, "index"],
  [/^Market\.averages\.\[key\]$/, "index"],
  [/^(OpenOrders|OrderTable|Segment|AccountBook)\./, "index of open orders"],
  [/^TextHash\./, "worked out from the seed of hashing, which each process draws anew"],
  [/^Order\.clientIdHash$/, "index of open orders"],
  [/^(ExchangeState\.orderIds|Market\.lastOrderNumber)$/, "unused if orders are numbered across the exchange"],
  [/^(LadderBook|Triggers|Followers|Heap|Ladder|Rung|Level)\./, "the book: sums of its orders"],
  [/^Rung\.keys\./, "the prices of its levels, side by side"],
  [/^OrderLists\.byId\.\[\]\.record\.(accountId|symbolId|orders\.\[\]\.clientOrderId)$/, "recorded by the orders"],
  [/^OrderLists\.counts\./, "number of the lists"],
  [/^ExchangeState\.exchangeMost\./, "limits of the filters"],
  [/^(ExchangeState\.assets\.\[\]\.assetId|Market\.symbolId)$/, "its place in the list"],
  [
    /^Market\.(baseAssetId|quoteAssetId|lotUnits|quoteScale|quotePrecision|filters|bands|lastBand|priceRange)\b/,
    "worked out from the listing",
  ],
  [/^Market\.terms\./, "shared by orders, each of which says them; those that no order has now are forgotten in time"],
  [/^Deposits\.held\./, "sum of the deposits that are credited"],
  [/^AveragePrice\.(ticksTimesLots|lots|scanned|cached)\b/, "sums of the seconds, and what was last made of them"],
  [/^AveragePrice\.seconds\./, "seconds that have left the window are forgotten in time"],
  [
    /^ReferencePrice\.(trades|ticks|cached|bucketCount|bucketWidthMs|unitsInTick)\b/,
    "sums of the buckets; of the listing",
  ],
  [/^Ticker\.minutes\.\[\]\.before\./, "sums of the minutes before"],
  [/^Ticker\.minutes\./, "minutes that have left the window are forgotten in time"],
  [/^Order\.extras\.sliceLots$/, "an order that is no iceberg shows all that is left of it"],
];

/** Fields whose change neither the hash nor an invariant detects, at least in some places, and why it is harmless. */
const UNWATCHED: readonly (readonly [kind: RegExp, why: string])[] = [
  [/^Ledger\.nowMs$/, "each command says it before anything reads it; a restored ledger has none yet"],
  [/^CommissionDiscount\.(pricedSeq$|prices\.)/, "of the last command, and read again in the next one"],
  [/^PlacedCounts\.lookAtSize$/, "says only when the past is forgotten next"],
  [/^PlacedCounts\.byAccount\.\[\]\.\[\]$/, "orders of a window that is over are overwritten by the next ones"],
  [/^ReferencePrice\.cached\.nowMs$/, "the price is the same at the other time"],
  [/^AveragePrice\.((scanned|cached)\.firstSecond|seconds\..*ots)$/, "no trade lies between, or it left the window"],
  [/^TextHash\.keys\.\[\]$/, "the lowest bits of a sum are not used, and no open order may have an id of this length"],
  [/^Rung\.keys\.\[\]$/, "places beyond the rung's last level are written before they are read"],
  [
    /^Market\.(bands\.\[\]|lastBand)\.average\.numerator$/,
    "one more may move the band by no tick, and another average has a band of its own",
  ],
  [/^Ticker\.minutes\.\[\]\.before\./, "of a market with one minute of trades, only the difference to itself is read"],
  [/^Ticker\.minutes\.\[\]\.(firstTradeId|\w+Ticks)$/, "of minutes that have left the window only sums are read"],
];

/** The hash covers only some of these places. */
const SEEN_IN_PART = [
  /^OrderLists\.byId\.\[\]\.record\.orders\.\[\]\.clientOrderId$/,
  /^AveragePrice\.seconds\./,
  /^Ticker\.minutes\.\[\]\.\w+$/,
  /^Order\.extras\.sliceLots$/,
  /^PlacedCounts\.byAccount\.\[\]\.\[\]$/,
];

/** Fields that must have a value in at least one history. */
const HELD: readonly string[] = [
  "ApiKeys.byKey.[].apiKey",
  "OrderLists.byId.[].record.listClientOrderId",
  "Withdrawals.byId.[].amount",
  "Withdrawals.finished.[]",
  "Withdrawals.byId.[].accountSum24h",
  "Withdrawals.byId.[].approvalReasons.[].limit",
  "WithdrawalCounts.byHour.[].[].[]",
  "WithdrawalCounts.ownLimits.[].[].per24h",
  "UsedIds.byId.[].contents",
  "UsedIds.byId.[].answer",
  "Deposits.dropped.[].contents",
  "Deposits.dropped.[].owed",
  "AllowLists.byAccount.[].[].address",
  "ApiLocks.byAccount.[].startsMs.[]",
  "Funds.totpSteps.[]",
  "Funds.lastDustMs.[]",
  "Market.past.endMs",
  "Market.delisting.atMs",
  "Ticker.closeBefore",
  "Order.extras.locked",
  "Order.extras.amendCount",
  "Order.extras.trailing.delta",
  "Order.extras.peg.sentTicks",
  "Order.extras.peg.peggedTicks",
  "Followers.extremes.[].ticks",
  "Order.executed.commission",
  "ListenKeys.byKey.[].expiresMs",
  "ApiKeys.byKey.[].publicKey",
  "Accounts.byId.[].symbolRates.[].makerBps",
  "EventDigest.a",
  "Nodes.byName.[].incarnation",
  "PlacedCounts.byAccount.[].[]",
  "PlacedCounts.rules.[].limit",
  "PlacedCounts.fillCredits.maker",
  "ExchangeState.sharedSettings.[].value",
  "Nodes.byRole.[].number",
  "Withdrawals.letters.[]",
  "Operators.byName.[].role",
  "Passwords.byHolder.[].sealedPassword",
  "Sessions.byId.[].secretHash",
  "Invitations.byId.[].email",
  "Recoveries.byHolder.[].fromMs",
  "Notices.byId.[].kind",
  "Suspensions.byScope.[].untilMs",
  "Proposals.byId.[].act.withdrawalId",
  "Proposals.rules.approvals",
  "UnknownDeposits.byCoin.[].coin",
  "ExchangeState.lastProof.root",
  "CommissionDiscount.rules.factorBps",
  "CommissionDiscount.excludedIds.[]",
  "CommissionDiscount.prices.[].lowest.units",
  // Typed arrays, and a frozen object.
  "Rung.keys.[]",
  "TextHash.keys.[]",
  "Market.bands.[].average.numerator",
  "ReferencePrice.buckets.[].ticks",
  "ExchangeState.exchangeMost.open",
  "OrderLists.counts.[]",
];

const KEYS: readonly Command[] = [
  { sealedSecret: "sealed", ipAllowList: ["10.0.0.1"] },
  { sealedSecret: "", ipAllowList: [], publicKey: `MCowBQYDK2VwAyEA${"A".repeat(43)}=` },
].map((differing, i) => ({
  type: "createApiKey",
  by: "test",
  accountId: 100,
  apiKey: `${i}`.repeat(64),
  permissions: ["TRADE"],
  label: "one of two",
  ...differing,
}));

const LIMITS: Command = {
  type: "setOrderLimits",
  by: "test",
  rules: [
    { windowMs: 60_000, limit: 10 },
    { windowMs: 86_400_000, limit: 100_000 },
  ],
  fillCredits: { taker: 1, maker: 5 },
};

const SETTINGS: Command = {
  type: "setSharedSettings",
  by: "test",
  settings: [{ name: "fees", value: '{"makerBps":10,"takerBps":10}' }],
};

const START_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;

const HASH = "0123456789abcdef".repeat(4);
const HOLDER = "operator:carol";
const SPAN = { fromMs: START_MS + 1, untilMs: START_MS + DAY_MS };
const OPENING = {
  type: "openSession",
  ...{ holder: HOLDER, secretHash: HASH, sealedPassword: "s1.a", totpStep: null },
  ...{ untilMs: START_MS + DAY_MS, ip: "10.0.0.1", client: "Firefox" },
} as const;

/** The third unattributed deposit is kept with dual approval. */
const KEPT: Command<"settleUnknownDeposit"> = {
  ...{ type: "settleUnknownDeposit", network: "ETH", txId: `0x${HASH}`, output: 5, by: HOLDER },
  ...{ how: "keep", toAccountId: null, asset: "GOLD", amount: "1", why: "it is ours" },
};

/**
 * Samples that succeed in this order: an operator, a customer who signs in, a suspension, an approval request,
 * unattributed deposits.
 */
const VENUE: readonly Command[] = [
  ...SAMPLES.listAsset.map((listing) => ({ ...listing, asset: { ...listing.asset, asset: "GOLD" } })),
  ...SAMPLES.openOperator,
  ...SAMPLES.invite.map((invite) => ({ ...invite, untilMs: START_MS + DAY_MS })),
  ...SAMPLES.invite.slice(1).map((invite) => ({ ...invite, invitationId: "a".repeat(32), untilMs: START_MS + 5 })),
  { type: "acceptInvitation", invitationId: "a".repeat(32), secretHash: HASH, sealedPassword: "s1.a" },
  ...["b", "c"].map((digit): Command => ({ ...OPENING, sessionId: digit.repeat(32) })),
  { type: "renewSession", sessionId: "c".repeat(32), secretHash: HASH, newSecretHash: "f".repeat(64) },
  { type: "askRecovery", holder: HOLDER, recoveryId: "d".repeat(32), secretHash: HASH, ...SPAN },
  ...SAMPLES.setStop.slice(0, 1).map((stop) => ({ ...stop, scope: "coin:GOLD", untilMs: START_MS + DAY_MS })),
  ...SAMPLES.propose,
  ...SAMPLES.noteUnknownDeposit.slice(0, 1),
  ...SAMPLES.noteUnknownDeposit.slice(0, 1).map((coin) => ({ ...coin, output: 4 })),
  ...SAMPLES.settleUnknownDeposit.slice(1),
  { type: "openOperator", by: "admin", name: "bob", email: "bob@example.org", role: "admin" },
  ...SAMPLES.noteUnknownDeposit.slice(0, 1).map((coin) => ({ ...coin, output: 5 })),
  { type: "propose", by: HOLDER, proposalId: "e".repeat(32), act: KEPT, why: "it is ours" },
  { type: "approveProposal", by: "operator:bob", proposalId: "e".repeat(32), version: 1 },
  { type: "breakGlass", by: "admin", why: "nobody is left" },
  { type: "publishProof", by: "admin", number: 1, seq: 1, root: HASH, previous: "0".repeat(64) },
];

interface Found {
  flips: number;
  /** The number of changes that the hash does not detect. */
  seen: number;
  /** The number of changes that neither hash nor invariants detect. */
  missed: number;
}

function isUnseen(kind: string): boolean {
  return UNSEEN.some(([of]) => of.test(kind));
}

/** Changes the kinds of places that have not been changed often enough. */
function flipAll(engine: Engine, found: Map<string, Found>): void {
  const before = engine.stateHash();
  for (const { kind, value, set } of placesIn(engine)) {
    const of = found.get(kind) ?? { flips: 0, seen: 0, missed: 0 };
    found.set(kind, of);
    const isPartly = SEEN_IN_PART.some((partly) => partly.test(kind));
    const mayMiss = UNWATCHED.some(([unwatched]) => unwatched.test(kind));
    // Kinds that are covered only in some places are changed until both cases have occurred.
    const isEnough = of.flips >= FLIPS_A_KIND && (of.seen > 0 || !isPartly) && (of.missed > 0 || !mayMiss);
    if (isEnough) continue;
    set(flipped(value));
    const parts = partsAfter(before, engine);
    const isSeen = parts === null || parts.length > 0;
    const isMissed = !isSeen && isUnseen(kind) && !breaksInvariants(engine);
    set(value);
    of.flips++;
    if (isSeen) of.seen++;
    if (isMissed) of.missed++;
    assert.ok(mayMiss || !isMissed, `neither hash nor invariants see ${kind}`);
    if (parts === null) continue;
    const [, part] = PARTS.find(([at]) => at.test(kind)) ?? [];
    if (isUnseen(kind) && part === undefined) continue;
    // Values derived from a listing affect the amounts that its orders lock.
    const mayShow = isUnseen(kind) && !isPartly ? /^(market|orders) / : part;
    for (const name of parts) assert.match(name, mayShow ?? /^nowhere$/, `${kind} shows in another part`);
    if (!isUnseen(kind)) assert.ok(parts.length > 0, `the hash does not see ${kind}`);
  }
  assert.equal(engine.stateHash().hash, before.hash);
  engine.checkInvariants();
}

/** Null if such a state cannot be stored in a snapshot. */
function partsAfter(before: StateHash, engine: Engine): readonly string[] | null {
  try {
    return differingParts(before, engine.stateHash());
  } catch (error) {
    assert.ok(error instanceof InvariantBroken, String(error));
    return null;
  }
}

function breaksInvariants(engine: Engine): boolean {
  try {
    engine.checkInvariants();
    return false;
  } catch (error) {
    assert.ok(error instanceof InvariantBroken, String(error));
    return true;
  }
}

test("a change of any field changes the hash of exactly its part, or breaks an invariant", () => {
  const found = new Map<string, Found>();
  const missing = (): readonly string[] => [
    ...HELD.filter((kind) => !found.has(kind)),
    ...UNWATCHED.filter(([of]) => ![...found].some(([kind, { missed }]) => of.test(kind) && missed > 0)).map(String),
  ];
  for (let seed = 1; seed <= HISTORIES || (seed <= MOST_HISTORIES && missing().length > 0); seed++) {
    const [dice, ofNodes] = [new Dice(seed), new Dice(seed)];
    const world = makeWorld(dice);
    const model = new ModelExchange();
    // Decoded from bytes, as from a journal, so that the engine shares no objects with the test.
    const engine = new Engine();
    let timeMs = START_MS;
    const step = (command: Command): void => {
      model.apply(timeMs, command);
      const [read] = decodeCommands(encodeCommands([command]), 1) as [Command];
      engine.apply({ seq: engine.seq + 1, timeMs, command: read });
    };
    for (const command of [...world.opening, ...KEYS, LIMITS, SETTINGS]) step(command);
    // The model does not execute these.
    for (const command of VENUE) {
      const [first] = engine.apply({ seq: engine.seq + 1, timeMs, command: structuredClone(command) });
      assert.notEqual(first?.type, "rejected", `${command.type}: ${first?.type === "rejected" ? first.reason : ""}`);
    }
    for (let i = 1; i <= COMMANDS; i++) {
      timeMs += dice.below(dice.oneIn(100) ? 300_000 : 2_000);
      const make = dice.oneIn(3) ? dice.weighted(WALLET_MAKERS) : randomCommand;
      step(make(dice, world, model));
      // With its own random source, so that the rest of the history does not change.
      if (i % 8 === 0) step(ofNodes.weighted(NODE_MAKERS)(ofNodes, world, model));
      if (i % LOOK_EVERY === 0) flipAll(engine, found);
    }
  }
  assert.deepEqual(missing(), [], "no history had any of these, or they are seen");
  for (const [of, why] of UNSEEN) {
    const kinds = [...found].filter(([kind]) => of.test(kind));
    // If only some places are covered, all changed places may be among them.
    const isPartly = kinds.some(([kind]) => SEEN_IN_PART.some((partly) => partly.test(kind)));
    assert.ok(
      isPartly || kinds.some(([, { flips, seen }]) => seen < flips),
      `${String(of)} (${why}): there is nothing of it, or the hash sees it`,
    );
  }
  for (const partly of SEEN_IN_PART) {
    assert.ok(
      [...found].some(([kind, { seen }]) => partly.test(kind) && seen > 0),
      `nothing seen of ${String(partly)}`,
    );
  }
});
