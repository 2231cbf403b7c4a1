/** `proof`: proofs of liabilities, created and stored in a data folder, with or without a node, and verified. */
import { JournalDamaged, JournalUnreadable } from "../../../journal/port.ts";
import { AuditRefused, PUBLIC_PART } from "../../../funds/proof/folder/port.ts";
import { demand, ProofRefused } from "../../../funds/proof/lines.ts";
import { CommandFailed, createOutput, type Output, type Row, type Terminal } from "../session/terminal.ts";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatDecimal } from "@pricetime/engine";
import type { Command } from "commander";
import { loadConfig } from "../../../platform/config/config.ts";
import { keptMasterKey, masterKeyPath } from "../../../platform/config/master-key.ts";
import { checkCustomer, CUSTOMER_FORMAT, readCustomer } from "../../../funds/proof/proof.ts";
import { keptProof, keptProofs, summaryOf } from "../../../funds/proof/folder/kept-proofs.ts";
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
import { folderOf } from "../data-folder/folder-commands.ts";
import { action, hexKey, readDocument, wholeNumber } from "../session/session.ts";
import type { Connection } from "../session/connection.ts";

// Errors of proofs and audits whose message is for the user.

const FORESEEN = [AuditRefused, ProofRefused, JournalDamaged, JournalUnreadable];

/** Turns them into `CommandFailed`. */
export function foreseen<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw told(error);
  }
}

/** As `foreseen`, for a promise. */
async function foreseenLater(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    throw told(error);
  });
}

function told(error: unknown): unknown {
  const isForeseen = FORESEEN.some((kind) => error instanceof kind);
  return isForeseen ? new CommandFailed((error as Error).message, { cause: error }) : error;
}

// `proof verify`: a customer's part against the public part, two public parts, or a public part against the
// journal.

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

function addProofVerify(proof: Command, terminal: Terminal): void {
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

interface ProofOptions {
  readonly data?: string;
  readonly config?: string;
  readonly at?: number;
  readonly account?: string[];
  readonly json?: boolean;
}

export function addProofCommands(program: Command, terminal: Terminal): void {
  const proof = program.command("proof").description("Create, publish and verify proofs of liabilities.");
  const command = (words: string, description: string): Command =>
    proof
      .command(words)
      .description(description)
      .option("--data <folder>", "Data folder (default: ./data)")
      .option("--json", "Print JSON");
  const withKey = (words: string, description: string): Command =>
    command(words, description).option("--config <file>", "Configuration file of the node, if it has the master key");

  withKey("make", "Create a proof of liabilities and store it in the data folder, also while a node runs.")
    .option(
      "--at <entry>",
      "Journal entry to prove the state at, rounded down to the end of a batch (default: the newest)",
      wholeNumber,
    )
    .action((options: ProofOptions) => {
      const { folder, paths } = folderOf(options.data, terminal);
      const masterKey = masterKeyOf(folder, options, terminal);
      const made = foreseen(() => makeProof({ dataFolder: folder, paths, world: MACHINE, at: options.at, masterKey }));
      outputOf(options, terminal).one({ ...summaryOf(made), assets: made.statement.assets.length });
    });
  command("list", "List the proofs in a data folder, newest first.").action((options: ProofOptions) => {
    const { folder } = folderOf(options.data, terminal);
    const rows = foreseen(() => keptProofs(folder)).map((kept) => ({ ...summaryOf(kept) }));
    outputOf(options, terminal).rows(rows, ["number", "seq", "timeMs", "digest"]);
  });
  withKey("export <folder>", "Export a proof: the public part, and a part for each customer.")
    .option("--at <entry>", "Journal entry of the proof (default: the newest proof)", wholeNumber)
    .option("--account <account...>", "Only these customers, by account number")
    .action((to: string, options: ProofOptions) => {
      const { folder, paths } = folderOf(options.data, terminal);
      const of = theProof(folder, options.at);
      const masterKey = masterKeyOf(folder, options, terminal);
      const accountIds = options.account?.map(wholeNumber);
      const written = foreseen(() =>
        exportProof({ dataFolder: folder, paths, world: MACHINE, of, masterKey, to, accountIds }),
      );
      outputOf(options, terminal).one({ ...summaryOf(of), folder: to, ...written });
    });
  withKey("key [entry]", "Print the key of one proof for an auditor. It reveals the owner of each leaf.").action(
    (entry: string | undefined, options: ProofOptions) => {
      const { folder } = folderOf(options.data, terminal);
      const { statement } = theProof(folder, entry === undefined ? undefined : wholeNumber(entry));
      const proofKey = proofKeyOf(masterKeyOf(folder, options, terminal), statement.chainHash).toString("hex");
      outputOf(options, terminal).one({ seq: statement.seq, proofKey });
    },
  );
  addProofPublish(proof, terminal);
  addProofReserves(proof, terminal);
  addProofVerify(proof, terminal);
}

/** The node writes the root to its journal. */
function addProofPublish(proof: Command, terminal: Terminal): void {
  const publish = proof
    .command("publish [entry]")
    .description("Publish the root of a proof in the journal, permanently (default: the newest proof).");
  action(publish, terminal, async ({ connection, output }, [entry]) => {
    const seq = await seqOf(connection, entry);
    const published = await connection.call<Row[]>("POST", `/v1/proofs/${seq}/publish`);
    output.rows(published, ["number", "seq", "root", "previous"]);
  });
}

/** A request to the node, which can read the balances of its own wallets. */
function addProofReserves(proof: Command, terminal: Terminal): void {
  const reserves = proof
    .command("reserves [entry]")
    .description("Show reserves next to liabilities, or add reserves to a proof, permanently (default: the newest).")
    .option("--from <file>", "YAML or JSON list with asset, network, address, block, amount, signature (- for stdin)")
    .option("--from-wallets", "Include the current balances of the node's own wallets, from their chains")
    .option("--draft", "Print the text that each address signs, and store nothing");
  action(reserves, terminal, async ({ connection, output }, [entry], { from, fromWallets, draft }) => {
    const path = `/v1/proofs/${await seqOf(connection, entry)}/reserves`;
    const isShown = from === undefined && fromWallets === undefined;
    const sent = {
      reserves: from === undefined ? [] : readDocument(from as string),
      fromWallets: fromWallets === true,
      isDraft: draft === true,
    };
    output.one({
      ...(isShown ? await connection.call<Row>("GET", path) : await connection.call<Row>("POST", path, sent)),
    });
  });
}

/** Throws `CommandFailed` when there is no proof. */
async function seqOf(connection: Connection, entry: string | undefined): Promise<number> {
  if (entry !== undefined) return wholeNumber(entry);
  const [newest] = await connection.call<{ seq: number }[]>("GET", "/v1/proofs");
  if (newest === undefined) throw new CommandFailed("There is no proof yet. Create one with `pricetime proof make`.");
  return newest.seq;
}

function outputOf({ json = false }: ProofOptions, terminal: Terminal): Output {
  return createOutput(json, terminal.print);
}

function theProof(folder: string, at: number | undefined): SignedStatement {
  return foreseen(() => {
    if (at !== undefined) return keptProof(folder, at);
    const [newest] = keptProofs(folder);
    if (newest === undefined)
      throw new AuditRefused("NO_SUCH_PROOF", "There is no proof yet. Create one with `pricetime proof make`.");
    return newest;
  });
}

function masterKeyOf(folder: string, { config }: ProofOptions, { environment }: Terminal): string {
  const { masterKey } = loadConfig({ flags: { data: folder, ...(config !== undefined && { config }) }, environment });
  const key = keptMasterKey(masterKey, folder);
  if (key === undefined)
    throw new CommandFailed(
      `${masterKeyPath(folder)} does not exist. Specify the master key with --config or PRICETIME_MASTER_KEY_FILE.`,
    );
  return key;
}
