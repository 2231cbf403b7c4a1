/** `proof verify`: a customer's part against the public part, two public parts, or a public part against the journal. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatDecimal } from "@pricetime/engine";
import type { Command } from "commander";
import { loadConfig } from "../../../platform/config/config.ts";
import { keptMasterKey } from "../../../platform/config/master-key.ts";
import { checkCustomer, CUSTOMER_FORMAT, readCustomer } from "../../../funds/proof/customer-file.ts";
import { keptProofs } from "../../../funds/proof/folder/kept-proofs.ts";
import { shownReserves } from "../../../funds/proof/folder/kept-reserves.ts";
import { PUBLIC_PART } from "../../../funds/proof/folder/port.ts";
import { verifyPublished } from "../../../funds/proof/folder/published.ts";
import { verifyProof } from "../../../funds/proof/folder/verify-proof.ts";
import { proofKeyOf, publicKeyOf, signingKeyOf } from "../../../funds/proof/keys.ts";
import { demand } from "../../../funds/proof/refused.ts";
import { checkAddresses } from "../../../funds/proof/reserves.ts";
import {
  compareStatements,
  readStatement,
  type Relation,
  type SignedStatement,
} from "../../../funds/proof/statement.ts";
import type { DataPaths } from "../../../journal/storage/data-paths.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { CommandFailed } from "../session/failure.ts";
import { folderOf } from "../data-folder/folder-commands.ts";
import { createOutput, type Row } from "../session/output.ts";
import { foreseen, foreseenLater } from "./proof-failure.ts";
import { hexKey } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

interface VerifyOptions {
  readonly public?: string;
  readonly key?: string;
  readonly against?: string;
  readonly data?: string;
  readonly config?: string;
  readonly published?: boolean;
  readonly proofKey?: string;
  readonly json?: boolean;
}

export function addProofVerify(proof: Command, terminal: Terminal): void {
  proof
    .command("verify [file]")
    .description("Verify a customer's part, a public part, or (with --data) a public part against the journal.")
    .option("--public <file>", "Public part of a customer's part (default: public.jsonl in the same folder)")
    .option("--key <hex>", "Public key of the venue: reject parts signed with another key", hexKey)
    .option("--against <file>", "Another public part of the venue: check that the two do not contradict each other")
    .option("--data <folder>", "Recompute everything from the journal in this data folder")
    .option("--config <file>", "Configuration file of the node, if it has the master key (with --data)")
    .option("--published", "Recompute every root published in the journal, and reject others (with --data)")
    .option("--proof-key <hex>", "Key of this proof, in place of the master key (with --data)", hexKey)
    .option("--json", "Print JSON")
    .action(async (file: string | undefined, options: VerifyOptions) => {
      const { told, signed } = foreseen(() =>
        options.data === undefined ? byItself(file, options) : byJournal(file, options, terminal),
      );
      if (signed?.reserves) await foreseenLater(checkAddresses(signed.reserves, signed.digest));
      createOutput(options.json === true, terminal.print).one({ ...told, verdict: "valid" });
    });
}

interface Verified {
  readonly told: Row;
  /** The signatures of its reserves' addresses are still to be checked. */
  readonly signed?: SignedStatement;
}

/** Verifies files only, as a customer or any reader can. */
function byItself(file: string | undefined, options: VerifyOptions): Verified {
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

/** Verifies against the journal, as an auditor or the operator can. */
function byJournal(file: string | undefined, options: VerifyOptions, terminal: Terminal): Verified {
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

/** Recomputes every published root, from the journal and the master key. */
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
  const [kept] = keptProofs(folder);
  if (kept === undefined) throw new CommandFailed("The data folder has no proof. Specify the file of a public part.");
  return checkedKey(kept, options);
}

function masterKeyIn(folder: string, { config }: VerifyOptions, { environment }: Terminal): string | undefined {
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

/** Liabilities and, where the proof has them, reserves by asset. */
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
