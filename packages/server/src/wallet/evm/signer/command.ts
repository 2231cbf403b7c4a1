/** `pricetime signer ...`: the process that holds the keys of an EVM network. */
import type { Command } from "commander";

interface Terminal {
  print(text: string): void;
}

export function addSignerCommands(program: Command, terminal: Terminal): void {
  const signer = program.command("signer").description("the keys of an EVM network, in a process of their own");
  signer
    .command("init")
    .description("make a key file, and print what the node is to be told of it")
    .requiredOption("--key-file <file>", "where the seed is kept; mode 0600")
    .action(async ({ keyFile }: { keyFile: string }) => {
      const { createKeyFile } = await import("./key-file.ts");
      createKeyFile(keyFile);
      terminal.print(await publicKeys(keyFile));
    });
  signer
    .command("keys")
    .description("print what the node is to be told of a key file: nothing that spends")
    .requiredOption("--key-file <file>", "the key file")
    .action(async ({ keyFile }: { keyFile: string }) => terminal.print(await publicKeys(keyFile)));
  signer
    .command("run")
    .description("sign what nodes ask for, within the limits of the configuration")
    .requiredOption("--config <file>", "the signer's configuration")
    .option("--key-file <file>", "in place of the configured one")
    .option("--socket <path>", "in place of the configured one")
    .action(async ({ config, ...paths }: { config: string; keyFile?: string; socket?: string }) => {
      const { runSigner } = await import("./run.ts");
      await runSigner(config, paths, terminal);
    });
}

async function publicKeys(keyFile: string): Promise<string> {
  const [{ readKeyFile }, { Keys }] = await Promise.all([import("./key-file.ts"), import("./keys.ts")]);
  const { xpub, hotWallet, gasWallet } = new Keys(readKeyFile(keyFile));
  return `xpub: ${xpub}\nhotWallet: "${hotWallet.address}"\ngasWallet: "${gasWallet.address}"`;
}
