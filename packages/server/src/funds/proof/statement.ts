/**
 * The public part of a proof: a signed statement of the liabilities at one position, optionally with reserves. It is
 * published, because all customers must see the same one. Two lines of JSON: the statement, then key and signature; two
 * more lines for reserves. docs/internals/proof-format.md.
 */
import {
  DEPOSITS_ACCOUNT,
  DUST_ACCOUNT,
  type EngineView,
  FEE_ACCOUNT,
  OUTSIDE_ACCOUNT,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import type { Holdings, TreeContext } from "./sum-tree.ts";
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import {
  count,
  demand,
  depthNumber,
  hex32,
  lineOf,
  linesOf,
  MAX_RESERVES,
  readLine,
  readSealed,
  type Sealed,
  sealLine,
  signedText,
  sumText,
} from "./lines.ts";

/** House accounts by their names in proofs. */
export const HOUSE_ACCOUNTS = {
  fees: FEE_ACCOUNT,
  treasury: TREASURY_ACCOUNT,
  dust: DUST_ACCOUNT,
  /** Deposits seen on a chain but not attributed yet. */
  arriving: DEPOSITS_ACCOUNT,
} as const;
export type HouseAccount = keyof typeof HOUSE_ACCOUNTS;
export const HOUSE_NAMES = Object.keys(HOUSE_ACCOUNTS) as readonly HouseAccount[];

/** The liabilities in one asset, in its smallest units. */
export interface Owed {
  readonly asset: string;
  readonly assetId: number;
  readonly decimals: number;
  readonly holdings: Holdings;
  /** The balances of customers, free and locked. */
  readonly total: bigint;
  /** The part of `total` that is locked by orders and withdrawals. */
  readonly locked: bigint;
  /** The part of `total` that pending withdrawals will pay out, including fees. */
  readonly leaving: bigint;
  /** Only the treasury may be negative: the exchange then owes more than it has. */
  readonly house: Readonly<Record<HouseAccount, bigint>>;
  /** Inflow minus outflow. Equals `total` plus the house accounts, unless the ledger is wrong. */
  readonly net: bigint;
}

/** The liabilities of each asset. Customers with a zero balance are omitted. */
export function owedIn(view: EngineView): Owed[] {
  const accountIds = Array.from(view.accounts(), ({ accountId }) => accountId).toSorted((a, b) => a - b);
  const leaving = new Map<number, bigint>();
  for (const { assetId, amount } of view.funds.openWithdrawals()) {
    leaving.set(assetId, (leaving.get(assetId) ?? 0n) + amount);
  }
  return view.assets().map(({ assetId, spec }) => {
    const holdings = { accountIds: [] as number[], amounts: [] as bigint[] };
    const sums = { total: 0n, locked: 0n };
    for (const accountId of accountIds) {
      const { free, locked } = view.balance(accountId, assetId);
      const amount = free + locked;
      if (amount === 0n) continue;
      holdings.accountIds.push(accountId);
      holdings.amounts.push(amount);
      sums.total += amount;
      sums.locked += locked;
    }
    const { asset, precision: decimals } = spec;
    const about = { asset, assetId, decimals, leaving: leaving.get(assetId) ?? 0n };
    return { ...about, ...sums, holdings, house: houseOf(view, assetId), net: -heldBy(view, OUTSIDE_ACCOUNT, assetId) };
  });
}

function houseOf(view: EngineView, assetId: number): Record<HouseAccount, bigint> {
  const held = HOUSE_NAMES.map((name) => [name, heldBy(view, HOUSE_ACCOUNTS[name], assetId)]);
  return Object.fromEntries(held) as Record<HouseAccount, bigint>;
}

function heldBy(view: EngineView, accountId: number, assetId: number): bigint {
  const { free, locked } = view.balance(accountId, assetId);
  return free + locked;
}

// Reserves are balances of the exchange's addresses, as claimed by the exchange. They follow the statement in the
// public part and refer to it by its digest.

const RESERVES_FORMAT = "pricetime-reserves-1";
const SIGNED_RESERVES = "pricetime proof 1 reserves\n";

const reserveSchema = z.strictObject({
  asset: z.string().regex(/^[A-Z0-9]{1,20}$/),
  network: z.string().regex(/^[A-Z0-9]{1,20}$/),
  address: z.string().regex(/^[\x21-\x7e]{1,128}$/),
  /** The block height at which the balance was read. */
  block: count,
  /** In the asset's smallest units. */
  amount: sumText,
  /** The signature over `reserveText` with the address's key (EIP-191); "" if there is no proof of ownership. */
  signature: z.string().regex(/^([0-9a-f]{130})?$/),
});
const reservesSchema = z.strictObject({
  format: z.literal(RESERVES_FORMAT),
  /** The digest of the statement that the reserves belong to. */
  statement: hex32,
  reserves: z.array(reserveSchema).min(1).max(MAX_RESERVES),
});

export type Reserve = z.output<typeof reserveSchema>;

interface Reserves extends Sealed {
  readonly reserves: readonly Reserve[];
}

/** The text to be signed with the key of an address (EIP-191, `personal_sign`). */
export function reserveText(
  digest: string,
  { asset, network, address, block, amount }: Omit<Reserve, "signature">,
): string {
  return ["pricetime reserves 1", digest, asset, network, address, block, amount].join("\n");
}

/**
 * Signs the line of reserves. Throws `ProofRefused` for reserves that `readReserves` would reject. `digest`: the
 * statement's.
 */
function signReserves(digest: string, assets: readonly string[], reserves: Reserve[], key: KeyObject): Reserves {
  const line = lineOf({ format: RESERVES_FORMAT, statement: digest, reserves });
  return { ...sealLine(line, SIGNED_RESERVES, key), reserves: readLineOf(line, digest, assets) };
}

/** Reads and verifies both lines of reserves, except the signatures of addresses. Throws `ProofRefused`. */
function readReserves(line: string, seal: string, digest: string, assets: readonly string[]): Reserves {
  return { ...readSealed(line, seal, SIGNED_RESERVES, "the reserves"), reserves: readLineOf(line, digest, assets) };
}

function readLineOf(line: string, digest: string, assets: readonly string[]): Reserve[] {
  const { statement, reserves } = readLine(line, reservesSchema, "the line of reserves");
  demand(statement === digest, "the reserves stand beside another proof");
  const seen = new Set<string>();
  for (const { asset, network, address } of reserves) {
    demand(assets.includes(asset), `${asset}: the public part has no such asset, and reserves of it`);
    // Addresses are compared case-insensitively.
    const place = JSON.stringify([asset, network, address.toLowerCase()]);
    demand(!seen.has(place), `${asset}: the address ${address} is counted twice`);
    seen.add(place);
  }
  return reserves;
}

/** Verifies the signatures of the addresses. Rejects with `ProofRefused`. */
export async function checkAddresses({ reserves }: Pick<Reserves, "reserves">, digest: string): Promise<void> {
  for (const reserve of reserves) {
    if (reserve.signature === "") continue;
    const { asset, address, signature } = reserve;
    const signer = await signerOf(reserveText(digest, reserve), signature);
    const isOfAddress = signer.toLowerCase() === address.toLowerCase();
    demand(isOfAddress, `${asset}: the signature of ${address} is not of its key, or of another statement`);
  }
}

/** Total reserves of an asset in its smallest units; null if there are none. */
export function reservesOf(reserves: readonly Reserve[], asset: string): bigint | null {
  const held = reserves.filter((each) => each.asset === asset);
  return held.length === 0 ? null : held.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/**
 * Resolves to the address that signed the message, or "" for an invalid signature. `signature`: 130 hex digits
 * (EIP-191).
 */
async function signerOf(message: string, signature: string): Promise<string> {
  // Loaded lazily, because few proofs have signed reserves.
  const { recoverMessageAddress } = await import("viem");
  return recoverMessageAddress({ message, signature: `0x${signature}` }).catch(() => "");
}

export const FORMAT = "pricetime-proof-1";
/** The `previous` field of the first statement. */
export const NO_PREVIOUS = "0".repeat(64);
const SIGNED_AS = "pricetime proof 1 statement\n";
/** A statement consists of a line and its signature. */
const LINES = 2;

const assetSchema = z.strictObject({
  asset: z.string().regex(/^[A-Z0-9]{1,20}$/),
  assetId: count,
  decimals: count,
  depth: depthNumber,
  /** The sum of all leaves: the balances of customers, free and locked. */
  total: sumText,
  root: hex32,
  /** The part of the total that pending withdrawals will pay out. */
  leaving: sumText,
  fees: signedText,
  treasury: signedText,
  dust: signedText,
  arriving: signedText,
  /** Inflow minus outflow. */
  net: signedText,
});
const statementSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The number of the proof, counting from 1. */
  number: count.min(1),
  /** The digest of the previous statement. */
  previous: hex32,
  /**
   * The position in the journal: the last entry, its time, the chain hash, and the state hash as printed by `journal
   * verify`.
   */
  seq: count,
  timeMs: count,
  chainHash: hex32,
  stateHash: z.string().regex(/^[0-9a-f]{16}$/),
  assets: z.array(assetSchema),
});

export type AssetStatement = z.output<typeof assetSchema>;
export type Statement = z.output<typeof statementSchema>;

/** Customers compare `digest`; `text` is the complete file. */
export interface SignedStatement extends Sealed {
  readonly statement: Statement;
  /** Null if the public part has no reserves. */
  readonly reserves: Reserves | null;
}

export function signStatement(statement: Statement, key: KeyObject): SignedStatement {
  return { ...sealLine(lineOf(statement), SIGNED_AS, key), statement, reserves: null };
}

/** Appends reserves to a statement without any. Throws `ProofRefused` for reserves that a verifier would reject. */
export function withReserves(signed: SignedStatement, given: Reserve[], key: KeyObject): SignedStatement {
  const reserves = signReserves(signed.digest, assetsOf(signed.statement), given, key);
  return { ...signed, reserves, text: signed.text + reserves.text };
}

/**
 * Reads and verifies a public part on its own: format, the exchange's signatures, sums. Signatures of addresses are
 * verified by `checkAddresses`. Throws `ProofRefused`.
 */
export function readStatement(text: string): SignedStatement {
  const hasReserves = text.split("\n").length > LINES + 1;
  const lines = linesOf(text, hasReserves ? 2 * LINES : LINES, "the public part");
  const [line = "", seal = "", reservesLine = "", reservesSeal = ""] = lines;
  const sealed = readSealed(line, seal, SIGNED_AS, "the public part");
  const statement = readLine(line, statementSchema, "the public part");
  checkAssets(statement);
  if (!hasReserves) return { ...sealed, statement, reserves: null };
  const reserves = readReserves(reservesLine, reservesSeal, sealed.digest, assetsOf(statement));
  demand(reserves.publicKey === sealed.publicKey, "the reserves are signed with another key than the public part");
  return { ...sealed, statement, reserves, text };
}

const assetsOf = ({ assets }: Statement): string[] => assets.map(({ asset }) => asset);

export function contextOf(
  { seq, chainHash }: Statement,
  { asset, assetId, decimals, depth }: AssetStatement,
): TreeContext {
  return { seq, chainHash, asset, assetId, decimals, depth };
}

/** How two public parts relate. `twoViews`: the exchange has published contradicting statements. */
export type Relation = "same" | "next" | "apart" | "twoViews" | "otherKey";

/** Compares two public parts, in either order. `next`: one names the other as its predecessor. */
export function compareStatements(earlier: SignedStatement, later: SignedStatement): Relation {
  if (earlier.publicKey !== later.publicKey) return "otherKey";
  if (earlier.digest === later.digest) return hasTwoReserves(earlier, later) ? "twoViews" : "same";
  const [a, b] = [earlier.statement, later.statement];
  if (a.number === b.number || a.seq === b.seq) return "twoViews";
  const [first, second] = a.number < b.number ? [earlier, later] : [later, earlier];
  if (second.statement.number !== first.statement.number + 1) return "apart";
  return second.statement.previous === first.digest ? "next" : "twoViews";
}

function checkAssets({ number, previous, assets }: Statement): void {
  demand((number === 1) === (previous === NO_PREVIOUS), "the first proof alone has none before it");
  let lastId = -1;
  const names = new Set<string>();
  for (const each of assets) {
    demand(each.assetId > lastId && !names.has(each.asset), `${each.asset} stands twice, or out of turn`);
    lastId = each.assetId;
    names.add(each.asset);
    demand(BigInt(each.leaving) <= BigInt(each.total), `${each.asset}: more is leaving than customers have`);
    for (const name of HOUSE_NAMES) {
      demand(name === "treasury" || !each[name].startsWith("-"), `${each.asset}: ${name} is below zero`);
    }
    const held = HOUSE_NAMES.reduce((sum, name) => sum + BigInt(each[name]), BigInt(each.total));
    demand(held === BigInt(each.net), `${each.asset}: what is held is not what came in less what went out`);
  }
}

/** Whether two parts of the same statement have different reserves. Reserves may be added later, but cannot change. */
function hasTwoReserves(one: SignedStatement, other: SignedStatement): boolean {
  return one.reserves !== null && other.reserves !== null && one.reserves.digest !== other.reserves.digest;
}
