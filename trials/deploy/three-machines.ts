/** Three simulated machines: network namespaces on a bridge, each with its own address, loopback and ports. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join } from "node:path";
import { run } from "./tools.ts";

/** Why they cannot be created here; false if they can. */
export function noMachines(): string | false {
  if (process.getuid?.() !== 0) return "only root may make network namespaces";
  const made = spawnSync("ip", ["netns", "list"]);
  return made.error === undefined && made.status === 0 ? false : "there are no network namespaces here";
}

/** `RestartSec` of the units. */
const RESTART_MS = 2_000;

export class Machine {
  readonly address: string;
  readonly #name: string;
  readonly #logs: string;
  readonly #running = new Map<string, ChildProcess>();

  constructor(name: string, address: string, logs: string) {
    this.#name = name;
    this.address = address;
    this.#logs = logs;
  }

  /** Starts a program on the machine, and again if it fails, as systemd does. `unit` is its name for `end` and `log`. */
  start(unit: string, [program = "", ...args]: readonly string[], environment: NodeJS.ProcessEnv): void {
    const log = openSync(this.log(unit), "a");
    const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment };
    const words = ["netns", "exec", this.#name, program, ...args];
    const child = spawn("ip", words, { env, stdio: ["ignore", log, log] });
    this.#running.set(unit, child);
    child.once("exit", (code) => {
      if (code === 0 || this.#running.get(unit) !== child) return;
      setTimeout(() => {
        if (this.#running.get(unit) === child) this.start(unit, [program, ...args], environment);
      }, RESTART_MS).unref();
    });
  }

  /** Runs a command on the machine, which must exit with code 0. Returns its output. */
  run(program: string, args: readonly string[]): string {
    return run("ip", ["netns", "exec", this.#name, program, ...args]);
  }

  log(unit: string): string {
    return join(this.#logs, `${this.#name}-${unit}.log`);
  }

  async end(unit: string, signal: NodeJS.Signals): Promise<void> {
    const child = this.#running.get(unit);
    this.#running.delete(unit);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  /** Takes the machine's network interface down or up. */
  setNetwork(isUp: boolean): void {
    this.run("ip", ["link", "set", "eth0", isUp ? "up" : "down"]);
  }

  /** Kills everything that runs on the machine, as a power failure does. */
  async kill(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((unit) => this.end(unit, "SIGKILL")));
  }
}

export interface Machines {
  readonly all: readonly Machine[];
  /** Kills everything that runs on the machines, and removes them. */
  remove(): Promise<void>;
}

export function threeMachines(logs: string): Machines {
  const id = randomBytes(3).toString("hex");
  const net = `10.${randomInt(100, 250)}.${randomInt(250)}`;
  const bridge = `pt${id}`;
  const ip = (...args: readonly string[]): string => run("ip", args);
  ip("link", "add", bridge, "type", "bridge");
  // The address of clients.
  ip("addr", "add", `${net}.254/24`, "dev", bridge);
  ip("link", "set", bridge, "up");
  const names = [1, 2, 3].map((number) => `${bridge}m${number}`);
  const all = names.map((name, at) => {
    ip("netns", "add", name);
    ip("link", "add", `${bridge}v${at}`, "type", "veth", "peer", "name", "eth0", "netns", name);
    ip("link", "set", `${bridge}v${at}`, "master", bridge, "up");
    for (const words of [`addr add ${net}.${at + 1}/24 dev eth0`, "link set eth0 up", "link set lo up"])
      ip("-n", name, ...words.split(" "));
    return new Machine(name, `${net}.${at + 1}`, logs);
  });
  const remove = async (): Promise<void> => {
    await Promise.all(all.map((machine) => machine.kill()));
    for (const name of names) spawnSync("ip", ["netns", "del", name]);
    assert.equal(spawnSync("ip", ["link", "del", bridge]).status, 0);
  };
  return { all, remove };
}
