/** A sandbox as a network of the node: the node that runs it makes its blocks, too. */
import { ChainNetwork, type ChainNetworkOptions } from "../chain-network.ts";
import type { RunCommand } from "../commands.ts";
import type { SandboxWorld } from "./world.ts";

export class SandboxNetwork extends ChainNetwork {
  readonly #world: SandboxWorld;

  constructor(options: ChainNetworkOptions, world: SandboxWorld) {
    super(options);
    this.#world = world;
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
