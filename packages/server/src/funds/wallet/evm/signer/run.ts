/** Runs a signer until it is told to stop. */
import { once } from "node:events";
import { ConfigError } from "../../../../platform/config/config-error.ts";
import { readKeyFile } from "./key-file.ts";
import { Keys } from "./keys.ts";
import { Signer } from "./signer.ts";
import { loadSignerConfig, type SignerConfig } from "./signer-config.ts";
import { SignerServer } from "./signer-server.ts";

interface Paths {
  readonly keyFile?: string;
  readonly socket?: string;
}

/** Prints `ready SOCKET`, then a JSON line for every transaction that it signed or refused. */
export async function runSigner(file: string, paths: Paths, terminal: { print(text: string): void }): Promise<void> {
  const config = { ...loadSignerConfig(file, process.cwd()), ...paths };
  const server = new SignerServer(createSigner(config), (told) =>
    terminal.print(JSON.stringify({ time: new Date().toISOString(), ...told })),
  );
  await server.listen(config.socket);
  terminal.print(`ready ${config.socket}`);
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  await server.close();
}

function createSigner(config: SignerConfig): Signer {
  const keys = new Keys(readKeyFile(config.keyFile));
  try {
    return new Signer(config, keys);
  } catch (error) {
    throw new ConfigError((error as Error).message, { cause: error });
  }
}
