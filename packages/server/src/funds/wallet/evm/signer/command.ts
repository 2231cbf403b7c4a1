/** `pricetime signer ...` runs the process that holds the keys of an EVM network. */
import type { Command } from "commander";

interface Terminal {
  print(text: string): void;
}

export function addSignerCommands(program: Command, terminal: Terminal): void {
  const signer = program
    .command("signer")
    .description("Run the signer, the separate process that holds the keys of an EVM network.");
  signer
    .command("init")
    .description("Create a key file, and print its public part for the node's configuration.")
    .requiredOption("--key-file <file>", "New file for the seed (mode 0600)")
    .action(async ({ keyFile }: { keyFile: string }) => {
      const { createKeyFile } = await import("./keys.ts");
      createKeyFile(keyFile);
      terminal.print(await publicKeys(keyFile));
    });
  signer
    .command("keys")
    .description("Print the public part of a key file, for the node's configuration. It contains no private key.")
    .requiredOption("--key-file <file>", "Key file")
    .action(async ({ keyFile }: { keyFile: string }) => terminal.print(await publicKeys(keyFile)));
  signer
    .command("run")
    .description("Run the signer: sign transactions for nodes, within the configured limits.")
    .requiredOption("--config <file>", "Configuration file of the signer")
    .option("--key-file <file>", "Key file (default: from the configuration)")
    .option("--socket <path>", "Socket to listen on (default: from the configuration)")
    .action(async ({ config, ...paths }: { config: string; keyFile?: string; socket?: string }) => {
      const { runSigner } = await import("./signer-server.ts");
      await runSigner(config, paths, terminal);
    });
}

async function publicKeys(keyFile: string): Promise<string> {
  const [{ readKeyFile }, { Keys }] = await Promise.all([import("./keys.ts"), import("./keys.ts")]);
  const { xpub, hotWallet, gasWallet } = new Keys(readKeyFile(keyFile));
  return `xpub: ${xpub}\nhotWallet: "${hotWallet.address}"\ngasWallet: "${gasWallet.address}"`;
}
