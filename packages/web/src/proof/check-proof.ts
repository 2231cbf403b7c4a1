/**
 * Verifies a customer's part of a proof of liabilities against the public part, in the browser, without requests to the
 * node.
 */
import {
  type AssetStatement,
  type CustomerPart,
  type FaultName,
  type Holding,
  MAX_SUM,
  ProofFault,
  type PublicPart,
  readCustomerPart,
  readPublicPart,
  type SealedLine,
  type Statement,
} from "./proof-files.ts";

const LEAF = 0;
const NODE = 1;
const CUSTOMER = 2;
const CONTEXT = 3;
const SUM_BYTES = 16;
const SIGNED_AS = "pricetime proof 1 statement\n";
const RESERVES_SIGNED_AS = "pricetime proof 1 reserves\n";
const HOUSE = ["fees", "treasury", "dust", "arriving"] as const;

export interface CheckedPublic {
  readonly statement: Statement;
  /** The digest of the statement, for customers to compare with each other. */
  readonly digest: string;
  readonly publicKey: string;
  readonly reserves: CheckedReserves | null;
}

export interface CheckedReserves {
  readonly digest: string;
  /** For each asset in the reserves: the amount held, and the amount held minus liabilities, in units. */
  readonly assets: ReadonlyMap<string, { readonly held: bigint; readonly surplus: bigint }>;
  /** The numbers of addresses with a signature, which is not verified here, and without a signature. */
  readonly signed: number;
  readonly said: number;
}

export interface Checked extends CheckedPublic {
  readonly customer: CustomerPart;
}

/** Verifies the public part. Rejects with `ProofFault` at the first error. */
async function checkPublic(publicText: string): Promise<CheckedPublic> {
  const part = readPublicPart(publicText);
  demand(await isSigned(part, SIGNED_AS), "signature");
  checkStatement(part.statement);
  const digest = hexOf(await sha256(utf8(part.line)));
  const { statement, publicKey } = part;
  return { statement, digest, publicKey, reserves: await checkReserves(part, digest) };
}

/**
 * Verifies the reserves. Signatures of addresses are verified only by the command line and the script, because browsers
 * do not support their curve.
 */
async function checkReserves(
  { statement, publicKey, reserves }: PublicPart,
  digest: string,
): Promise<CheckedReserves | null> {
  if (reserves === null) return null;
  demand(reserves.publicKey === publicKey && (await isSigned(reserves, RESERVES_SIGNED_AS)), "signature");
  demand(reserves.statement === digest, "otherReserves");
  const seen = new Set<string>();
  const assets = new Map<string, { held: bigint; surplus: bigint }>();
  for (const { asset, network, address, amount } of reserves.reserves) {
    const stated = statement.assets.find((one) => one.asset === asset);
    if (stated === undefined) throw new ProofFault("unknownAsset", asset);
    const place = JSON.stringify([asset, network, address.toLowerCase()]);
    demand(!seen.has(place), "addressTwice", asset);
    seen.add(place);
    const held = (assets.get(asset)?.held ?? 0n) + BigInt(amount);
    assets.set(asset, { held, surplus: held - BigInt(stated.total) });
  }
  const signed = reserves.reserves.filter(({ signature }) => signature !== "").length;
  const said = reserves.reserves.length - signed;
  return { digest: hexOf(await sha256(utf8(reserves.line))), assets, signed, said };
}

/** Verifies both parts. Rejects with `ProofFault` at the first error. */
export async function checkProof(publicText: string, customerText: string): Promise<Checked> {
  const part = await checkPublic(publicText);
  const { digest } = part;
  const customer = readCustomerPart(customerText);
  demand(customer.statement === digest, "otherProof");
  const leafOwner = await sha256(
    bytesOf([CUSTOMER]),
    unhex(customer.secret),
    number(customer.accountId, 8),
    utf8(customer.email),
  );
  const seen = new Set<string>();
  for (const holding of customer.holdings) {
    const stated = part.statement.assets.find(({ asset }) => asset === holding.asset);
    if (stated === undefined) throw new ProofFault("unknownAsset", holding.asset);
    demand(!seen.has(holding.asset), "twice", holding.asset);
    seen.add(holding.asset);
    await checkHolding(holding, stated, part.statement, leafOwner);
  }
  return { ...part, customer };
}

/**
 * Checks the statement: only the first proof has no previous one, and each asset appears once, in the order of asset
 * IDs.
 */
function checkStatement({ number: count, previous, assets }: Statement): void {
  demand((count === 1) === /^0+$/.test(previous), "first");
  const names = new Set<string>();
  for (const [place, stated] of assets.entries()) {
    demand(stated.assetId > (assets[place - 1]?.assetId ?? -1) && !names.has(stated.asset), "order", stated.asset);
    names.add(stated.asset);
    checkSums(stated);
  }
}

/** Checks that the balances of customers and house accounts equal deposits minus withdrawals. */
function checkSums(stated: AssetStatement): void {
  demand(BigInt(stated.leaving) <= BigInt(stated.total), "leaving", stated.asset);
  for (const name of HOUSE) demand(name === "treasury" || !stated[name].startsWith("-"), "bounds", stated.asset);
  const held = HOUSE.reduce((sum, name) => sum + BigInt(stated[name]), BigInt(stated.total));
  demand(held === BigInt(stated.net), "held", stated.asset);
}

async function checkHolding(
  { asset, amount, index, path }: Holding,
  stated: AssetStatement,
  { seq, chainHash }: Statement,
  customer: Uint8Array,
): Promise<void> {
  demand(path.length === stated.depth && index < 2 ** stated.depth, "length", asset);
  const about = [seq, chainHash, asset, stated.assetId, stated.decimals, stated.depth].join("\n");
  const context = await sha256(bytesOf([CONTEXT]), utf8(about));
  let sum = BigInt(amount);
  let digest = await sha256(bytesOf([LEAF]), context, number(index, 4), customer, number(sum, SUM_BYTES));
  let at = index;
  for (const [step, [besideSum, besideHash]] of path.entries()) {
    const own = [digest, number(sum, SUM_BYTES)];
    const beside = [unhex(besideHash), number(BigInt(besideSum), SUM_BYTES)];
    const children = at % 2 === 1 ? [...beside, ...own] : [...own, ...beside];
    sum += BigInt(besideSum);
    demand(sum <= MAX_SUM, "bounds", asset);
    at = Math.floor(at / 2);
    digest = await sha256(bytesOf([NODE]), context, bytesOf([step + 1]), number(at, 4), ...children);
  }
  demand(hexOf(digest) === stated.root, "root", asset);
  demand(sum === BigInt(stated.total), "total", asset);
}

async function isSigned({ line, publicKey, signature }: SealedLine, signedAs: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey("raw", unhex(publicKey), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, unhex(signature), utf8(signedAs + line));
  } catch {
    // The public key is malformed.
    return false;
  }
}

function demand(holds: boolean, fault: FaultName, about = ""): void {
  if (!holds) throw new ProofFault(fault, about);
}

type Bytes = Uint8Array<ArrayBuffer>;

async function sha256(...parts: readonly Uint8Array[]): Promise<Bytes> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const bytesOf = (values: readonly number[]): Bytes => Uint8Array.from(values);

function unhex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (two) => Number.parseInt(two, 16));
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");

/** Encodes a big-endian integer of `count` bytes. */
function number(value: number | bigint, count: number): Bytes {
  return unhex(
    BigInt(value)
      .toString(16)
      .padStart(2 * count, "0"),
  );
}

/** Formats a number of units as a decimal. */
export function inDecimals(units: string, decimals: number): string {
  if (decimals === 0) return units;
  const sign = units.startsWith("-") ? "-" : "";
  const digits = units.replace("-", "").padStart(decimals + 1, "0");
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
