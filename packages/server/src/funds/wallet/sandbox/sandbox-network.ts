/** A sandbox as a network of the node: the node that runs it makes its blocks, too. */
import { z } from "zod";
import type { KeptValue } from "../../../platform/world/kept.ts";
import { keptCount, keptPart } from "../../../platform/world/read-kept.ts";
import { ChainNetwork, type ChainNetworkOptions } from "../chain-network.ts";
import type { RunCommand } from "../commands.ts";
import type { SandboxWorld } from "./world.ts";
import type { WorldFile } from "./world-file.ts";

export const KEPT_SANDBOX = z.strictObject({ follower: keptPart, file: keptPart, reachableFromMs: keptCount });

export class SandboxNetwork extends ChainNetwork {
  readonly #world: SandboxWorld;
  readonly #file: WorldFile;

  /** Throws `KeptUnreadable`. */
  constructor(options: ChainNetworkOptions, world: SandboxWorld, file: WorldFile) {
    super(options);
    this.#world = world;
    this.#file = file;
  }

  /** The world outside goes back, too. */
  override kept(): KeptValue {
    return { follower: super.kept(), file: this.#file.kept(), reachableFromMs: this.#world.reachableFromMs };
  }

  override start(sequencer?: RunCommand): void {
    this.#world.start();
    super.start(sequencer);
  }

  override async stop(): Promise<void> {
    this.#world.stop();
    await super.stop();
  }
}
