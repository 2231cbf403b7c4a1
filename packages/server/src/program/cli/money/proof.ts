/**
 * `proof`: creates and stores proofs of liabilities in a data folder, with or without a running node, and verifies
 * them.
 */
import { command, group, localCommand } from "../session/command-row.ts";
import { DATA, JSON_FLAG } from "../session/session.ts";
import { hexKey, number } from "../session/values.ts";

const CONFIG = ["--config <file>", "Configuration file of the node, if it has the master key"] as const;

export const PROOF = group(
  "proof",
  "Create, publish and verify proofs of liabilities.",
  localCommand("make")
    .text("Create a proof of liabilities and store it in the data folder, also while a node runs.")
    .option(...DATA)
    .option(...JSON_FLAG)
    .option(...CONFIG)
    .option(
      "--at <entry>",
      "Journal entry to prove the state at, rounded down to the end of a batch (default: the newest)",
      number,
    )
    .runs(async (session, options) => (await import("./proof-work.ts")).make(session, options)),
  localCommand("list")
    .text("List the proofs in a data folder, newest first.")
    .option(...DATA)
    .option(...JSON_FLAG)
    .runs(async (session, options) => (await import("./proof-work.ts")).list(session, options)),
  localCommand("export <folder>")
    .text("Export a proof: the public part, and a part for each customer.")
    .option(...DATA)
    .option(...JSON_FLAG)
    .option(...CONFIG)
    .option("--at <entry>", "Journal entry of the proof (default: the newest proof)", number)
    .option("--account <account...>", "Only these customers, by account number")
    .runs(async (session, options: { readonly folder: string }) =>
      (await import("./proof-work.ts")).exportParts(session, options),
    ),
  localCommand("key [entry]")
    .text("Print the key of one proof for an auditor. It reveals the owner of each leaf.")
    .option(...DATA)
    .option(...JSON_FLAG)
    .option(...CONFIG)
    .runs(async (session, options) => (await import("./proof-work.ts")).showKey(session, options)),
  command("publish [entry]")
    .text("Publish the root of a proof in the journal, permanently (default: the newest proof).")
    .runs(async (session, options) => (await import("./proof-work.ts")).publish(session, options)),
  command("reserves [entry]")
    .text("Show reserves next to liabilities, or add reserves to a proof, permanently (default: the newest).")
    .option("--from <file>", "YAML or JSON list with asset, network, address, block, amount, signature (- for stdin)")
    .option("--from-wallets", "Include the current balances of the node's own wallets, from their chains")
    .option("--draft", "Print the text that each address signs, and store nothing")
    .runs(async (session, options) => (await import("./proof-work.ts")).reserves(session, options)),
  localCommand("verify [file]")
    .text("Verify a customer's part, a public part, or (with --data) a public part against the journal.")
    .option("--public <file>", "Public part of a customer's part (default: public.jsonl in the same folder)")
    .option("--key <hex>", "Public key of the venue: reject parts signed with another key", { parse: hexKey })
    .option("--against <file>", "Another public part of the venue: check that the two do not contradict each other")
    .option("--data <folder>", "Recompute everything from the journal in this data folder")
    .option("--config <file>", "Configuration file of the node, if it has the master key (with --data)")
    .option("--published", "Recompute every root published in the journal, and reject others (with --data)")
    .option("--proof-key <hex>", "Key of this proof, in place of the master key (with --data)", { parse: hexKey })
    .option(...JSON_FLAG)
    .runs(async (session, options) => (await import("./proof-work.ts")).verify(session, options)),
);
