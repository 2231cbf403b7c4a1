/** A signer, started as an operator starts it: `pricetime signer run`. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PRICETIME, pricetime } from "../venue/index.ts";

const START_TIMEOUT_MS = 60_000;

export interface WalletKeys {
  readonly xpub: string;
  readonly hotWallet: `0x${string}`;
  readonly gasWallet: `0x${string}`;
}

export interface SignerProcess {
  readonly socket: string;
  /** The JSON lines that it printed. */
  readonly said: string[];
  kill(): Promise<void>;
}

/** Makes `<folder>/key`. */
export function makeKeys(folder: string): WalletKeys {
  const { code, stdout, stderr } = pricetime("signer", "init", "--key-file", join(folder, "key"));
  assert.equal(code, 0, stderr);
  const told = (name: string): string => new RegExp(`^${name}: "?(\\w+)"?$`, "m").exec(stdout)?.[1] ?? "";
  return {
    xpub: told("xpub"),
    hotWallet: told("hotWallet") as `0x${string}`,
    gasWallet: told("gasWallet") as `0x${string}`,
  };
}

/** `config` has no keyFile and no socket, which are in the folder. */
export async function startSigner(folder: string, config: Readonly<Record<string, unknown>>): Promise<SignerProcess> {
  const socket = join(folder, "signer.sock");
  const file = join(folder, "signer.yaml");
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ ...config, keyFile: join(folder, "key"), socket }));
  const child = spawn(process.execPath, [...PRICETIME, "signer", "run", "--config", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const killWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", killWithUs);
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const said: string[] = [];
  await new Promise<void>((done, failed) => {
    const late = setTimeout(() => failed(new Error("the signer did not start in time")), START_TIMEOUT_MS);
    child.once("exit", (code) => {
      clearTimeout(late);
      failed(new Error(`the signer ended with code ${code}`));
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line !== `ready ${socket}`) return void said.push(line);
      clearTimeout(late);
      done();
    });
  });
  return {
    socket,
    said,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
      process.off("exit", killWithUs);
    },
  };
}
