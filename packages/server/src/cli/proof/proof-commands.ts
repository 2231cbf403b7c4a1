/** `proof`: proofs of liabilities, made and kept in a data folder, with or without a node. */
import type { Command } from "commander";
import { keptMasterKey, masterKeyPath } from "../../config/master-key.ts";
import { loadConfig } from "../../config/config.ts";
import { exportProof } from "../../proof/folder/export-proof.ts";
import { keptProof, keptProofs, summaryOf } from "../../proof/folder/kept-proofs.ts";
import { makeProof } from "../../proof/folder/make-proof.ts";
import { AuditRefused } from "../../proof/folder/port.ts";
import { proofKeyOf } from "../../proof/keys.ts";
import type { SignedStatement } from "../../proof/statement.ts";
import { MACHINE } from "../../world/machine.ts";
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
  const proof = program.command("proof").description("proofs of liabilities: customers check that they are counted");
  const command = (words: string, description: string): Command =>
    proof
      .command(words)
      .description(description)
      .option("--data <folder>", "the data folder (./data)")
      .option("--json", "print JSON");
  const withKey = (words: string, description: string): Command =>
    command(words, description).option("--config <file>", "the node's configuration, if the master key stands there");

  withKey("make", "make the proof of a position and keep it in the data folder; while a node runs, too")
    .option("--at <entry>", "as of the last row that ends with this entry or before it (the newest)", wholeNumber)
    .action((options: ProofOptions) => {
      const { folder, paths } = folderOf(options.data, terminal);
      const masterKey = masterKeyOf(folder, options, terminal);
      const made = foreseen(() => makeProof({ dataFolder: folder, paths, world: MACHINE, at: options.at, masterKey }));
      outputOf(options, terminal).one({ ...summaryOf(made), assets: made.statement.assets.length });
    });
  command("list", "the proofs in a data folder, the newest first").action((options: ProofOptions) => {
    const { folder } = folderOf(options.data, terminal);
    const rows = foreseen(() => keptProofs(folder)).map((kept) => ({ ...summaryOf(kept) }));
    outputOf(options, terminal).rows(rows, ["number", "seq", "timeMs", "digest"]);
  });
  withKey("export <folder>", "write the public part, and the part of each customer, as files")
    .option("--at <entry>", "of the proof of this entry (the newest proof)", wholeNumber)
    .option("--account <account...>", "of these customers alone, by number")
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
  withKey("key [entry]", "print the key of one proof, for an auditor: it tells whose each leaf is").action(
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

/** A root stands in the journal, which the node writes. */
function addProofPublish(proof: Command, terminal: Terminal): void {
  const publish = proof
    .command("publish [entry]")
    .description("have the node publish the root of a proof (of the newest) in the journal, for ever");
  action(publish, terminal, async ({ connection, output }, [entry]) => {
    const seq = await seqOf(connection, entry);
    const published = await connection.call<Row[]>("POST", `/v1/proofs/${seq}/publish`);
    output.rows(published, ["number", "seq", "root", "previous"]);
  });
}

/** Its own wallets are known to the node. */
function addProofReserves(proof: Command, terminal: Terminal): void {
  const reserves = proof
    .command("reserves [entry]")
    .description("what addresses hold beside what is owed: show it, or put it beside a proof (the newest), for ever")
    .option("--from <file>", "a list in YAML or JSON: asset, network, address, block, amount, signature (-: stdin)")
    .option("--from-wallets", "what chains say that the node's own wallets hold now")
    .option("--draft", "print what each address would sign, and keep nothing");
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

/** Throws `CommandFailed` where there is none. */
async function seqOf(connection: Connection, entry: string | undefined): Promise<number> {
  if (entry !== undefined) return wholeNumber(entry);
  const [newest] = await connection.call<{ seq: number }[]>("GET", "/v1/proofs");
  if (newest === undefined) throw new CommandFailed("there is no proof yet: `pricetime proof make`");
  return newest.seq;
}

function outputOf({ json = false }: ProofOptions, terminal: Terminal): Output {
  return createOutput(json, terminal.print);
}

function theProof(folder: string, at: number | undefined): SignedStatement {
  return foreseen(() => {
    if (at !== undefined) return keptProof(folder, at);
    const [newest] = keptProofs(folder);
    if (newest === undefined) throw new AuditRefused("NO_SUCH_PROOF", "there is no proof yet: `pricetime proof make`");
    return newest;
  });
}

function masterKeyOf(folder: string, { config }: ProofOptions, { environment }: Terminal): string {
  const { masterKey } = loadConfig({ flags: { data: folder, ...(config !== undefined && { config }) }, environment });
  const key = keptMasterKey(masterKey, folder);
  if (key === undefined)
    throw new CommandFailed(`${masterKeyPath(folder)}: is not there; say where the key is, as a node is told`);
  return key;
}
