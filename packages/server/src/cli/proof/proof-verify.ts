/** `proof verify`: a customer's part against the public part, two public parts, or a public part against the journal. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatDecimal } from "@pricetime/engine";
import type { Command } from "commander";
import { loadConfig } from "../../config/config.ts";
import { keptMasterKey } from "../../config/master-key.ts";
import { checkCustomer, CUSTOMER_FORMAT, readCustomer } from "../../proof/customer-file.ts";
import { keptProofs } from "../../proof/folder/kept-proofs.ts";
import { shownReserves } from "../../proof/folder/kept-reserves.ts";
import { PUBLIC_PART } from "../../proof/folder/port.ts";
import { verifyPublished } from "../../proof/folder/published.ts";
import { verifyProof } from "../../proof/folder/verify-proof.ts";
import { proofKeyOf, publicKeyOf, signingKeyOf } from "../../proof/keys.ts";
import { demand } from "../../proof/refused.ts";
import { checkAddresses } from "../../proof/reserves.ts";
import { compareStatements, readStatement, type Relation, type SignedStatement } from "../../proof/statement.ts";
import type { DataPaths } from "../../storage/data-paths.ts";
import { MACHINE } from "../../world/machine.ts";
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
    .description("check a customer's part, a public part by itself, or with --data a public part against the journal")
    .option("--public <file>", "the public part that a customer's part is of (public.jsonl beside it)")
    .option("--key <hex>", "the venue's key: what is signed with another is refused", hexKey)
    .option("--against <file>", "another public part of the venue: can both be true?")
    .option("--data <folder>", "replay this data folder's journal and make everything again")
    .option("--config <file>", "with --data: the node's configuration, if the master key stands there")
    .option("--published", "with --data: make every root that is published in the journal again, and refuse others")
    .option("--proof-key <hex>", "with --data: the key of this proof, in place of the master key", hexKey)
    .option("--json", "print JSON")
    .action(async (file: string | undefined, options: VerifyOptions) => {
      const { told, signed } = foreseen(() =>
        options.data === undefined ? byItself(file, options) : byJournal(file, options, terminal),
      );
      if (signed?.reserves) await foreseenLater(checkAddresses(signed.reserves, signed.digest));
      createOutput(options.json === true, terminal.print).one({ ...told, verdict: "holds" });
    });
}

interface Verified {
  readonly told: Row;
  /** The signatures of its reserves' addresses are still to be checked. */
  readonly signed?: SignedStatement;
}

/** Checks files alone, as a customer or anybody can. */
function byItself(file: string | undefined, options: VerifyOptions): Verified {
  if (file === undefined) throw new CommandFailed("name a file to check, or a data folder with --data");
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
    told: { ...told, accountId: part.accountId, email: part.email, holdings, ofOtherAssets: "nothing" },
  };
}

/** Checks against the journal, as an auditor or the operator can. */
function byJournal(file: string | undefined, options: VerifyOptions, terminal: Terminal): Verified {
  const { folder, paths } = folderOf(options.data, terminal);
  if (options.published === true && file === undefined)
    return { told: rootsByJournal(folder, paths, options, terminal) };
  const signed = file === undefined ? newest(folder, options) : publicPart(file, options);
  const { chainHash } = signed.statement;
  const masterKey = options.proofKey === undefined ? masterKeyIn(folder, options, terminal) : undefined;
  if (masterKey !== undefined) {
    const isOwn = publicKeyOf(signingKeyOf(masterKey)) === signed.publicKey;
    demand(isOwn, "the public part is not signed with the key of this data folder");
  }
  const known = masterKey === undefined ? options.proofKey : proofKeyOf(masterKey, chainHash).toString("hex");
  const proofKey = known === undefined ? undefined : Buffer.from(known, "hex");
  const isPublished = verifyProof(signed, { paths, world: MACHINE, proofKey });
  demand(isPublished || options.published !== true, "its root is not in the journal: it was never published");
  const roots = known === undefined ? "not made again: that takes the proof's key, --proof-key" : "made again";
  const told = {
    ...factsOf(signed),
    ...againstOf(signed, options),
    ...{ journal: paths.journal, roots, published: isPublished ? "in the journal" : "not" },
    ...reservesTold(signed),
    assets: totalsOf(signed),
  };
  return { signed, told };
}

/** Makes every published root again: nothing but journal and master key is needed. */
function rootsByJournal(folder: string, paths: DataPaths, options: VerifyOptions, terminal: Terminal): Row {
  const masterKey = masterKeyIn(folder, options, terminal);
  if (masterKey === undefined) throw new CommandFailed("--published makes roots again, which takes the master key");
  const published = verifyPublished({ paths, world: MACHINE, masterKey });
  const rows = published.map(({ number, seq, publishedMs, isDrawn, root }) => ({
    ...{ number, seq, publishedMs, moment: isDrawn ? "drawn by the journal" : "chosen", root },
  }));
  return { journal: paths.journal, roots: "made again", published: rows };
}

function newest(folder: string, options: VerifyOptions): SignedStatement {
  const [kept] = keptProofs(folder);
  if (kept === undefined) throw new CommandFailed("there is no proof in the data folder: name a public part");
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
  demand(key === undefined || key === signed.publicKey, "the public part is signed with another key");
  return signed;
}

const TOLD: Readonly<Record<Exclude<Relation, "twoViews" | "otherKey">, string>> = {
  same: "the same",
  next: "one follows the other",
  apart: "others stand between them",
};

function againstOf(signed: SignedStatement, { against }: VerifyOptions): Row {
  if (against === undefined) return {};
  const relation = compareStatements(signed, readStatement(readFile(against)));
  demand(relation !== "otherKey", "the two are signed with different keys");
  demand(relation !== "twoViews", "TWO VIEWS: the venue has signed two things of which one is false");
  return { against, relation: TOLD[relation] };
}

function factsOf({ statement, digest, publicKey }: SignedStatement): Row {
  const { number, seq, timeMs, previous } = statement;
  return { number, seq, timeMs, digest, previous, publicKey };
}

/** Reserves where they are shown; without them a proof says nothing of what there is. */
function totalsOf(signed: SignedStatement): Row[] {
  return shownReserves(signed).assets.map(({ asset, owed, reserves, surplus }) => ({
    ...{ asset, owedToCustomers: owed, reserves: reserves ?? "none shown", surplus: surplus ?? "" },
  }));
}

function reservesTold({ reserves }: SignedStatement): Row {
  if (reserves === null) return { reserves: "none shown" };
  const signed = reserves.reserves.filter(({ signature }) => signature !== "").length;
  const said = reserves.reserves.length - signed;
  return {
    reserves: `${signed} signed by their addresses, ${said} said by the operator`,
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
