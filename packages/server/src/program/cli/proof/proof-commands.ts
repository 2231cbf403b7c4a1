/** `proof`: proofs of liabilities, created and stored in a data folder, with or without a node. */
import type { Command } from "commander";
import { keptMasterKey, masterKeyPath } from "../../../platform/config/master-key.ts";
import { loadConfig } from "../../../platform/config/config.ts";
import { exportProof } from "../../../funds/proof/folder/export-proof.ts";
import { keptProof, keptProofs, summaryOf } from "../../../funds/proof/folder/kept-proofs.ts";
import { makeProof } from "../../../funds/proof/folder/make-proof.ts";
import { AuditRefused } from "../../../funds/proof/folder/port.ts";
import { proofKeyOf } from "../../../funds/proof/keys.ts";
import type { SignedStatement } from "../../../funds/proof/statement.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import type { Connection } from "../session/connection.ts";
import { CommandFailed } from "../session/failure.ts";
import { folderOf } from "../data-folder/folder-commands.ts";
import { createOutput, type Output, type Row } from "../session/output.ts";
import { foreseen } from "./proof-failure.ts";
import { addProofVerify } from "./proof-verify.ts";
import { action, readDocument, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

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
