/** The implementation of the commands in `proof.ts`. Loaded when one of them runs. */
import { PUBLIC_PART } from "../../../funds/proof/folder/port.ts";
import { demand } from "../../../funds/proof/lines.ts";
import { CommandFailed, type Row, type Terminal } from "../session/terminal.ts";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatDecimal } from "@pricetime/engine";
import { loadConfig } from "../../../platform/config/config.ts";
import { keptMasterKey, masterKeyPath } from "../../../platform/config/master-key.ts";
import { checkCustomer, CUSTOMER_FORMAT, readCustomer } from "../../../funds/proof/proof.ts";
import { storedProof, storedProofs, summaryOf } from "../../../funds/proof/folder/stored-proofs.ts";
import { makeProof, shownReserves } from "../../../funds/proof/folder/make-proof.ts";
import { exportProof, verifyProof, verifyPublished } from "../../../funds/proof/folder/verify-proof.ts";
import { proofKeyOf, publicKeyOf, signingKeyOf } from "../../../funds/proof/keys.ts";
import {
  checkAddresses,
  compareStatements,
  readStatement,
  type Relation,
  type SignedStatement,
} from "../../../funds/proof/statement.ts";
import type { DataPaths } from "../../../journal/storage/data-folder.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { folderOf } from "../data-folder/folder-work.ts";
import type { Session } from "../session/session.ts";
import { readDocument, wholeNumber } from "../session/values.ts";
import type { Connection } from "../session/connection.ts";

// Verifies a customer's part against the public part, two public parts against each other, or a public part against the
// journal.

interface VerifyOptions {
  readonly file?: string;
  readonly public?: string;
  readonly key?: string;
  readonly against?: string;
  readonly data?: string;
  readonly config?: string;
  readonly published?: boolean;
  readonly proofKey?: string;
}

export async function verify({ output, terminal }: Session, options: VerifyOptions): Promise<void> {
  const { told, signed } = options.data === undefined ? byItself(options) : byJournal(options, terminal);
  if (signed?.reserves) await checkAddresses(signed.reserves, signed.digest);
  output.one({ ...told, verdict: "valid" });
}

interface Verified {
  readonly told: Row;
  /** The public part whose reserve signatures must still be checked. */
  readonly signed?: SignedStatement;
}

/** Verifies files without a journal, as customers and readers can. */
function byItself(options: VerifyOptions): Verified {
  const { file } = options;
  if (file === undefined) throw new CommandFailed("Specify a file to verify, or a data folder with --data.");
  const text = readFile(file);
  const isCustomers = text.startsWith(`{"format":"${CUSTOMER_FORMAT}"`);
  const signed = publicPart(isCustomers ? (options.public ?? join(dirname(file), PUBLIC_PART)) : file, options);
  const told = { ...factsOf(signed), ...againstOf(signed, options) };
  if (!isCustomers) return { signed, told: { ...told, ...reservesTold(signed), assets: totalsOf(signed) } };
  const part = readCustomer(text);
  checkCustomer(part, signed);
  const decimals = new Map(signed.statement.assets.map((each) => [each.asset, each.decimals]));
  const holdings = part.holdings.map(({ asset, amount }) => ({ asset, amount: decimal(amount, decimals.get(asset)) }));
  return {
    signed,
    told: { ...told, accountId: part.accountId, email: part.email, holdings, otherAssets: "none" },
  };
}

/** Verifies against the journal, as auditors and the operator can. */
function byJournal(options: VerifyOptions, terminal: Terminal): Verified {
  const { file } = options;
  const { folder, paths } = folderOf(options.data, terminal);
  if (options.published === true && file === undefined)
    return { told: rootsByJournal(folder, paths, options, terminal) };
  const signed = file === undefined ? newest(folder, options) : publicPart(file, options);
  const { chainHash } = signed.statement;
  const masterKey = options.proofKey === undefined ? masterKeyIn(folder, options, terminal) : undefined;
  if (masterKey !== undefined) {
    const isOwn = publicKeyOf(signingKeyOf(masterKey)) === signed.publicKey;
    demand(isOwn, "The public part is not signed with the key of this data folder.");
  }
  const known = masterKey === undefined ? options.proofKey : proofKeyOf(masterKey, chainHash).toString("hex");
  const proofKey = known === undefined ? undefined : Buffer.from(known, "hex");
  const isPublished = verifyProof(signed, { paths, world: MACHINE, proofKey });
  demand(isPublished || options.published !== true, "The root is not in the journal: it was never published.");
  const roots = known === undefined ? "not recomputed: requires --proof-key" : "recomputed";
  const told = {
    ...factsOf(signed),
    ...againstOf(signed, options),
    ...{ journal: paths.journal, roots, published: isPublished ? "in the journal" : "no" },
    ...reservesTold(signed),
    assets: totalsOf(signed),
  };
  return { signed, told };
}

/** Recomputes every published root from the journal and the master key. */
function rootsByJournal(folder: string, paths: DataPaths, options: VerifyOptions, terminal: Terminal): Row {
  const masterKey = masterKeyIn(folder, options, terminal);
  if (masterKey === undefined)
    throw new CommandFailed(
      "--published requires the master key. Specify it with --config or PRICETIME_MASTER_KEY_FILE.",
    );
  const published = verifyPublished({ paths, world: MACHINE, masterKey });
  const rows = published.map(({ number, seq, publishedMs, isDrawn, root }) => ({
    ...{ number, seq, publishedMs, time: isDrawn ? "drawn by the journal" : "chosen", root },
  }));
  return { journal: paths.journal, roots: "recomputed", published: rows };
}

function newest(folder: string, options: VerifyOptions): SignedStatement {
  const [kept] = storedProofs(folder);
  if (kept === undefined) throw new CommandFailed("The data folder has no proof. Specify the file of a public part.");
  return checkedKey(kept, options);
}

function masterKeyIn(
  folder: string,
  { config }: Pick<VerifyOptions, "config">,
  { environment }: Terminal,
): string | undefined {
  const { masterKey } = loadConfig({ flags: { data: folder, ...(config !== undefined && { config }) }, environment });
  return keptMasterKey(masterKey, folder);
}

function publicPart(path: string, options: VerifyOptions): SignedStatement {
  return checkedKey(readStatement(readFile(path)), options);
}

function checkedKey(signed: SignedStatement, { key }: VerifyOptions): SignedStatement {
  demand(key === undefined || key === signed.publicKey, "The public part is signed with another key.");
  return signed;
}

const TOLD: Readonly<Record<Exclude<Relation, "twoViews" | "otherKey">, string>> = {
  same: "the same",
  next: "consecutive",
  apart: "not consecutive",
};

function againstOf(signed: SignedStatement, { against }: VerifyOptions): Row {
  if (against === undefined) return {};
  const relation = compareStatements(signed, readStatement(readFile(against)));
  demand(relation !== "otherKey", "The two parts are signed with different keys.");
  demand(relation !== "twoViews", "TWO VIEWS: the venue signed two statements that contradict each other.");
  return { against, relation: TOLD[relation] };
}

function factsOf({ statement, digest, publicKey }: SignedStatement): Row {
  const { number, seq, timeMs, previous } = statement;
  return { number, seq, timeMs, digest, previous, publicKey };
}

/** Liabilities by asset, and reserves if the proof has any. */
function totalsOf(signed: SignedStatement): Row[] {
  return shownReserves(signed).assets.map(({ asset, owed, reserves, surplus }) => ({
    ...{ asset, liabilities: owed, reserves: reserves ?? "none", surplus: surplus ?? "" },
  }));
}

function reservesTold({ reserves }: SignedStatement): Row {
  if (reserves === null) return { reserves: "none" };
  const signed = reserves.reserves.filter(({ signature }) => signature !== "").length;
  const said = reserves.reserves.length - signed;
  return {
    reserves: `${signed} signed by their addresses, ${said} stated by the operator`,
    reservesDigest: reserves.digest,
  };
}

function decimal(units: string, decimals = 0): string {
  return formatDecimal(BigInt(units), decimals);
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandFailed(`${path}: ${(error as Error).message.split("\n")[0]}`, { cause: error });
  }
}

interface ProofOptions {
  readonly data?: string;
  readonly config?: string;
  readonly at?: number;
}

export function make({ output, terminal }: Session, options: ProofOptions): void {
  const { folder, paths } = folderOf(options.data, terminal);
  const masterKey = masterKeyOf(folder, options, terminal);
  const made = makeProof({ dataFolder: folder, paths, world: MACHINE, at: options.at, masterKey });
  output.one({ ...summaryOf(made), assets: made.statement.assets.length });
}

export function list({ output, terminal }: Session, { data }: ProofOptions): void {
  const { folder } = folderOf(data, terminal);
  const rows = storedProofs(folder).map((kept) => ({ ...summaryOf(kept) }));
  output.rows(rows, ["number", "seq", "timeMs", "digest"]);
}

interface ExportOptions extends ProofOptions {
  readonly folder: string;
  readonly account?: readonly string[];
}

export function exportParts({ output, terminal }: Session, { folder: to, account, ...options }: ExportOptions): void {
  const { folder, paths } = folderOf(options.data, terminal);
  const of = theProof(folder, options.at);
  const masterKey = masterKeyOf(folder, options, terminal);
  const accountIds = account?.map(wholeNumber);
  const written = exportProof({ dataFolder: folder, paths, world: MACHINE, of, masterKey, to, accountIds });
  output.one({ ...summaryOf(of), folder: to, ...written });
}

interface EntryOptions extends ProofOptions {
  readonly entry?: string;
}

export function showKey({ output, terminal }: Session, { entry, ...options }: EntryOptions): void {
  const { folder } = folderOf(options.data, terminal);
  const { statement } = theProof(folder, entry === undefined ? undefined : wholeNumber(entry));
  const proofKey = proofKeyOf(masterKeyOf(folder, options, terminal), statement.chainHash).toString("hex");
  output.one({ seq: statement.seq, proofKey });
}

export async function publish({ connection, output }: Session, { entry }: EntryOptions): Promise<void> {
  const published = await connection.call<Row[]>("POST", `/v1/proofs/${await seqOf(connection, entry)}/publish`);
  output.rows(published, ["number", "seq", "root", "previous"]);
}

interface ReservesOptions extends EntryOptions {
  readonly from?: string;
  readonly fromWallets?: boolean;
  readonly draft?: boolean;
}

/** Shows or adds reserves. Uses the node, because it can read the balances of its wallets. */
export async function reserves({ connection, output }: Session, options: ReservesOptions): Promise<void> {
  const { entry, from, fromWallets, draft = false } = options;
  const path = `/v1/proofs/${await seqOf(connection, entry)}/reserves`;
  if (from === undefined && fromWallets === undefined) return output.one(await connection.call<Row>("GET", path));
  const rows = from === undefined ? [] : readDocument(from);
  const body = { reserves: rows, fromWallets: fromWallets === true, isDraft: draft };
  output.one(await connection.call<Row>("POST", path, body));
}

async function seqOf(connection: Connection, entry: string | undefined): Promise<number> {
  if (entry !== undefined) return wholeNumber(entry);
  return firstOf(await connection.call<{ seq: number }[]>("GET", "/v1/proofs")).seq;
}

function theProof(folder: string, at: number | undefined): SignedStatement {
  return at === undefined ? firstOf(storedProofs(folder)) : storedProof(folder, at);
}

/** Returns the newest proof. Throws `CommandFailed` if there is none. */
function firstOf<Proof>([newestProof]: readonly Proof[]): Proof {
  if (newestProof !== undefined) return newestProof;
  throw new CommandFailed("There is no proof yet. Create one with `pricetime proof make`.");
}

function masterKeyOf(folder: string, options: ProofOptions, terminal: Terminal): string {
  const key = masterKeyIn(folder, options, terminal);
  if (key !== undefined) return key;
  throw new CommandFailed(
    `${masterKeyPath(folder)} does not exist. Specify the master key with --config or PRICETIME_MASTER_KEY_FILE.`,
  );
}
