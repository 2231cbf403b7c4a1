/** Parses and validates the two files of a proof of liabilities (docs/internals/proof-format.md). */

/** Why a proof is invalid: the key of a message in `words`, and the object it concerns. */
export class ProofFault extends Error {
  readonly fault: FaultName;
  readonly about: string;

  constructor(fault: FaultName, about = "") {
    super(`${fault} ${about}`);
    this.name = "ProofFault";
    this.fault = fault;
    this.about = about;
  }
}

export type FaultName =
  | "form"
  | "signature"
  | "otherProof"
  | "unknownAsset"
  | "twice"
  | "length"
  | "bounds"
  | "root"
  | "total"
  | "held"
  | "leaving"
  | "first"
  | "order"
  | "otherReserves"
  | "addressTwice"
  | "notPublished"
  | "ofAnother";

export interface AssetStatement {
  readonly asset: string;
  readonly assetId: number;
  readonly decimals: number;
  readonly depth: number;
  readonly total: string;
  readonly root: string;
  readonly leaving: string;
  readonly fees: string;
  readonly treasury: string;
  readonly dust: string;
  readonly arriving: string;
  readonly net: string;
}

export interface Statement {
  readonly number: number;
  readonly previous: string;
  readonly seq: number;
  readonly timeMs: number;
  readonly chainHash: string;
  readonly stateHash: string;
  readonly assets: readonly AssetStatement[];
}

export interface Holding {
  readonly asset: string;
  readonly amount: string;
  readonly index: number;
  readonly path: readonly (readonly [sum: string, hash: string])[];
}

export interface CustomerPart {
  readonly statement: string;
  readonly accountId: number;
  readonly email: string;
  readonly secret: string;
  readonly holdings: readonly Holding[];
}

/** A signed line and its seal, which is the next line. The exact bytes of `line` are signed and hashed. */
export interface SealedLine {
  readonly line: string;
  readonly publicKey: string;
  readonly signature: string;
}

export interface PublicPart extends SealedLine {
  readonly statement: Statement;
  /** The venue's reserves; null if the proof does not contain them. */
  readonly reserves: (SealedLine & Reserves) | null;
}

/** The balances of the venue's addresses, as the venue states them. */
export interface Reserves {
  /** The digest of the statement to which the reserves belong. */
  readonly statement: string;
  readonly reserves: readonly Reserve[];
}

export interface Reserve {
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly block: number;
  readonly amount: string;
  /** The signature with the address's key; "" if the balance is only stated by the operator. */
  readonly signature: string;
}

/** Maximum sum of balances in the format. */
export const MAX_SUM = 2n ** 127n - 1n;
const MAX_DEPTH = 32;
const MAX_CHARACTERS = 4_000_000;
/** Number of lines for a signed line and its seal. */
const SEALED_LINES = 2;

const isHash = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown): boolean => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isSum = (value: unknown): boolean =>
  typeof value === "string" && /^(0|[1-9][0-9]{0,38})$/.test(value) && BigInt(value) <= MAX_SUM;
const isSigned = (value: unknown): boolean =>
  typeof value === "string" && value !== "-0" && isSum(value.replace(/^-/, ""));
const isDepth = (value: unknown): boolean => isCount(value) && Number(value) >= 1 && Number(value) <= MAX_DEPTH;

type Form = Readonly<Record<string, (value: unknown) => boolean>>;

const isOf = (form: Form, value: unknown): boolean => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  const wanted = Object.keys(form);
  // The object must have exactly the fields of the form.
  return (
    names.length === wanted.length &&
    wanted.every((name) => name in value && form[name]?.(Reflect.get(value, name)) === true)
  );
};
const listOf =
  (isOne: (value: unknown) => boolean, most: number) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length <= most && value.every(isOne);

const MOST_ASSETS = 10_000;
const MOST_RESERVES = 1000;
const isName = (value: unknown): boolean => typeof value === "string" && /^[A-Z0-9]{1,20}$/.test(value);
const ASSET: Form = {
  asset: isName,
  ...{ assetId: isCount, decimals: isCount, depth: isDepth, total: isSum, root: isHash, leaving: isSum },
  ...{ fees: isSigned, treasury: isSigned, dust: isSigned, arriving: isSigned, net: isSigned },
};
const STATEMENT: Form = {
  format: (value) => value === "pricetime-proof-1",
  number: (value) => isCount(value) && value !== 0,
  ...{ previous: isHash, seq: isCount, timeMs: isCount, chainHash: isHash },
  stateHash: (value) => typeof value === "string" && /^[0-9a-f]{16}$/.test(value),
  assets: listOf((one) => isOf(ASSET, one), MOST_ASSETS),
};
const SEAL: Form = {
  publicKey: isHash,
  signature: (value) => typeof value === "string" && /^[0-9a-f]{128}$/.test(value),
};
const RESERVE: Form = {
  ...{ asset: isName, network: isName, block: isCount, amount: isSum },
  address: (value) => typeof value === "string" && /^[\x21-\x7e]{1,128}$/.test(value),
  signature: (value) => typeof value === "string" && /^([0-9a-f]{130})?$/.test(value),
};
const RESERVES: Form = {
  format: (value) => value === "pricetime-reserves-1",
  statement: isHash,
  reserves: (value) =>
    listOf((one) => isOf(RESERVE, one), MOST_RESERVES)(value) && Array.isArray(value) && value.length > 0,
};
const STEP = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && isSum(value[0]) && isHash(value[1]);
const HOLDING: Form = {
  asset: (value) => typeof value === "string",
  amount: isSum,
  index: (value) => isCount(value) && Number(value) < 2 ** MAX_DEPTH,
  path: listOf(STEP, MAX_DEPTH),
};
const CUSTOMER: Form = {
  format: (value) => value === "pricetime-proof-customer-1",
  ...{ statement: isHash, accountId: isCount, secret: isHash },
  email: (value) => typeof value === "string" && value.isWellFormed(),
  holdings: listOf((one) => isOf(HOLDING, one), MOST_ASSETS),
};

/** Parses a public part. Throws `ProofFault` if it is invalid. */
export function readPublicPart(text: string): PublicPart {
  const hasReserves = text.split("\n").length > SEALED_LINES + 1;
  const [line = "", seal = "", more = "", moreSeal = ""] = linesOf(text, hasReserves ? 2 * SEALED_LINES : SEALED_LINES);
  const sealed = sealedOf(line, seal);
  const statement = readLine(line, STATEMENT) as Statement;
  if (!hasReserves) return { ...sealed, statement, reserves: null };
  const reserves = readLine(more, RESERVES) as Reserves;
  return { ...sealed, statement, reserves: { ...sealedOf(more, moreSeal), ...reserves } };
}

function sealedOf(line: string, seal: string): SealedLine {
  return { line, ...(readLine(seal, SEAL) as Omit<SealedLine, "line">) };
}

/** Parses a customer part. Throws `ProofFault` if it is invalid. */
export function readCustomerPart(text: string): CustomerPart {
  const [line = ""] = linesOf(text, 1);
  return readLine(line, CUSTOMER) as CustomerPart;
}

function linesOf(text: string, count: number): string[] {
  const parts = text.split("\n");
  if (parts.length !== count + 1 || parts.at(-1) !== "") throw new ProofFault("form");
  return parts.slice(0, count);
}

/** Parses a line of JSON. It must be in canonical form, so that all implementations read the same values from it. */
function readLine(line: string, form: Form): unknown {
  if (line.length > MAX_CHARACTERS || !/^[\x20-\x7e]*$/.test(line)) throw new ProofFault("form");
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ProofFault("form");
  }
  if (spelled(value) !== line || !isOf(form, value)) throw new ProofFault("form");
  return value;
}

function spelled(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
